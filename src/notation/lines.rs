//! The lines of a text with their depth. A wrongly indented line is noted, and read where it seems to belong, so
//! that it causes no other faults.

use super::error::{LineError, TextError};
use scratchbed_project::near::near;

/// Spaces before a script's notation.
pub(super) const SCRIPT_INDENT: usize = 4;

/// Words that lines outside of scripts begin with; those of targets first.
pub(super) const TARGETS: [&str; 2] = ["stage", "sprite"];
pub(super) const PROPERTIES: [&str; 21] = [
    "script",
    "list",
    "costume",
    "backdrop",
    "sound",
    "current",
    "volume",
    "variable",
    "comment",
    "monitor",
    "tempo",
    "video",
    "video-transparency",
    "speech-language",
    "position",
    "size",
    "direction",
    "rotation",
    "hidden",
    "draggable",
    "layer",
];

/// The lines of a text, with their numbers, and what is wrong with them.
pub(super) struct Lines<'a> {
    pub(super) all: Vec<&'a str>,
    pub(super) at: usize,
    pub(super) faults: Vec<TextError>,
}

/// Spaces at the beginning of a line.
pub(super) fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// Whether anything but spaces, such as a tab, precedes the first word.
fn has_tab(line: &str) -> bool {
    line.trim_start_matches(' ').starts_with(char::is_whitespace)
}

/// What is wrong with the indentation of a line that should have this many spaces.
fn amiss(line: &str, expected: usize) -> LineError {
    if has_tab(line) { LineError::Tab } else { LineError::Indentation { found: indent_of(line), expected } }
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let all = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
        Self { all, at: 0, faults: Vec::new() }
    }

    pub(super) fn peek(&self) -> Option<&'a str> {
        self.all.get(self.at).copied()
    }

    /// Skips empty lines and remarks, and returns the depth and content of the next line. A wrongly indented line is
    /// noted, and has the depth of its first word, else the expected one.
    pub(super) fn next_content(&mut self, expected: usize) -> Option<(usize, &'a str)> {
        while let Some(line) = self.peek() {
            let text = line.trim();
            if !text.is_empty() && !text.starts_with("//") {
                let depth = match first_word(text) {
                    word if TARGETS.contains(&word) => 0,
                    word if PROPERTIES.contains(&word) => 1,
                    _ => expected,
                };
                let indent = indent_of(line);
                if has_tab(line) || indent % 2 == 1 {
                    self.note_here(amiss(line, 2 * depth));
                    return Some((depth, text));
                }
                return Some((indent / 2, text));
            }
            self.at += 1;
        }
        None
    }

    /// The next line of a script, without its indentation. One that is indented too little, but begins like no line outside
    /// of scripts, is noted and belongs to it all the same. `None` at the end of the script.
    pub(super) fn script_line(&mut self, continued: bool) -> Option<&'a str> {
        let line = self.peek()?;
        if line.trim().is_empty() || indent_of(line) >= SCRIPT_INDENT {
            return Some(line.get(SCRIPT_INDENT..).unwrap_or_default());
        }
        if continued || !self.is_short() {
            return None;
        }
        self.note_here(amiss(line, SCRIPT_INDENT));
        Some(line.trim_start())
    }

    /// Whether the next line, which is indented less than a script, is meant for the one before it.
    fn is_short(&self) -> bool {
        let line = self.peek().unwrap_or_default();
        let word = first_word(line);
        let mut outside = PROPERTIES.into_iter().chain(TARGETS);
        if word.starts_with("//") || outside.any(|each| each == word) {
            return false;
        }
        if has_tab(line) || indent_of(line) % 2 == 1 {
            return true;
        }
        let after = self.all.iter().skip(self.at + 1).find(|line| !line.trim().is_empty());
        near(word, PROPERTIES.into_iter().chain(TARGETS)).is_none()
            && after.is_some_and(|line| indent_of(line) >= SCRIPT_INDENT)
    }

    /// Notes a fault of a line, by its number.
    pub(super) fn note(&mut self, line: usize, problem: LineError) {
        self.faults.push(TextError { line, problem });
    }

    /// Notes a fault of the next line, or of the last one when there is none.
    pub(super) fn note_here(&mut self, problem: LineError) {
        self.note((self.at + 1).min(self.all.len()), problem);
    }

    /// Notes that the next line has another depth than expected.
    pub(super) fn note_depth(&mut self, expected: usize) {
        let found = self.peek().map_or(0, indent_of);
        self.note_here(LineError::Indentation { found, expected: 2 * expected });
    }

    /// Notes a fault of the next line, and passes over it and all that is indented deeper.
    pub(super) fn pass_over(&mut self, problem: LineError) {
        self.note_here(problem);
        let indent = self.peek().map_or(0, indent_of);
        self.at += 1;
        while self.peek().is_some_and(|line| line.trim().is_empty() || indent_of(line) > indent) {
            self.at += 1;
        }
    }

    /// What was noted, by line. Of wrongly indented lines only the first is reported, and nothing else about it: an author
    /// who fixes it finds the others by the same rule.
    pub(super) fn into_errors(self) -> Vec<TextError> {
        let mut faults = self.faults;
        faults.sort_by_key(|fault| fault.line);
        let is_indent = |fault: &TextError| matches!(fault.problem, LineError::Tab | LineError::Indentation { .. });
        let first = faults.iter().find(|fault| is_indent(fault)).cloned();
        let amiss: Vec<usize> = faults.iter().filter(|fault| is_indent(fault)).map(|fault| fault.line).collect();
        faults.retain(|fault| !amiss.contains(&fault.line));
        faults.extend(first);
        faults.sort_by_key(|fault| fault.line);
        faults
    }
}
