//! Whose denominators are printed: ours always, the reference's beside them when asked for.

use clap::{Args, ValueEnum};

use scratchbed::grade::{Count, LeftOut};

/// Whose denominators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CountName {
    /// Everything counts that says something of the agent.
    Ours,
    /// The same, and beside it the figures of the reference, which leaves out what it has no result file of.
    Reference,
}

/// How attempts are counted.
#[derive(Debug, Clone, Copy, Args)]
pub struct CountArgs {
    /// Whose denominators are printed.
    #[arg(long, value_enum, default_value = "ours")]
    count: CountName,
}

impl CountArgs {
    /// Ours, or both.
    pub const fn count(self) -> Count {
        match self.count {
            CountName::Ours => Count::Ours,
            CountName::Reference => Count::Reference,
        }
    }

    /// Whether the reference's figures are printed too.
    pub fn reference(self) -> bool {
        self.count == CountName::Reference
    }
}

/// What stands above the reference's figures.
pub const AS_THE_REFERENCE: &str = "as the reference counts";

/// What was left out and why, in words: `0 left out`, `3 left out (2 call_failed, 1 unreadable)`.
pub fn left_out_text(left_out: &[LeftOut]) -> String {
    let all: usize = left_out.iter().map(|one| one.count).sum();
    if all == 0 {
        return "0 left out".to_owned();
    }
    let reasons: Vec<String> = left_out.iter().map(|one| format!("{} {}", one.count, one.why)).collect();
    format!("{all} left out ({})", reasons.join(", "))
}

/// A percentage with the paper's two decimals, `n/a` without any.
pub fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.2}"))
}

/// A percentage with its 95 % interval: `66.67 [35.42, 87.94]`, `n/a` without any.
pub fn with_interval(value: Option<f64>, interval: Option<(f64, f64)>) -> String {
    match (value, interval) {
        (Some(_), Some((low, high))) => format!("{} [{low:.2}, {high:.2}]", percent(value)),
        _ => percent(value),
    }
}

/// How many there are, and how many more of which nothing counts: `58 (2 missing)`.
pub fn with_missing(count: impl std::fmt::Display, missing: usize) -> String {
    if missing == 0 { count.to_string() } else { format!("{count} ({missing} missing)") }
}

#[cfg(test)]
#[path = "count_tests.rs"]
mod tests;
