//! Whether two records of a trajectory are the same but for what differs from day to day: times, energy, and what was taken from a store.

use serde_json::Value;

use crate::model::Trajectory;

/// Members that tell of the day and the machine, wherever they are.
const PASSING: [&str; 8] = ["seconds", "wall_s", "energy", "replayed", "cached", "tries", "cpu_s", "by_stage"];

/// Where two records differ first, as a pointer with both values; `None` where they are the same.
pub fn differs(one: &Trajectory, other: &Trajectory) -> Option<String> {
    let value = |record: &Trajectory| serde_json::to_value(record).unwrap_or_default();
    let (one, other) = (lasting(value(one)), lasting(value(other)));
    first_difference("", &one, &other)
}

fn lasting(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            // What was heard of a call that nobody answered is not kept: there is nothing to take from the store.
            let is_unanswered = members.get("layer").is_some_and(|layer| layer == "request");
            members.retain(|name, _| {
                let is_unheard = is_unanswered && name == "detail";
                !is_unheard && !PASSING.contains(&name.as_str())
            });
            for member in members.values_mut() {
                *member = lasting(member.take());
            }
        }
        Value::Array(items) => {
            for item in items.iter_mut() {
                *item = lasting(item.take());
            }
        }
        _ => {}
    }
    value
}

fn first_difference(place: &str, one: &Value, other: &Value) -> Option<String> {
    if one == other {
        return None;
    }
    match (one, other) {
        (Value::Object(left), Value::Object(right)) => {
            let names = left.keys().chain(right.keys());
            names.into_iter().find_map(|name| {
                first_difference(
                    &format!("{place}/{name}"),
                    left.get(name).unwrap_or(&Value::Null),
                    right.get(name).unwrap_or(&Value::Null),
                )
            })
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => left
            .iter()
            .zip(right)
            .enumerate()
            .find_map(|(at, (left, right))| first_difference(&format!("{place}/{at}"), left, right)),
        _ => Some(format!("{place}: {one} and {other}")),
    }
}
