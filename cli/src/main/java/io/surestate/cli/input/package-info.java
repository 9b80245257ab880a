/** What users hand to commands: files, request ids, consent. */
@NullMarked
package io.surestate.cli.input;

import org.jspecify.annotations.NullMarked;
