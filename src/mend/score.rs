//! What a repair is worth (ScratchEval, sections 5.3 to 5.6): whether the suite passes, how far the edits are from gold's, and how far the
//! behaviour is. Nothing of an answer is read here, and no model is asked.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::patching::{Refused, Stage, patched};
use super::touched::{Compared, Mode};
use crate::bugs::{Facts, Instance};
use crate::forge::{Part, Plays, SuiteRuns, says};
use crate::grade::{Pair, active, drift};
use crate::judge::PlayError;
use crate::model::{Assertion, Suite, sha256_hex};
use crate::patches::lint::{Code, review};
use crate::project::edit::{Edit, EditSet, edit_distance, edit_set};
use crate::project::reach::Reach;
use crate::project::{Project, ProjectError};

/// What an instance's repairs are compared with.
#[derive(Debug)]
pub struct Reference {
    buggy: Project,
    /// From the buggy project to gold.
    aim: EditSet,
    golden: SuiteRuns,
    broken: SuiteRuns,
    /// Signals that drift is the mean of.
    signals: BTreeSet<String>,
}

/// Assertions that hold, of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Held {
    pub held: usize,
    pub of: usize,
}

/// What a repair came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Repair {
    pub stage: Stage,
    /// Why it was not applied, or did not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What the answer says is wrong.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub explanation: String,
    /// The patch as it was read.
    pub patch: Vec<Edit>,
    /// Normalised edits of the patched project, and how many of them and of gold's only one side has; none of a patch that was not applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edits: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<usize>,
    /// Semantic drift, 0 to 1: over the state signals of the instance, and over all that are active in gold's or its own runs. 1 of one
    /// that hangs, none of one that does not load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift_all: Option<f64>,
    /// The buggy project's: above it, things got worse.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buggy_drift: Option<f64>,
    /// Passed with distance 0.
    pub exact: bool,
    /// Whether all edits, and whether any, are in scripts that gold's are in.
    pub within_region: bool,
    pub located: bool,
    pub assertions: Held,
    /// What does not hold, in words: what is seen, and what should be.
    pub failed: Vec<String>,
    /// In what ways it went wrong; empty of one that passed.
    pub modes: BTreeSet<Mode>,
    /// What validators flag it for, without running it.
    #[schemars(with = "BTreeSet<String>")]
    pub flags: BTreeSet<Code>,
    /// SHA-256 over the digests of all runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<String>,
}

impl Reference {
    /// Plays an instance's suite to gold and the buggy project.
    ///
    /// # Errors
    /// When one can't be played, or no page holds.
    pub async fn of(instance: &Instance, plays: &Plays) -> Result<Self, PlayError> {
        let broke = |error: ProjectError| PlayError::Unloadable(error.to_string());
        let (buggy, gold) = (Project::read(&instance.buggy), Project::read(&instance.golden));
        let (buggy, gold) = (buggy.map_err(broke)?, gold.map_err(broke)?);
        let golden = SuiteRuns::of(&instance.golden, &instance.suite, plays, Part::Repair).await?;
        let broken = SuiteRuns::of(&instance.buggy, &instance.suite, plays, Part::Repair).await?;
        let seen = active(golden.all().chain(broken.all()).map(|(_, _, run)| run));
        let state = &instance.truth.state_signals;
        let facts = || Facts::of(&gold.json, &Reach::of(&gold.json)).state_signals;
        let state = if state.is_empty() { facts() } else { state.clone() };
        let is_state = |signal: &&String| state.iter().any(|known| known.to_lowercase() == signal.to_lowercase());
        let signals: BTreeSet<String> = seen.iter().filter(is_state).cloned().collect();
        // A program whose state nothing tells is compared by all that is seen of it.
        let signals = if signals.is_empty() { seen } else { signals };
        let aim = edit_set(&buggy.json, &gold.json);
        Ok(Self { buggy, aim, golden, broken, signals })
    }

    /// The project that is to be mended.
    pub const fn buggy(&self) -> &Project {
        &self.buggy
    }

    /// How far a project's behaviour is from gold's, over the state signals of the instance: 0 to 1, 1 of one that hangs. `None` of one that
    /// does not load, or without signals.
    ///
    /// # Errors
    /// When no page holds.
    pub async fn drift_of(&self, sb3: &[u8], suite: &Suite, plays: &Plays) -> Result<Option<f64>, PlayError> {
        match SuiteRuns::of(sb3, suite, plays, Part::Repair).await {
            Ok(runs) => Ok(self.drift(&runs, &self.signals, suite)),
            Err(PlayError::Unloadable(_)) => Ok(None),
            Err(error) if error.is_of_project() => Ok(Some(1.0)),
            Err(error) => Err(error),
        }
    }

    /// Mean distance from gold's runs over these signals.
    fn drift(&self, runs: &SuiteRuns, signals: &BTreeSet<String>, suite: &Suite) -> Option<f64> {
        let length = |id: &str| suite.scenarios.iter().find(|one| one.id == id).map_or(suite.horizon, |one| one.length);
        let pairs = runs.all().filter_map(|(scenario, seed, run)| {
            Some(Pair { run, golden: self.golden.run(scenario, seed)?, length: length(scenario) })
        });
        drift(&pairs.collect::<Vec<_>>(), signals, suite.every)
    }
}

