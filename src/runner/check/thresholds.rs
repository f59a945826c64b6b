//! What is asked of the mutation scores of many tasks.

use super::certificate::Certificate;

/// Scores that must be reached, 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Thresholds {
    /// By each task.
    pub min_mutation: Option<f64>,
    /// By their mean.
    pub mean_mutation: Option<f64>,
}

impl Thresholds {
    /// What was missed, in words. A task without a score misses any threshold.
    #[must_use]
    pub fn missed(&self, certificates: &[Certificate]) -> Vec<String> {
        let below = |wanted: f64| {
            certificates
                .iter()
                .filter(move |found| score(found).is_none_or(|score| score < wanted))
                .map(move |found| format!("{}: mutation score {} is below {wanted}", found.task, shown(score(found))))
        };
        let mut missed: Vec<String> = self.min_mutation.into_iter().flat_map(below).collect();
        if let Some(wanted) = self.mean_mutation {
            let mean = mean_score(certificates);
            if mean.is_none_or(|mean| mean < wanted) {
                missed.push(format!("the mean mutation score {} is below {wanted}", shown(mean)));
            }
        }
        missed
    }
}

/// The mean over the tasks; one whose mutants were not judged counts as 0. None without any score.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of tasks are small")]
pub fn mean_score(certificates: &[Certificate]) -> Option<f64> {
    let scores: Vec<Option<f64>> = certificates.iter().map(score).collect();
    let any = scores.iter().any(Option::is_some);
    any.then(|| scores.iter().flatten().sum::<f64>() / scores.len() as f64)
}

fn score(certificate: &Certificate) -> Option<f64> {
    certificate.mutation.as_ref()?.score
}

fn shown(score: Option<f64>) -> String {
    score.map_or_else(|| "(none)".to_owned(), |score| format!("{score:.3}"))
}
