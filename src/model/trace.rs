//! Traces of judged runs, as they are written and read.
//!
//! A trace is columnar: for each run (one loaded program) and each signal, the ticks at which it changed and what it was from then
//! on. Signals below `events/` happen at a tick instead, several times if need be. Recording is the judge's work; where two traces
//! differ is found in `recording`, what holds in one in `grade`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Blame, Coded};

/// Version of the trace format that this program reads.
const FORMAT: u32 = 1;

/// Signals of this prefix happen, others hold.
pub const EVENTS: &str = "events/";

/// Everything that was recorded while a project was judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// Version of this format; 1.
    pub format: u32,
    pub clock: Value,
    /// Seed of the random streams.
    pub seed: u64,
    /// One entry a loaded program.
    pub runs: Vec<TraceRun>,
}

/// One loaded program from its start to its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TraceRun {
    /// How many ticks it lasted.
    pub ticks: u64,
    /// What was seen, by name, such as `Cat/x`.
    pub signals: BTreeMap<String, Column>,
}

/// The course of one signal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    pub t: Vec<u64>,
    /// What it was from that tick on, or what happened at it.
    pub v: Vec<Value>,
}

/// Why a text is not a trace.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// It is not JSON, or JSON of another shape.
    #[error("this is no trace: {0}")]
    NotATrace(#[from] serde_json::Error),
    /// Another version wrote it.
    #[error("the trace has format {0}, this program reads {FORMAT}")]
    UnknownFormat(u32),
    /// A column whose ticks and values do not belong together.
    #[error("the signal `{0}` has ticks that do not fit its values")]
    BrokenColumn(String),
}

impl Coded for TraceError {
    fn code(&self) -> &str {
        match self {
            Self::NotATrace(_) => "not_a_trace",
            Self::UnknownFormat(_) => "unknown_trace_format",
            Self::BrokenColumn(_) => "broken_trace_column",
        }
    }

    fn hint(&self) -> Option<String> {
        Some("record one with `scratchbed judge --trace FILE`".to_owned())
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

impl Trace {
    /// Reads a trace from its text.
    ///
    /// # Errors
    /// When it is not a trace, has another version, or is damaged.
    pub fn parse(text: &str) -> Result<Self, TraceError> {
        Self::of(serde_json::from_str(text)?)
    }

    /// Reads a trace from its JSON.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn of(json: Value) -> Result<Self, TraceError> {
        let trace: Self = serde_json::from_value(json)?;
        if trace.format != FORMAT {
            return Err(TraceError::UnknownFormat(trace.format));
        }
        let columns = trace.runs.iter().flat_map(|run| &run.signals);
        for (name, column) in columns {
            if !column.is_whole() {
                return Err(TraceError::BrokenColumn(name.clone()));
            }
        }
        Ok(trace)
    }
}

impl Column {
    /// Whether each tick has a value, and none comes before the one that it follows.
    pub fn is_whole(&self) -> bool {
        self.t.len() == self.v.len() && self.t.is_sorted()
    }

    /// The value after so many ticks have ended, which is the last one that came up to then; `None` before the first.
    pub fn after(&self, ticks: u64) -> Option<&Value> {
        let shown = self.t.partition_point(|tick| *tick < ticks);
        shown.checked_sub(1).and_then(|last| self.v.get(last))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn other_texts_are_refused() {
        assert_eq!(Trace::parse("[]").unwrap_err().code(), "not_a_trace");
        let other = json!({"format": 2, "clock": null, "seed": 1, "runs": []}).to_string();
        assert_eq!(Trace::parse(&other).unwrap_err().code(), "unknown_trace_format");
        let run = json!({"ticks": 1, "signals": {"x": {"t": [1, 0], "v": [1, 2]}}});
        let broken = json!({"format": 1, "clock": null, "seed": 1, "runs": [run]}).to_string();
        assert_eq!(Trace::parse(&broken).unwrap_err().code(), "broken_trace_column");
    }

    #[test]
    fn a_checkpoint_has_what_came_last() {
        let column = Column { t: vec![0, 9, 10], v: vec![json!(1), json!(2), json!(3)] };
        let after: Vec<Option<&Value>> = [0, 1, 9, 10, 11, 99].iter().map(|ticks| column.after(*ticks)).collect();
        assert_eq!(after, [None, Some(&json!(1)), Some(&json!(1)), Some(&json!(2)), Some(&json!(3)), Some(&json!(3))]);
    }
}
