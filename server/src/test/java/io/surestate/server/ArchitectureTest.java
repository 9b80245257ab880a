package io.surestate.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.surestate.server", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule ONLY_THE_RAFT_PACKAGE_KNOWS_RATIS = noClasses()
            .that()
            .resideOutsideOfPackage("io.surestate.server.raft..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.ratis..");

    @ArchTest
    static final ArchRule ONLY_ASSEMBLIES_KNOW_THE_RAFT_PACKAGE = noClasses()
            .that()
            .haveSimpleNameNotEndingWith("Assembly")
            .and()
            .resideOutsideOfPackage("io.surestate.server.raft..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.surestate.server.raft..");

    @ArchTest
    static final ArchRule NOBODY_KNOWS_ROCKSDB =
            noClasses().should().dependOnClassesThat().resideInAPackage("org.rocksdb..");

    @ArchTest
    static final ArchRule LEADER_WORK_HAS_NO_THREADS_OF_ITS_OWN = noClasses()
            .that()
            .resideInAnyPackage("..server.leader..", "..server.node..", "..server.job..", "..server.commit..")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.concurrent.Executors")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.lang.Thread");

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("io.surestate.server.(*)..").should().beFreeOfCycles();
}
