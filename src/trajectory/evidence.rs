//! What a model is shown beside the project (EcoScratch, section 3): figures of the probe, the report, hints, traces as text, and feedback
//! on earlier attempts. Each kind has a leak level, and a request records its highest.

use std::fmt::Write as _;

use super::case::CaseReport;
use super::hints::Hints;
use super::oracle::Seen;
use crate::model::{Layer, RepairAttempt, Signals};

/// Characters of the figures, of the report, and of feedback.
const FIGURES: usize = 400;
const REPORT: usize = 1200;
const FEEDBACK: usize = 800;
/// Ticks before and after the first difference of which changes are told.
const AROUND: (u64, u64) = (15, 60);
/// Ticks of a second.
const SECOND: f64 = 30.0;

/// How much of what is hidden a piece of evidence tells.
pub type Leak = u8;

/// Report and project alone; figures compared with gold; behaviour of the buggy project; expected values of gold.
const REPORTED: Leak = 0;
const COMPARED: Leak = 1;
const OBSERVED: Leak = 2;
const EXPECTED: Leak = 3;

/// The texts of a request, without the project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// E2, E3.
    pub report: String,
    pub hints: Vec<String>,
    /// E5.
    pub trace: String,
    /// E1.
    pub figures: String,
    /// E8.
    pub feedback: String,
    /// The highest level of these.
    pub leak: Leak,
}

/// What evidence is made from.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    pub report: &'a CaseReport,
    pub hints: &'a Hints,
    pub signals: &'a Signals,
    pub seen: Option<&'a Seen>,
    pub attempts: &'a [RepairAttempt],
}

impl Evidence {
    /// Behaviour of the buggy project.
    pub const OBSERVED: Leak = OBSERVED;
    /// What only gold tells.
    pub const EXPECTED: Leak = EXPECTED;

    /// The evidence, with so many characters of traces, and nothing above a leak level.
    pub fn of(source: Source<'_>, trace: usize, most: Leak) -> Self {
        let mut evidence = Self { report: report(source.report), hints: source.hints.lines(), ..Self::default() };
        let mut add = |text: String, leak: Leak| {
            let is_told = leak <= most && !text.is_empty();
            if is_told {
                evidence.leak = evidence.leak.max(leak);
            }
            if is_told { text } else { String::new() }
        };
        let figures = add(figures(source.signals, source.seen), COMPARED);
        let trace = match source.seen.filter(|_| trace > 0) {
            Some(seen) => add(told(seen, source.signals.div_tick, trace), OBSERVED),
            None => String::new(),
        };
        let (words, leak) = feedback(source.attempts, most);
        let feedback = add(words, leak);
        Self { trace, figures, feedback, ..evidence }
    }
}

/// E2: the report in words, cut to its length.
fn report(report: &CaseReport) -> String {
    let mut text = String::new();
    for (what, words) in
        [("Task", &report.title), ("What is seen", &report.symptom), ("What should be seen", &report.expected)]
    {
        if !words.is_empty() {
            let _ = writeln!(text, "{what}: {words}");
        }
    }
    if !report.trigger.is_empty() {
        let _ = writeln!(text, "To see it: {}", report.trigger.join(" "));
    }
    shortened(text.trim_end(), REPORT)
}

/// E1: the probe's figures.
fn figures(signals: &Signals, seen: Option<&Seen>) -> String {
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let mut text = format!(
        "checks passed {}, expected {}; state that differs {}; unstable {}",
        percent(signals.p_b),
        percent(signals.p_g),
        percent(signals.mis),
        percent(signals.inst)
    );
    if signals.hung {
        text.push_str("; the program never ends a tick, or can't be loaded");
    } else if let Some(tick) = signals.div_tick {
        let _ = write!(text, "; it first differs at tick {tick} ({:.1} s)", seconds(tick));
    }
    if !signals.flags.is_empty() {
        let _ = write!(text, "; flags: {}", signals.flags.join(", "));
    }
    if let Some(seen) = seen.filter(|seen| !seen.inputs.is_empty()) {
        let _ = write!(text, "; played: {}", seen.inputs.join(" "));
    }
    shortened(&text, FIGURES)
}

#[expect(clippy::cast_precision_loss, reason = "runs have thousands of ticks at most")]
fn seconds(tick: u64) -> f64 {
    tick as f64 / SECOND
}

/// E5: what changes in the buggy project around the first difference.
fn told(seen: &Seen, div_tick: Option<u64>, limit: usize) -> String {
    let middle = div_tick.unwrap_or(0);
    let window = middle.saturating_sub(AROUND.0)..=middle + AROUND.1;
    let mut changes: Vec<(u64, &str, String)> = Vec::new();
    for (signal, column) in &seen.run.signals {
        let is_told = !signal.starts_with("program/") && !signal.contains('#');
        for (tick, value) in column.t.iter().zip(&column.v).filter(|(tick, _)| is_told && window.contains(tick)) {
            changes.push((*tick, signal, value.as_str().map_or_else(|| value.to_string(), str::to_owned)));
        }
    }
    changes.sort_by_key(|(tick, ..)| *tick);
    let mut text = String::new();
    for (tick, signal, value) in changes {
        let line = format!("tick {tick}: {signal} {value}\n");
        if text.chars().count() + line.chars().count() > limit {
            break;
        }
        text.push_str(&line);
    }
    text.trim_end().to_owned()
}

/// E8: what became of the attempt before, with its leak level. Expected values come from a whole run only, and only where they may be told.
pub fn feedback(attempts: &[RepairAttempt], most: Leak) -> (String, Leak) {
    let Some(last) = attempts.last() else { return (String::new(), REPORTED) };
    let code = last.code.as_deref().unwrap_or_default();
    let mut text = format!("Attempt {} ended at: {} {code}.", last.a + 1, last.layer);
    let mut leak = REPORTED;
    match last.layer {
        Layer::Precheck | Layer::Full => {
            leak = COMPARED;
            let verification = last.verification.as_ref();
            let stage = verification.and_then(|one| one.full.as_ref().or(one.precheck.as_ref()));
            if let Some(stage) = stage {
                let _ = write!(text, " {} of {} checks failed.", stage.failed, stage.checked);
                let failures =
                    if last.layer == Layer::Full && most >= EXPECTED { stage.failures.as_slice() } else { &[] };
                for failure in failures {
                    leak = EXPECTED;
                    let _ = write!(text, "\n- {failure}");
                }
            }
        }
        // What an endpoint said in place of an answer is not the model's concern, and another time it is other words.
        Layer::Request => {}
        _ => {
            if let Some(detail) = &last.detail {
                let _ = write!(text, " {detail}");
            }
        }
    }
    (shortened(&text, FEEDBACK), leak)
}

/// At most so many characters.
fn shortened(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(limit.saturating_sub(1)).collect();
    short.push('…');
    short
}

#[cfg(test)]
#[path = "evidence_tests.rs"]
mod tests;
