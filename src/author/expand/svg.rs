//! Pictures that a model drew: plain shapes, and nothing that runs, loads or links.

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

/// What is wrong with a picture, if anything is.
pub(super) fn fault(svg: &str) -> Option<String> {
    let text = svg.trim();
    if text.len() > LARGEST {
        return Some(format!("has {} bytes, more than {LARGEST}", text.len()));
    }
    if !text.starts_with("<svg") || !text.ends_with("</svg>") {
        return Some("is no SVG element".to_owned());
    }
    if !text.contains("xmlns=\"http://www.w3.org/2000/svg\"") {
        return Some("lacks xmlns=\"http://www.w3.org/2000/svg\"".to_owned());
    }
    unknown_element(text).or_else(|| foreign(text))
}

/// An element that no plain picture needs. Comments, declarations and entities count as such.
fn unknown_element(text: &str) -> Option<String> {
    text.match_indices('<').find_map(|(at, _)| {
        let rest = text[at + 1..].trim_start_matches('/');
        let name = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let follows = rest[name.len()..].chars().next();
        let ends = follows.is_some_and(|c| c.is_ascii_whitespace() || matches!(c, '>' | '/'));
        (!ELEMENTS.contains(&name) || !ends).then(|| format!("has an element that is not allowed: <{name}…"))
    })
}

/// An attribute that runs something or leads elsewhere. Entities could spell anything, so there are none.
fn foreign(text: &str) -> Option<String> {
    let small = text.to_ascii_lowercase();
    let plain: String = small.replacen("xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
    for part in ["href", "javascript:", "data:", "http:", "https:", "//", "style=", "&", "@import", "\\"] {
        if plain.contains(part) {
            return Some(format!("contains `{part}`, which no plain picture needs"));
        }
    }
    let inner =
        |at: usize| plain[..at].chars().next_back().is_some_and(|c| c.is_ascii_whitespace() || matches!(c, '"' | '\''));
    let handler = plain.match_indices("on").any(|(at, _)| {
        inner(at)
            && plain[at..]
                .split(['=', '>', '<', '"'])
                .next()
                .is_some_and(|name| name.trim().chars().all(char::is_alphabetic))
            && plain[at..].trim_start_matches(char::is_alphabetic).trim_start().starts_with('=')
    });
    let outside = plain.match_indices("url(").any(|(at, _)| !plain[at + 4..].starts_with('#'));
    if handler {
        return Some("has an event handler".to_owned());
    }
    outside.then(|| "refers to something outside of it".to_owned())
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
            "<g id=\"&#106;\"/>",
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
