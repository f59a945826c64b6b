//! The matrix of an experiment: lists multiply, `unless` takes combinations out, and arms are named after what sets them apart.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use toml::{Table, Value};

use super::faults::wrong;
use super::file::ArmEntry;
use crate::flags::failure::Failure;

/// The key of combinations that are left out.
const UNLESS: &str = "unless";
/// Keys whose values always are part of an arm's name, in this order.
const FIRST: [&str; 3] = ["agent", "model", "mode"];
/// More arms than this are a slip; so are more values in one `unless`.
const MOST: usize = 1_000;

/// The arms of all tables.
pub fn expand(tables: &[Table]) -> Result<Vec<ArmEntry>, Failure> {
    count(tables)?;
    let (mut all, mut known) = (Vec::new(), BTreeSet::new());
    for table in tables {
        let unless = combinations(table.get(UNLESS))?;
        for arm in product(table)? {
            let is_left_out = unless.iter().any(|out| out.iter().all(|(key, value)| arm.get(key) == Some(value)));
            if !is_left_out && known.insert(in_order(&arm)) {
                all.push(arm);
            }
        }
    }
    named(&all)
}

/// How many arms the tables make, `unless` left aside. They are counted before one is made: a short file can ask for more than
/// any memory holds.
pub fn count(tables: &[Table]) -> Result<usize, Failure> {
    let mut all = Some(0_usize);
    for table in tables {
        let mut arms = Some(1_usize);
        for (key, value) in settings(table) {
            let values = values(key, value)?.len();
            arms = arms.and_then(|arms| arms.checked_mul(values));
        }
        all = all.zip(arms).and_then(|(all, arms)| all.checked_add(arms));
    }
    match all {
        Some(count) if count <= MOST => Ok(count),
        count => {
            let made = count.map_or_else(|| format!("more than {}", usize::MAX), |count| count.to_string());
            Err(wrong(format!("the matrix makes {made} arms; {MOST} are the most"))
                .hinted("lists multiply, and combinations that `unless` takes out are counted, too"))
        }
    }
}

/// What a table says of its arms.
fn settings(table: &Table) -> impl Iterator<Item = (&String, &Value)> {
    table.iter().filter(|(key, _)| *key != UNLESS)
}

/// The values of a setting.
fn values<'v>(key: &str, value: &'v Value) -> Result<&'v [Value], Failure> {
    match value {
        Value::Array(values) if values.is_empty() => {
            Err(wrong(format!("arms.{key}: the list is empty, so that there is no arm")))
        }
        Value::Array(values) => Ok(values),
        value => Ok(std::slice::from_ref(value)),
    }
}

/// An arm in one form, in whatever order its file gives its settings.
fn in_order(arm: &Table) -> String {
    fn write(value: &Value, out: &mut String) {
        match value {
            Value::Table(table) => write_table(table, out),
            Value::Array(values) => {
                out.push('[');
                for value in values {
                    write(value, out);
                    out.push(',');
                }
                out.push(']');
            }
            value => out.push_str(&value.to_string()),
        }
    }
    fn write_table(table: &Table, out: &mut String) {
        out.push('{');
        for (key, value) in table.iter().collect::<BTreeMap<_, _>>() {
            let _ = write!(out, "{key:?}:");
            write(value, out);
            out.push(',');
        }
        out.push('}');
    }
    let mut out = String::new();
    write_table(arm, &mut out);
    out
}

fn combinations(unless: Option<&Value>) -> Result<Vec<Table>, Failure> {
    let Some(unless) = unless else { return Ok(Vec::new()) };
    let tables = unless.as_array().map(|all| all.iter().filter_map(Value::as_table).cloned().collect::<Vec<_>>());
    let named: usize = tables.iter().flatten().map(Table::len).sum();
    if named > MOST {
        return Err(wrong(format!("unless: it names {named} values; {MOST} are the most")));
    }
    match tables {
        Some(tables) if !tables.is_empty() && tables.iter().all(|table| !table.is_empty()) => Ok(tables),
        _ => Err(wrong("unless: give a list of tables, such as [{ agent = \"awm\", model = \"a\" }]".to_owned())),
    }
}

/// Each combination of the values in lists.
fn product(table: &Table) -> Result<Vec<Table>, Failure> {
    let mut arms = vec![Table::new()];
    for (key, value) in settings(table) {
        let values = values(key, value)?;
        let with = |arm: &Table, value: &Value| {
            let mut arm = arm.clone();
            arm.insert(key.clone(), value.clone());
            arm
        };
        arms = arms.iter().flat_map(|arm| values.iter().map(move |value| with(arm, value))).collect();
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
