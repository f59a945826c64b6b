//! The page on which one reviewer goes through the projects of a pool and says of each whether it is worth being in a benchmark: the page
//! of ratings as one file that needs no server. `bugs` reads the file that it gives.

use std::path::Path;

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::ReportError;
use super::pool::Specimen;
use super::template::{render, write};
use crate::bugs::{BugsError, Curation, Doubt, GENRES, Hook, Pool, PoolEntry, ReferenceRecord, Role};
use crate::model::{ItemId, pluralise, sha256_hex};

/// A part of the page of ratings.
macro_rules! asset {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/rating/", $name))
    };
}

const TEMPLATE: (&str, &str) = ("curation.html", asset!("curation.html"));
const CSS: &str = asset!("rating.css");
const SCRIPT: &str = asset!("rating.js");

/// What can be said of a project. The script takes 1 for accepted.
const ANSWERS: [Answer; 2] = [
    Answer { score: 0, key: 'r', means: "Reject: it is not worth being in a benchmark." },
    Answer { score: 1, key: 'a', means: "Accept: it is worth being in a benchmark." },
];

/// The sheet of one reviewer, as the page's script reads it. What other reviewers say is no part of it.
#[derive(Debug, Serialize)]
pub struct ReviewSheet {
    rater: String,
    levels: [Answer; 2],
    cards: Vec<Card>,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Answer {
    score: u8,
    key: char,
    means: &'static str,
}

/// A project, with what the reviewer has said of it before. What they said of an earlier state of it is not there.
#[derive(Debug, Serialize)]
struct Card {
    item: String,
    /// SHA-256 of the `golden.sb3` that is reviewed.
    sha256: String,
    /// Its stage, a PNG in base64.
    picture: Option<String>,
    /// The goal of its reference record.
    explanation: String,
    facts: Vec<(&'static str, String)>,
    /// What else its reference record says.
    record: Vec<(String, String)>,
    score: Option<u8>,
    genre: Option<String>,
    evidence: String,
}

impl ReviewSheet {
    /// All projects of a pool for a reviewer.
    ///
    /// # Errors
    /// When a file of a project is missing or broken.
    pub fn of(pool: &Pool, reviewer: &ItemId) -> Result<Self, BugsError> {
        let cards = pool.entries().iter().map(|entry| Card::of(pool, entry, reviewer));
        Ok(Self { rater: reviewer.to_string(), levels: ANSWERS, cards: cards.collect::<Result<_, _>>()? })
    }

    /// How many projects there are.
    pub const fn projects(&self) -> usize {
        self.cards.len()
    }

    /// How many of them the pool has no review of by this reviewer.
    pub fn left(&self) -> usize {
        self.cards.iter().filter(|card| card.score.is_none()).count()
    }

    /// Writes the page as one file that needs no other and asks nobody for anything.
    ///
    /// # Errors
    /// When the page can't be made or written.
    pub fn write(&self, file: &Path) -> Result<(), ReportError> {
        let sheet = serde_json::to_string(self)
            .map_err(|error| ReportError::Write { path: file.to_owned(), source: error.into() })?;
        // Nothing that a project says can end the element that the sheet is in.
        let sheet = sheet.replace('<', "\\u003c");
        // Only the page's own script runs: no project can contain the digest of a sheet that it is in.
        let nonce = sha256_hex(sheet.as_bytes());
        let [css, script, sheet] = [CSS.to_owned(), SCRIPT.to_owned(), sheet].map(Value::from_safe_string);
        let data = context! { genres => Serde(GENRES), nonce, css, script, sheet };
        write(file, render(&[TEMPLATE], TEMPLATE.0, &file.display().to_string(), data)?.as_bytes())
    }
}

impl Card {
    fn of(pool: &Pool, entry: &PoolEntry, reviewer: &ItemId) -> Result<Self, BugsError> {
        let one = Specimen::of(pool, entry)?;
        let record = pool.record_of(entry)?;
        let review = Curation::of(pool, entry)?.reviews.remove(reviewer.as_str());
        let goal = record.as_ref().map(|(record, _)| record.goal.text.clone());
        Ok(Self {
            item: entry.id.clone(),
            sha256: entry.sha256.clone(),
            explanation: goal.unwrap_or_else(|| "Nobody has said yet: it has no reference record.".to_owned()),
            facts: facts(&one),
            record: record.as_ref().map(|(record, doubt)| told(record, *doubt)).unwrap_or_default(),
            picture: one.picture,
            score: review.as_ref().map(|review| u8::from(review.accept)),
            genre: review.as_ref().and_then(|review| review.genre.clone()),
            evidence: review.map(|review| review.reason).unwrap_or_default(),
        })
    }
}

/// What was measured of a project, and where it comes from.
fn facts(one: &Specimen) -> Vec<(&'static str, String)> {
    let of = &one.features;
    let counts = [(of.sprites, "sprite"), (of.scripts, "script"), (of.blocks, "block")];
    let publish = if one.publish { "" } else { ", not to be published" };
    let rows = [
        ("To play", format!("{}/golden.sb3 in the pool", one.id)),
        ("Licence", format!("{}{publish}", one.licence)),
        ("Attribution", one.attribution.clone()),
        ("Source", one.source.clone()),
        ("Size", listed(counts.into_iter().map(|(count, noun)| pluralise(count, noun)))),
        ("Tags", listed(one.tags.iter().cloned())),
        ("Like", if one.group == one.id { String::new() } else { one.group.clone() }),
    ];
    rows.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}

/// What a record says apart from its goal: where it comes from, roles, loop, and what each input does.
fn told(record: &ReferenceRecord, doubt: Option<Doubt>) -> Vec<(String, String)> {
    let origin = record.origin();
    let role = |role: &Role| format!("{} ({}{})", role.name, role.role, if role.primary { ", primary" } else { "" });
    let of_all = [
        ("Record", doubt.map_or_else(|| origin.clone(), |doubt| format!("{origin}; {doubt}"))),
        ("Roles", listed(record.sprites.iter().map(role))),
        ("Loop", listed(record.cycle.iter().cloned())),
    ];
    let of_all = of_all.into_iter().map(|(name, value)| (name.to_owned(), value));
    let of_hooks = record.hooks.iter().map(|hook| (hook.event.clone(), outcomes(hook)));
    of_all.chain(of_hooks).filter(|(_, value)| !value.is_empty()).collect()
}

fn outcomes(hook: &Hook) -> String {
    if hook.outcomes.is_empty() {
        "nothing was seen of it".to_owned()
    } else {
        listed(hook.outcomes.iter().map(|seen| format!("{} {}", seen.signal, seen.change)))
    }
}

fn listed(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
#[path = "curation_tests.rs"]
mod tests;
