//! Figures in words: percentages, intervals, and what was left out.

use crate::grade::LeftOut;

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
mod tests {
    use super::*;

    #[test]
    fn reasons_are_told_with_their_sum() {
        let lost = [LeftOut { why: "call_failed", count: 2 }, LeftOut { why: "unreadable", count: 1 }];
        assert_eq!(left_out_text(&lost), "3 left out (2 call_failed, 1 unreadable)");
        assert_eq!(left_out_text(&[]), "0 left out");
        assert_eq!(with_interval(Some(50.0), Some((9.45, 90.553))), "50.00 [9.45, 90.55]");
        assert_eq!((with_interval(None, None), with_missing(4, 0)), ("n/a".to_owned(), "4".to_owned()));
        assert_eq!(with_missing(58, 2), "58 (2 missing)");
        assert_eq!((percent(Some(200.0 / 3.0)), percent(None)), ("66.67".to_owned(), "n/a".to_owned()));
    }
}
