//! Whether an instance is what it claims to be: the inverse restores gold, gold passes its suite with all guards and the buggy project
//! fails, and the same runs come out the same however often they are made (ScratchEval, section 10.6).

use serde::Serialize;

use super::plays::{Part, Plays};
use super::suite_runs::SuiteRuns;
use crate::bugs::Instance;
use crate::judge::{PlayError, engine};
use crate::model::{Suite, sha256_hex};
use crate::project::edit::apply;
use crate::project::{Project, ProjectError};

/// What was found of an instance.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a finding of its own")]
pub struct Checked {
    pub id: String,
    /// Whether the inverse patch turns the buggy project into gold, to the byte.
    pub restores: bool,
    /// Whether the files are those that the truth names.
    pub is_current: bool,
    /// Whether what judges is what judged when it was forged.
    pub same_engine: bool,
    /// Shares of reruns that pass: gold's, and the buggy project's.
    pub golden: f64,
    pub buggy: f64,
    /// Guards of the suite, and those that gold does not keep: none of a sound instance.
    pub guards: usize,
    pub golden_breaks: usize,
    /// Runs, and those that came out otherwise than the first time.
    pub runs: u64,
    pub flips: u64,
    /// Whether all of it is as it should be.
    pub sound: bool,
}

/// Pass rates of a project, with the digests of its runs.
struct Rated {
    rate: f64,
    hashes: Vec<String>,
}

/// Checks an instance, its runs made so many times.
///
/// # Errors
/// When a project can't be played, or no page holds.
pub async fn check(instance: &Instance, plays: &Plays, repeats: u32) -> Result<Checked, PlayError> {
    let (mut golden, mut buggy) = (Vec::new(), Vec::new());
    for _ in 0..repeats.max(1) {
        golden.push(rated(&instance.golden, &instance.suite, plays).await?);
        buggy.push(rated(&instance.buggy, &instance.suite, plays).await?);
    }
    let all = || golden.iter().chain(&buggy);
    let runs: u64 = all().map(|rated| rated.hashes.len() as u64).sum();
    let flips = [&golden, &buggy].into_iter().map(|same| flips(same)).sum();
    let guards = SuiteRuns::of_guards(&instance.golden, &instance.suite, plays, Part::Adequacy).await?;
    let truth = &instance.truth;
    let mut checked = Checked {
        id: instance.entry.id.clone(),
        restores: restores(instance).unwrap_or_default(),
        is_current: sha256_hex(&instance.golden) == truth.hashes.golden
            && sha256_hex(&instance.buggy) == truth.hashes.buggy,
        same_engine: truth.hashes.engine == engine(),
        golden: golden[0].rate,
        buggy: buggy[0].rate,
        guards: instance.suite.guards.len(),
        golden_breaks: guards.broken_guards(&instance.suite).len(),
        runs,
        flips,
        sound: false,
    };
    let (pass, fail) = instance.suite.theta;
    checked.sound = checked.restores
        && checked.is_current
        && flips == 0
        && checked.golden_breaks == 0
        && checked.golden >= pass
        && checked.buggy <= fail;
    Ok(checked)
}

/// Runs that differ from those of the first time.
fn flips(rated: &[Rated]) -> u64 {
    let differ = |again: &Rated| again.hashes.iter().zip(&rated[0].hashes).filter(|(one, other)| one != other).count();
    rated.iter().map(|again| differ(again) as u64).sum()
}

/// Whether two projects are written alike: scripts run in the order of the file, which equality of JSON leaves out.
pub(super) fn same_bytes(one: &serde_json::Value, other: &serde_json::Value) -> bool {
    let (one, other) = (one.to_string(), other.to_string());
    one == other
}

fn restores(instance: &Instance) -> Result<bool, ProjectError> {
    let (golden, buggy) = (Project::read(&instance.golden)?, Project::read(&instance.buggy)?);
    let restored = apply(&buggy.json, &instance.truth.inverse);
    Ok(restored.is_ok_and(|restored| same_bytes(&restored, &golden.json)))
}

/// The pass rate of a project under the seeds of a suite, with the digests of its runs.
async fn rated(sb3: &[u8], suite: &Suite, plays: &Plays) -> Result<Rated, PlayError> {
    let runs = SuiteRuns::of(sb3, suite, plays, Part::Adequacy).await?;
    Ok(Rated { rate: runs.rate(suite), hashes: runs.hashes() })
}
