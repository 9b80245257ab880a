package io.surestate.manifest.hardware;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One element of a document, with all that is in it. Immutable.
 *
 * @param line where it begins
 * @param text its own, without that of its children, trimmed
 */
record XmlElement(String name, int line, Map<String, String> attributes, List<XmlElement> children, String text) {
    XmlElement {
        attributes = Map.copyOf(attributes);
        children = List.copyOf(children);
    }

    /** Empty where it is not there. */
    String attribute(String key) {
        return attributes.getOrDefault(key, "");
    }

    Stream<XmlElement> all(String child) {
        return children.stream().filter(element -> element.name.equals(child));
    }

    Optional<XmlElement> first(String child) {
        return all(child).findFirst();
    }

    /** The text at the end of a path of children; empty where it is not there or says that it is not known. */
    String textAt(String... path) {
        Optional<XmlElement> at = Optional.of(this);
        for (String step : path) {
            at = at.flatMap(element -> element.first(step));
        }
        return at.map(XmlElement::text).filter(text -> !text.equals("N/A")).orElse("");
    }
}
