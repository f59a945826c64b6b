//! Which moments of a run are shown as pictures (EcoScratch, section 3, "Frames"), and what is written below them. Drawing is the
//! judging page's.

use super::oracle::Seen;
use crate::project::Project;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Ticks of a checkpoint, and those from the first difference to the picture of what came of it.
const EVERY: u64 = 10;
const LATER: u64 = 15;
/// Ticks of a second.
const SECOND: f64 = 30.0;
/// Monitors that a caption tells.
const MONITORS: usize = 6;

/// A picture with its caption.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moment {
    /// Ended ticks.
    pub tick: u64,
    pub caption: String,
    #[serde(with = "as_base64")]
    pub png: Vec<u8>,
}

/// Bytes as text: as a list of numbers they would be four times as long.
mod as_base64 {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}

/// The ticks to draw: the last checkpoint before the runs part, half a second later, and where the first failure is decided. Drawing is
/// possible from the first tick on.
pub fn ticks(seen: &Seen, div_tick: Option<u64>) -> Vec<u64> {
    let div = div_tick.unwrap_or(0);
    let before = div / EVERY * EVERY;
    let last = seen.failed_after.unwrap_or(seen.length);
    let mut all: Vec<u64> = [before, div + LATER, last].map(|tick| tick.clamp(1, seen.length.max(1))).to_vec();
    all.sort_unstable();
    all.dedup();
    all
}

/// Pictures with captions; of equal ones the first.
pub fn moments(project: &Project, seen: &Seen, drawn: Vec<(u64, Vec<u8>)>) -> Vec<Moment> {
    let mut found: Vec<Moment> = Vec::new();
    for (tick, png) in drawn {
        if found.iter().all(|known| known.png != png) {
            found.push(Moment { tick, caption: caption(&project.json, seen, tick), png });
        }
    }
    found
}

/// The moment, and what the monitors on the stage show then: they are no part of the picture.
fn caption(project: &Value, seen: &Seen, tick: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "runs have thousands of ticks at most")]
    let seconds = tick as f64 / SECOND;
    let monitors = project["monitors"].as_array().map(Vec::as_slice).unwrap_or_default();
    let shown = monitors.iter().filter(|monitor| monitor["visible"] == true && monitor["opcode"] == "data_variable");
    let value = |monitor: &Value| {
        let name = monitor["params"]["VARIABLE"].as_str()?;
        let owner = monitor["spriteName"].as_str().unwrap_or("Stage");
        let value = seen.run.signals.get(&format!("{owner}/variable/{name}"))?.after(tick)?;
        Some(format!("{name} = {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
    };
    let values: Vec<String> = shown.filter_map(value).take(MONITORS).collect();
    let monitors = if values.is_empty() { String::new() } else { format!("; {}", values.join(", ")) };
    format!("tick {tick} ({seconds:.1} s){monitors}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::TraceRun;

    fn seen() -> Seen {
        let run: TraceRun = serde_json::from_value(
            json!({"ticks": 300, "signals": {"Stage/variable/score": {"t": [0, 48], "v": [0, 3]}}}),
        )
        .unwrap();
        let (scenario, inputs, hash) = ("s1".to_owned(), Vec::new(), String::new());
        Seen { scenario, play: None, length: 300, inputs, run, hash, failed_after: Some(200) }
    }

    #[test]
    fn moments_lie_around_the_first_difference_and_within_the_run() {
        assert_eq!(ticks(&seen(), Some(48)), [40, 63, 200]);
        assert_eq!(ticks(&Seen { failed_after: None, ..seen() }, None), [1, 15, 300]);
        assert_eq!(ticks(&Seen { length: 20, failed_after: None, ..seen() }, Some(19)), [10, 20]);
    }

    #[test]
    fn captions_tell_what_monitors_show_and_equal_pictures_come_once() {
        let monitor =
            json!({"opcode": "data_variable", "visible": true, "spriteName": null, "params": {"VARIABLE": "score"}});
        let project = Project { json: json!({"targets": [], "monitors": [monitor]}), assets: [].into() };
        let all = moments(&project, &seen(), vec![(40, vec![1]), (63, vec![2]), (200, vec![2])]);
        let captions: Vec<&str> = all.iter().map(|moment| moment.caption.as_str()).collect();
        assert_eq!(captions, ["tick 40 (1.3 s); score = 0", "tick 63 (2.1 s); score = 3"]);
    }
}
