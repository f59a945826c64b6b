//! Runs of tasks as they are submitted to the published leaderboard: one line a task with the actions that were carried
//! out, which can be played again.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::out::Out;
use super::played::{Played, Step};
use super::source::{number, observation, stamp};
use super::tasks::{attempt_place, log_name};
use super::{ExportError, Exported};
use crate::model::{Mode, Outcome, RunRecord, TaskDetail};
use crate::store::RunDir;

/// Writes a file for each attempt that the run has at its tasks.
pub(super) fn write(run: &RunDir, out: &mut Out, exported: &mut Exported) -> Result<(), ExportError> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for tried in run.last_tries::<TaskDetail>()? {
        if let Some(why) = obstacle(run.record(), tried.record.detail.mode, tried.record.outcome) {
            exported.lost.push(why);
            continue;
        }
        let played = Played::read(run, tried)?;
        let Some((place, line)) = line(run.record(), &played) else {
            exported.lost.push("no_action");
            continue;
        };
        let file = files.entry(place).or_default();
        file.push_str(&line.to_string());
        file.push('\n');
        exported.attempts += 1;
    }
    if run.record().mode == Some(Mode::Composite) && observation(run.record()) != PAPER {
        exported.notes.push(format!("{}: {NATIVE}", run.record().id));
    }
    for (place, lines) in files {
        let name = format!("{place}_{}.jsonl", stamp(run.record().started_at));
        out.claim(&name)?;
        out.write(&name, lines.as_bytes())?;
    }
    Ok(())
}

/// The observations whose numbers of blocks are the reference's.
const PAPER: &str = "paper";
const NATIVE: &str = "its agent saw our numbers of blocks, which name other blocks in the reference's editor: attempts in \
composite mode can be submitted only if they were made with paper observations";

/// Why an attempt can't be submitted, if it can't.
fn obstacle(run: &RunRecord, mode: Mode, outcome: Outcome) -> Option<&'static str> {
    match (mode, outcome) {
        // The testbed broke it off: what was done till then is no attempt.
        (_, Outcome::InfraError | Outcome::ProviderError) => Some(outcome.name()),
        (Mode::Composite, _) if run.setting == "extended" => Some("extended_actions"),
        (Mode::Composite, _) if observation(run) != PAPER => Some("native_block_numbers"),
        _ => None,
    }
}

/// The line of an attempt, and the file that it belongs to; `None` if nothing was done in it.
fn line(run: &RunRecord, played: &Played) -> Option<(String, Value)> {
    let record = &played.tried.record;
    let (mode, category) = (record.detail.mode, record.detail.category);
    let interactions: Vec<Value> = played
        .steps()
        .iter()
        .filter_map(|(turn, step)| Some(json!({"turn": turn, "action": action(step, mode)?})))
        .collect();
    if interactions.is_empty() {
        return None;
    }
    let place = attempt_place(run, record.attempt, mode);
    let folder = format!("{place}/{category}/{}", record.item);
    let line = json!({
        "take": record.item,
        "type": category,
        "mode": mode,
        "interactions": interactions,
        "source_interaction_log": format!("{folder}/{}", log_name(played)),
        "source_task_dir": folder,
    });
    Some((place, line))
}

/// The action of a step as it was carried out; `None` where nothing was.
fn action(step: &Step, mode: Mode) -> Option<Value> {
    let reply = &step.acted.as_ref()?["reply"];
    let executed = &reply["executed_action"];
    let api = executed["api"].as_str().filter(|api| !api.is_empty())?;
    let args = executed["args"].as_object().cloned().unwrap_or_default();
    if reply["success"] != true {
        return None;
    }
    let args = match mode {
        Mode::Composite => args,
        Mode::Primitive => by_pixels(args),
    };
    Some(json!({"api": api, "args": args}))
}

/// Arguments as the reference's server takes them: places are whole pixels, and no index of a list is left.
fn by_pixels(mut args: Map<String, Value>) -> Map<String, Value> {
    // Ours gives the place of a scroll so.
    if let Some(Value::Object(at)) = args.shift_remove("at") {
        args.extend(at);
    }
    args.retain(|name, value| name != "index" && !name.ends_with("_index") && !value.is_null());
    // Here, no time means as ever; there, it means one jump from start to end.
    if args.get("duration").and_then(Value::as_f64) == Some(0.0) {
        args.shift_remove("duration");
    }
    for (name, value) in &mut args {
        let is_pixels = matches!(name.as_str(), "x" | "y" | "amount") || name.ends_with("_x") || name.ends_with("_y");
        if let Some(pixels) = value.as_f64().filter(|_| is_pixels) {
            *value = number(pixels.trunc());
        }
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::fakes::run;

    fn args(value: Value) -> Map<String, Value> {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn places_are_whole_pixels_and_nothing_names_a_list() {
        let executed =
            json!({"start_x": 3.5, "start_y": 4.0, "start_index": 7, "index": 1, "duration": 0.0, "button": "left"});
        assert_eq!(Value::from(by_pixels(args(executed))), json!({"start_x": 3, "start_y": 4, "button": "left"}));
        let scroll = json!({"direction": "down", "amount": 100.0, "at": {"x": 1.0, "y": 2.0}});
        let wanted = json!({"direction": "down", "amount": 100, "x": 1, "y": 2});
        assert_eq!(Value::from(by_pixels(args(scroll))), wanted);
        assert_eq!(by_pixels(args(json!({"duration": 2.0}))).len(), 1);
    }

    #[test]
    fn our_block_numbers_and_what_the_testbed_broke_are_not_submitted() {
        let native = run(&["a"]);
        let paper = RunRecord { options: json!({"observation": "paper"}), ..run(&["a"]) };
        let extended = RunRecord { setting: "extended".into(), ..paper.clone() };
        let why = |run, mode, outcome| obstacle(run, mode, outcome);
        assert_eq!(why(&native, Mode::Composite, Outcome::Passed), Some("native_block_numbers"));
        assert_eq!(why(&native, Mode::Primitive, Outcome::Failed), None);
        assert_eq!(why(&paper, Mode::Composite, Outcome::AgentError), None);
        assert_eq!(why(&paper, Mode::Composite, Outcome::InfraError), Some("infra_error"));
        assert_eq!(why(&extended, Mode::Composite, Outcome::Passed), Some("extended_actions"));
    }
}
