//! The flag by which servers offer faults to agents of their own, and what it stands for.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::flags::failure::Failure;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::repair::Desk;
use scratchbed::bugs::Bench;
use scratchbed::judge::Judges;
use scratchbed::taskset::{EvaluationSources, player};

/// Where patches are kept that agents hand in, below the folder of runs: a folder a version of a benchmark, a file a caller.
const HANDED_IN: &str = "repair-handed-in";

/// Which faults are offered.
#[derive(Debug, Args)]
pub struct DeskArgs {
    /// Offer the faults of this benchmark: reports and buggy projects to look at, patches to hand in. Patches of callers without
    /// verdicts are kept below `runs/repair-handed-in` of the checkout, in files that `repair score` reads.
    #[arg(long, value_name = "BENCH")]
    bench: Option<PathBuf>,
}

/// A benchmark that is offered.
pub struct Offered {
    bench: Bench,
    player: EvaluationSources,
    folder: PathBuf,
}

impl DeskArgs {
    /// Opens the benchmark, if there is one.
    pub fn open(&self, settings: &Settings) -> Result<Option<Offered>, Failure> {
        let Some(folder) = &self.bench else { return Ok(None) };
        let bench = Bench::open(folder)?;
        let folder = settings.root.runs().join(HANDED_IN).join(bench.version());
        Ok(Some(Offered { bench, player: player(&settings.root)?, folder }))
    }
}

impl Offered {
    /// Its desk, which judges in these pages.
    pub fn desk(self, judges: &Judges) -> Arc<Desk> {
        Arc::new(Desk::new(self.bench, (judges.clone(), self.player), self.folder))
    }
}
