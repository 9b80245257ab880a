/** How results look: tables for people, JSON and YAML in the manifest dialect, bare names for scripts. */
@NullMarked
package io.surestate.cli.output;

import org.jspecify.annotations.NullMarked;
