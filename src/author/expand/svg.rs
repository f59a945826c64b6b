//! Pictures drawn by a model: only plain shapes, nothing that runs, loads or links.

use roxmltree::{Document, Node, NodeType};

/// The largest picture, in bytes.
const LARGEST: usize = 20_000;

/// Elements that a picture may have.
const ELEMENTS: &[&str] = &[
    "svg",
    "g",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "defs",
    "linearGradient",
    "radialGradient",
    "stop",
    "clipPath",
    "title",
    "desc",
];

/// Attributes that a picture may have: places, shapes and colours.
const ATTRIBUTES: &[&str] = &[
    "width",
    "height",
    "viewBox",
    "preserveAspectRatio",
    "version",
    "id",
    "transform",
    "d",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "fx",
    "fy",
    "points",
    "offset",
    "opacity",
    "fill",
    "fill-opacity",
    "fill-rule",
    "stroke",
    "stroke-width",
    "stroke-opacity",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stop-color",
    "stop-opacity",
    "gradientUnits",
    "gradientTransform",
    "spreadMethod",
    "clip-path",
    "clip-rule",
    "clipPathUnits",
    "color",
    "display",
    "visibility",
];

const SVG: &str = "http://www.w3.org/2000/svg";

/// What is wrong with a picture, if anything is.
pub(super) fn fault(svg: &str) -> Option<String> {
    let text = svg.trim();
    if text.len() > LARGEST {
        return Some(format!("has {} bytes, more than {LARGEST}", text.len()));
    }
    // Declarations of types, and with them entities that could spell anything, are refused by the parser.
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => return Some(format!("is no XML: {error}")),
    };
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        return Some("is no SVG element".to_owned());
    }
    if root.tag_name().namespace() != Some(SVG) {
        return Some(format!("lacks xmlns=\"{SVG}\""));
    }
    document.root().descendants().find_map(|node| match node.node_type() {
        NodeType::Element => element_fault(node),
        NodeType::Root | NodeType::Text => None,
        NodeType::Comment | NodeType::PI => {
            Some("has a comment or an instruction, which no plain picture needs".to_owned())
        }
    })
}

/// What a plain picture would not have: another element, an attribute that runs or loads something, a reference to
/// anything outside of it.
fn element_fault(node: Node<'_, '_>) -> Option<String> {
    let (tag, is_svg) = (node.tag_name().name(), node.tag_name().namespace() == Some(SVG));
    if !is_svg || !ELEMENTS.contains(&tag) {
        return Some(format!("has an element that is not allowed: <{tag}>"));
    }
    node.attributes().find_map(|attribute| {
        let (name, value) = (attribute.name(), attribute.value());
        if attribute.namespace().is_some() || !ATTRIBUTES.contains(&name) {
            return Some(format!("has an attribute that is not allowed: {name}"));
        }
        let outside = value.match_indices("url(").any(|(at, _)| !value[at + 4..].starts_with('#'));
        let escaped = value.contains('\\');
        (outside || escaped).then(|| format!("refers to something outside of it: {name}=\"{value}\""))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(inside: &str) -> Option<String> {
        fault(&format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">{inside}</svg>\n"))
    }

    #[test]
    fn plain_pictures_are_fine() {
        assert_eq!(of("<g fill=\"url(#a)\"><path d=\"M0 0h9\" stroke='#fff'/></g><title>On top</title>"), None);
    }

    #[test]
    fn pictures_that_run_load_or_link_are_refused() {
        for bad in [
            "<script>alert(1)</script>",
            "<g onload=\"x()\"/>",
            "<g fill='red'onclick ='x()'/>",
            "<image href=\"http://example.org/a.png\"/>",
            "<use xlink:href=\"#a\"/>",
            "<path fill=\"url(//example.org/a)\"/>",
            "<path style=\"fill:red\"/>",
            "<foreignObject/>",
            "<!-- x -->",
            "<path fill=\"u&#114;l(//example.org/a)\"/>",
            "<animate/>",
            "<g:script/>",
        ] {
            assert!(of(bad).is_some(), "{bad}");
        }
        assert!(fault("<svg></svg>").unwrap().contains("xmlns"));
        assert!(fault("hello").is_some() && of(&" ".repeat(LARGEST)).is_some());
        assert!(fault("<!DOCTYPE svg><svg xmlns=\"http://www.w3.org/2000/svg\"></svg>").is_some());
    }
}
