//! The runs that arguments name, and by which grades they are read.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::failure::Failure;
use super::settings::Settings;
use scratchbed::benchmarks::tasks::regrade::{CurrentJudges, Grading};
use scratchbed::store::{EXPERIMENTS, OpenedRuns, RunDir, StoreError, UnpackLimits, VerdictStore, open_runs_within};
use scratchbed::taskset::TaskSet;

/// Runs, experiments and bundles that were named. Unpacked bundles go with this.
pub struct RunFolders {
    /// Each with its path.
    pub opened: Vec<(PathBuf, OpenedRuns)>,
}

impl RunFolders {
    /// Opens what paths name, or names below the folders of runs.
    pub fn open(named: &[PathBuf], unpacking: UnpackingArgs, settings: &Settings) -> Result<Self, Failure> {
        let open = |name: &PathBuf| open_one(name, &settings.root.runs(), unpacking.limits());
        Ok(Self { opened: named.iter().map(open).collect::<Result<_, StoreError>>()? })
    }

    /// All runs in all places.
    pub fn runs(&self) -> Vec<RunDir> {
        self.opened.iter().flat_map(|(_, opened)| &opened.runs).cloned().collect()
    }
}

/// How much of a bundle is unpacked.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct UnpackingArgs {
    /// Unpack bundles of up to 64 GiB, however well they are packed, instead of up to 2 GiB: if you trust who made them.
    #[arg(long)]
    large_bundles: bool,
}

impl UnpackingArgs {
    const fn limits(self) -> UnpackLimits {
        if self.large_bundles { UnpackLimits::LARGE } else { UnpackLimits::USUAL }
    }
}

/// What lies at a path, or else at a name below the folders of runs: the first place that has runs.
fn open_one(name: &Path, runs: &Path, limits: UnpackLimits) -> Result<(PathBuf, OpenedRuns), StoreError> {
    let kinds = ["", EXPERIMENTS, "drag", "perception", "repair", "explain"].map(|kind| runs.join(kind).join(name));
    let places = std::iter::once(name.to_owned()).chain(kinds);
    for place in places.filter(|place| place.exists()) {
        match open_runs_within(&place, limits) {
            Err(StoreError::NoRun { .. }) => {}
            opened => return Ok((place, opened?)),
        }
    }
    Err(StoreError::NoRun { path: name.to_owned() })
}

/// Whose verdicts count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GradingName {
    /// Those that were given when the attempts were made, or that a bundle claims.
    Original,
    /// Those of the current judges, which `scratchbed regrade` has given in this checkout.
    Current,
}

/// By which grades attempts at tasks are read.
#[derive(Debug, Clone, Args)]
pub struct GradingArgs {
    /// Whose verdicts on attempts at tasks count.
    #[arg(long, value_enum, default_value = "original")]
    grading: GradingName,
    /// With --grading current: the task pack whose judges are meant, instead of those of the bundled tasks.
    #[arg(long, value_name = "DIR")]
    pack: Option<PathBuf>,
}

impl GradingArgs {
    /// The judges that are asked for; none for the original grades.
    pub fn judges(&self, settings: &Settings) -> Result<Option<CurrentJudges>, Failure> {
        let wanted = self.grading == GradingName::Current;
        let tasks = wanted.then(|| of_pack(self.pack.as_deref(), settings)).transpose()?;
        Ok(tasks.map(|tasks| current_judges(tasks, settings)))
    }
}

/// The current judges of these tasks, with the verdicts that they gave in this checkout.
pub fn current_judges(tasks: TaskSet, settings: &Settings) -> CurrentJudges {
    CurrentJudges::new(tasks, VerdictStore::new(settings.root.verdicts()))
}

fn of_pack(pack: Option<&Path>, settings: &Settings) -> Result<TaskSet, Failure> {
    Ok(match pack {
        Some(pack) => TaskSet::read_pack(pack)?,
        None => TaskSet::read(&settings.root)?,
    })
}

/// The grades of these judges, or the original ones.
pub fn grading(judges: Option<&CurrentJudges>) -> Grading<'_> {
    judges.map_or(Grading::Original, Grading::Current)
}
