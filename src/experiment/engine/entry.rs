//! What the ledger is told of arms and cells: digests of all that their scores depend on. They follow from the record of an arm's
//! run, so that kept folders say the same as a run that begins.

use serde_json::{Value, json};

use crate::agent::memory::MemoryUse;
use crate::ledger::CellPlan;
use crate::model::{ItemId, RunRecord, sha256_hex};

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

/// The cells of arms, each given with its digest and its items, in the order of epochs, then items, then arms: what drifts at a
/// provider meets all arms alike.
pub fn cells(arms: &[(&str, &[ItemId])], epochs: u32, seed: u64) -> Vec<CellPlan> {
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
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

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
