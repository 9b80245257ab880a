package io.surestate.statemachine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.surestate.statemachine", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule ONLY_THE_STORE_KNOWS_ROCKSDB = noClasses()
            .that()
            .resideOutsideOfPackage("..statemachine.store..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.rocksdb..");

    @ArchTest
    static final ArchRule NO_THREADS_NETWORK_OR_RAFT = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.grpc..", "org.apache.ratis..", "java.net..", "java.util.concurrent");

    @ArchTest
    static final ArchRule DECISIONS_DO_NOT_KNOW_ROWS_OR_STORES = noClasses()
            .that()
            .resideInAnyPackage(
                    "..statemachine.state",
                    "..statemachine.decision",
                    "..statemachine.job",
                    "..statemachine.node",
                    "..statemachine.ledger",
                    "..statemachine.cluster",
                    "..statemachine.request")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "..statemachine.store", "..statemachine.row", "..statemachine.history", "java.nio.file");

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("io.surestate.statemachine.(*)..").should().beFreeOfCycles();
}
