//! Files of experiments that come over the network: what they must not name. Whoever posts one may spend what the operator's keys pay
//! for; they get neither files nor programs of the machine, and no other variable of its environment.
//!
//! What is checked are the flags that arms are made of, whichever part of the file they came from.

use super::arms::ArmFlags;
use super::file::ExperimentFile;
use crate::flags::failure::{Failure, Status};
use crate::flags::lent_key::LentKey;
use scratchbed::model::shown_name;

/// Settings whose values are numbers, words or names that lead nowhere.
const HARMLESS: [&str; 62] = [
    "agent",
    "all",
    "answers",
    "attempts",
    "block-ids",
    "cache",
    "coordinates",
    "count",
    "dialect",
    "drafts",
    "drift",
    "editor",
    "effort",
    "element-list",
    "elements",
    "endpoint",
    "energy",
    "extended",
    "extra-body",
    "feedback",
    "force-plan",
    "fresh-probe",
    "history",
    "keep-pictures",
    "max-attempts",
    "max-leak",
    "max-steps",
    "max-tokens",
    "minimise",
    "mode",
    "model",
    "no-images",
    "no-schema",
    "observation",
    "pictures",
    "preset",
    "profile",
    "prompt",
    "protocol",
    "rationale",
    "record",
    "report",
    "representation",
    "request-retries",
    "retry-on",
    "seed",
    "setting",
    "share-answers",
    "shot-tokens",
    "shots",
    "skip-step",
    "slice",
    "small",
    "split",
    "task",
    "tasks",
    "temperature",
    "thinking-tokens",
    "timeout",
    "top-p",
    "value-usd",
    "wall",
];
/// Settings that name files or folders.
const PATHS: [&str; 8] = ["bench", "learn-from", "pack", "plans", "prompts", "replay", "roles", "set"];
/// Settings of programs.
const PROGRAMS: [&str; 9] = [
    "agent-user",
    "command",
    "command-env",
    "command-timeout",
    "energy-command",
    "isolation",
    "name",
    "observe",
    "via",
];

/// What becomes of a setting in a posted file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Posted {
    Harmless,
    /// It depends on the value.
    Looked,
    Path,
    Program,
    /// Nobody has thought about it: it is refused.
    Unknown,
}

/// What becomes of a setting, by the long name of its flag.
pub fn posted(name: &str) -> Posted {
    match name {
        "api-key-env" | "ids" | "memory" => Posted::Looked,
        _ if HARMLESS.contains(&name) => Posted::Harmless,
        _ if PATHS.contains(&name) => Posted::Path,
        _ if PROGRAMS.contains(&name) => Posted::Program,
        _ => Posted::Unknown,
    }
}

/// Checks a file that came over the network, with the flags of its arms; `keys` are those that it may send.
///
/// # Errors
/// `path_in_posted_file`, `program_in_posted_file`, `key_env_not_allowed` or `setting_in_posted_file`, each with the key.
pub fn check_posted(file: &ExperimentFile, arms: &[ArmFlags], keys: &[LentKey]) -> Result<(), Failure> {
    for (name, lane) in &file.lanes {
        if let Some(variable) = &lane.key_env {
            lent(&format!("lanes.{name}.key_env"), variable, &[lane.endpoint.as_str()], keys)?;
        }
    }
    arms.iter().try_for_each(|arm| check_arm(arm, keys))
}

/// What an arm asks for as a whole: whatever set its endpoint last, its key must be for that.
fn check_arm(arm: &ArmFlags, keys: &[LentKey]) -> Result<(), Failure> {
    let settings: Vec<(&str, &str)> = arm
        .flags
        .iter()
        .map(|flag| flag.trim_start_matches('-'))
        .map(|flag| flag.split_once('=').unwrap_or((flag, "")))
        .collect();
    let of = |name: &str| settings.iter().filter(|(setting, _)| *setting == name).map(|(_, value)| *value).collect();
    let (variables, endpoints): (Vec<&str>, Vec<&str>) = (of("api-key-env"), of("endpoint"));
    settings.iter().try_for_each(|(setting, value)| check(setting, value))?;
    variables.into_iter().try_for_each(|variable| lent("api_key_env", variable, &endpoints, keys))
}

fn check(setting: &str, value: &str) -> Result<(), Failure> {
    let name = setting.replace('-', "_");
    match (posted(setting), setting) {
        (Posted::Program, _) | (_, "agent") if setting != "agent" || value == "command" => Err(program(&name)),
        (Posted::Path, _) => Err(path(&name)),
        (_, "ids") if value.contains('@') => Err(path(&name)),
        (_, "memory") if !matches!(value, "on" | "off") => Err(path(&name)),
        // Which keys are lent is looked at with the endpoints that they go to.
        (_, "api-key-env") => Ok(()),
        _ if value.starts_with("env:") => {
            let message = format!("`{name}` names a variable of the server, which a file from the network must not");
            Err(Failure::new(Status::Input, "key_env_not_allowed", message).hinted(BESIDE))
        }
        (Posted::Unknown, _) => {
            let message = format!("`{name}` is no setting of files that come over the network");
            Err(Failure::new(Status::Input, "setting_in_posted_file", message).hinted(BESIDE))
        }
        _ => Ok(()),
    }
}

/// What the operator can do instead.
const BESIDE: &str = "leave it out, or run the file on the server's machine with `scratchbed experiment run`";

fn path(name: &str) -> Failure {
    let message = format!("`{name}` names a file or folder of the server, which a file from the network must not");
    Failure::new(Status::Input, "path_in_posted_file", message).hinted(BESIDE)
}

fn program(name: &str) -> Failure {
    let message = format!("`{name}` is about a program of the server, which a file from the network must not start");
    Failure::new(Status::Input, "program_in_posted_file", message).hinted(BESIDE)
}

/// Refuses a key that is not lent, or not to all of these endpoints.
fn lent(place: &str, variable: &str, endpoints: &[&str], keys: &[LentKey]) -> Result<(), Failure> {
    let known: Vec<&LentKey> = keys.iter().filter(|key| key.variable == variable).collect();
    let is_for = |endpoint: &&str| known.iter().any(|key| key.is_for(endpoint));
    let message = match endpoints.iter().find(|endpoint| !is_for(endpoint)) {
        _ if known.is_empty() => format!("{place}: the server lends no key by the name `{}`", shown_name(variable)),
        Some(endpoint) => {
            format!("{place}: the server does not send the key `{variable}` to `{}`", shown_name(endpoint))
        }
        None if endpoints.is_empty() => format!("{place}: the key `{variable}` has no endpoint to go to"),
        None => return Ok(()),
    };
    let lends: Vec<String> = keys.iter().map(ToString::to_string).collect();
    Err(Failure::new(Status::Input, "key_env_not_allowed", message).hinted(match &lends[..] {
        [] => "its operator lends keys with `serve --key-env NAME=https://HOST`; none is lent".to_owned(),
        lends => format!("its operator lends keys with `serve --key-env NAME=https://HOST`: {}", lends.join(", ")),
    }))
}

#[cfg(test)]
#[path = "posted_tests.rs"]
mod tests;
