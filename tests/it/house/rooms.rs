//! The house rules that a reader can't see at a glance, read from the sources: which room may import which,
//! who may name what, how long a file may be. A room is moved by a decision record, not by an exception here.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::{root, texts_below};

/// The rooms with their levels; a room imports only from rooms of a lower level.
pub const LEVELS: &[(&str, u8)] = &[
    ("model", 0),
    ("project", 1),
    ("notation", 2),
    ("devtools", 1),
    ("perceive", 1),
    ("picture", 1),
    ("files", 1),
    ("grade", 1),
    ("meter", 1),
    ("mutants", 3),
    ("taskset", 2),
    ("page", 2),
    ("ocr", 2),
    ("ledger", 2),
    ("store", 2),
    ("bugs", 2),
    ("patches", 2),
    ("json_patch", 2),
    ("inject", 3),
    ("session", 3),
    ("setup", 3),
    ("action", 4),
    ("judge", 4),
    ("compile", 4),
    ("agent", 5),
    ("noticing", 4),
    ("forge", 5),
    ("intake", 5),
    ("mend", 6),
    ("probe", 6),
    ("solver", 6),
    ("certify", 7),
    ("explain", 7),
    ("trajectory", 7),
    ("fleet", 7),
    ("fault_views", 7),
    ("experiment", 8),
    ("recording", 8),
    ("benchmarks", 9),
    ("perf", 9),
    ("author", 10),
    ("http", 10),
    ("mcp", 10),
    ("export", 10),
    ("report", 11),
    ("rating", 11),
    ("scratchworld", 11),
    ("leaderboard", 12),
    ("flags", 12),
    ("arms", 13),
    ("forging", 14),
    ("cli", 15),
];

/// Words that only some rooms may say, with the reason.
const RESERVED: &[(&str, &[&str], &str)] = &[
    ("chromiumoxide", &["page"], "only the page room knows the DevTools client"),
    ("println!(", &["arms", "cli"], "only the command line prints"),
    ("print!(", &["arms", "cli"], "only the command line prints"),
    ("clap", &["flags", "arms", "forging", "cli"], "only the command line knows its flags"),
    ("indicatif", &["arms", "forging", "cli"], "only the command line shows progress"),
    ("rmcp", &["mcp"], "only the MCP adapter knows MCP"),
    ("sqlx", &["ledger"], "only the ledger knows a database"),
    ("apalis", &["ledger"], "only the ledger knows the queue"),
    ("axum", &["http", "mcp", "rating", "scratchworld"], "only the adapters know HTTP"),
    ("csv::Writer", &["files"], "only CsvTable writes what no spreadsheet takes for a formula"),
];

/// Words that a room may not say, with the reason.
const FORBIDDEN: &[(&str, &[&str], &str)] = &[
    ("model", &["std::fs", "tokio", "reqwest"], "the vocabulary does no I/O"),
    ("perceive", &["std::fs", "tokio", "reqwest"], "perception is pure functions"),
    ("grade", &["std::fs", "tokio", "reqwest"], "rates are reckoned from values, not from files"),
    ("agent", &["crate::judge", "golden"], "an agent must not see how it is judged"),
    ("solver", &["crate::judge"], "the solver emits actions only"),
];

/// More lines than this and a file wants to be two.
const LINES: usize = 400;

/// More lines than this, tests apart, and a room wants to be two.
const ROOM_LINES: usize = 8000;

struct Source {
    /// Path below the root of the checkout.
    path: String,
    /// The room, for files below src/.
    room: Option<String>,
    text: String,
}

impl Source {
    /// The lines that the compiler reads, with their numbers. Doc comments may name any room.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(number, line)| (number + 1, line.trim_start()));
        lines.filter(|(_, line)| !line.starts_with("//"))
    }
}

fn sources() -> Vec<Source> {
    ["src", "tests"].iter().flat_map(|folder| texts_below(&root().join(folder), "rs")).map(source).collect()
}

fn source((path, text): (String, String)) -> Source {
    let below = Path::new(&path).strip_prefix(root()).unwrap();
    let parts: Vec<&str> = below.iter().map(|part| part.to_str().unwrap()).collect();
    let room = (parts[0] == "src" && parts.len() > 2).then(|| parts[1].to_owned());
    Source { path: parts.join("/"), room, text }
}

fn levels() -> BTreeMap<&'static str, u8> {
    LEVELS.iter().copied().collect()
}

/// What stands before the name of a room: in its own crate, in that of the program, in that of a room.
const WAYS_IN: [&str; 4] = ["crate::", "super::super::", "scratchbed::", "scratchbed_"];

/// Names that follow `prefix` in a line, with the braces of a `use` opened: `crate::{a::B, c}` names a and c.
fn named_after(line: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (position, _) in line.match_indices(prefix) {
        let rest = &line[position + prefix.len()..];
        let items: Vec<&str> = match rest.strip_prefix('{') {
            Some(group) => top_level_items(group),
            None => vec![rest],
        };
        let first_word =
            |item: &&str| item.trim().split(|c: char| !c.is_alphanumeric() && c != '_').next().map(str::to_owned);
        names.extend(items.iter().filter_map(first_word).filter(|name| !name.is_empty()));
    }
    names
}

