//! Plans, schedules and cutoffs, as `assets/repair/plans.toml` has them (EcoScratch, section 3). They are fixed before a run: which one
//! is taken is the controller's choice.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::grade::signals::Cutoffs;
use crate::model::{Blame, Coded, PlanId, sha256_hex};

/// The file that comes with the program.
const BUNDLED: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/repair/plans.toml"));

/// How closely the paper is followed.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
    strum::Display,
    strum::EnumIter,
    strum::EnumMessage,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Profile {
    /// As published: no traces as text, no hints from them, no reasons, every attempt is made.
    #[default]
    Paper,
    /// With what goes beyond: traces as text, localisation by their difference, reasons, and no attempt that repeats another.
    Own,
}

/// What an attempt may use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Pictures at most.
    pub images: u32,
    /// Operations of a patch at most; more are refused, none is cut off.
    pub operations: u32,
    /// Characters of the project, and of the trace as text.
    pub view: usize,
    pub trace: usize,
    /// Tokens of the answer at most.
    pub tokens: u32,
    /// What is run before the whole suite, if anything is.
    pub precheck: Option<Precheck>,
}

/// A first part of the strict run, under the first seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Precheck {
    /// Scenarios, those with the most assertions first; 0 is all.
    pub scenarios: usize,
    /// Ticks.
    pub horizon: u64,
}

/// The schedule of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeSchedule {
    pub scenarios: usize,
    pub seeds: u64,
    pub horizon: u64,
}

/// What one trajectory may use; 0 sets no limit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetLimits {
    pub attempts: u32,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub images: u32,
    /// Bytes of pictures.
    pub image_bytes: u64,
    /// US dollars; what has no known price is not limited by it.
    pub usd: f64,
    /// Seconds.
    pub wall_s: f64,
    /// Watt-hours of the host, before another attempt is begun; what no meter tells, or several jobs share, is not limited by it.
    pub wh: f64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    probe: ProbeSchedule,
    cutoffs: Cutoffs,
    plan: BTreeMap<String, Plan>,
    budget: BudgetLimits,
}

/// All that is fixed before a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Plans {
    pub probe: ProbeSchedule,
    pub cutoffs: Cutoffs,
    pub budget: BudgetLimits,
    all: BTreeMap<PlanId, Plan>,
    /// SHA-256 of the file.
    pub digest: String,
}

/// A file of plans can't be used.
#[derive(Debug, thiserror::Error)]
pub enum PlansError {
    #[error("{file} can't be read: {source}")]
    File { file: PathBuf, source: std::io::Error },
    #[error("{file} is no file of plans: {source}")]
    Malformed { file: PathBuf, source: Box<toml::de::Error> },
    #[error("{file} can't be edited: {source}")]
    Uneditable { file: PathBuf, source: toml_edit::TomlError },
    #[error("{file} has no plan {plan}")]
    Missing { file: PathBuf, plan: PlanId },
}

impl Coded for PlansError {
    fn code(&self) -> &'static str {
        match self {
            Self::File { .. } => "plans_unreadable",
            Self::Malformed { .. } | Self::Uneditable { .. } | Self::Missing { .. } => "plans_malformed",
        }
    }

    fn hint(&self) -> Option<String> {
        Some("assets/repair/plans.toml shows the form".to_owned())
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

impl Plans {
    /// Those of a file, or the ones that come with the program.
    ///
    /// # Errors
    /// When the file can't be read, or lacks something.
    pub fn read(file: Option<&Path>) -> Result<Self, PlansError> {
        Self::parse(file.unwrap_or_else(|| Path::new("plans.toml")), &text_of(file)?)
    }

    /// The text of a file of plans with other cutoffs, its comments kept.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn with_cutoffs(file: Option<&Path>, cutoffs: Cutoffs) -> Result<String, PlansError> {
        let (path, text) = (file.unwrap_or_else(|| Path::new("plans.toml")), text_of(file)?);
        Self::parse(path, &text)?;
        let is_malformed =
            |error: toml_edit::TomlError| PlansError::Uneditable { file: path.to_owned(), source: error };
        let mut document: toml_edit::DocumentMut = text.parse().map_err(is_malformed)?;
        let early = i64::try_from(cutoffs.early).unwrap_or(i64::MAX);
        document["cutoffs"]["early"] = toml_edit::value(early);
        document["cutoffs"]["broad"] = toml_edit::value(cutoffs.broad);
        document["cutoffs"]["unstable"] = toml_edit::value(cutoffs.unstable);
        Ok(document.to_string())
    }

    fn parse(path: &Path, text: &str) -> Result<Self, PlansError> {
        use strum::IntoEnumIterator as _;
        let file = || path.to_owned();
        let mut read: File =
            toml::from_str(text).map_err(|source| PlansError::Malformed { file: file(), source: Box::new(source) })?;
        let mut plans = BTreeMap::new();
        for id in PlanId::iter() {
            let plan = read.plan.remove(id.into()).ok_or_else(|| PlansError::Missing { file: file(), plan: id })?;
            plans.insert(id, plan);
        }
        let (probe, cutoffs, budget) = (read.probe, read.cutoffs, read.budget);
        Ok(Self { probe, cutoffs, budget, all: plans, digest: sha256_hex(text.as_bytes()) })
    }

    /// A plan.
    pub fn plan(&self, id: PlanId) -> &Plan {
        &self.all[&id]
    }
}

/// The text of a file of plans, or of the bundled one.
fn text_of(file: Option<&Path>) -> Result<String, PlansError> {
    let Some(path) = file else { return Ok(BUNDLED.to_owned()) };
    std::fs::read_to_string(path).map_err(|source| PlansError::File { file: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_plans_grow_and_a_file_without_one_is_refused() {
        let plans = Plans::read(None).unwrap();
        let order = [PlanId::T0, PlanId::T1, PlanId::T2, PlanId::M1, PlanId::M2];
        let operations = order.map(|id| plans.plan(id).operations);
        assert_eq!(operations, [4, 8, 16, 8, 16]);
        assert_eq!(order.map(|id| plans.plan(id).images), [0, 0, 0, 3, 3]);
        assert!(plans.plan(PlanId::T0).precheck.is_none());
        let less = BUNDLED.replace("[plan.M2]", "[plan.M3]");
        let refused = Plans::parse(Path::new("mine.toml"), &less).unwrap_err();
        assert_eq!((refused.code(), refused.to_string().as_str()), ("plans_malformed", "mine.toml has no plan M2"));
        assert!(Plans::parse(Path::new("mine.toml"), "[probe]\n").is_err());
    }

    #[test]
    fn other_cutoffs_leave_the_rest_of_the_file_as_it_is() {
        let cutoffs = Cutoffs { early: 90, broad: 0.3, unstable: 0.5 };
        let text = Plans::with_cutoffs(None, cutoffs).unwrap();
        let read = Plans::parse(Path::new("mine.toml"), &text).unwrap();
        assert_eq!((read.cutoffs, read.budget), (cutoffs, Plans::read(None).unwrap().budget));
        let other: Vec<&str> = text.lines().filter(|line| !BUNDLED.lines().any(|known| known == *line)).collect();
        assert_eq!(other, ["early = 90", "broad = 0.3", "unstable = 0.5"]);
    }
}
