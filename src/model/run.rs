//! What a run set out to do, as `run.json` holds it. The format is versioned: results outlive code.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{EditorGeneration, ItemId, Mode, shown_name};

/// Version of the records in a run directory. Raise it with any change that an older reader would misread.
pub const RUN_FORMAT: u32 = 2;

/// One agent at the items of one benchmark. Resuming a run requires the same settings, except its name and
/// its time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// Version of this format; [`RUN_FORMAT`].
    pub format: u32,
    /// Name of the run; equals its folder's.
    pub id: String,
    /// When it began, in seconds since 1970.
    pub started_at: f64,
    pub version: String,
    /// Which benchmark: `tasks`, `drag` or `perception`.
    pub benchmark: String,
    /// A built-in agent, a model's name, or a command.
    pub agent: String,
    /// How the agent acts; absent where it only answers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mode: Option<Mode>,
    /// What the items are shown with, such as `baseline`.
    pub setting: String,
    /// Everything else that a score depends on: options of the agent, limits, seed.
    pub options: Value,
    /// Digest of the items, which changes whenever a score could: scores of two sets don't compare.
    pub set: String,
    pub attempts: u32,
    /// The items, in order.
    pub items: Vec<ItemId>,
    /// The split of tasks that was run; absent when items were named one by one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub split: Option<String>,
    /// Address of the server that held the sessions; absent when they were in-process.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub server: Option<String>,
    /// How this run differs from a plain one, in words.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// The secret seed of its judgements ([`JudgeSeed`](super::JudgeSeed)), which agents don't know while it goes on; absent
    /// where no script judges, and in older records.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub judge_seed: Option<u64>,
}

/// What the agent of a run asks, as far as it costs money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked<'a> {
    /// Nothing: it is built in.
    Nothing,
    /// The model of this name.
    Model(&'a str),
    /// Models in roles: each role with the name of its model.
    Models(Vec<(&'a str, &'a str)>),
    /// A program, or something elsewhere, may ask what it likes.
    Unknown,
}

impl RunRecord {
    /// What the agent asks.
    pub fn asked(&self) -> Asked<'_> {
        let agent = &self.options["agent"];
        if let Some(roles) = agent["roles"].as_object() {
            let named = roles.iter().filter_map(|(role, asked)| Some((role.as_str(), asked["model"].as_str()?)));
            return Asked::Models(named.collect());
        }
        let model = [&agent["model"], &agent["model"]["model"]].into_iter().find_map(Value::as_str);
        match model {
            Some(name) => Asked::Model(name),
            None if agent.get("command").is_some() => Asked::Unknown,
            None if BUILT_IN.contains(&self.agent.as_str()) => Asked::Nothing,
            None => Asked::Unknown,
        }
    }
}

impl RunRecord {
    /// The editor that showed its items; the current one in older records.
    pub fn editor(&self) -> EditorGeneration {
        EditorGeneration::deserialize(&self.options["editor"]).unwrap_or_default()
    }

    /// How its questions were worded: `paper`, or `paper, own 1a2b3c4d` with templates of the user's by the beginning of
    /// their digest; absent where nothing was asked, and in older records.
    pub fn prompt(&self) -> Option<String> {
        let prompt = &self.options["prompt"];
        let wording = shown_name(prompt["wording"].as_str()?);
        let digest: String = prompt["digest"].as_str().unwrap_or_default().chars().take(DIGEST_SHOWN).collect();
        let is_own = prompt["own"].as_bool().unwrap_or_default();
        Some(if is_own { format!("{wording}, own {digest}") } else { wording })
    }

    /// The published protocol that it was asked by, with its values and what was set beside it: `paper: temperature 0.0, …`; absent
    /// without one.
    pub fn preset(&self) -> Option<String> {
        let preset = self.options["preset"].as_object()?;
        let name = shown_name(preset.get("name")?.as_str()?);
        let plain = |value: &Value| value.as_str().map_or_else(|| shown_name(&value.to_string()), shown_name);
        let values = preset.iter().filter(|(key, _)| !["name", "beside"].contains(&key.as_str())).take(PRESET_SHOWN);
        let values: Vec<String> = values.map(|(key, value)| format!("{} {}", shown_name(key), plain(value))).collect();
        let beside = preset.get("beside").and_then(Value::as_array).into_iter().flatten().take(PRESET_SHOWN);
        let beside: Vec<String> = beside.map(plain).collect();
        let more = if beside.is_empty() { String::new() } else { format!("; beside it: {}", beside.join(", ")) };
        Some(format!("{name}: {}{more}", values.join(", ")))
    }
}

/// Values of a preset that are shown.
const PRESET_SHOWN: usize = 12;

/// Letters of a digest that tell templates apart.
const DIGEST_SHOWN: usize = 8;

/// Agents that ask no one.
const BUILT_IN: [&str; 5] = ["oracle", "noop", "random", "centre", "mutate"];

/// Limits that a run has in place of its tasks' own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitOverrides {
    /// How often an agent may decide.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_steps: Option<u32>,
    /// Wall-clock seconds an attempt may last.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub wall_s: Option<u32>,
}
