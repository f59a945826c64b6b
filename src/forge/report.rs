//! What is written about an accepted fault: the report that a model reads, the truth that it never sees, and how hard the fault is to find
//! (ScratchEval, section 3.6).

use super::chain::chain;
use super::drifts::of_fault;
use super::gold::Gold;
use super::says;
use super::sighting::Sighting;
use super::trials::Accepted;
use crate::bugs::{BugReport, Difficulty, Site, Truth, TruthHashes};
use crate::inject::Candidate;
use crate::model::{EVENTS, Scenario, TraceRun, sha256_hex};
use crate::noticing::{moment, told};
use crate::project::view::target;

/// Ticks up to which a failure is early, and up to which it is not late.
const EARLY: u64 = 150;
const LATE: u64 = 600;
/// Live blocks of a project that is small, and of one that is not large; bytes of its `project.json`, which a prompt has in one form or
/// another, likewise.
const BLOCKS: [usize; 2] = [80, 250];
const BYTES: [usize; 2] = [40_000, 120_000];

/// What a player notices first, in a player's words, with what it takes to see it.
pub fn report(sighting: &Sighting) -> BugReport {
    let (scenario, after) = (&sighting.scenario, sighting.after());
    let when = moment(scenario, after);
    let runs = [sighting.golden.run(), sighting.buggy.run()];
    let [symptom, expected] = match sighting.noticed.first() {
        Some(first) => told(first, runs).map(|what| sentence(&format!("{when}, {what}"))),
        None => <[String; 2]>::default(),
    };
    let mut reproduce = says::reproduce(scenario, after);
    if let Some(answers) = answering(scenario, runs[1]) {
        // The last line is to look.
        reproduce.insert(reproduce.len().saturating_sub(1), answers);
    }
    BugReport { symptom, expected, reproduce: reproduce.iter().map(|line| sentence(line)).collect() }
}

/// What to answer, where something is asked.
fn answering(scenario: &Scenario, run: &TraceRun) -> Option<String> {
    let asked = run.signals.get(&format!("{EVENTS}question"))?.t.iter().filter(|tick| **tick < scenario.length).count();
    let answers: Vec<String> =
        scenario.answers.iter().cycle().take(asked).map(|answer| format!("\"{answer}\"")).collect();
    (!answers.is_empty()).then(|| format!("when asked, answer {}.", answers.join(", then ")))
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
    Truth {
        format: 1,
        id: id.to_owned(),
        pattern: candidate.pattern.to_string(),
        operator: candidate.operator.to_owned(),
        difficulty: difficulty(gold, accepted),
        site: site(candidate),
        forward: candidate.patch.clone(),
        inverse: accepted.inverse.clone(),
        state_signals: gold.facts.state(),
        drift: Some(of_fault(gold, accepted)),
        chain: Some(chain(gold, accepted, &accepted.sighting)),
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

/// Points for the choice among like blocks, for the way from the input, for the time until it shows, for another sprite, and for the size
/// of the project and of what is read of it.
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
    let sighting = &accepted.sighting;
    let late = match sighting.after() {
        0..=EARLY => 0,
        ticks if ticks <= LATE => 1,
        _ => 2,
    };
    let elsewhere = sighting.noticed.first().is_some_and(|first| shows_elsewhere(&first.signal, &candidate.sprite_id));
    let size = size(live.len(), BLOCKS) + size(accepted.buggy.json.to_string().len(), BYTES);
    match alike + hops + late + u32::from(elsewhere) + size {
        0..=3 => Difficulty::Easy,
        4..=6 => Difficulty::Medium,
        _ => Difficulty::Hard,
    }
}

fn size(number: usize, [small, not_large]: [usize; 2]) -> u32 {
    u32::from(number > small) + u32::from(number > not_large)
}

/// Whether what is noticed is seen at another target.
fn shows_elsewhere(signal: &str, sprite: &str) -> bool {
    let owner = signal.split('/').next().unwrap_or_default();
    owner != sprite && !signal.starts_with(EVENTS) && !signal.contains("/variable/")
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
