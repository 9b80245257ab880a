package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads XML of strangers into a tree: a document type is passed over unread, entities other than the five of XML are refused, nothing
 * outside of the text is looked at, depth and number of elements are bounded.
 */
final class XmlTree {
    /** An element that is not yet closed. One thread. */
    private record Open(
            String name, int line, Map<String, String> attributes, List<XmlElement> children, StringBuilder text) {
        XmlElement close() {
            return new XmlElement(
                    name, line, attributes, children, text.toString().strip());
        }
    }

    private final HardwareSource source;
    private final Deque<Open> open = new ArrayDeque<>();
    private int elements;

    private XmlTree(HardwareSource source) {
        this.source = source;
    }

    /** @param root the name that the outermost element must have */
    static XmlElement read(HardwareSource source, String root) {
        XmlElement read = new XmlTree(source).parse();
        if (!read.name().equals(root)) {
            throw source.at(read.line(), "root", read.name(), "<" + root + ">");
        }
        return read;
    }

    private XmlElement parse() {
        try {
            XMLStreamReader reader = factory().createXMLStreamReader(new StringReader(source.text()));
            try {
                return parse(reader);
            } finally {
                reader.close();
            }
        } catch (XMLStreamException broken) {
            int line = broken.getLocation() == null
                    ? 0
                    : Math.max(0, broken.getLocation().getLineNumber());
            throw source.at(line, "not well-formed XML (expected: a whole document)");
        }
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> {
            throw new XMLStreamException("outside of the text");
        });
        return factory;
    }

    private XmlElement parse(XMLStreamReader reader) throws XMLStreamException {
        XmlElement root = null;
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> begin(reader);
                case XMLStreamConstants.END_ELEMENT -> {
                    XmlElement closed = open.pop().close();
                    if (open.isEmpty()) {
                        root = closed;
                    } else {
                        open.element().children().add(closed);
                    }
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
                    if (!open.isEmpty()) {
                        open.element().text().append(reader.getText());
                    }
                }
                case XMLStreamConstants.ENTITY_REFERENCE ->
                    throw source.at(line(reader), "entity", reader.getLocalName(), "text written out");
                default -> {}
            }
        }
        if (root == null) {
            throw source.problem("empty (expected: an XML document)");
        }
        return root;
    }

    private void begin(XMLStreamReader reader) {
        elements++;
        if (elements > Limits.HARDWARE_ELEMENTS_MAX || open.size() == Limits.HARDWARE_DEPTH_MAX) {
            throw source.at(
                    line(reader),
                    "more than " + Limits.HARDWARE_ELEMENTS_MAX + " elements, or deeper than "
                            + Limits.HARDWARE_DEPTH_MAX + " (expected: a description of one machine)");
        }
        Map<String, String> attributes = new HashMap<>();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
        }
        open.push(new Open(reader.getLocalName(), line(reader), attributes, new ArrayList<>(), new StringBuilder()));
    }

    private static int line(XMLStreamReader reader) {
        return Math.max(0, reader.getLocation().getLineNumber());
    }
}
