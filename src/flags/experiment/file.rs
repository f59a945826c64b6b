//! The file of an experiment: what it says, and the arms that its matrix makes.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use toml::{Table, Value};

use super::arms::duration;
use super::matrix;
use super::prices::PriceEntry;
use crate::flags::failure::{Failure, Status};
use scratchbed::experiment::engine::Caps;
use scratchbed::ledger::{Budget, LOCAL, LanePlan};
use scratchbed::project::text::near;

/// The version of the form that this program reads.
const FORMAT: i64 = 1;

/// An experiment as its file says it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentFile {
    pub format: i64,
    /// Its name in the ledger and on the disk.
    pub name: String,
    #[serde(default)]
    pub benchmark: BenchmarkName,
    /// Which items: flags of the benchmark's command, such as `split`, `task` or `pack`.
    #[serde(default)]
    pub items: Table,
    /// How often each item is attempted in each arm.
    #[serde(default = "one")]
    pub epochs: u32,
    #[serde(default = "first")]
    pub seed: u64,
    /// Whether cells may be decided by attempts at cells of equal key in other experiments of the ledger.
    #[serde(default)]
    pub reuse: bool,
    #[serde(default)]
    pub budget: BudgetTable,
    #[serde(default)]
    pub attempt: AttemptTable,
    #[serde(default)]
    pub retry: RetryTable,
    #[serde(default)]
    pub lanes: BTreeMap<String, LaneTable>,
    #[serde(default)]
    pub models: BTreeMap<String, Table>,
    pub arms: Vec<Table>,
}

const fn one() -> u32 {
    1
}

const fn first() -> u64 {
    1
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum BenchmarkName {
    #[default]
    Tasks,
    Drag,
    Perception,
    Repair,
    Explain,
    /// Budgeted repair.
    Trajectory,
}

/// What the experiment may spend; absent limits are none.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetTable {
    /// Dollars.
    pub usd: Option<f64>,
    /// A number, or one with `k`, `M` or `G`.
    pub tokens: Option<Amount>,
    /// How long it may take, such as `36h`.
    pub wall: Option<String>,
}

/// What one attempt may use: part of what is measured.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttemptTable {
    /// Decisions, or `task` for as many as each task says.
    pub steps: Option<Value>,
    /// How long it may act, such as `30m`, instead of as long as each task says.
    pub working: Option<String>,
    pub usd: Option<f64>,
    pub tokens: Option<Amount>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetryTable {
    pub infra: u32,
    pub provider: u32,
}

impl Default for RetryTable {
    fn default() -> Self {
        Self { infra: 3, provider: 3 }
    }
}

/// An endpoint with a key, and how much it bears.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaneTable {
    pub endpoint: String,
    pub dialect: Option<String>,
    /// The environment variable that holds the key.
    pub key_env: Option<String>,
    /// Attempts at a time.
    pub in_flight: u32,
    /// Requests a minute.
    pub rpm: Option<Amount>,
    /// Tokens a minute.
    pub tpm: Option<Amount>,
}

/// A number, or a text such as `4M`.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Amount {
    Number(u64),
    Text(String),
}

impl Amount {
    /// The number.
    pub fn number(&self) -> Result<u64, Failure> {
        let text = match self {
            Self::Number(number) => return Ok(*number),
            Self::Text(text) => text.trim(),
        };
        let (digits, unit) = match text.char_indices().last() {
            Some((at, 'k')) => (&text[..at], 1_000),
            Some((at, 'M')) => (&text[..at], 1_000_000),
            Some((at, 'G')) => (&text[..at], 1_000_000_000),
            _ => (text, 1),
        };
        let number: Option<u64> = digits.trim().parse().ok().and_then(|number: u64| number.checked_mul(unit));
        number.ok_or_else(|| wrong(format!("`{text}` is no amount: give a number, such as 4000000 or \"4M\"")))
    }
}

/// An arm before it is prepared.
#[derive(Debug, Clone, PartialEq)]
pub struct ArmEntry {
    /// Named after what sets it apart.
    pub label: String,
    pub values: Table,
}

impl ExperimentFile {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<(Self, String), Failure> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            let failure = Failure::of(Status::Input, "experiment_unreadable", &error);
            failure.hinted(format!("is {} the right file?", path.display()))
        })?;
        Ok((Self::parse(&text)?, text))
    }

    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let table: Table = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        refuse_secrets("", &table)?;
        let file: Self = table.try_into().map_err(|error: toml::de::Error| unknown(error.message()))?;
        file.check()?;
        Ok(file)
    }

    fn check(&self) -> Result<(), Failure> {
        if self.format != FORMAT {
            return Err(wrong(format!("format {} is not known; this program reads format {FORMAT}", self.format)));
        }
        let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
        if self.name.is_empty() || self.name.len() > 60 || !self.name.chars().all(plain) {
            return Err(wrong("name: give 1 to 60 letters, digits, `-` or `_`".to_owned()));
        }
        if self.epochs == 0 {
            return Err(wrong("epochs: give at least 1".to_owned()));
        }
        for (name, lane) in &self.lanes {
            if lane.in_flight == 0 {
                return Err(wrong(format!("lanes.{name}.in_flight: give at least 1")));
            }
            if name == LOCAL {
                return Err(wrong(format!(
                    "lanes.{name}: that is the lane of arms that ask no model; choose another name"
                )));
            }
        }
        for (name, model) in &self.models {
            self.check_lane(name, model)?;
        }
        Ok(())
    }

    fn check_lane(&self, name: &str, model: &Table) -> Result<(), Failure> {
        let Some(lane) = model.get("lane").and_then(Value::as_str) else {
            return Err(wrong(format!("models.{name}: `lane` is missing")).hinted("name one of [lanes]"));
        };
        if self.lanes.contains_key(lane) {
            return Ok(());
        }
        let hint = near(lane, self.lanes.keys().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
        Err(wrong(format!("models.{name}: there is no lane `{lane}`")).hinted_by(hint))
    }

    /// The arms that the matrix makes.
    pub fn arms(&self) -> Result<Vec<ArmEntry>, Failure> {
        let arms = matrix::expand(&self.arms)?;
        if arms.is_empty() {
            return Err(wrong("the matrix is empty: no arm is left".to_owned()).hinted("look at `unless`"));
        }
        Ok(arms)
    }
}

