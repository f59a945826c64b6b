//! The chain that ties the lines of a log together, so that a line that was altered, left out or put in is found.
//!
//! The last field of each line, `chain`, is made from the one of the line before and from the text of the line
//! itself. Rewriting a whole log can also rewrite its chain: the chain shows accidents and edits; a link that was
//! published elsewhere (the last one is enough) shows forgeries.

use super::sha256_hex;

/// Hexadecimal digits of a link that are kept: 128 bits.
const LINK: usize = 32;
/// The text before a line's own link.
const FIELD: &str = ",\"chain\":\"";

/// The state of a chain: its last link.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chain {
    last: String,
}

impl Chain {
    /// The last link; empty before the first line.
    pub fn last(&self) -> &str {
        &self.last
    }

    /// Ties an event, given as a JSON object, to those before it: the line for the log.
    pub fn tie(&mut self, object: &str) -> String {
        self.last = link(&self.last, object);
        let open = object.strip_suffix('}').unwrap_or(object);
        format!("{open}{FIELD}{}\"}}", self.last)
    }

    /// Goes on to a line of a log; false when it does not follow from those before it.
    pub fn follows(&mut self, line: &str) -> bool {
        let Some((open, rest)) = line.rsplit_once(FIELD) else { return false };
        self.last = link(&self.last, &format!("{open}}}"));
        rest.strip_suffix("\"}") == Some(self.last.as_str())
    }
}

fn link(before: &str, object: &str) -> String {
    let mut digest = sha256_hex(format!("{before}\n{object}").as_bytes());
    digest.truncate(LINK);
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> Vec<String> {
        let mut chain = Chain::default();
        (1..=4).map(|n| chain.tie(&format!("{{\"seq\":{n},\"text\":\"x\"}}"))).collect()
    }

    fn holds(lines: &[String]) -> bool {
        let mut chain = Chain::default();
        lines.iter().all(|line| chain.follows(line))
    }

    #[test]
    fn an_untouched_log_holds_and_its_lines_are_json() {
        assert!(holds(&lines()));
        assert!(lines().iter().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    }

    #[test]
    fn an_edited_a_missing_and_an_added_line_are_found() {
        let mut edited = lines();
        edited[1] = edited[1].replace("\"x\"", "\"y\"");
        assert!(!holds(&edited));
        let mut missing = lines();
        missing.remove(2);
        assert!(!holds(&missing));
        let mut added = lines();
        added.insert(2, lines()[1].clone());
        assert!(!holds(&added));
    }
}
