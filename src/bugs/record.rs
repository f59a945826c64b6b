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
    /// SHA-256 of the `golden.sb3` that they played: it is confirmed while the project is that one. Records of earlier versions of
    /// scratchbed do not say it, and are worth what is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
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
    /// The status that it has earned as far as the record alone tells: one that says `confirmed`, and does not name who has played or which
    /// state of the project, is worth what is written. Whether the project still is that one, [`counted`](Self::counted) says.
    pub fn standing(&self) -> RecordStatus {
        let is_of_some_project = self.sha256.is_some() && !self.is_unsigned();
        if self.status == RecordStatus::Confirmed && !is_of_some_project { RecordStatus::Written } else { self.status }
    }

    /// Whether it says that it is confirmed, and does not name who has played the project.
    pub fn is_unsigned(&self) -> bool {
        self.status == RecordStatus::Confirmed && self.by.iter().all(|name| name.trim().is_empty())
    }

    /// Why it is not confirmed for the project with this digest, though it says so.
    pub fn doubt(&self, sha256: &str) -> Option<Doubt> {
        if self.status != RecordStatus::Confirmed {
            return None;
        }
        match &self.sha256 {
            _ if self.is_unsigned() => Some(Doubt::Unsigned),
            None => Some(Doubt::NoDigest),
            Some(own) => (own != sha256).then_some(Doubt::Changed),
        }
    }

    /// The record as it counts for the project with this digest: one that is not confirmed for it is `written`, and there is said why.
    #[must_use]
    pub fn counted(mut self, sha256: &str) -> (Self, Option<Doubt>) {
        let doubt = self.doubt(sha256);
        if doubt.is_some() {
            self.status = RecordStatus::Written;
            self.disown();
        }
        (self, doubt)
    }

    /// The same for a copy of the project with this digest, which does the same.
    #[must_use]
    pub fn of_copy(self, sha256: &str) -> Self {
        let sha256 = self.sha256.map(|_| sha256.to_owned());
        Self { sha256, ..self }
    }

    /// Notes that this person has played the project with this digest and found the record right. Whoever was named before it was
    /// confirmed, or has played another one, has confirmed nothing.
    pub fn confirm(&mut self, name: String, sha256: &str) {
        if self.status != RecordStatus::Confirmed || self.doubt(sha256).is_some() {
            self.by.clear();
        }
        self.status = RecordStatus::Confirmed;
        self.sha256 = Some(sha256.to_owned());
        if !self.by.contains(&name) {
            self.by.push(name);
        }
    }

    /// Makes it a draft again: the project is another one now.
    pub fn reset(&mut self) {
        self.status = RecordStatus::Draft;
        self.disown();
    }

    /// Forgets who has confirmed it.
    fn disown(&mut self) {
        self.by.clear();
        self.sha256 = None;
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

/// Why a record that says `confirmed` counts as `written`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// It names nobody who has played.
    Unsigned,
    /// It does not say which state of the project was played.
    NoDigest,
    /// Another state of the project was played.
    Changed,
}

impl std::fmt::Display for Doubt {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let why = match self {
            Self::Unsigned => "names nobody who has played the project",
            Self::NoDigest => "has no `sha256` that tells which state of the project was played",
            Self::Changed => "its `sha256` is that of another state of the project",
        };
        write!(formatter, "it says `confirmed`, and {why}: it counts as `written`")
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
