package io.surestate.sim;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.surestate.sim", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** ssctl, which carries the simulator, does not carry RocksDB. */
    @ArchTest
    static final ArchRule NOTHING_NEEDS_THE_STORE = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.rocksdb..",
                    "io.surestate.statemachine.store",
                    "io.surestate.statemachine.row",
                    "io.surestate.statemachine.history");

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("io.surestate.sim.(*)..").should().beFreeOfCycles();
}
