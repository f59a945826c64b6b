//! Splits a model's answer into files: a line `=== NAME ===` before each.
//!
//! Names are looked up, never used as paths as they are: what is not on the list is a problem and is not kept.

use std::collections::BTreeMap;

/// The largest file, in bytes.
const LARGEST: usize = 200_000;
/// Names that an answer may have, besides pictures.
pub(super) const NAMES: [&str; 6] = ["task.json", "initial.txt", "golden.txt", "second.txt", "slow.txt", "judge.js"];

/// The files of an answer by name, and what was not kept.
pub(super) fn read(answer: &str) -> (BTreeMap<String, String>, Vec<String>) {
    let (mut files, mut problems) = (BTreeMap::new(), Vec::new());
    for (name, text) in sections(answer) {
        if !is_known(&name) {
            problems.push(format!("`{name}` is no file that is asked for"));
        } else if text.len() > LARGEST {
            problems.push(format!("{name} has {} bytes, more than {LARGEST}", text.len()));
        } else if files.insert(name.clone(), text).is_some() {
            problems.push(format!("{name} is there twice; the last one counts"));
        }
    }
    if files.is_empty() {
        problems.push("there are no files: before each must stand a line such as `=== judge.js ===`".to_owned());
    }
    (files, problems)
}

/// Whether a name is on the list, or one of a picture right in `assets`.
fn is_known(name: &str) -> bool {
    let picture = name.strip_prefix("assets/").and_then(|name| name.strip_suffix(".svg"));
    let plain = |name: &str| {
        (1..=40).contains(&name.len())
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'))
    };
    NAMES.contains(&name) || picture.is_some_and(plain)
}

fn sections(answer: &str) -> Vec<(String, String)> {
    let mut sections: Vec<(String, Vec<&str>)> = Vec::new();
    for line in answer.lines() {
        let head = line.trim().strip_prefix("===").and_then(|line| line.strip_suffix("==="));
        match (head.map(|name| name.trim().trim_matches('`')), sections.last_mut()) {
            (Some(name), _) if !name.is_empty() && !name.contains(char::is_whitespace) => {
                sections.push((name.to_owned(), Vec::new()));
            }
            (_, Some((_, lines))) => lines.push(line),
            // Text before the first file is for people.
            (_, None) => {}
        }
    }
    sections.into_iter().map(|(name, lines)| (name, unfenced(&lines))).collect()
}

/// The lines without the fence around them and the empty lines at their edges.
fn unfenced(lines: &[&str]) -> String {
    let is_empty = |line: &&str| line.trim().is_empty();
    let from = lines.iter().position(|line| !is_empty(line)).unwrap_or(lines.len());
    let to = lines.iter().rposition(|line| !is_empty(line)).map_or(from, |last| last + 1);
    let mut lines = &lines[from..to];
    if let [first, inner @ ..] = lines
        && first.trim_start().starts_with("```")
    {
        let end = inner.iter().rposition(|line| line.trim() == "```").unwrap_or(inner.len());
        lines = &inner[..end];
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_with_and_without_fences() {
        let answer = "Here they are.\n=== task.json ===\n```json\n{}\n```\n\n=== `judge.js` ===\n\nif (a === b) {\n}\n\n\
                      === assets/sea-1.svg ===\n<svg/>\n";
        let (files, problems) = read(answer);
        assert_eq!(problems, [""; 0]);
        assert_eq!(files.keys().collect::<Vec<_>>(), ["assets/sea-1.svg", "judge.js", "task.json"]);
        assert_eq!((files["task.json"].as_str(), files["judge.js"].as_str()), ("{}\n", "if (a === b) {\n}\n"));
    }

    #[test]
    fn no_name_leads_anywhere_else() {
        for name in [
            "../judge.js",
            "/etc/passwd",
            "assets/../../x.svg",
            "assets/a/b.svg",
            "assets/.svg",
            "assets\\a.svg",
            "lib/suite.js",
            "certificate.json",
            "oracle.composite.json",
            "assets/a.html",
            "Task.json",
        ] {
            let (files, problems) = read(&format!("=== {name} ===\nx\n"));
            assert!(files.is_empty() && problems[0].contains("no file that is asked for"), "{name}: {files:?}");
        }
    }

    #[test]
    fn an_answer_without_files_says_what_is_missing() {
        assert!(read("I can't do that.").1[0].contains("=== judge.js ==="));
        assert!(read(&format!("=== judge.js ===\n{}", "x".repeat(LARGEST))).1[0].contains("more than"));
    }
}