impl ExperimentFile {
    /// What the experiment may spend as a whole.
    pub fn budget(&self) -> Result<Budget, Failure> {
        let wall = self.budget.wall.as_deref().map(|text| duration("budget.wall", text)).transpose()?;
        Ok(Budget {
            micro_usd: self.budget.usd.map(|usd| micro("budget.usd", usd)).transpose()?,
            tokens: self.budget.tokens.as_ref().map(Amount::number).transpose()?,
            wall_ms: wall.map(|wall| u64::try_from(wall.as_millis()).unwrap_or(u64::MAX)),
        })
    }

    /// What one attempt may use, as the file says it.
    pub fn caps(&self) -> Result<Caps, Failure> {
        Ok(Caps {
            micro_usd: self.attempt.usd.map(|usd| micro("attempt.usd", usd)).transpose()?,
            tokens: self.attempt.tokens.as_ref().map(Amount::number).transpose()?,
        })
    }

    /// How much the lanes bear. Arms that ask no one share one that bears all.
    pub fn lane_plans(&self) -> Result<Vec<LanePlan>, Failure> {
        let number = |amount: &Option<Amount>| amount.as_ref().map(Amount::number).transpose();
        let mut plans = vec![LanePlan::local()];
        for (name, lane) in &self.lanes {
            plans.push(LanePlan {
                name: name.clone(),
                in_flight: lane.in_flight,
                rpm: number(&lane.rpm)?,
                tpm: number(&lane.tpm)?,
            });
        }
        Ok(plans)
    }

    /// The prices that the file gives, as a list of prices in the form of assets/prices.toml.
    pub fn prices(&self) -> Result<Option<String>, Failure> {
        let mut lists = Vec::new();
        for (name, model) in &self.models {
            let Some(price) = model.get("price") else { continue };
            let price: PriceEntry = price
                .clone()
                .try_into()
                .map_err(|error: toml::de::Error| wrong(format!("models.{name}.price: {}", error.message())))?;
            lists.push((model.get("name").and_then(Value::as_str).unwrap_or(name).to_owned(), price));
        }
        Ok(PriceEntry::list(&lists))
    }
}

/// Dollars as whole micro-dollars.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the bounds are checked")]
fn micro(place: &str, usd: f64) -> Result<u64, Failure> {
    if usd > 0.0 && usd <= 1e9 {
        Ok((usd * 1e6).ceil() as u64)
    } else {
        Err(wrong(format!("{place}: give dollars above 0")))
    }
}

/// A file that is wrong.
pub fn wrong(message: String) -> Failure {
    Failure::new(Status::Input, "experiment_invalid", message)
}

/// What the parser of flags has against values of a file, in one line.
pub fn refused(place: &str, error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    let first = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
    wrong(format!("{place}: {}", first.split_whitespace().collect::<Vec<_>>().join(" ")))
}

/// A message of serde about a key, with the nearest key that there is.
fn unknown(message: &str) -> Failure {
    let words: Vec<&str> = message.split('`').collect();
    let is_unknown = message.starts_with("unknown field");
    let near = words.get(1).filter(|_| is_unknown).and_then(|asked| {
        let known = words.iter().skip(3).step_by(2).copied();
        near(asked, known)
    });
    wrong(message.trim().to_owned()).hinted_by(near.map(|near| format!("did you mean `{near}`?")))
}

/// Keys that would hold a secret. A file is copied into results, so it must not have any.
const SECRETS: [&str; 6] = ["key", "api_key", "token", "secret", "password", "authorization"];

/// Refuses keys and passwords, wherever they stand.
fn refuse_secrets(place: &str, table: &Table) -> Result<(), Failure> {
    for (name, value) in table {
        let here = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
        let is_secret = SECRETS.contains(&name.as_str()) && value.is_str();
        let has_login = value.as_str().is_some_and(|text| {
            text.split_once("://")
                .is_some_and(|(_, rest)| rest.split('/').next().is_some_and(|host| host.contains('@')))
        });
        let looks_so =
            value.as_str().is_some_and(|text| ["sk-", "AIza", "ghp_"].iter().any(|start| text.starts_with(start)));
        if is_secret || has_login || looks_so {
            let failure = Failure::new(Status::Input, "secret_in_file", format!("{here} holds a secret"));
            return Err(failure.hinted("name the environment variable that holds it with `key_env`"));
        }
        let inner: Vec<&Table> = match value {
            Value::Table(inner) => vec![inner],
            Value::Array(all) => all.iter().filter_map(Value::as_table).collect(),
            _ => Vec::new(),
        };
        for inner in inner {
            refuse_secrets(&here, inner)?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
