package io.surestate.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.Message;
import io.surestate.manifest.dialect.ManifestWriter;
import java.io.IOException;

/** The keys and values of one resource. */
public interface Body {
    void fields(ManifestWriter writer, JsonGenerator out) throws IOException;

    /** A message as it is. */
    static Body of(Message message) {
        return (writer, out) -> writer.fields(message, out);
    }
}
