//! JSON Pointers (RFC 6901) as lists of keys. What a pointer means in a document is `document`'s business.

/// Keys from the document's root down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pointer {
    /// The keys without escapes; none for the whole document.
    pub(super) keys: Vec<String>,
}

impl Pointer {
    /// Reads a pointer; `None` when it does not begin with a slash, or has a tilde without 0 or 1 behind it.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self { keys: Vec::new() });
        }
        let keys = text.strip_prefix('/')?.split('/').map(unescape).collect::<Option<_>>()?;
        Some(Self { keys })
    }

    /// The keys as slices, for matching.
    pub(super) fn parts(&self) -> Vec<&str> {
        self.keys.iter().map(String::as_str).collect()
    }

    /// The pointer as text.
    pub(super) fn text(&self) -> String {
        self.keys.iter().fold(String::new(), |text, key| join(&text, key))
    }
}

/// A key as it stands in a pointer: `~0` for a tilde, `~1` for a slash.
pub fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The pointer to a member or item of what another points to.
pub fn join(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", escape(key))
}

fn unescape(part: &str) -> Option<String> {
    let mut pieces = part.split('~');
    let mut key = pieces.next()?.to_owned();
    for piece in pieces {
        let (character, rest) = match piece.as_bytes().first()? {
            b'0' => ('~', &piece[1..]),
            b'1' => ('/', &piece[1..]),
            _ => return None,
        };
        key.push(character);
        key.push_str(rest);
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_read_and_written_by_rfc_6901() {
        for (text, keys) in [
            ("", vec![]),
            ("/", vec![""]),
            ("/a~1b/m~0n", vec!["a/b", "m~n"]),
            ("/~01", vec!["~1"]),
            ("/ü/-", vec!["ü", "-"]),
        ] {
            let pointer = Pointer::parse(text).unwrap();
            assert_eq!(pointer.parts(), keys, "{text}");
            assert_eq!(pointer.text(), text);
        }
    }

    #[test]
    fn what_is_no_pointer_is_none() {
        for text in ["a", "a/b", "/a~", "/~2/b", "/~~1"] {
            assert_eq!(Pointer::parse(text), None, "{text}");
        }
    }
}
