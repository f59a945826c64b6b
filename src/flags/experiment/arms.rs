//! An arm as the flags of the command that would make it as a run: `run`, `drag run` or `perception run`. So an experiment can do
//! all that a run can, under the same names, and an arm measures what the run would.

use clap::{ArgAction, Command};
use toml::{Table, Value};

use super::faults::wrong;
use super::file::{ArmEntry, BenchmarkName, ExperimentFile, LaneTable};
use super::matrix::text;
use crate::flags::failure::{Failure, Status};
use scratchbed::ledger::LOCAL;
use scratchbed::model::shown_name;
use scratchbed::probe::Needs;
use scratchbed::project::near::near;

/// Flags that an experiment sets itself.
pub const OURS: [&str; 12] = [
    "attempts",
    "resume",
    "jobs",
    "retries",
    "retry-failed-calls",
    "max-usd",
    "max-run-tokens",
    "prices",
    "server",
    "token",
    "write-records",
    "judge-seed",
];
/// Keys of a model that are no flags: which lane it is in, what it costs, and whether it can be shown pictures.
const NO_FLAGS: [&str; 4] = ["lane", "price", "name", "vision"];

/// An arm with the flags of its command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArmFlags {
    pub label: String,
    pub flags: Vec<String>,
    /// The lane of its model, [`LOCAL`] for arms that ask none.
    pub lane: String,
}

/// The flags of an arm, in the words of `command`, which makes runs of the file's benchmark.
pub fn arm_flags(file: &ExperimentFile, arm: &ArmEntry, command: &Command) -> Result<ArmFlags, Failure> {
    let mut values = file.items.clone();
    limits(file, &mut values)?;
    values.insert("seed".to_owned(), Value::Integer(i64::try_from(file.seed).unwrap_or(i64::MAX)));
    let lane = match arm.values.get("model").map(text) {
        Some(name) => model(file, arm, &name, &mut values)?,
        None => LOCAL.to_owned(),
    };
    for (key, value) in arm.values.iter().filter(|(key, _)| *key != "model") {
        values.insert(key.clone(), value.clone());
    }
    let mut flags = vec![format!("--attempts={}", file.epochs)];
    for (key, value) in &values {
        flag(command, &arm.label, key, value, &mut flags)?;
    }
    Ok(ArmFlags { label: arm.label.clone(), flags, lane })
}

/// Limits of attempts.
fn limits(file: &ExperimentFile, values: &mut Table) -> Result<(), Failure> {
    match &file.attempt.steps {
        None => {}
        Some(Value::String(word)) if word == "task" => {}
        Some(Value::Integer(steps)) if *steps > 0 => {
            values.insert("max_steps".to_owned(), Value::Integer(*steps));
        }
        Some(other) => {
            let given = shown_name(&text(other));
            return Err(wrong(format!("attempt.steps: `{given}` is neither `\"task\"` nor a number above 0")));
        }
    }
    if let Some(working) = &file.attempt.working {
        let time = duration("attempt.working", working)?;
        values.insert("wall".to_owned(), Value::Integer(i64::try_from(time.as_secs()).unwrap_or(i64::MAX)));
    }
    Ok(())
}

/// A time such as `36h`.
pub fn duration(place: &str, text: &str) -> Result<std::time::Duration, Failure> {
    humantime::parse_duration(text)
        .map_err(|_| wrong(format!("{place}: `{}` is no time", shown_name(text))).hinted("such as 90s, 30m or 36h"))
}

