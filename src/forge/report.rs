//! What is written about an accepted fault: the report that a model reads, the truth that it never sees, and how hard the fault is to find
//! (ScratchEval, section 3.6).

use serde_json::Value;

use super::gold::Gold;
use super::says;
use super::shrink::Shown;
use super::trials::Accepted;
use crate::bugs::{BugReport, Constraints, Difficulty, Site, Truth, TruthHashes};
use crate::inject::Candidate;
use crate::model::{Assertion, sha256_hex};
use crate::project::view::{target, targets};

/// Ticks up to which a failure is early, and up to which it is not late.
const EARLY: u64 = 150;
const LATE: u64 = 600;

/// The sentences of the first assertion, with the fewest inputs that are known to show the fault.
pub fn report(gold: &Gold, accepted: &Accepted, shown: Option<&Shown>) -> BugReport {
    let Some(best) = accepted.suite.assertions.first() else {
        return BugReport { symptom: String::new(), expected: String::new(), reproduce: Vec::new() };
    };
    let scenario = shown.map(|shown| &shown.scenario).or_else(|| gold.scenario(&best.scenario));
    let run = shown.map(|shown| &shown.buggy).or_else(|| accepted.first.get(&best.scenario));
    let (Some(scenario), Some(run)) = (scenario, run) else {
        return BugReport { symptom: String::new(), expected: best.says.clone(), reproduce: Vec::new() };
    };
    let until = best.feature.decided_after().unwrap_or(scenario.length);
    BugReport {
        symptom: sentence(&says::seen(&best.feature, scenario, run.run())),
        expected: sentence(&says::expected(&best.feature, scenario)),
        reproduce: says::reproduce(scenario, until).iter().map(|line| sentence(line)).collect(),
    }
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let stop = if words.ends_with('.') { "" } else { "." };
    format!("{capital}{}{stop}", letters.as_str())
}

/// What the fault is.
pub fn truth(gold: &Gold, accepted: &Accepted, id: &str) -> Truth {
    let candidate = &accepted.candidate;
    let mut region = vec![candidate.script.clone()];
    region.extend(new_scripts(&gold.project.json, &accepted.buggy.json));
    Truth {
        format: 1,
        id: id.to_owned(),
        pattern: candidate.pattern.to_string(),
        operator: candidate.operator.to_owned(),
        difficulty: difficulty(gold, accepted),
        site: site(candidate),
        forward: candidate.patch.clone(),
        inverse: accepted.inverse.clone(),
        state_signals: gold.facts.state_signals.clone(),
        constraints: Constraints {
            max_edits: accepted.inverse.len(),
            region,
            protected: ["assets", "monitors", "initial values", "other sprites"].map(str::to_owned).to_vec(),
        },
        hashes: TruthHashes {
            golden: sha256_hex(&gold.sb3),
            buggy: sha256_hex(&accepted.sb3),
            engine: accepted.suite.engine.clone(),
        },
    }
}

/// Where a fault is.
pub fn site(candidate: &Candidate) -> Site {
    Site {
        sprite_id: candidate.sprite_id.clone(),
        script: candidate.script.clone(),
        block_id: candidate.block_id.clone(),
        path: candidate.path.clone(),
    }
}

/// First blocks of scripts that only the buggy project has.
fn new_scripts(gold: &Value, buggy: &Value) -> Vec<String> {
    let roots = |json: &Value| -> Vec<String> {
        targets(json)
            .flat_map(|target| {
                target.blocks().filter(|block| block.top_level).map(|block| block.id.to_owned()).collect::<Vec<_>>()
            })
            .collect()
    };
    let known = roots(gold);
    roots(buggy).into_iter().filter(|root| !known.contains(root)).collect()
}

/// Points for the choice among like blocks, for the way from the input, for the time until it shows, and for another sprite.
fn difficulty(gold: &Gold, accepted: &Accepted) -> Difficulty {
    let candidate = &accepted.candidate;
    let json = &gold.project.json;
    let site = target(json, &candidate.sprite_id);
    let opcode =
        site.and_then(|target| target.block(&candidate.block_id)).map(|block| block.opcode).unwrap_or_default();
    let live: Vec<(&str, &str)> = gold
        .reach
        .live()
        .flat_map(|script| script.blocks.iter().map(|id| (script.target.as_str(), id.as_str())))
        .collect();
    let is_like = |(sprite, id): &&(&str, &str)| {
        target(json, sprite).and_then(|target| target.block(id)).is_some_and(|block| block.opcode == opcode)
    };
    let alike = match live.iter().filter(is_like).count() {
        0..=3 => 0,
        4..=10 => 1,
        _ => 2,
    };
    let script = gold
        .reach
        .scripts
        .iter()
        .find(|script| script.root == candidate.script && script.target == candidate.sprite_id);
    let hops = script.and_then(|script| script.hops).unwrap_or_default().min(2);
    let best = accepted.suite.assertions.first();
    let late = match best.and_then(|best| best.feature.decided_after()).unwrap_or(LATE) {
        0..=EARLY => 0,
        ticks if ticks <= LATE => 1,
        _ => 2,
    };
    let elsewhere = best.is_some_and(|best| shows_elsewhere(best, &candidate.sprite_id));
    match alike + hops + late + u32::from(elsewhere) {
        0..=2 => Difficulty::Easy,
        3 | 4 => Difficulty::Medium,
        _ => Difficulty::Hard,
    }
}

/// Whether what is asserted is seen at another target.
fn shows_elsewhere(assertion: &Assertion, sprite: &str) -> bool {
    let signal = assertion.feature.signal();
    let owner = signal.split('/').next().unwrap_or_default();
    owner != sprite && owner != "events" && !signal.contains("/variable/")
}
