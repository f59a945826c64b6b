//! The figures by which faults are forged.

use serde::{Deserialize, Serialize};

use crate::model::{Suite, sha256_hex};
use crate::project::Project;
use crate::project::normalise::normalise;

/// Defaults are the paper's: R = 5, `θ_pass` = 0.9, `θ_fail` = 0.1, K = 20, H = 2000 (section 3.1 and 4.2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// From it follows what is drawn: which operator is tried first, and which site.
    pub seed: u64,
    /// R: runs of each scenario, under seeds 1 to R.
    pub reruns: u64,
    /// H: ticks of a run at most.
    pub horizon: u64,
    /// Ticks between two checkpoints.
    pub every: u64,
    /// The least share of gold's runs that pass, and the largest of the buggy project's.
    pub theta: (f64, f64),
    /// K: faults of one pattern that are tried in a project.
    pub trials: usize,
    /// Accepted faults of a project, each of another pattern; 1 in a benchmark.
    pub per_project: usize,
    /// Ticks for which inputs are searched that run what the templates leave out; 0 for no search (section 10.5).
    #[serde(default)]
    pub search: u64,
    /// Whether suites get more assertions where they accept wrong repairs (section 10.3).
    #[serde(default)]
    pub harden: bool,
    /// Whether faults are tried by the letter of the paper's algorithms 1 to 3; suites are not hardened then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub literal: bool,
    /// The share of damage elsewhere that the suite of an instance has to reject, above 0 and at most 1: a fault whose suite rejects less
    /// gives way to the next one, as long as there is one. Without it, nothing of that is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adequate: Option<f64>,
    /// What refreshes a benchmark: of the same pool other faults, and other ids of all instances and blocks. The seed hangs on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// Ticks that a light project may cost for each instance, as they are asked for, and 200 for each load; ticks with more work cost
    /// more. What was begun is ended. Search has a figure of its own.
    #[serde(default = "budget")]
    pub budget: u64,
}

/// Less than four minutes at the 1,200 ticks a second of two cores, loads included.
const BUDGET: u64 = 250_000;

const fn budget() -> u64 {
    BUDGET
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            seed: 1,
            reruns: 5,
            horizon: 2000,
            every: 10,
            theta: (0.9, 0.1),
            trials: 20,
            per_project: 1,
            search: 0,
            harden: true,
            literal: false,
            adequate: None,
            salt: None,
            budget: BUDGET,
        }
    }
}

/// Digits of a salt's digest in the names of instances.
const DIGITS: usize = 6;

impl Rules {
    /// The rules by which a suite is tried, whatever else it was made by: as often looked at, and under as many seeds.
    #[must_use]
    pub fn of_suite(suite: &Suite) -> Self {
        Self { every: suite.every, reruns: suite.seeds.len() as u64, ..Self::default() }
    }

    /// The same for a refreshed benchmark.
    #[must_use]
    pub fn refreshed(self, salt: &str) -> Self {
        let digest = sha256_hex(format!("{} {salt}", self.seed).as_bytes());
        let seed = u64::from_str_radix(&digest[..8], 16).unwrap_or(self.seed);
        Self { seed, salt: Some(salt.to_owned()), ..self }
    }

    /// A project of the pool as faults are put into it: under a salt all of its ids are others.
    #[must_use]
    pub fn gold(&self, mut project: Project) -> Project {
        if let Some(salt) = &self.salt {
            // Of one salt alone, blocks at the same place would have the same id in every project.
            let own = sha256_hex(project.json.to_string().as_bytes());
            normalise(&mut project.json, &format!("scratchbed refresh {salt} {own}"));
        }
        project
    }

    /// What an instance of a project is called: results of a refreshed benchmark are never taken for those of another.
    pub fn named(&self, project: &str) -> String {
        match &self.salt {
            Some(salt) => format!("{project}-{}", &sha256_hex(salt.as_bytes())[..DIGITS]),
            None => project.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde_json::{Value, json};

    use super::*;

    fn ids(project: &Project) -> BTreeSet<String> {
        let targets = project.json["targets"].as_array().unwrap().iter();
        let own = |target: &Value| -> Vec<String> {
            ["blocks", "variables"].iter().flat_map(|key| target[key].as_object().unwrap().keys().cloned()).collect()
        };
        targets.flat_map(own).collect()
    }

    #[test]
    fn a_salt_changes_what_is_drawn_and_every_id_and_nothing_else() {
        let flag = json!({"opcode": "event_whenflagclicked", "next": "set", "parent": null, "inputs": {}, "fields": {},
            "shadow": false, "topLevel": true, "x": 0, "y": 0});
        let set = json!({"opcode": "data_setvariableto", "next": null, "parent": "flag", "inputs": {"VALUE": [1, [10, "0"]]},
            "fields": {"VARIABLE": ["score", "v"]}, "shadow": false, "topLevel": false});
        let json = json!({"targets": [{"isStage": true, "name": "Stage", "variables": {"v": ["score", 0]}, "lists": {},
            "broadcasts": {}, "blocks": {"flag": flag, "set": set}, "comments": {}, "costumes": [], "sounds": []}],
            "monitors": [], "extensions": [], "meta": {}});
        let project = Project { json, assets: BTreeMap::new() };
        let (plain, salted) = (Rules::default(), Rules::default().refreshed("2027"));
        assert_eq!((plain.gold(project.clone()), plain.named("moth")), (project.clone(), "moth".to_owned()));
        assert_ne!(salted.seed, plain.seed);
        assert_eq!(salted, Rules::default().refreshed("2027"));
        assert_ne!(salted.seed, Rules::default().refreshed("2028").seed);
        assert_ne!(salted.named("moth"), Rules::default().refreshed("2028").named("moth"));
        let other = salted.gold(project.clone());
        assert!(ids(&other).is_disjoint(&ids(&project)), "{:?}", ids(&other));
        assert_eq!((ids(&other).len(), &other), (3, &salted.gold(project)));
        let recorded = json!(salted);
        assert_eq!((&recorded["salt"], recorded.get("literal")), (&json!("2027"), None));
        assert_eq!(recorded.get("adequate"), None, "benchmarks that were forged before stay what they are");
        assert_eq!(serde_json::from_value::<Rules>(recorded).unwrap(), salted);
    }
}
