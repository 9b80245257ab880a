/** Process configuration: one YAML file per process, read into one record; start at {@link io.surestate.manifest.config.ConfigFile}. */
@NullMarked
package io.surestate.manifest.config;

import org.jspecify.annotations.NullMarked;
