//! A project as Markdown for language models, in the sections of the paper's appendix L: each target with its scripts,
//! variables, costumes and sounds.
//!
//! Scripts are in the notation of docs/PROJECT-TEXT.md, where the paper's example leaves out which value belongs to which
//! block. Lists and comments have sections of their own, where there are any. It is one way only: places, sizes and assets
//! are left out.

use std::fmt::Write as _;

use serde_json::Value;

use super::document::{Document, Script, TargetState, TextTarget};
use super::names::numbered;

/// How much of long values is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Items of a list.
    pub items: usize,
    /// Characters of a value, an item or a comment.
    pub characters: usize,
}

impl Bounds {
    /// All of it.
    pub const NONE: Self = Self { items: usize::MAX, characters: usize::MAX };
}

/// A project as Markdown.
pub fn markdown(document: &Document, bounds: Bounds) -> String {
    let targets = document.targets.iter().map(|target| section(target, bounds));
    targets.collect::<Vec<_>>().join("\n")
}

fn section(target: &TextTarget, bounds: Bounds) -> String {
    let kind = if matches!(target.state, TargetState::Stage(_)) { "Stage" } else { "Sprite" };
    let mut text = format!("## {} ({kind})\n", plain(&target.name));
    if target.scripts.is_empty() {
        text.push_str("### Scripts: *No scripts found*\n");
    } else {
        text.push_str("### Scripts:\n");
        target.scripts.iter().for_each(|script| fenced(&mut text, script));
        text.push('\n');
    }
    let variables = target
        .variables
        .iter()
        .map(|one| format!("{}: {}", bold(&numbered(&one.name, one.number)), value(&one.value, bounds)));
    line(&mut text, "Variables", variables, "No variables");
    if !target.lists.is_empty() {
        let lists = target
            .lists
            .iter()
            .map(|list| format!("{}: {}", bold(&numbered(&list.name, list.number)), items(&list.items, bounds)));
        line(&mut text, "Lists", lists, "");
    }
    let asset = |name: &str, file: &str| format!("{} ({})", bold(name), file.rsplit('.').next().unwrap_or_default());
    line(&mut text, "Costumes", target.costumes.iter().map(|one| asset(&one.name, &one.file)), "No costumes");
    line(&mut text, "Sounds", target.sounds.iter().map(|one| asset(&one.name, &one.file)), "No sounds");
    if !target.comments.is_empty() {
        let comments = target.comments.iter().map(|comment| quoted(&shortened(&comment.text, bounds.characters)));
        line(&mut text, "Comments", comments, "");
    }
    text
}

/// A heading with what it is about on its line.
fn line(text: &mut String, heading: &str, parts: impl Iterator<Item = String>, none: &str) {
    let parts: Vec<String> = parts.collect();
    let shown = if parts.is_empty() { format!("*{none}*") } else { parts.join(", ") };
    // Writing to a String can't fail.
    let _ = writeln!(text, "### {heading}: {shown}");
}

/// A script in a fence that is longer than any in it.
fn fenced(text: &mut String, script: &Script) {
    if script.without_refresh {
        text.push_str("Runs without screen refresh:\n");
    }
    let longest = script.text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let _ = writeln!(text, "{fence}\n{}\n{fence}", script.text.trim_end());
}

fn bold(name: &str) -> String {
    format!("**{}**", plain(name))
}

/// The items of a list in brackets; of a long one its beginning, and how many follow.
fn items(items: &[Value], bounds: Bounds) -> String {
    let mut shown: Vec<String> = items.iter().take(bounds.items).map(|item| value(item, bounds)).collect();
    let more = items.len() - shown.len();
    if more > 0 {
        shown.push(format!("… {more} more"));
    }
    format!("[{}]", shown.join(", "))
}

/// A value; a text that could be taken for a number, or for something of the line, is quoted.
fn value(value: &Value, bounds: Bounds) -> String {
    let Value::String(text) = value else { return value.to_string() };
    let text = shortened(text, bounds.characters);
    let is_ambiguous = text.contains([',', '[', ']']) || serde_json::from_str::<Value>(&text).is_ok();
    if is_ambiguous { quoted(&text) } else { plain(&text) }
}

fn shortened(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A name as it is, or quoted where it could be taken for something else: names are strangers' words.
fn plain(name: &str) -> String {
    let is_odd = name.is_empty()
        || name.trim() != name
        || name.contains(['"', '\\', '*', '`', ',', '\u{2028}', '\u{2029}'])
        || name.contains(char::is_control);
    if is_odd { quoted(name) } else { name.to_owned() }
}

/// As JSON, and without any other character that ends a line.
fn quoted(text: &str) -> String {
    let json = Value::from(text).to_string();
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
