/**
 * The manifest dialect: API messages as people write them in YAML and JSON. Generic over any message, driven by the field options of
 * {@code options.proto}. Start at {@link io.surestate.manifest.dialect.ManifestReader} and {@link
 * io.surestate.manifest.dialect.ManifestWriter}.
 */
@NullMarked
package io.surestate.manifest.dialect;

import org.jspecify.annotations.NullMarked;
