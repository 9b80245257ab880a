package io.surestate.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class LayeringTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.surestate.agent");

    @Test
    void theProtocolCoreAndTheVirtualTasksHaveNoThreadsNetworkProcessesOrFiles() {
        noClasses()
                .that()
                .resideInAnyPackage("..agent.core..", "..agent.driver..", "..agent.fake..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.grpc..",
                        "java.util.concurrent..",
                        "java.nio.file..",
                        "java.io..",
                        "java.net..",
                        "..agent.process..",
                        "..agent.net..",
                        "..agent.output..")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.Thread")
                .check(CLASSES);
    }

    @Test
    void onlyTheAssemblyMakesThreads() {
        noClasses()
                .that()
                .doNotHaveSimpleName("AgentThreads")
                .and()
                .doNotHaveSimpleName("AgentMain")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.concurrent.Executors")
                .check(CLASSES);
    }
}
