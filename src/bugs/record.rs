//! The reference record of a project: what it is for, and what can be seen of it (ScratchEval, section 2.8). It says nothing of a fault
//! or a fix. How one is drafted is not known here.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a project is for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReferenceRecord {
    /// Version of the format, 1.
    pub format: u32,
    /// The project's name in its pool.
    pub project: String,
    pub status: RecordStatus,
    /// Who has confirmed it by playing the project; empty unless it is `confirmed`.
    #[serde(default)]
    pub by: Vec<String>,
    /// Who wrote it, where a person has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written_by: Vec<String>,
    /// `game`, `animation`, `story` or `simulation`; people say which.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub genre: Option<String>,
    pub tags: Vec<String>,
    pub goal: Goal,
    pub sprites: Vec<Role>,
    /// The dominant loop of interaction: events and signals, such as `green_flag`, `key:space`, `touch:owl:moth`, `variable:score`.
    #[serde(rename = "loop")]
    pub cycle: Vec<String>,
    /// What a person can set off.
    pub hooks: Vec<Hook>,
    /// Signals that the state of the program is in, at most 24.
    pub state_signals: Vec<String>,
}

impl ReferenceRecord {
    /// The status that it has earned: one that says `confirmed` and names nobody who has played is worth what is written.
    pub fn standing(&self) -> RecordStatus {
        if self.is_unsigned() { RecordStatus::Written } else { self.status }
    }

    /// Whether it says that it is confirmed, and does not name who has played the project.
    pub fn is_unsigned(&self) -> bool {
        self.status == RecordStatus::Confirmed && self.by.iter().all(|name| name.trim().is_empty())
    }

    /// Notes that this person has played the project and found the record right. Whoever was named before it was confirmed
    /// has confirmed nothing.
    pub fn confirm(&mut self, name: String) {
        if self.status != RecordStatus::Confirmed {
            self.by.clear();
        }
        self.status = RecordStatus::Confirmed;
        if !self.by.contains(&name) {
            self.by.push(name);
        }
    }

    /// Makes it a draft again: the project is another one now.
    pub fn reset(&mut self) {
        self.status = RecordStatus::Draft;
        self.by.clear();
    }

    /// Who stands for it, in words.
    pub fn origin(&self) -> String {
        let written = if self.written_by.is_empty() {
            "written from the project's scripts".to_owned()
        } else {
            format!("written by {}", self.written_by.join(", "))
        };
        match self.standing() {
            RecordStatus::Draft if self.written_by.is_empty() => "drafted by rules, confirmed by nobody".to_owned(),
            RecordStatus::Draft => format!("a draft, {written} of an earlier state of the project"),
            RecordStatus::Written => format!("{written}, confirmed by nobody who has played the project"),
            RecordStatus::Confirmed => format!("confirmed by {}, who played the project", self.by.join(", ")),
        }
    }

    /// What it lacks of a record that summaries can be scored with, in words.
    pub fn lacks(&self) -> Vec<&'static str> {
        let parts = [
            (self.genre.is_none(), "a genre"),
            (self.has_only_names(), ONLY_NAMES),
            (self.sprites.iter().all(|role| !role.primary), "a sprite that is primary"),
            (self.cycle.len() < 2, "a loop of interaction"),
            (self.hooks.iter().any(|hook| hook.outcomes.is_empty()), "what some of its inputs do"),
        ];
        parts.into_iter().filter(|(is_lacking, _)| *is_lacking).map(|(_, part)| part).collect()
    }

    /// Whether the words of its goal are names of sprites and variables: who lists what is there would tell what it is for.
    pub fn has_only_names(&self) -> bool {
        let signals = self.state_signals.iter().filter_map(|signal| signal.rsplit('/').next());
        let names = self.sprites.iter().map(|role| role.name.as_str()).chain(signals);
        let names: BTreeSet<String> = names.flat_map(words).collect();
        self.goal.terms.iter().flatten().flat_map(|term| words(term)).all(|word| names.contains(&word))
    }
}

/// What a draft by rules lacks.
const ONLY_NAMES: &str = "a goal in words that are no names of sprites and variables";

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Who stands for a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RecordStatus {
    /// Made by rules.
    Draft,
    /// By whoever read or wrote the scripts; nobody has confirmed it by playing.
    Written,
    /// A named person has played the project and checked the record.
    Confirmed,
}

impl RecordStatus {
    /// Whether a person stands for it: only such records are scored with.
    pub const fn is_by_people(self) -> bool {
        match self {
            Self::Draft => false,
            Self::Written | Self::Confirmed => true,
        }
    }
}

/// What somebody who uses the program is after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    pub text: String,
    /// Groups of words; of each a description has one.
    pub terms: Vec<Vec<String>>,
}

/// What a sprite is there for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Role {
    pub name: String,
    /// `player`, `control`, `target` or `actor`.
    pub role: String,
    pub primary: bool,
}

/// An event that a person can set off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hook {
    /// Such as `key:right_arrow`.
    pub event: String,
    /// The targets that it sets off something in.
    pub sprites: Vec<String>,
    /// What was seen of it under all seeds.
    pub outcomes: Vec<SeenChange>,
}

/// A change of a signal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenChange {
    /// Such as `Lantern/x` or `events/broadcast:game over`.
    pub signal: String,
    pub change: Change,
}

/// How a signal changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Change {
    Increases,
    Decreases,
    /// It has another value, or takes several.
    Changes,
    /// It happens.
    Happens,
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
