//! Whether a file's contents match its extension. Scratch shows a grey question mark for a costume that is not a
//! picture, without an error.

/// Bytes of an SVG file in which its first element is looked for.
const HEAD: usize = 64 * 1024;

/// Whether the content of a file matches its extension, in lower case.
pub(super) fn is_of_kind(bytes: &[u8], extension: &str) -> bool {
    match extension {
        "svg" => is_svg(bytes),
        "png" => bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
        "jpg" | "jpeg" => bytes.starts_with(b"\xff\xd8\xff"),
        "gif" => bytes.starts_with(b"GIF8"),
        "bmp" => bytes.starts_with(b"BM"),
        "wav" => bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WAVE"),
        // A tag, or a frame's sync bits.
        "mp3" => bytes.starts_with(b"ID3") || matches!(bytes, [0xff, second, ..] if second & 0xe0 == 0xe0),
        _ => false,
    }
}

/// Whether the first element of a text is `svg`, with or without a prefix.
fn is_svg(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(bytes.get(..HEAD).unwrap_or(bytes)).into_owned();
    let mut rest = head.trim_start_matches('\u{feff}').trim_start();
    // Declaration, document type and comments come before it.
    while let Some(skipped) = after_prologue(rest) {
        rest = skipped.trim_start();
    }
    let name = rest.strip_prefix('<').unwrap_or_default();
    let name = name.split([' ', '\t', '\r', '\n', '>', '/']).next().unwrap_or_default();
    name.rsplit(':').next() == Some("svg")
}

/// What follows one declaration or comment; `None` when there is none.
fn after_prologue(text: &str) -> Option<&str> {
    let until = |end: &str| text.split_once(end).map(|(_, rest)| rest);
    if text.starts_with("<!--") {
        until("-->")
    } else if text.starts_with("<?") {
        until("?>")
    } else if text.starts_with("<!") {
        let bracket = text.find('[').filter(|at| text.find('>').is_some_and(|end| *at < end));
        if bracket.is_some() { until("]>") } else { until(">") }
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_and_sounds_are_known_by_what_they_hold() {
        let doctype = "<?xml version=\"1.0\"?>\n<!-- a > b -->\n<!DOCTYPE svg [<!ENTITY a \"b\">]>\n<svg/>";
        for svg in ["<svg xmlns='x'>", "\u{feff} <svg>", "<s:svg>", doctype, "<!DOCTYPE svg PUBLIC \"a\">\n<svg>"] {
            assert!(is_of_kind(svg.as_bytes(), "svg"), "{svg}");
        }
        for other in ["not a picture", "", "<html><svg></svg></html>", "<!-- <svg>", "<svgx>"] {
            assert!(!is_of_kind(other.as_bytes(), "svg"), "{other}");
        }
        assert!(is_of_kind(b"\x89PNG\r\n\x1a\n...", "png") && !is_of_kind(b"<svg>", "png"));
        assert!(is_of_kind(b"RIFF\0\0\0\0WAVEfmt ", "wav") && !is_of_kind(b"RIFF\0\0\0\0AVI ", "wav"));
        assert!(is_of_kind(b"ID3\x04", "mp3") && is_of_kind(b"\xff\xfb\x90", "mp3") && !is_of_kind(b"mp3", "mp3"));
    }
}
