//! What an agent of the user's says that its models needed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Cost;

/// No attempt has more tokens; a larger number is a slip.
const MOST: u64 = 1_000_000_000_000;

/// Requests and tokens, as an agent reports them: the body of `POST /sessions/{id}/usage`, and `usage.json`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportedUsage {
    /// Requests to models; 1 when absent.
    #[serde(default = "one")]
    pub calls: u32,
    /// Tokens of the requests, cached ones included; at most a million million, as all counts.
    #[serde(default)]
    #[schemars(range(max = MOST))]
    pub input_tokens: u64,
    /// Tokens of the answers, thought ones included.
    #[serde(default)]
    #[schemars(range(max = MOST))]
    pub output_tokens: u64,
    /// Of the input: tokens that the provider had in its cache.
    #[serde(default)]
    #[schemars(range(max = MOST))]
    pub cached_tokens: u64,
    /// Of the input: tokens that were written to the provider's cache.
    #[serde(default)]
    #[schemars(range(max = MOST))]
    pub cache_written_tokens: u64,
    /// Of the output: tokens that the model thought.
    #[serde(default)]
    #[schemars(range(max = MOST))]
    pub reasoning_tokens: u64,
}

const fn one() -> u32 {
    1
}

impl ReportedUsage {
    /// The field that is out of range, if one is.
    pub fn out_of_range(&self) -> Option<&'static str> {
        let counts = [
            ("input_tokens", self.input_tokens),
            ("output_tokens", self.output_tokens),
            ("cached_tokens", self.cached_tokens),
            ("cache_written_tokens", self.cache_written_tokens),
            ("reasoning_tokens", self.reasoning_tokens),
        ];
        counts.into_iter().find(|(_, count)| *count > MOST).map(|(name, _)| name)
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, more: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(more.calls),
            input_tokens: self.input_tokens.saturating_add(more.input_tokens),
            output_tokens: self.output_tokens.saturating_add(more.output_tokens),
            cached_tokens: self.cached_tokens.saturating_add(more.cached_tokens),
            cache_written_tokens: self.cache_written_tokens.saturating_add(more.cache_written_tokens),
            reasoning_tokens: self.reasoning_tokens.saturating_add(more.reasoning_tokens),
        }
    }

    /// The cost of an attempt that took so many seconds.
    pub const fn cost(self, seconds: f64) -> Cost {
        Cost {
            seconds,
            calls: self.calls,
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cached_tokens: self.cached_tokens,
            cache_written_tokens: self.cache_written_tokens,
            reasoning_tokens: self.reasoning_tokens,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_add_up_and_slips_are_noticed() {
        let report = |text: &str| serde_json::from_str::<ReportedUsage>(text);
        let first = report(r#"{"input_tokens": 10, "output_tokens": 2}"#).unwrap();
        let sum = first.plus(report(r#"{"calls": 3, "input_tokens": 5, "reasoning_tokens": 1}"#).unwrap());
        assert_eq!((sum.calls, sum.input_tokens, sum.output_tokens, sum.reasoning_tokens), (4, 15, 2, 1));
        assert_eq!((sum.out_of_range(), sum.cost(2.0).input_tokens), (None, 15));
        assert_eq!(report(r#"{"output_tokens": 18446744073709551615}"#).unwrap().out_of_range(), Some("output_tokens"));
        assert!(report(r#"{"input_tokens": -1}"#).is_err() && report(r#"{"tokens": 1}"#).is_err());
    }
}
