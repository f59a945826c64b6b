//! What a repair is worth (ScratchEval, sections 5.3 to 5.6): whether the assertions on the fault hold and the guards of all else, how far
//! the edits are from gold's, and how far the behaviour is. Nothing of an answer is read here, and no model is asked.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::patching::{Refused, Stage, patched};
use super::touched::{Compared, Mode};
use crate::bugs::{Facts, Instance};
use crate::forge::{Drifts, Part, Plays, SuiteOutcome, SuiteRuns, says};
use crate::judge::PlayError;
use crate::model::{Assertion, Feature, Suite, sha256_hex};
use crate::patches::lint::{Code, review};
use crate::project::edit::{Edit, EditSet, edit_distance, edit_set};
use crate::project::reach::Reach;
use crate::project::{Project, ProjectError};

/// Guards that are told in words; a game that does not begin breaks all of them.
const MOST_BROKEN: usize = 5;

/// What an instance's repairs are compared with.
#[derive(Debug)]
pub struct Reference {
    buggy: Project,
    /// From the buggy project to gold.
    aim: EditSet,
    golden: SuiteRuns,
    broken: SuiteRuns,
    /// Signals that the state of gold is in, in lower case.
    state: BTreeSet<String>,
}

/// Assertions or guards that hold, of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    /// Semantic drift, 0 to 1, over all scenarios of the project: of what is seen and heard of it and its state, and of all signals. 1 of
    /// one that hangs, none of one that does not load.
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
    /// Guards that hold, of all: golden behaviour that is still there; none of a patch that was not played to the end.
    #[serde(default)]
    pub guards: Held,
    /// What does not hold, in words: what is seen, and what should be.
    pub failed: Vec<String>,
    /// The first guards that do not hold, in the same words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<String>,
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
    /// Plays all scenarios of an instance to gold and the buggy project.
    ///
    /// # Errors
    /// When one can't be played, or no page holds.
    pub async fn of(instance: &Instance, plays: &Plays) -> Result<Self, PlayError> {
        let broke = |error: ProjectError| PlayError::Unloadable(error.to_string());
        let (buggy, gold) = (Project::read(&instance.buggy), Project::read(&instance.golden));
        let (buggy, gold) = (buggy.map_err(broke)?, gold.map_err(broke)?);
        let golden = SuiteRuns::whole(&instance.golden, &instance.suite, plays, Part::Repair).await?;
        let broken = SuiteRuns::whole(&instance.buggy, &instance.suite, plays, Part::Repair).await?;
        let state = &instance.truth.state_signals;
        let facts = || Facts::of(&gold.json, &Reach::of(&gold.json)).state();
        let state = if state.is_empty() { facts() } else { state.clone() };
        let state = state.iter().map(|signal| signal.to_lowercase()).collect();
        let aim = edit_set(&buggy.json, &gold.json);
        Ok(Self { buggy, aim, golden, broken, state })
    }

    /// The project that is to be mended.
    pub const fn buggy(&self) -> &Project {
        &self.buggy
    }

    /// How far a project's behaviour is from gold's, in what is seen and heard of it and its state: 0 to 1, 1 of one that hangs. `None` of
    /// one that does not load.
    ///
    /// # Errors
    /// When no page holds.
    pub async fn drift_of(&self, sb3: &[u8], suite: &Suite, plays: &Plays) -> Result<Option<f64>, PlayError> {
        match SuiteRuns::whole(sb3, suite, plays, Part::Repair).await {
            Ok(runs) => Ok(Some(self.drifts(&runs, suite).behaviour)),
            Err(PlayError::Unloadable(_)) => Ok(None),
            Err(error) if error.is_of_project() => Ok(Some(1.0)),
            Err(error) => Err(error),
        }
    }

    /// How far runs are from gold's. Signals in which the buggy project differs count as well, so that a repair which mends them is nearer to
    /// gold than the buggy project is.
    fn drifts(&self, runs: &SuiteRuns, suite: &Suite) -> Drifts {
        Drifts::of(&self.golden, runs, &[&self.broken], suite, &self.state)
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
            guards: Held { held: 0, of: suite.guards.len() },
            failed: Vec::new(),
            broken: Vec::new(),
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
        ..Repair::stopped(Stage::AssertionFailed, String::new(), patch, &instance.suite)
    };
    let edits = edit_set(&reference.buggy.json, &project.json);
    let run = match project.pack() {
        Ok(sb3) => SuiteRuns::whole(&sb3, &instance.suite, plays, Part::Repair).await,
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
            buggy_drift: Some(self.reference.drifts(&self.reference.broken, suite).behaviour),
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
        let broken = runs.broken_guards(suite);
        let (stage, error) = match runs.outcome(&reference.golden, suite) {
            SuiteOutcome::ConsoleError(error) => (Stage::ConsoleError, Some(error)),
            SuiteOutcome::AssertionFailed => (Stage::AssertionFailed, None),
            SuiteOutcome::GuardFailed => (Stage::GuardFailed, None),
            SuiteOutcome::Passed => (Stage::Passed, None),
        };
        let passed = stage == Stage::Passed;
        // Over the same signals as its own drift, so that the two compare.
        let buggy = Drifts::of(&reference.golden, &reference.broken, &[runs], suite, &reference.state).behaviour;
        let mends_part = !passed && holding.iter().any(|one| !reference.broken.hold(one, suite));
        let known = self.known(repair);
        let Drifts { behaviour, all } = reference.drifts(runs, suite);
        Repair {
            stage,
            message: error.map(|error| format!("the console has an error that gold does not have: {error}")),
            drift: Some(behaviour),
            drift_all: Some(all),
            buggy_drift: Some(buggy),
            exact: passed && known.distance == Some(0),
            assertions: Held { held: holding.len(), of: suite.assertions.len() },
            guards: Held { held: suite.guards.len() - broken.len(), of: suite.guards.len() },
            failed: failing
                .iter()
                .filter_map(|one| in_words((one.scenario.as_str(), &one.feature), suite, runs))
                .collect(),
            broken: broken
                .iter()
                .take(MOST_BROKEN)
                .filter_map(|one| in_words((one.scenario.as_str(), &one.feature), suite, runs))
                .collect(),
            modes: if passed { BTreeSet::new() } else { self.compared().modes(mends_part) },
            runs: Some(sha256_hex(runs.hashes().join(" ").as_bytes())),
            ..known
        }
    }
}

/// What is seen in place of what should be, of the first seed under which it is.
fn in_words((scenario, feature): (&str, &Feature), suite: &Suite, runs: &SuiteRuns) -> Option<String> {
    let scenario = suite.scenarios.iter().find(|one| one.id == scenario)?;
    let own = || runs.all().filter(|(id, _, _)| *id == scenario.id).map(|(_, _, run)| run);
    let fails = |run: &&_| !crate::grade::suite::holds(feature, run, suite.every);
    let run = own().find(fails).or_else(|| own().next())?;
    let (seen, expected) = (says::seen(feature, scenario, run), says::expected(feature, scenario));
    Some(format!("{seen}; expected: {expected}"))
}
