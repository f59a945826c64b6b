//! What an attempt leaves: the model's own judgement, the trajectories of what it takes for successes, and the workflows in
//! them.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::json;

use super::path::{Trajectory, clipped};
use crate::agent::llm::looked_at;
use crate::agent::{AgentError, Note};
use crate::model::sha256_hex;

/// The file of workflows in a memory, as the model wrote it.
pub(super) const WORKFLOWS: &str = "workflows.md";
/// The file of trajectories in a memory, one a line.
pub(super) const TRAJECTORIES: &str = "trajectories.jsonl";
/// The file of the judgement in the folder of an attempt.
const JUDGEMENT: &str = "autoeval.json";
/// From so many trajectories workflows are induced at once.
const MOST: usize = 10;
/// Bytes of workflows, which are in every request of later attempts; a few thousand would do.
const LONGEST: usize = 64 << 10;

/// What a model said of its own attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judgement {
    thoughts: String,
    /// In small letters; absent where the answer has no such line.
    status: Option<String>,
}

impl Judgement {
    pub(super) fn is_success(&self) -> bool {
        self.status.as_deref() == Some("success")
    }

    /// For the folder of the attempt.
    pub(super) fn note(self) -> Note {
        Note { name: JUDGEMENT, value: json!({"thoughts": self.thoughts, "status": self.status}) }
    }
}

/// The judgement in an answer: its lines that begin with `Thoughts:` and `Status:`, the last of each. Marks of emphasis and
/// quotation marks are overlooked.
pub(super) fn read_judgement(answer: &str) -> Judgement {
    static STATUS: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"(?im)^[ \t*_#>-]*status[ \t*_]*:[ \t*_"'`<]*([a-z]+)"#).ok());
    static THOUGHTS: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?im)^[ \t*_#>-]*thoughts[ \t*_]*:[ \t*_]*(.*)$").ok());
    let answer = looked_at(answer);
    let last = |pattern: &Option<Regex>| {
        let found = pattern.as_ref()?.captures_iter(answer).last()?;
        Some(found.get(1)?.as_str().trim().to_owned())
    };
    Judgement {
        thoughts: clipped(&last(&THOUGHTS).unwrap_or_default(), LONGEST).to_owned(),
        status: last(&STATUS).map(|status| status.to_lowercase()),
    }
}

/// The file of trajectories with one more.
pub(super) fn add(file: &str, trajectory: &Trajectory) -> String {
    format!("{file}{}\n", json!(trajectory))
}

/// At most ten of the trajectories in a file, which of them by the seed, in the order in which they came about.
pub(super) fn chosen(file: &str, seed: &str) -> Result<Vec<Trajectory>, AgentError> {
    let mut lines: Vec<(usize, &str)> = file.lines().enumerate().collect();
    lines.sort_by_cached_key(|(place, _)| sha256_hex(format!("{seed} {place}").as_bytes()));
    lines.truncate(MOST);
    lines.sort_unstable();
    let read = |line: &str| {
        serde_json::from_str(line)
            .map_err(|error| AgentError::Failed(format!("a line of {TRAJECTORIES} is no trajectory: {error}")))
    };
    lines.into_iter().map(|(_, line)| read(line)).collect()
}

/// The workflows that an answer is.
pub(super) fn workflows_in(answer: &str) -> Result<String, AgentError> {
    let text = clipped(answer.trim(), LONGEST);
    if text.is_empty() {
        return Err(AgentError::Malformed("the answer has no workflows".to_owned()));
    }
    Ok(format!("{text}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn success_is_the_word_itself() {
        let successes = [
            "Thoughts: It is there.\nStatus: success",
            "Status: \"Success\"",
            "**Thoughts:** fine\n**Status:** SUCCESS.",
            "> status : <success>",
            "Status: failure\nOn second thoughts:\nStatus: 'success'",
        ];
        for answer in successes {
            assert!(read_judgement(answer).is_success(), "{answer}");
        }
        let failures = [
            "",
            "success",
            "Status:",
            "Status: failure",
            "Status: unsuccessful",
            "Status: successful?",
            "Status: not a success",
            "The status: success is near.",
            "Status: success\nStatus: failure",
        ];
        for answer in failures {
            assert!(!read_judgement(answer).is_success(), "{answer}");
        }
        let judgement = read_judgement("Thoughts: It turns.\r\nStatus: success\r\n");
        assert_eq!(judgement.thoughts, "It turns.");
        assert_eq!(judgement.note().value, json!({"thoughts": "It turns.", "status": "success"}));
        assert_eq!(read_judgement("Hm.").note().value["status"], json!(null));
    }

    fn file(count: usize) -> String {
        let one = |number: usize| Trajectory { task_description: format!("t{number}"), traj: "a\nb".to_owned() };
        (0..count).fold(String::new(), |file, number| add(&file, &one(number)))
    }

    #[test]
    fn ten_of_many_are_chosen_by_the_seed() {
        let names = |count, seed| {
            let all = chosen(&file(count), seed).unwrap();
            all.into_iter().map(|one| one.task_description).collect::<Vec<_>>()
        };
        assert_eq!(names(3, "1"), ["t0", "t1", "t2"]);
        assert_eq!(names(40, "1").len(), 10);
        assert_eq!(names(40, "1"), names(40, "1"));
        assert_ne!(names(40, "1"), names(40, "2"));
        assert!(chosen("{}\n", "1").is_err());
    }

    #[test]
    fn workflows_are_the_whole_answer_and_nothing_is_none() {
        assert_eq!(workflows_in("\n#### Open\n1. Click.\n\n").unwrap(), "#### Open\n1. Click.\n");
        assert!(workflows_in(" \n").is_err());
    }
}
