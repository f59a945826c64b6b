//! The file of an experiment: what it says, and the arms that its matrix makes.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use toml::{Table, Value};

use super::arms::duration;
use super::faults::{check_names, no_toml, refuse_secrets, unknown, wrong};
use super::matrix;
use super::prices::PriceEntry;
use crate::flags::failure::{Failure, Status};
use scratchbed::experiment::engine::Caps;
use scratchbed::ledger::{Budget, LOCAL, LanePlan};
use scratchbed::model::{parser_words, shown_name};
use scratchbed::project::near::near;

/// The version of the form that this program reads.
const FORMAT: i64 = 1;
/// Bytes of the file, once for each arm: each may take all that the file says.
const LARGEST: usize = 16 << 20;

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
        number.ok_or_else(|| {
            wrong(format!("`{}` is no amount: give a number, such as 4000000 or \"4M\"", shown_name(text)))
        })
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
        let table: Table = toml::from_str(text).map_err(|error| no_toml(text, &error))?;
        check_names(&table)?;
        refuse_secrets("", &table)?;
        let file: Self = table.try_into().map_err(|error: toml::de::Error| unknown(error.message()))?;
        file.check()?;
        let arms = matrix::count(&file.arms)?;
        if arms.saturating_mul(text.len()) > LARGEST {
            let message =
                format!("a file of {} bytes makes {arms} arms; bytes times arms may be {LARGEST}", text.len());
            return Err(wrong(message).hinted("make several experiments of it"));
        }
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
        Err(wrong(format!("models.{name}: there is no lane `{}`", shown_name(lane))).hinted_by(hint))
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
            let price: PriceEntry = price.clone().try_into().map_err(|error: toml::de::Error| {
                wrong(format!("models.{name}.price: {}", parser_words(error.message())))
            })?;
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

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
