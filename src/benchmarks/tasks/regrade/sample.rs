//! Some attempts of many, drawn by chance: enough to see whether verdicts that others gave can be trusted.

use std::collections::BTreeSet;
use std::str::FromStr;

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use super::RegradeError;
use super::graded::is_gradable;
use crate::model::TaskDetail;
use crate::store::RunDir;

/// How many attempts are drawn: `5%` of them, rounded up, or a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sample {
    /// Percent, above 0 and up to 100.
    Share(f64),
    /// At least 1; all of them where there are fewer.
    Count(usize),
}

impl FromStr for Sample {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "give a share above 0% and up to 100%, such as 5%, or a number such as 20".to_owned();
        if let Some(percent) = text.strip_suffix('%') {
            let percent: f64 = percent.trim().parse().map_err(|_| wrong())?;
            return if percent > 0.0 && percent <= 100.0 { Ok(Self::Share(percent)) } else { Err(wrong()) };
        }
        text.trim().parse().ok().filter(|count| *count > 0).map(Self::Count).ok_or_else(wrong)
    }
}

impl Sample {
    /// Draws from the attempts of all runs that have a project to judge; for each run the names of their folders. The same seed
    /// draws the same ones.
    ///
    /// # Errors
    /// When a run can't be read.
    pub fn of(self, runs: &[RunDir], seed: u64) -> Result<Vec<BTreeSet<String>>, RegradeError> {
        let mut all: Vec<(usize, String)> = Vec::new();
        for (at, run) in runs.iter().enumerate() {
            let tries = run.last_tries::<TaskDetail>()?;
            all.extend(tries.into_iter().filter(is_gradable).map(|tried| (at, tried.name)));
        }
        let mut chance = Pcg64Mcg::seed_from_u64(seed);
        let mut drawn = vec![BTreeSet::new(); runs.len()];
        for _ in 0..self.size(all.len()) {
            let (at, name) = all.swap_remove(chance.random_range(0..all.len()));
            drawn[at].insert(name);
        }
        Ok(drawn)
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a count of attempts"
    )]
    fn size(self, all: usize) -> usize {
        match self {
            Self::Share(percent) => ((all as f64 * percent / 100.0).ceil() as usize).min(all),
            Self::Count(count) => count.min(all),
        }
    }
}