impl Repair {
    /// One that came no further than this.
    pub fn stopped(stage: Stage, message: String, patch: Vec<Edit>, suite: &Suite) -> Self {
        Self {
            stage,
            message: Some(message),
            explanation: String::new(),
            patch,
            edits: None,
            distance: None,
            drift: None,
            drift_all: None,
            buggy_drift: None,
            exact: false,
            within_region: false,
            located: false,
            assertions: Held { held: 0, of: suite.assertions.len() },
            failed: Vec::new(),
            modes: BTreeSet::from([Mode::Other]),
            flags: BTreeSet::new(),
            runs: None,
        }
    }
}

/// Scores a patch.
///
/// # Errors
/// When no page holds; what the project is to blame for is a stage of the repair.
pub async fn score(
    instance: &Instance,
    reference: &Reference,
    patch: Vec<Edit>,
    plays: &Plays,
) -> Result<Repair, PlayError> {
    let project = match patched(&reference.buggy, &patch) {
        Ok(project) => project,
        Err(Refused { stage, message }) => return Ok(Repair::stopped(stage, message, patch, &instance.suite)),
    };
    let repair = Repair {
        flags: review(&reference.buggy.json, &patch).into_iter().map(|finding| finding.code).collect(),
        ..Repair::stopped(Stage::Failed, String::new(), patch, &instance.suite)
    };
    let edits = edit_set(&reference.buggy.json, &project.json);
    let run = match project.pack() {
        Ok(sb3) => SuiteRuns::of(&sb3, &instance.suite, plays, Part::Repair).await,
        Err(error) => Err(PlayError::Unloadable(error.to_string())),
    };
    let tried = Tried { instance, reference, edits };
    match run {
        Ok(runs) => Ok(tried.ran(repair, &runs)),
        Err(error) if error.is_of_project() => Ok(tried.broke(repair, &error)),
        Err(error) => Err(error),
    }
}

/// A patched project, and what it is compared with.
struct Tried<'a> {
    instance: &'a Instance,
    reference: &'a Reference,
    edits: EditSet,
}

impl Tried<'_> {
    fn compared(&self) -> Compared<'_> {
        let (truth, buggy) = (&self.instance.truth, &self.reference.buggy.json);
        Compared { truth, buggy, aim: &self.reference.aim, edits: &self.edits }
    }

    /// What is known of it before it runs.
    fn known(&self, repair: Repair) -> Repair {
        let (compared, suite) = (self.compared(), &self.instance.suite);
        Repair {
            edits: Some(self.edits.len()),
            distance: Some(edit_distance(&self.reference.aim, &self.edits)),
            within_region: compared.is_within_region(),
            located: compared.is_located(),
            buggy_drift: self.reference.drift(&self.reference.broken, &self.reference.signals, suite),
            ..repair
        }
    }

    fn broke(&self, repair: Repair, error: &PlayError) -> Repair {
        let (stage, drift) = match error {
            PlayError::Unloadable(_) => (Stage::Unloadable, None),
            _ => (Stage::Hung, Some(1.0)),
        };
        let modes = self.compared().modes(false);
        Repair { stage, message: Some(error.to_string()), drift, drift_all: drift, modes, ..self.known(repair) }
    }

    fn ran(&self, repair: Repair, runs: &SuiteRuns) -> Repair {
        let (suite, reference) = (&self.instance.suite, self.reference);
        let (holding, failing): (Vec<&Assertion>, Vec<_>) =
            suite.assertions.iter().partition(|one| runs.hold(one, suite));
        let passed = runs.rate(suite) >= 1.0;
        let mends_part = !passed && holding.iter().any(|one| !reference.broken.hold(one, suite));
        let known = self.known(repair);
        let all = active(runs.all().chain(reference.golden.all()).map(|(_, _, run)| run));
        Repair {
            stage: if passed { Stage::Passed } else { Stage::Failed },
            message: None,
            drift: reference.drift(runs, &reference.signals, suite),
            drift_all: reference.drift(runs, &all, suite).or(Some(0.0)),
            exact: passed && known.distance == Some(0),
            assertions: Held { held: holding.len(), of: suite.assertions.len() },
            failed: failing.iter().filter_map(|one| in_words(one, suite, runs)).collect(),
            modes: if passed { BTreeSet::new() } else { self.compared().modes(mends_part) },
            runs: Some(sha256_hex(runs.hashes().join(" ").as_bytes())),
            ..known
        }
    }
}

/// What is seen in place of what should be, of the first seed under which it is.
fn in_words(assertion: &Assertion, suite: &Suite, runs: &SuiteRuns) -> Option<String> {
    let scenario = suite.scenarios.iter().find(|one| one.id == assertion.scenario)?;
    let own = || runs.all().filter(|(id, _, _)| *id == scenario.id).map(|(_, _, run)| run);
    let fails = |run: &&_| !crate::grade::suite::holds(&assertion.feature, run, suite.every);
    let run = own().find(fails).or_else(|| own().next())?;
    let (seen, expected) =
        (says::seen(&assertion.feature, scenario, run), says::expected(&assertion.feature, scenario));
    Some(format!("{seen}; expected: {expected}"))
}
