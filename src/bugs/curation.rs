//! What reviewers say of a project of a pool: in the paper two of them, each without the other, chose the hundred (ScratchEval, section
//! 2.6).

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The file of a project with its reviews.
pub const CURATION: &str = "curation.json";
/// Version of the format.
const FORMAT: u32 = 1;
/// Reviewers that a choice takes.
const REVIEWERS: usize = 2;

/// The reviews of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Curation {
    /// Version of the format, 1.
    pub format: u32,
    /// One of each reviewer, by name.
    pub reviews: BTreeMap<String, Review>,
}

/// What one reviewer says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// Whether the project is worth being in a benchmark.
    pub accept: bool,
    /// `game`, `animation`, `story` or `simulation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub genre: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl Default for Curation {
    fn default() -> Self {
        Self { format: FORMAT, reviews: BTreeMap::new() }
    }
}

impl Curation {
    /// Whether enough reviewers have seen it to choose.
    pub fn is_curated(&self) -> bool {
        self.reviews.len() >= REVIEWERS
    }

    /// Whether it is chosen: all of enough reviewers accept it.
    pub fn is_accepted(&self) -> bool {
        self.is_curated() && self.reviews.values().all(|review| review.accept)
    }
}

/// What each two reviewers say of the projects that both have seen, by their names: accepted or not.
pub fn both_said(all: &[Curation]) -> BTreeMap<(&str, &str), Vec<(bool, bool)>> {
    let names: BTreeSet<&str> = all.iter().flat_map(|one| one.reviews.keys()).map(String::as_str).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let mut found = BTreeMap::new();
    for (at, first) in names.iter().enumerate() {
        for second in &names[at + 1..] {
            let said = |one: &Curation| Some((one.reviews.get(*first)?.accept, one.reviews.get(*second)?.accept));
            let pairs: Vec<(bool, bool)> = all.iter().filter_map(said).collect();
            if !pairs.is_empty() {
                found.insert((*first, *second), pairs);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curation(reviews: &[(&str, bool)]) -> Curation {
        let review = |accept| Review { accept, genre: None, reason: String::new() };
        let reviews = reviews.iter().map(|(name, accept)| ((*name).to_owned(), review(*accept)));
        Curation { reviews: reviews.collect(), ..Curation::default() }
    }

    #[test]
    fn two_reviewers_choose_and_are_compared_over_what_both_have_seen() {
        let all = [
            curation(&[("ada", true), ("ben", true)]),
            curation(&[("ada", true), ("ben", false)]),
            curation(&[("ada", false)]),
            curation(&[("ada", false), ("ben", false), ("cem", true)]),
        ];
        assert_eq!(all.each_ref().map(Curation::is_curated), [true, true, false, true]);
        assert_eq!(all.each_ref().map(Curation::is_accepted), [true, false, false, false]);
        let said = both_said(&all);
        assert_eq!(said[&("ada", "ben")], [(true, true), (true, false), (false, false)]);
        assert_eq!((said[&("ada", "cem")].len(), said.len()), (1, 3));
    }
}
