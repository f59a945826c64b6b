//! How much of an explanation is right (ScratchEval, sections 6.3 and 6.4): trigger, mechanism and outcome, and the summary against the
//! project's record.

use std::collections::BTreeSet;

use rust_stemmers::{Algorithm, Stemmer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::{Bug, Explanation, MOST_TRIGGERS, Summary};
use super::event::{Event, canonical};
use super::truth::Explained;
use crate::bugs::ReferenceRecord;

/// Primary sprites that must be named, and named ones that must be primary, as numerator and denominator.
const NAMED: (usize, usize) = (2, 3);
const PRIMARY: (usize, usize) = (1, 2);
/// Share of events that two loops must have in common.
const LOOP: f64 = 0.5;

/// Whether trigger, mechanism and outcome are right, and how the triggers agree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BugScore {
    pub trigger: bool,
    pub mechanism: bool,
    pub outcome: bool,
    /// Triggers of the answer that are right, that are wrong, and right ones that it lacks. An answer has five at most, so that it lacks
    /// none once it has five right ones.
    pub hits: usize,
    pub wrong: usize,
    pub missed: usize,
}

/// Whether the summary tells what the project is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoalScore {
    pub sprites: bool,
    pub cycle: bool,
    pub goal: bool,
}

impl BugScore {
    /// All three right: what U-Acc counts.
    pub const fn is_understood(&self) -> bool {
        self.trigger && self.mechanism && self.outcome
    }

    /// 2TP / (2TP + FP + FN); 0 where nothing was to be found and nothing was said.
    pub fn f1(&self) -> f64 {
        f1(self.hits, self.wrong, self.missed)
    }

    /// Of an answer that can't be read.
    pub fn of_nothing(truth: &Explained) -> Self {
        Self { missed: wanted(truth), ..Self::default() }
    }
}

impl GoalScore {
    /// All three right: what G-Acc counts.
    pub const fn is_right(&self) -> bool {
        self.sprites && self.cycle && self.goal
    }
}

/// The F1 of these counts.
#[expect(clippy::cast_precision_loss, reason = "triggers are few")]
pub fn f1(hits: usize, wrong: usize, missed: usize) -> f64 {
    let all = 2 * hits + wrong + missed;
    if all == 0 { 0.0 } else { (2 * hits) as f64 / all as f64 }
}

/// Right triggers that an answer can have: the truth may have more than are read of an answer.
fn wanted(truth: &Explained) -> usize {
    truth.triggers.len().min(MOST_TRIGGERS)
}

/// Scores what is said of the fault.
pub fn bug_score(bug: &Bug, truth: &Explained) -> BugScore {
    let meant = |text: &String| -> Option<Event> {
        let event = Event::parse(text)?;
        Some(event.among(&truth.known).cloned().unwrap_or(event))
    };
    let first = std::iter::once(&bug.trigger).filter(|text| !text.is_empty());
    let mut said: Vec<Result<Event, String>> = Vec::new();
    for text in first.chain(&bug.triggers) {
        let one = meant(text).ok_or_else(|| canonical(text));
        if said.len() < MOST_TRIGGERS && !said.contains(&one) {
            said.push(one);
        }
    }
    let hits = said.iter().filter(|one| one.as_ref().is_ok_and(|event| truth.triggers.contains(event))).count();
    let deviation = canonical(&bug.outcome.deviation).parse().ok();
    BugScore {
        trigger: meant(&bug.trigger).is_some_and(|event| truth.triggers.contains(&event)),
        mechanism: canonical(&bug.mechanism) == truth.mechanism,
        outcome: deviation.is_some_and(|deviation| {
            truth.outcomes.iter().any(|outcome| outcome.is_named_by(&bug.outcome.signal, deviation))
        }),
        hits,
        wrong: said.len() - hits,
        missed: wanted(truth) - hits,
    }
}

/// Scores a summary; nothing without a record that a person wrote or confirmed.
pub fn goal_score(answer: &Explanation, record: Option<&ReferenceRecord>) -> Option<GoalScore> {
    let record = record.filter(|record| record.status.is_by_people())?;
    let summary = &answer.summary;
    Some(GoalScore {
        sprites: names_sprites(summary, record),
        cycle: has_loop(summary, record),
        goal: tells_goal(&summary.goal, &record.goal.terms),
    })
}

fn names_sprites(summary: &Summary, record: &ReferenceRecord) -> bool {
    let primary: BTreeSet<String> =
        record.sprites.iter().filter(|role| role.primary).map(|role| canonical(&role.name)).collect();
    let named: BTreeSet<String> = summary.sprites.iter().map(|sprite| canonical(&sprite.name)).collect();
    let both = primary.intersection(&named).count();
    let enough = |part: usize, whole: usize, (n, d): (usize, usize)| part * d >= whole * n;
    enough(both, primary.len(), NAMED) && enough(both, named.len(), PRIMARY) && !named.is_empty()
}

#[expect(clippy::cast_precision_loss, reason = "events are few")]
fn has_loop(summary: &Summary, record: &ReferenceRecord) -> bool {
    let events = |texts: &[String]| -> BTreeSet<String> {
        texts.iter().map(|text| Event::parse(text).map_or_else(|| canonical(text), |event| event.to_string())).collect()
    };
    let (own, said) = (events(&record.cycle), events(&summary.cycle));
    let (both, either) = (own.intersection(&said).count(), own.union(&said).count());
    either > 0 && both as f64 / either as f64 >= LOOP
}

/// Whether at least half of the groups of words occur: of each any word, by its stem.
fn tells_goal(text: &str, terms: &[Vec<String>]) -> bool {
    let said = stems(text);
    let occurs = |group: &&Vec<String>| group.iter().any(|term| stems(term).is_subset(&said));
    let found = terms.iter().filter(occurs).count();
    !terms.is_empty() && 2 * found >= terms.len()
}

/// The stems of the words of a text (Porter's, of the Snowball project).
fn stems(text: &str) -> BTreeSet<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    let words = canonical(text);
    let words = words.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| stemmer.stem(word).into_owned()).collect()
}
