//! Thresholds for the mutation scores of many tasks.

use super::certificate::{Certificate, Mutation};

/// Scores that must be reached, 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Thresholds {
    /// Mutants with faults, by each task.
    pub min_mutation: Option<f64>,
    /// Mutants with faults, by the mean of all tasks.
    pub mean_mutation: Option<f64>,
    /// Behavioural mutants, by each task.
    pub min_behaviour: Option<f64>,
    /// Behavioural mutants, by the mean of all tasks.
    pub mean_behaviour: Option<f64>,
    /// Collateral mutants, by each task.
    pub min_collateral: Option<f64>,
    /// Collateral mutants, by the mean of all tasks.
    pub mean_collateral: Option<f64>,
    /// Tests that each task's judge must have.
    pub min_tests: Option<u32>,
}

/// One of the three scores of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
pub enum Score {
    /// Of mutants with faults.
    #[strum(to_string = "mutation score")]
    Mutation,
    #[strum(to_string = "behavioural mutation score")]
    Behaviour,
    #[strum(to_string = "collateral mutation score")]
    Collateral,
}

impl Score {
    fn of(self, certificate: &Certificate) -> Option<f64> {
        self.mutants(certificate)?.score
    }

    const fn mutants(self, certificate: &Certificate) -> Option<&Mutation> {
        match self {
            Self::Mutation => certificate.mutation.as_ref(),
            Self::Behaviour => certificate.behaviour.as_ref(),
            Self::Collateral => certificate.collateral.as_ref(),
        }
    }

    /// Whether there was nothing to score: of a golden project without speech, numbers and the like no behavioural mutant may be left,
    /// and where nothing was before, nothing can be damaged.
    fn is_idle(self, certificate: &Certificate) -> bool {
        self != Self::Mutation && self.mutants(certificate).is_some_and(|mutants| mutants.score.is_none())
    }

    /// The mean over the tasks; one whose mutants were not judged counts as 0, one that has no mutants of this sort not at all. None
    /// without any score.
    #[expect(clippy::cast_precision_loss, reason = "counts of tasks are small")]
    pub fn mean(self, certificates: &[Certificate]) -> Option<f64> {
        let counted = certificates.iter().filter(|certificate| !self.is_idle(certificate));
        let scores: Vec<Option<f64>> = counted.map(|certificate| self.of(certificate)).collect();
        let any = scores.iter().any(Option::is_some);
        any.then(|| scores.iter().flatten().sum::<f64>() / scores.len() as f64)
    }

    fn missed(self, min: Option<f64>, mean: Option<f64>, certificates: &[Certificate]) -> Vec<String> {
        let below = |wanted: f64| {
            let counted = certificates.iter().filter(move |found| !self.is_idle(found) && !found.is_refused_unscored());
            let low = counted.filter(move |found| self.of(found).is_none_or(|score| score < wanted));
            low.map(move |found| format!("{}: {self} {} is below {wanted}", found.task, shown(self.of(found))))
        };
        let mut missed: Vec<String> = min.into_iter().flat_map(below).collect();
        let found = self.mean(certificates);
        missed.extend(
            mean.filter(|wanted| found.is_none_or(|mean| mean < *wanted))
                .map(|wanted| format!("the mean {self} {} is below {wanted}", shown(found))),
        );
        missed
    }
}

impl Thresholds {
    /// What was missed, in words. A task without a score misses any threshold, unless it has no mutants of that sort.
    pub fn missed(&self, certificates: &[Certificate]) -> Vec<String> {
        let mutation = Score::Mutation.missed(self.min_mutation, self.mean_mutation, certificates);
        let behaviour = Score::Behaviour.missed(self.min_behaviour, self.mean_behaviour, certificates);
        let collateral = Score::Collateral.missed(self.min_collateral, self.mean_collateral, certificates);
        [mutation, behaviour, collateral, self.few_tests(certificates)].concat()
    }

    fn few_tests(&self, certificates: &[Certificate]) -> Vec<String> {
        let tests =
            |certificate: &Certificate| certificate.golden.iter().map(|run| run.total_tests).max().unwrap_or_default();
        let Some(wanted) = self.min_tests else { return Vec::new() };
        let few = certificates.iter().map(|one| (one, tests(one))).filter(|(_, found)| *found < wanted);
        few.map(|(one, found)| format!("{}: its judge has {found} tests, and needs {wanted}", one.task)).collect()
    }
}

fn shown(score: Option<f64>) -> String {
    score.map_or_else(|| "(none)".to_owned(), |score| format!("{score:.3}"))
}