fn top_level_items(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut items) = (0_i32, 0, Vec::new());
    for (position, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.push(&group[start..position]);
                return items;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&group[start..position]);
                start = position + 1;
            }
            _ => {}
        }
    }
    items.push(&group[start..]);
    items
}

/// Whole statements, so that a `use` over several lines is read as one.
fn statements(source: &Source) -> Vec<(usize, String)> {
    let mut statements = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in source.code() {
        let (start, mut text) = open.take().unwrap_or((number, String::new()));
        text.push_str(line);
        if text.trim_start().starts_with("use ") && !text.contains(';') {
            open = Some((start, text));
        } else {
            statements.push((start, text));
        }
    }
    statements
}

#[test]
fn rooms_import_only_from_lower_rooms() {
    let levels = levels();
    let mut breaches = Vec::new();
    for source in sources() {
        let Some(room) = &source.room else { continue };
        let Some(level) = levels.get(room.as_str()) else {
            breaches.push(format!("{}: `{room}` is no room; add it to LEVELS and docs/ARCHITECTURE.md", source.path));
            continue;
        };
        for (number, statement) in statements(&source) {
            for name in WAYS_IN.iter().flat_map(|prefix| named_after(&statement, prefix)) {
                // The macro lives in the page room, but macros are exported at the root.
                let name = if name == "page_fn" { "page" } else { name.as_str() };
                if name != room && levels.get(name).is_some_and(|other| other >= level) {
                    breaches.push(format!("{}:{number}: `{room}` (level {level}) imports `{name}`", source.path));
                }
            }
        }
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

#[test]
fn words_stay_in_their_rooms() {
    let mut breaches = Vec::new();
    for source in sources() {
        let Some(room) = &source.room else { continue };
        for (number, line) in source.code() {
            for (word, rooms, reason) in RESERVED {
                if says(line, word) && !rooms.contains(&room.as_str()) {
                    breaches.push(format!("{}:{number}: `{word}`: {reason}", source.path));
                }
            }
            for (forbidden_in, words, reason) in FORBIDDEN {
                if room == forbidden_in && words.iter().any(|word| line.contains(word)) {
                    breaches.push(format!("{}:{number}: {line}: {reason}", source.path));
                }
            }
        }
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

/// Whether `word` begins at a word's beginning: `eprintln!(` counts as `println!(`, `max_clap` not as `clap`.
fn says(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(position, _)| {
        let before = line[..position].chars().next_back();
        let after = line[position + word.len()..].chars().next();
        let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-' || c == '"');
        if word.ends_with("!(") { !matches!(before, Some('_')) } else { !part(before) && !part(after) }
    })
}

#[test]
fn every_file_says_what_lives_there_and_stays_small() {
    let mut breaches = Vec::new();
    for source in sources() {
        let lines = source.text.lines().count();
        if !source.text.starts_with("//!") {
            breaches.push(format!("{}: does not begin with `//!`", source.path));
        }
        if lines > LINES {
            breaches.push(format!("{}: {lines} lines, more than {LINES}", source.path));
        }
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

#[test]
fn rooms_stay_small() {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for source in sources() {
        let parts: Vec<&str> = source.path.split('/').collect();
        let is_test = parts.iter().any(|part| *part == "tests" || part.ends_with("tests.rs") || *part == "fakes.rs");
        let (Some(room), false) = (&source.room, is_test) else { continue };
        // Each benchmark is a room of its own.
        let room = if room == "benchmarks" { parts[1..parts.len().min(3)].join("/") } else { room.clone() };
        *lines.entry(room).or_default() += source.text.lines().count();
    }
    let large: Vec<_> = lines.iter().filter(|(_, lines)| **lines > ROOM_LINES).collect();
    assert!(large.is_empty() && lines.len() > 20, "{large:?}");
}

#[test]
fn benchmarks_have_the_same_parts() {
    let folder = root().join("src/benchmarks");
    let mut missing = Vec::new();
    let mut benchmarks = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_dir() {
            continue;
        }
        benchmarks += 1;
        // Nobody else has published items of these.
        let is_ours = ["coin", "repair", "explain", "trajectories"].iter().any(|name| path.ends_with(name));
        let parts = ["items", "ask", "measure", "figures"].into_iter().chain((!is_ours).then_some("import"));
        let is_there = |part: &str| path.join(part).is_dir() || path.join(part).with_extension("rs").is_file();
        missing.extend(parts.filter(|part| !is_there(part)).map(|part| format!("{}: {part}", path.display())));
    }
    assert!(benchmarks >= 4 && missing.is_empty(), "{missing:?}");
}

#[test]
fn the_reader_of_imports_sees_groups_and_paths() {
    assert_eq!(named_after("use crate::{model::{A, B}, page::C};", "crate::"), ["model", "page"]);
    assert_eq!(named_after("let x = crate::cli::f(crate::http::g());", "crate::"), ["cli", "http"]);
    assert_eq!(named_after("use crate::page_fn;", "crate::"), ["page_fn"]);
    assert_eq!(named_after("use scratchbed_model::Coded;", "scratchbed_"), ["model"]);
    assert!(says("eprintln!(\"x\")", "println!(") && !says("max_clap", "clap") && says("use clap::Args;", "clap"));
    let source =
        Source { path: String::new(), room: None, text: "// use crate::cli;\nuse crate::{\n  a,\n};\n".into() };
    assert_eq!(statements(&source), [(2, "use crate::{a,};".to_owned())]);
}
