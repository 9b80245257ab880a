package io.surestate.agent.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.api.ImageName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageStoreTest {
    private static final long BYTES_MAX = 1 << 20;

    private final Set<String> used = new HashSet<>();

    @TempDir
    Path root;

    private Path images;
    private Path store;

    @BeforeEach
    void folders() throws IOException {
        images = Files.createDirectories(root.resolve("images"));
        store = root.resolve("store");
    }

    private ImageStore store() {
        return new ImageStore(
                new ImageStore.Settings(store, new AllowedFolders(List.of(images)), false, BYTES_MAX, 1), () -> used);
    }

    private Layouts layout(String name) throws IOException {
        return new Layouts(Files.createDirectories(images.resolve(name)));
    }

    private RootFs resolve(String name) throws IOException {
        return store().resolve(ImageName.parse(images + "/" + name).orElseThrow());
    }

    private void refused(String name, String reason) {
        assertThatThrownBy(() -> resolve(name))
                .isInstanceOf(ImageException.class)
                .hasMessageContaining(reason);
        assertThat(root.resolve("outside")).doesNotExist();
    }

    private void nothingIsLeft() throws IOException {
        try (Stream<Path> left = Files.list(store)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void layersLieOneOverTheOther() throws IOException {
        String digest = layout("app")
                .with(new Layouts.Layer()
                        .folder("etc")
                        .file("etc/a", "one")
                        .file("etc/b", "one")
                        .file("opt/x/deep", "one")
                        .file("opt/y", "one"))
                .with(new Layouts.Layer()
                        .file("etc/a", "two")
                        .file("etc/.wh.b", "")
                        .file("opt/.wh..wh..opq", "")
                        .file("opt/z", "two")
                        .symlink("lib", "usr/lib")
                        .link("etc/hard", "etc/a"))
                .tagged("v1", "PATH=/app", "MODE=fast");
        RootFs image = resolve("app:v1");
        assertThat(image.digest()).isEqualTo(digest);
        assertThat(image.environment()).containsEntry("PATH", "/app").containsEntry("MODE", "fast");
        assertThat(image.folder().resolve("etc/a")).hasContent("two");
        assertThat(image.folder().resolve("etc/hard")).hasContent("two");
        assertThat(image.folder().resolve("etc/b")).doesNotExist();
        assertThat(image.folder().resolve("opt/x")).doesNotExist();
        assertThat(image.folder().resolve("opt/y")).doesNotExist();
        assertThat(image.folder().resolve("opt/z")).hasContent("two");
        assertThat(image.folder().resolve("lib")).isSymbolicLink();
    }

    @Test
    void anImageIsUnpackedOnce() throws IOException {
        layout("app").with(new Layouts.Layer().file("a", "1")).tagged("v1");
        Path first = resolve("app:v1").folder();
        Files.writeString(first.resolve("mark"), "");
        assertThat(resolve("app").folder().resolve("mark")).exists();
    }

    @Test
    void aPlainFolderIsTakenAsItIs() throws IOException {
        Files.createDirectories(images.resolve("tree/bin"));
        assertThat(resolve("tree")).isEqualTo(new RootFs(images.resolve("tree").toRealPath(), "", java.util.Map.of()));
        refused("tree:v1", "is a plain folder (expected: an image layout");
    }

    @Test
    void aLayerOfAnotherContentThanItsDigestIsRefusedAndLeavesNothing() throws IOException {
        Layouts layout = layout("app");
        String digest = layout.blob(new Layouts.Layer().file("a", "1").zipped());
        layout.with(new Layouts.Layer().file("a", "1")).tagged("v1");
        Files.write(
                layout.file(digest), new Layouts.Layer().file("a", "changed").zipped());
        refused("app:v1", "(expected: " + digest + ")");
        nothingIsLeft();
    }

    @Test
    void aNameThatClimbsIsRefused() throws IOException {
        layout("app").with(new Layouts.Layer().file("../../outside", "x")).tagged("v1");
        refused("app:v1", "entry ../../outside (expected: a name without ..)");
        nothingIsLeft();
    }

    @Test
    void aWhiteoutHidesNothingOutside() throws IOException {
        layout("app").with(new Layouts.Layer().file("a/.wh...", "")).tagged("v1");
        refused("app:v1", "(expected: a name to hide)");
        layout("b").with(new Layouts.Layer().file(".wh.", "")).tagged("v1");
        refused("b:v1", "(expected: a name to hide)");
    }

    @Test
    void aSymbolicLinkLeadsNowhereOutside() throws IOException {
        layout("app")
                .with(new Layouts.Layer().symlink("up", "../../../../../..").symlink("abs", root.toString()))
                .with(new Layouts.Layer().file("up/outside", "in").file("abs/outside", "in"))
                .tagged("v1");
        RootFs image = resolve("app:v1");
        assertThat(root.resolve("outside")).doesNotExist();
        assertThat(image.folder().resolve("outside")).hasContent("in");
        assertThat(Path.of(image.folder() + root.toString()).resolve("outside")).hasContent("in");
    }

    @Test
    void linksInACircleAndHardLinksOutAreRefused() throws IOException {
        layout("app")
                .with(new Layouts.Layer().symlink("a", "b").symlink("b", "a").file("a/x", ""))
                .tagged("v1");
        refused("app:v1", "symbolic links");
        layout("b").with(new Layouts.Layer().link("passwd", "/etc/passwd")).tagged("v1");
        refused("b:v1", "is a link to /etc/passwd (expected: to a file)");
    }

    @Test
    void moreThanMayBeUnpackedIsRefused() throws IOException {
        layout("app")
                .with(new Layouts.Layer().file("zeros", "\0".repeat(2 << 20)))
                .tagged("v1");
        refused("app:v1", "(expected: at most");
        nothingIsLeft();
    }

    @Test
    void whatIsNotThereIsNamed() throws IOException {
        layout("app").with(new Layouts.Layer().file("a", "1")).tagged("v1");
        refused("app:v2", "no tag \"v2\" (expected: one of v1)");
        refused("app@sha256:" + "0".repeat(64), "no sha256:000");
        refused("nothing", "is not there");
        Files.writeString(images.resolve("app/index.json"), "{");
        refused("app:v1", "not JSON");
    }

    @Test
    void anImageElsewhereIsRefusedEvenThroughALink() throws IOException {
        Path elsewhere = Files.createDirectories(root.resolve("elsewhere"));
        Files.createSymbolicLink(images.resolve("link"), elsewhere);
        refused("link", "expected: below one of drivers.images of this node's agent");
        assertThatThrownBy(() -> store().resolve(ImageName.parse("/etc").orElseThrow()))
                .hasMessageContaining("drivers.images");
    }

    @Test
    void ofImagesThatNobodyUsesOnlyTheNewestAreKept() throws IOException {
        String busy = layout("busy").with(new Layouts.Layer().file("a", "1")).tagged("v1");
        used.add(busy);
        resolve("busy:v1");
        for (String name : List.of("one", "two")) {
            layout(name).with(new Layouts.Layer().file("a", name)).tagged("v1");
            resolve(name + ":v1");
        }
        try (Stream<Path> left = Files.list(store)) {
            assertThat(left).hasSize(2).contains(store.resolve(busy.replace(':', '-')));
        }
    }
}
