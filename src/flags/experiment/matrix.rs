//! The matrix of an experiment: lists multiply, `unless` takes combinations out, and arms are named after what sets them apart.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::file::{ArmEntry, wrong};
use crate::flags::failure::Failure;

/// The key of combinations that are left out.
const UNLESS: &str = "unless";
/// Keys whose values always are part of an arm's name, in this order.
const FIRST: [&str; 3] = ["agent", "model", "mode"];
/// More arms than this are a slip.
const MOST: usize = 1_000;

/// The arms of all tables.
pub fn expand(tables: &[Table]) -> Result<Vec<ArmEntry>, Failure> {
    let mut all: Vec<Table> = Vec::new();
    for table in tables {
        let unless = combinations(table.get(UNLESS))?;
        for arm in product(table)? {
            let is_left_out = unless.iter().any(|out| out.iter().all(|(key, value)| arm.get(key) == Some(value)));
            if !is_left_out && !all.contains(&arm) {
                all.push(arm);
            }
        }
    }
    if all.len() > MOST {
        return Err(wrong(format!("the matrix makes {} arms; {MOST} are the most", all.len())));
    }
    named(&all)
}

fn combinations(unless: Option<&Value>) -> Result<Vec<Table>, Failure> {
    let Some(unless) = unless else { return Ok(Vec::new()) };
    let tables = unless.as_array().map(|all| all.iter().filter_map(Value::as_table).cloned().collect::<Vec<_>>());
    match tables {
        Some(tables) if !tables.is_empty() && tables.iter().all(|table| !table.is_empty()) => Ok(tables),
        _ => Err(wrong("unless: give a list of tables, such as [{ agent = \"awm\", model = \"a\" }]".to_owned())),
    }
}

/// Each combination of the values in lists.
fn product(table: &Table) -> Result<Vec<Table>, Failure> {
    let mut arms = vec![Table::new()];
    for (key, value) in table.iter().filter(|(key, _)| *key != UNLESS) {
        let values = match value {
            Value::Array(values) if values.is_empty() => {
                return Err(wrong(format!("arms.{key}: the list is empty, so that there is no arm")));
            }
            Value::Array(values) => values.clone(),
            value => vec![value.clone()],
        };
        let with = |arm: &Table| {
            values
                .iter()
                .map(|value| {
                    let mut arm = arm.clone();
                    arm.insert(key.clone(), value.clone());
                    arm
                })
                .collect::<Vec<_>>()
        };
        arms = arms.iter().flat_map(with).collect();
    }
    Ok(arms)
}

/// Names after what differs, agent, model and mode first.
fn named(arms: &[Table]) -> Result<Vec<ArmEntry>, Failure> {
    let keys: BTreeSet<&String> = arms.iter().flat_map(Table::keys).collect();
    let differs = |key: &str| arms.iter().map(|arm| arm.get(key).map(text)).collect::<BTreeSet<_>>().len() > 1;
    let rest: Vec<&str> =
        keys.into_iter().map(String::as_str).filter(|key| !FIRST.contains(key) && differs(key)).collect();
    let label = |arm: &Table| {
        let first = FIRST.iter().filter_map(|key| arm.get(*key)).map(text);
        let others = rest.iter().filter_map(|key| arm.get(*key).map(|value| format!("{key}={}", text(value))));
        let label: Vec<String> = first.chain(others).collect();
        plain(&label.join("-"))
    };
    let mut labels: BTreeMap<String, usize> = BTreeMap::new();
    let entries: Vec<ArmEntry> = arms.iter().map(|arm| ArmEntry { label: label(arm), values: arm.clone() }).collect();
    for entry in &entries {
        *labels.entry(entry.label.clone()).or_default() += 1;
    }
    match labels.into_iter().find(|(_, count)| *count > 1) {
        Some((label, count)) => Err(wrong(format!("{count} arms would be called `{label}`"))),
        None => Ok(entries),
    }
}

/// A value as a word.
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// What may be in a folder's name.
fn plain(label: &str) -> String {
    let plain = |letter: char| {
        if letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '=' | '.') { letter } else { '_' }
    };
    label.chars().map(plain).take(100).collect()
}
