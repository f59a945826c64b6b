//! Scenarios played for a page, with pictures where they are asked for. Which ones, and what is shown of them, is decided elsewhere.

use super::suite::Pair;
use crate::judge::{Judges, Play, PlayError, Played};
use crate::model::Scenario;
use crate::taskset::EvaluationSources;

/// Who plays scenarios, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct Players<'a> {
    pub judges: &'a Judges,
    /// The script that plays scenarios.
    pub sources: &'a EvaluationSources,
    /// Ticks between two looks at a program.
    pub every: u64,
    pub seed: u64,
}

impl Players<'_> {
    /// A scenario played to a project, with pictures after these ticks.
    pub async fn play(&self, sb3: &[u8], scenario: &Scenario, pictures: &[u64]) -> Result<Played, PlayError> {
        let play = Play { sources: self.sources, scenario, seed: self.seed, every: self.every, pictures };
        self.judges.play(sb3, &play).await
    }

    /// A scenario played to gold and another project.
    pub async fn both(
        &self,
        [gold, other]: [&[u8]; 2],
        scenario: &Scenario,
        pictures: &[u64],
    ) -> Result<Pair, PlayError> {
        let (gold, other) =
            tokio::try_join!(self.play(gold, scenario, pictures), self.play(other, scenario, pictures))?;
        Ok([gold, other])
    }
}
