//! What the ledger is told of arms and cells: digests of all that their scores depend on. They follow from the record of an arm's
//! run, so that kept folders say the same as a run that begins.

use serde_json::{Map, Value, json};

use crate::agent::memory::MemoryUse;
use crate::experiment::RunError;
use crate::ledger::{CellPlan, JUDGE_SEEDS};
use crate::model::{ItemId, JudgeSeed, RunRecord, sha256_hex};

/// Adds the secret seeds of arms, whose runs are these, to the pins of an experiment: all who work on it have them from there. An
/// arm's digest leaves them out, so that its attempts may count in other experiments too.
pub fn pin_judge_seeds<'a>(pins: &mut Value, runs: impl IntoIterator<Item = &'a RunRecord>) {
    let pinned = |run: &RunRecord| Some((run.id.clone(), json!(run.judge_seed?)));
    let seeds: Map<String, Value> = runs.into_iter().filter_map(pinned).collect();
    if !seeds.is_empty() {
        pins[JUDGE_SEEDS] = seeds.into();
    }
}

/// The secret seed of an arm by the pins of its experiment.
pub fn judge_seed(pins: &Value, arm: &str) -> JudgeSeed {
    pins[JUDGE_SEEDS][arm].as_u64().map_or(JudgeSeed::Absent, JudgeSeed::Given)
}

/// All that a score of the arm depends on, apart from item, epoch and seed; `tokens` is what one attempt may use. Limits that
/// are only reckoned for the budget change with prices, and are no part of it.
pub fn spec(record: &RunRecord, tokens: Option<u64>) -> Value {
    json!({
        "benchmark": record.benchmark, "agent": record.agent, "mode": record.mode, "setting": record.setting,
        "options": record.options, "set": record.set, "tokens": tokens,
    })
}

/// The digest of an arm, as the ledger has it.
pub fn digest(spec: &Value) -> String {
    sha256_hex(spec.to_string().as_bytes())
}

/// In which ways two such values differ, by the names of their parts: `options.agent.prompts: "a" there, "b" here`.
pub fn differences(there: &Value, here: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare("", there, here, &mut found);
    found
}

fn compare(name: &str, there: &Value, here: &Value, found: &mut Vec<String>) {
    if let (Value::Object(one), Value::Object(other)) = (there, here) {
        let more = other.keys().filter(|key| !one.contains_key(*key));
        for key in one.keys().chain(more) {
            let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
            compare(&name, &there[key], &here[key], found);
        }
    } else if there != here {
        found.push(format!("{name}: {} there, {} here", short(there), short(here)));
    }
}

/// Letters of a value that are shown.
const SHOWN: usize = 40;

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// Whether attempts of the arm learn from those before them.
pub fn learns(record: &RunRecord) -> bool {
    MemoryUse::grew(&record.options["agent"]["memory"])
}

/// Cells of an experiment or a run at most. Some ten times as many as a fleet was tried with; more are a slip.
pub const MOST_CELLS: u64 = 500_000;

/// How many cells arms with so many items have. They are counted before one is made: a short file or record can ask for more
/// than any memory holds.
///
/// # Errors
/// [`RunError::TooManyCells`] above [`MOST_CELLS`].
pub fn count(items: impl IntoIterator<Item = usize>, epochs: u32) -> Result<u64, RunError> {
    let items = items.into_iter().fold(0_u64, |all, items| all.saturating_add(items as u64));
    match items.checked_mul(epochs.into()) {
        Some(cells) if cells <= MOST_CELLS => Ok(cells),
        _ => Err(RunError::TooManyCells { items, epochs }),
    }
}

/// The cells of arms, each given with its digest and its items, in the order of epochs, then items, then arms: what drifts at a
/// provider meets all arms alike.
///
/// # Errors
/// As [`count`].
pub fn cells(arms: &[(&str, &[ItemId])], epochs: u32, seed: u64) -> Result<Vec<CellPlan>, RunError> {
    count(arms.iter().map(|(_, items)| items.len()), epochs)?;
    let most = arms.iter().map(|(_, items)| items.len()).max().unwrap_or_default();
    let mut cells = Vec::new();
    for epoch in 1..=epochs {
        for place in 0..most {
            for (arm, (digest, items)) in arms.iter().enumerate() {
                let Some(item) = items.get(place) else { continue };
                let key = sha256_hex(json!([digest, item, epoch, seed]).to_string().as_bytes());
                let own = u64::from_str_radix(&key[..16], 16).unwrap_or(seed);
                cells.push(CellPlan { arm, item: item.to_string(), epoch, seed: own, key });
            }
        }
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::fakes;

    #[test]
    fn seeds_are_pinned_by_arm_and_change_no_digest() {
        let run = |id: &str, judge_seed| RunRecord { id: id.to_owned(), judge_seed, ..fakes::run(&["a"]) };
        let (one, other, without) = (run("one", Some(3_000_000_000)), run("other", Some(5)), run("without", None));
        let mut pins = json!({"version": "1"});
        pin_judge_seeds(&mut pins, [&one, &other, &without]);
        let pinned = ["one", "other", "without", "unknown"].map(|arm| judge_seed(&pins, arm));
        let given = JudgeSeed::Given;
        assert_eq!(pinned, [given(3_000_000_000), given(5), JudgeSeed::Absent, JudgeSeed::Absent]);
        assert_eq!(spec(&one, None), spec(&other, None), "what was made for one experiment counts in another");
        let mut none = json!({"version": "1"});
        pin_judge_seeds(&mut none, [&without]);
        assert_eq!(none, json!({"version": "1"}));
    }

    #[test]
    fn cells_are_counted_before_they_are_made() {
        assert_eq!(count([83, 17], 1000).unwrap(), 100_000);
        for (items, epochs) in [(vec![83; 1000], 1000), (vec![1], u32::MAX), (vec![usize::MAX; 3], u32::MAX)] {
            assert!(matches!(count(items, epochs), Err(RunError::TooManyCells { .. })));
        }
        let items = ["a", "b"].map(ItemId::plain);
        let arms = [("d", items.as_slice())];
        assert_eq!(cells(&arms, 3, 1).unwrap().len(), 6);
        assert!(cells(&arms, 1_000_000_000, 1).is_err(), "at once");
    }

    #[test]
    fn differences_are_named_by_the_parts_that_differ() {
        let there =
            json!({"set": "a1", "options": {"agent": {"prompts": "x".repeat(50)}, "seed": 1}, "mode": "composite"});
        let here =
            json!({"set": "b2", "options": {"agent": {"prompts": "y"}, "seed": 1}, "mode": "composite", "tokens": 5});
        let long = format!("options.agent.prompts: \"{}… there, \"y\" here", "x".repeat(SHOWN - 1));
        let wanted = ["set: \"a1\" there, \"b2\" here", &long, "tokens: null there, 5 here"];
        assert_eq!(differences(&there, &here), wanted);
        assert!(differences(&there, &there).is_empty());
    }
}
