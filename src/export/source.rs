//! What all formats read of a run: who made it, where, and when.

use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::model::{EventKind, Opened, RunRecord};
use crate::store::SessionDir;

/// Letters that a model or an agent may add to a folder's name.
const LONGEST_NAME: usize = 100;

/// Who made the attempts of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Who {
    /// The model that was asked, if one was.
    pub model: Option<String>,
    pub agent: String,
}

impl Who {
    pub fn of(run: &RunRecord) -> Self {
        let text = |place: &str| run.options.pointer(place).and_then(Value::as_str);
        let model = text("/agent/model/model").or_else(|| text("/agent/model")).map(str::to_owned);
        let agent = match &model {
            // Whoever asks a model in a way of its own says so.
            Some(_) => text("/agent/kind").unwrap_or("llm"),
            // A command line has the paths of one machine in it.
            None if text("/agent/command") == Some(&run.agent) => "command",
            None => &run.agent,
        };
        Self { agent: agent.to_owned(), model }
    }

    /// What stands for the model in names: an agent without one stands for itself.
    pub(super) fn model_or_agent(&self) -> &str {
        self.model.as_deref().unwrap_or(&self.agent)
    }
}

/// Where the model was asked, without a password in the address.
pub(super) fn endpoint(run: &RunRecord) -> Option<String> {
    let text = |place: &str| run.options.pointer(place).and_then(Value::as_str);
    let address = text("/agent/model/endpoint").or_else(|| text("/agent/endpoint"))?;
    let (scheme, rest) = address.split_once("://").unwrap_or(("http", address));
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.rsplit('@').next().unwrap_or_default();
    Some(format!("{scheme}://{host}/{path}"))
}

/// Which observations the agent had: `paper` means the reference's, with its numbers of blocks.
pub(super) fn observation(run: &RunRecord) -> &str {
    let text = |place: &str| run.options.pointer(place).and_then(Value::as_str);
    text("/observation").or_else(|| text("/agent/style/observing")).unwrap_or("native")
}

/// A part of a folder's name, as the reference makes it of a model's name.
pub(super) fn name_part(text: &str) -> String {
    let plain = |letter: char| {
        let is_replaced = matches!(letter, '/' | '\\' | '-') || letter.is_whitespace() || letter.is_control();
        if is_replaced { '_' } else { letter }
    };
    text.chars().map(plain).take(LONGEST_NAME).collect()
}

/// What comes before the names of an attempt's folders: runs with several attempts have a folder for each, since the
/// reference's layout has a place for one.
pub(super) fn attempt_folder(run: &RunRecord, attempt: u32) -> String {
    if run.attempts > 1 { format!("attempt_{attempt}/") } else { String::new() }
}

/// How an attempt's session began, if its log was kept.
pub(super) fn opened(path: &Path) -> Option<Opened> {
    match SessionDir::open(path)?.events().ok()?.into_iter().next()?.what {
        EventKind::Opened(opened) => Some(opened),
        _ => None,
    }
}

/// A time in seconds since 1970, in UTC.
pub fn iso(seconds: f64) -> String {
    let since = Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or_default();
    humantime::format_rfc3339_millis(UNIX_EPOCH + since).to_string()
}

/// The same as `YYYYmmdd_HHMMSS`.
pub(super) fn stamp(seconds: f64) -> String {
    iso(seconds.floor())
        .chars()
        .take(19)
        .filter(|letter| !matches!(letter, '-' | ':'))
        .collect::<String>()
        .replace('T', "_")
}

/// Coordinates are whole numbers in the reference's files, wherever they are whole.
#[expect(clippy::cast_possible_truncation, reason = "of a whole number of pixels")]
pub(super) fn number(value: f64) -> Value {
    if value.fract() == 0.0 { json!(value as i64) } else { json!(value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::fakes::run;

    #[test]
    fn names_lead_nowhere_and_tell_no_paths() {
        assert_eq!(name_part("org/qwen3-vl 8b\n"), "org_qwen3_vl_8b_");
        assert!(!name_part("../../x").contains('/'));
        let command = "python3 /home/me/agent.py";
        let made = RunRecord { agent: command.into(), options: json!({"agent": {"command": command}}), ..run(&["a"]) };
        assert_eq!(Who::of(&made), Who { model: None, agent: "command".into() });
    }

    #[test]
    fn the_model_is_found_wherever_a_benchmark_notes_it() {
        for options in [
            json!({"agent": {"model": "m", "endpoint": "http://u:p@h:1/v1?key=x"}}),
            json!({"agent": {"model": {"model": "m", "endpoint": "http://u:p@h:1/v1"}}}),
        ] {
            let made = RunRecord { options, ..run(&["a"]) };
            assert_eq!(Who::of(&made), Who { model: Some("m".into()), agent: "llm".into() });
            let mut options = made.options.clone();
            options["agent"]["kind"] = json!("awm");
            assert_eq!(Who::of(&RunRecord { options, ..made.clone() }).agent, "awm");
            assert_eq!(endpoint(&made).unwrap(), "http://h:1/v1");
            assert_eq!(observation(&made), "native");
        }
        for options in [json!({"observation": "paper"}), json!({"agent": {"style": {"observing": "paper"}}})] {
            assert_eq!(observation(&RunRecord { options, ..run(&["a"]) }), "paper");
        }
    }

    #[test]
    fn times_are_utc() {
        assert_eq!((iso(1.5).as_str(), stamp(86_400.9).as_str()), ("1970-01-01T00:00:01.500Z", "19700102_000000"));
        assert_eq!((number(3.0), number(2.5)), (json!(3), json!(2.5)));
    }
}
