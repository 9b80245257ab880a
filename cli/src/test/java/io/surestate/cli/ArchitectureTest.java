package io.surestate.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.surestate.cli", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule THE_CORE_IS_KNOWN_THROUGH_THE_SIMULATOR_ALONE = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.surestate.statemachine..", "org.rocksdb..");

    @ArchTest
    static final ArchRule ONLY_SIMULATE_KNOWS_THE_SIMULATOR = noClasses()
            .that()
            .resideOutsideOfPackage("io.surestate.cli.simulate")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.surestate.sim..");
}