/// Takes the flags of a model and of its lane, and returns the lane's name.
fn model(file: &ExperimentFile, arm: &ArmEntry, name: &str, values: &mut Table) -> Result<String, Failure> {
    let Some(model) = file.models.get(name) else {
        let hint = near(name, file.models.keys().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
        return Err(wrong(format!("there is no model `{}`", shown_name(name))).hinted_by(hint));
    };
    needs_sight(file, arm, name, model)?;
    if is_blind(model) && arm.values.contains_key("preset") {
        values.insert("no_images".to_owned(), Value::Boolean(true));
    }
    of_model(file, name, model, values)
}

/// Whether a model can't be shown pictures.
fn is_blind(model: &Table) -> bool {
    model.get("vision").and_then(Value::as_bool) == Some(false)
}

/// The flags of a model, as far as a command has them that only asks it.
pub fn model_flags(file: &ExperimentFile, name: &str, command: &Command) -> Result<Vec<String>, Failure> {
    let (mut values, mut flags) = (Table::new(), Vec::new());
    if let Some(model) = file.models.get(name) {
        of_model(file, name, model, &mut values)?;
    }
    let is_known = |key: &str| command.get_arguments().any(|arg| arg.get_long() == Some(&key.replace('_', "-")));
    for (key, value) in values.iter().filter(|(key, _)| is_known(key)) {
        flag(command, name, key, value, &mut flags)?;
    }
    Ok(flags)
}

/// What the arms with a model ask of it.
pub fn needs(file: &ExperimentFile, name: &str) -> Result<Needs, Failure> {
    let mut needs = Needs::default();
    for arm in file.arms()?.iter().filter(|arm| arm.values.get("model").map(text).as_deref() == Some(name)) {
        needs.sight |= is_shown_pictures(file, arm);
        let calls_tools = arm.values.get("answers").map(text).as_deref() == Some("tools");
        needs.tools |= calls_tools;
        needs.json |= file.benchmark == BenchmarkName::Tasks && !calls_tools;
    }
    Ok(needs)
}

fn of_model(file: &ExperimentFile, name: &str, model: &Table, values: &mut Table) -> Result<String, Failure> {
    let lane_name = model.get("lane").map(text).unwrap_or_default();
    let Some(lane) = file.lanes.get(&lane_name) else {
        return Err(wrong(format!("there is no lane `{}`", shown_name(&lane_name))));
    };
    let LaneTable { endpoint, dialect, key_env, .. } = lane;
    let mut put = |key: &str, value: &str| drop(values.insert(key.to_owned(), Value::String(value.to_owned())));
    put("endpoint", endpoint);
    put("model", &model.get("name").map_or_else(|| name.to_owned(), text));
    if let Some(dialect) = dialect {
        put("dialect", dialect);
    }
    if let Some(variable) = key_env {
        put("api_key_env", variable);
    }
    for (key, value) in model.iter().filter(|(key, _)| !NO_FLAGS.contains(&key.as_str())) {
        values.insert(key.clone(), value.clone());
    }
    Ok(lane_name)
}

/// Refuses pictures for a model that can't be shown any.
fn needs_sight(file: &ExperimentFile, arm: &ArmEntry, name: &str, model: &Table) -> Result<(), Failure> {
    if !(is_blind(model) && is_shown_pictures(file, arm)) {
        return Ok(());
    }
    let message = format!("arm `{}`: model `{name}` can't be shown pictures, which this arm sends", arm.label);
    let failure = Failure::new(Status::Input, "model_without_vision", message);
    Err(failure.hinted("leave the combination out with `unless`, or set pictures = 0"))
}

fn is_shown_pictures(file: &ExperimentFile, arm: &ArmEntry) -> bool {
    let has_none = arm.values.get("pictures").and_then(Value::as_integer) == Some(0);
    let mode = arm.values.get("mode").map(text).unwrap_or_default();
    match file.benchmark {
        BenchmarkName::Tasks => mode == "primitive" && !has_none,
        BenchmarkName::Trajectory => mode != "text_only",
        // Images of a preset go only to models that take them.
        BenchmarkName::Repair | BenchmarkName::Explain => {
            arm.values.get("pictures").and_then(Value::as_bool) == Some(true)
        }
        _ => true,
    }
}

/// Adds a flag with its value, as the command takes it.
fn flag(command: &Command, label: &str, key: &str, value: &Value, flags: &mut Vec<String>) -> Result<(), Failure> {
    let name = key.replace('_', "-");
    if OURS.contains(&name.as_str()) {
        return Err(wrong(format!("arm `{label}`: `{key}` is set by the experiment itself")));
    }
    let Some(arg) = command.get_arguments().find(|arg| arg.get_long() == Some(&name)) else {
        let known: Vec<String> =
            command.get_arguments().filter_map(|arg| Some(arg.get_long()?.replace('-', "_"))).collect();
        let hint = near(key, known.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
        let failure = wrong(format!("arm `{label}`: there is no setting `{key}`"));
        return Err(failure
            .hinted_by(hint.or_else(|| Some("settings are the flags of the command that makes runs".to_owned()))));
    };
    let flag = format!("--{name}");
    match (arg.get_action(), value) {
        (ArgAction::SetTrue, Value::Boolean(true)) => flags.push(flag),
        (ArgAction::SetTrue, Value::Boolean(false)) => {}
        (ArgAction::SetTrue, other) => {
            let given = shown_name(&text(other));
            return Err(wrong(format!("arm `{label}`: `{key}` is true or false, not `{given}`")));
        }
        (_, Value::Array(values)) => {
            for value in values {
                flags.extend([format!("{flag}={}", text(value))]);
            }
        }
        (_, Value::Boolean(is_on)) => flags.push(format!("{flag}={}", if *is_on { "on" } else { "off" })),
        (_, Value::Table(table)) => {
            let json = serde_json::to_string(table).map_err(|error| wrong(error.to_string()))?;
            flags.push(format!("{flag}={json}"));
        }
        (_, value) => flags.push(format!("{flag}={}", text(value))),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;

    const FILE: &str = r#"
format = 1
name = "e"
items = { split = "small" }
attempt = { steps = 50, working = "30m" }
[lanes.cloud]
endpoint = "https://models.example/v1"
key_env = "MODEL_KEY"
in_flight = 4
[models.big]
lane = "cloud"
name = "big-1"
extra_body = { a = 1 }
[[arms]]
agent = "llm"
model = "big"
elements = false
extended = true
"#;

    fn command() -> Command {
        let valued = [
            "split",
            "agent",
            "model",
            "endpoint",
            "api-key-env",
            "elements",
            "max-steps",
            "wall",
            "extra-body",
            "attempts",
            "seed",
            "mode",
            "pictures",
            "preset",
        ];
        let arg = |name: &'static str| Arg::new(name).long(name);
        Command::new("run")
            .args(valued.map(arg))
            .arg(arg("extended").action(ArgAction::SetTrue))
            .arg(arg("no-images").action(ArgAction::SetTrue))
            .arg(arg("task").action(ArgAction::Append))
    }

    fn of(text: &str) -> Result<ArmFlags, Failure> {
        let file = ExperimentFile::parse(text).unwrap();
        arm_flags(&file, &file.arms().unwrap()[0], &command())
    }

    #[test]
    fn an_arm_is_the_flags_of_a_run() {
        let arm = of(FILE).unwrap();
        let mut flags: Vec<&str> = arm.flags.iter().map(String::as_str).collect();
        flags.sort_unstable();
        assert_eq!(
            flags,
            [
                "--agent=llm",
                "--api-key-env=MODEL_KEY",
                "--attempts=1",
                "--elements=off",
                "--endpoint=https://models.example/v1",
                "--extended",
                "--extra-body={\"a\":1}",
                "--max-steps=50",
                "--model=big-1",
                "--seed=1",
                "--split=small",
                "--wall=1800",
            ]
        );
        assert_eq!(arm.lane, "cloud");
    }

    #[test]
    fn settings_that_there_are_not_are_refused() {
        for (from, to, part) in [
            ("elements", "element", "did you mean `elements`?"),
            ("model = \"big\"", "model = \"bug\"", "did you mean `big`?"),
            ("extended = true", "extended = 1", "true or false"),
            ("extended = true", "jobs = 3", "set by the experiment itself"),
            ("steps = 50", "steps = 0", "attempt.steps"),
            ("30m", "half an hour", "is no time"),
        ] {
            let failure = of(&FILE.replace(from, to)).unwrap_err();
            assert!(failure.text().contains(part), "{to}: {}", failure.text());
        }
        let alone = FILE.replace("agent = \"llm\"\nmodel = \"big\"\nelements = false", "agent = \"noop\"");
        assert_eq!(of(&alone).unwrap().lane, LOCAL);
    }

    #[test]
    fn a_model_that_sees_nothing_is_shown_nothing() {
        let blind = FILE.replace("name = \"big-1\"", "name = \"big-1\"\nvision = false");
        assert!(of(&blind).is_ok());
        let by_mouse = blind.replace("elements = false", "mode = \"primitive\"");
        assert_eq!(of(&by_mouse).unwrap_err().code(), "model_without_vision");
        assert!(of(&by_mouse.replace("extended = true", "pictures = 0")).is_ok());
    }

    #[test]
    fn images_of_a_preset_go_to_models_that_see() {
        let mends = "agent = \"model\"\npreset = \"paper\"";
        let seeing = FILE
            .replace("name = \"e\"", "name = \"e\"\nbenchmark = \"repair\"")
            .replace("agent = \"llm\"", mends)
            .replace("elements = false\nextended = true\n", "");
        let flags = |text: &str| of(text).unwrap().flags;
        assert!(!flags(&seeing).contains(&"--no-images".to_owned()));
        let blind = seeing.replace("name = \"big-1\"", "name = \"big-1\"\nvision = false");
        assert!(flags(&blind).contains(&"--no-images".to_owned()), "{:?}", flags(&blind));
        let sheet = blind.replace("preset = \"paper\"", "pictures = true");
        assert_eq!(of(&sheet).unwrap_err().code(), "model_without_vision");
    }
}
