//! An arm as the flags of the command that would make it as a run: `run`, `drag run` or `perception run`. So an experiment can do
//! all that a run can, under the same names, and an arm measures what the run would.

use clap::{ArgAction, Command};
use toml::{Table, Value};

use super::file::{ArmEntry, ExperimentFile, LaneTable, wrong};
use super::matrix::text;
use crate::cli::failure::Failure;
use scratchbed::project::text::near;

/// Flags that an experiment sets itself.
const OURS: [&str; 10] = [
    "attempts", "resume", "jobs", "retries", "retry-failed-calls", "max-usd", "max-run-tokens", "server", "token", "write-records",
];
/// Keys of a model that are no flags: which lane it is in, and what it costs.
const NO_FLAGS: [&str; 3] = ["lane", "price", "name"];

/// An arm with the flags of its command.
#[derive(Debug, Clone, PartialEq)]
pub struct ArmFlags {
    pub label: String,
    pub flags: Vec<String>,
    /// The lane of its model; none for arms that ask no model.
    pub lane: Option<String>,
    /// The name of its model in the file.
    pub model: Option<String>,
}

/// The flags of an arm, in the words of `command`.
pub fn flags(file: &ExperimentFile, arm: &ArmEntry, command: &Command) -> Result<ArmFlags, Failure> {
    let mut values = file.items.clone();
    limits(file, &mut values)?;
    let asks = arm.values.get("agent").map(text).is_none_or(|agent| agent != "noop" && agent != "random" && agent != "oracle");
    let named = arm.values.get("model").map(text).filter(|_| asks);
    let lane = match &named {
        Some(name) => Some(model(file, name, &mut values)?),
        None => None,
    };
    for (key, value) in arm.values.iter().filter(|(key, _)| *key != "model" || named.is_none() && asks) {
        values.insert(key.clone(), value.clone());
    }
    let mut flags = Vec::new();
    for (key, value) in &values {
        flag(command, &arm.label, key, value, &mut flags)?;
    }
    Ok(ArmFlags { label: arm.label.clone(), flags, lane, model: named })
}

/// Limits of attempts.
fn limits(file: &ExperimentFile, values: &mut Table) -> Result<(), Failure> {
    match &file.attempt.steps {
        None => {}
        Some(Value::String(word)) if word == "task" => {}
        Some(Value::Integer(steps)) if *steps > 0 => {
            values.insert("max_steps".to_owned(), Value::Integer(*steps));
        }
        Some(other) => return Err(wrong(format!("attempt.steps: `{other}` is neither `\"task\"` nor a number above 0"))),
    }
    if let Some(working) = &file.attempt.working {
        let time = duration("attempt.working", working)?;
        values.insert("wall".to_owned(), Value::Integer(i64::try_from(time.as_secs()).unwrap_or(i64::MAX)));
    }
    Ok(())
}

/// A time such as `36h`.
pub fn duration(place: &str, text: &str) -> Result<std::time::Duration, Failure> {
    humantime::parse_duration(text).map_err(|error| wrong(format!("{place}: `{text}` is no time: {error}")).hinted("such as 90s, 30m or 36h"))
}

/// Takes the flags of a model and of its lane, and returns the lane's name.
fn model(file: &ExperimentFile, name: &str, values: &mut Table) -> Result<String, Failure> {
    let Some(model) = file.models.get(name) else {
        let hint = near(name, file.models.keys().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
        return Err(wrong(format!("there is no model `{name}`")).hinted_by(hint));
    };
    let lane_name = model.get("lane").map(text).unwrap_or_default();
    let Some(lane) = file.lanes.get(&lane_name) else { return Err(wrong(format!("there is no lane `{lane_name}`"))) };
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

/// Adds a flag with its value, as the command takes it.
fn flag(command: &Command, label: &str, key: &str, value: &Value, flags: &mut Vec<String>) -> Result<(), Failure> {
    let name = key.replace('_', "-");
    if OURS.contains(&name.as_str()) {
        return Err(wrong(format!("arm `{label}`: `{key}` is set by the experiment itself")));
    }
    let Some(arg) = command.get_arguments().find(|arg| arg.get_long() == Some(&name)) else {
        let known: Vec<String> = command.get_arguments().filter_map(|arg| Some(arg.get_long()?.replace('-', "_"))).collect();
        let hint = near(key, known.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
        let failure = wrong(format!("arm `{label}`: there is no setting `{key}`"));
        return Err(failure.hinted_by(hint.or_else(|| Some("settings are the flags of the command that makes runs".to_owned()))));
    };
    let flag = format!("--{name}");
    match (arg.get_action(), value) {
        (ArgAction::SetTrue, Value::Boolean(true)) => flags.push(flag),
        (ArgAction::SetTrue, Value::Boolean(false)) => {}
        (ArgAction::SetTrue, other) => {
            return Err(wrong(format!("arm `{label}`: `{key}` is true or false, not `{other}`")));
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
        let valued = ["split", "agent", "model", "endpoint", "api-key-env", "elements", "max-steps", "wall", "extra-body"];
        let arg = |name: &'static str| Arg::new(name).long(name);
        Command::new("run")
            .args(valued.map(arg))
            .arg(arg("extended").action(ArgAction::SetTrue))
            .arg(arg("task").action(ArgAction::Append))
    }

    fn of(text: &str) -> Result<ArmFlags, Failure> {
        let file = ExperimentFile::parse(text).unwrap();
        flags(&file, &file.arms().unwrap()[0], &command())
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
                "--elements=off",
                "--endpoint=https://models.example/v1",
                "--extended",
                "--extra-body={\"a\":1}",
                "--max-steps=50",
                "--model=big-1",
                "--split=small",
                "--wall=1800",
            ]
        );
        assert_eq!((arm.lane.as_deref(), arm.model.as_deref()), (Some("cloud"), Some("big")));
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
        assert!(of(&FILE.replace("agent = \"llm\"", "agent = \"noop\"")).unwrap().lane.is_none());
    }
}
