//! What a run of the forge tells, and what it comes to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::sound::Unsound;
use super::trials::{Discard, Tried};
use crate::bugs::InstanceEntry;

/// What is told while it runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "news", rename_all = "snake_case")]
pub enum News {
    /// So many projects of the pool were looked at for the faults that fit.
    Planning { number: usize },
    /// So many projects are gone through.
    Planned { projects: usize },
    /// A project is begun.
    Project { project: String, number: usize },
    /// It was done before, by a run that was killed.
    Kept { project: String, instances: Vec<String> },
    /// Its scenarios were played: how many of its live statements run in those of the templates, and in those that were searched for.
    Covered { project: String, live: usize, ran: usize, found: usize },
    /// A fault was tried.
    Trial { project: String, fault: String, discarded: Option<Discard>, detail: String },
    /// Of a project, or of a fault in it that was accepted, this comes next.
    Step { project: String, step: Step },
    /// So many of the damages are tried by which a suite is measured.
    Measuring { project: String, tried: usize, all: usize },
    /// The suite of a fault that was accepted rejects this share of damage elsewhere.
    Measured { project: String, fault: String, share: f64, wanted: f64 },
    /// No fault of a project has a suite that rejects enough: this one has the best, and is an instance all the same.
    Best { project: String, fault: String, share: f64, wanted: f64 },
    /// Nothing more is tried in a project: its budget is spent.
    Spent { project: String },
    /// A project gave nothing.
    Without { project: String, why: String },
}

/// What is done before the first fault of a project is tried, and with one that was accepted. Each may take minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Step {
    /// Gold is played in its scenarios, and more of them are searched for.
    Playing,
    /// Wrong repairs are tried on its suite.
    Hardening,
    /// Golden behaviour is chosen that a repair must leave as it is.
    Guarding,
    /// Inputs are left out that do not show it.
    Shrinking,
    /// It is tried whether a text search repairs it.
    Searching,
    /// Right repairs with damage elsewhere are tried on its suite.
    Measuring,
}

/// What a project came to; its file is what a killed run goes on from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Done {
    /// Digest of all that it depends on.
    pub(super) key: String,
    pub(super) instances: Vec<InstanceEntry>,
    /// Discarded faults by reason.
    pub(super) discarded: BTreeMap<String, u64>,
    /// Those that are invalid, by the codes of why.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub(super) invalid: BTreeMap<String, u64>,
    /// Whether its budget was spent.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub(super) spent: bool,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) without: Option<String>,
}

impl Done {
    pub(super) fn new(key: String) -> Self {
        Self { key, ..Self::default() }
    }

    /// Counts a fault that was tried, unless it was taken.
    pub(super) fn count(&mut self, became: &Tried) {
        if let Some((why, _)) = became.discarded() {
            *self.discarded.entry(why.to_string()).or_default() += 1;
        }
        if let Tried::Unsound(Unsound { code, .. }) = became {
            *self.invalid.entry(code.clone()).or_default() += 1;
        }
    }

    /// Counts a fault no longer that was discarded, and is taken after all.
    pub(super) fn uncount(&mut self, why: Discard) {
        if let Some(number) = self.discarded.get_mut(&why.to_string()) {
            *number = number.saturating_sub(1);
        }
        self.discarded.retain(|_, number| *number > 0);
    }

    /// Counts faults of which none is sound, and says so.
    pub(super) fn count_unsound(&mut self, unsound: &BTreeMap<String, u64>) {
        let number: u64 = unsound.values().sum();
        if number == 0 {
            self.without = Some("it has no place for a fault".to_owned());
            return;
        }
        self.discarded.insert(Discard::Invalid.to_string(), number);
        self.invalid.clone_from(unsound);
        self.without = Some(format!("none of its {number} faults is sound ({})", counts(unsound)));
    }
}

/// What a run came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Forged {
    pub projects: usize,
    pub instances: usize,
    /// Instances by pattern.
    pub patterns: BTreeMap<String, usize>,
    /// Faults that were tried: taken or discarded.
    pub trials: u64,
    /// Discarded faults by reason.
    pub discarded: BTreeMap<String, u64>,
    /// Those that are invalid, by the codes of why.
    pub invalid: BTreeMap<String, u64>,
    /// Projects without an instance, with the reason.
    pub without: BTreeMap<String, String>,
    /// Projects whose budget was spent before all was tried.
    pub over_budget: Vec<String>,
    /// The share of damage elsewhere that suites had to reject, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adequate: Option<f64>,
    /// Instances whose suites reject less, with the share: the best that there were of their projects.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub inadequate: BTreeMap<String, f64>,
}

impl Forged {
    /// Adds what a project came to.
    pub(super) fn add(&mut self, project: &str, done: &Done) {
        self.instances += done.instances.len();
        for entry in &done.instances {
            *self.patterns.entry(entry.pattern.clone()).or_default() += 1;
            if let Some(share) = entry.adequacy.filter(|share| self.adequate.is_some_and(|wanted| *share < wanted)) {
                self.inadequate.insert(entry.id.clone(), share);
            }
        }
        self.trials += done.instances.len() as u64 + done.discarded.values().sum::<u64>();
        for (all, own) in [(&mut self.discarded, &done.discarded), (&mut self.invalid, &done.invalid)] {
            for (why, number) in own {
                *all.entry(why.clone()).or_default() += number;
            }
        }
        if done.spent {
            self.over_budget.push(project.to_owned());
        }
        if let Some(why) = &done.without {
            self.without.insert(project.to_owned(), why.clone());
        }
    }

    /// Why most of the faults that were tried are invalid, if they are: the pool's projects are not what the forge needs then, and few
    /// instances say nothing of the others.
    pub fn mostly_invalid(&self) -> Option<String> {
        let number: u64 = self.invalid.values().sum();
        let says = || format!("{number} of {} faults were invalid: {}", self.trials, counts(&self.invalid));
        (2 * number > self.trials).then(says)
    }
}

/// Codes with their numbers, the most frequent one first.
fn counts(codes: &BTreeMap<String, u64>) -> String {
    let mut all: Vec<(&String, &u64)> = codes.iter().collect();
    all.sort_by_key(|(_, number)| std::cmp::Reverse(**number));
    all.into_iter().map(|(code, number)| format!("{code} {number}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
#[path = "outcome_tests.rs"]
mod tests;
