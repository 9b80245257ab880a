/** What the launcher runs once after a build, so that later starts are quick. */
@NullMarked
package io.surestate.cli.archive;

import org.jspecify.annotations.NullMarked;
