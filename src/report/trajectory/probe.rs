//! The signals of a probe as rows: what each is, its value, the flag that it raises, and where the cutoff lies.

use serde::Serialize;

use crate::grade::signals::Cutoffs;
use crate::model::Signals;

/// Ticks of a second.
const SECOND: f64 = 30.0;

/// A signal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Row {
    name: &'static str,
    says: &'static str,
    value: String,
    /// The flag that this signal raises, if it is one of those that raise any.
    flag: Option<&'static str>,
    /// From or up to which value it is raised; absent where the cutoffs of the run are not known.
    cutoff: Option<String>,
    is_raised: bool,
}

/// All signals, those that raise flags first.
pub(super) fn rows(signals: &Signals, cutoffs: Option<Cutoffs>) -> Vec<Row> {
    let flagged = |flag: &'static str, name, says, value, cutoff: Option<String>| Row {
        name,
        says,
        value,
        flag: Some(flag),
        cutoff,
        is_raised: signals.flags.iter().any(|raised| raised == flag),
    };
    let plain = |name, says, value| Row { name, says, value, flag: None, cutoff: None, is_raised: false };
    let first = signals.div_tick.map_or_else(|| "none".to_owned(), at);
    vec![
        flagged(
            "early",
            "divergence",
            "when a signal first leaves gold's",
            first,
            cutoffs.map(|cutoffs| format!("up to {}", at(cutoffs.early))),
        ),
        flagged(
            "broad",
            "mismatch",
            "share of stable cells of active signals that differ",
            share(signals.mis),
            cutoffs.map(|cutoffs| format!("from {}", share(cutoffs.broad))),
        ),
        flagged(
            "unstable",
            "instability",
            "share of assertions whose result hangs on the seed",
            share(signals.inst),
            cutoffs.map(|cutoffs| format!("from {}", share(cutoffs.unstable))),
        ),
        plain("buggy pass rate", "assertions that hold on the buggy project", share(signals.p_b)),
        plain("gold pass rate", "assertions that hold on gold", share(signals.p_g)),
        plain("pass gap", "gold's above the buggy one's", share(signals.gap)),
        plain("breadth", "share of active signals with any difference", share(signals.breadth)),
        plain("visible share", "differing signals that the stage shows", share(signals.visible_share)),
    ]
}

fn share(value: f64) -> String {
    format!("{:.1} %", 100.0 * value)
}

#[expect(clippy::cast_precision_loss, reason = "runs have thousands of ticks at most")]
fn at(tick: u64) -> String {
    format!("tick {tick} ({:.1} s)", tick as f64 / SECOND)
}
