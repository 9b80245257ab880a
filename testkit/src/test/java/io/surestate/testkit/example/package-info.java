/** Programs that show how Surestate is embedded; the documentation shows them word by word. */
@NullMarked
package io.surestate.testkit.example;

import org.jspecify.annotations.NullMarked;
