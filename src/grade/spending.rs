//! What attempts cost together: tokens, and money where the price is known.

use serde::Serialize;

use super::{Bill, Pricing};
use crate::model::Cost;

/// The costs of some attempts. Amounts are micro-dollars; absent where the price is unknown, which is not nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Spending {
    pub attempts: usize,
    /// Attempts that solved their task.
    pub solved: usize,
    pub calls: u64,
    pub input_tokens: u64,
    /// Of the input: tokens out of the provider's cache.
    pub cached_tokens: u64,
    /// Of the input: tokens that were written to it.
    pub cache_written_tokens: u64,
    pub output_tokens: u64,
    /// Milliseconds that agents worked: from opening the session to the last action, without waits for providers that failed.
    pub working_ms: u64,
    /// Of all attempts.
    pub micro_usd: Option<u64>,
    /// The mean of an attempt; absent without attempts.
    pub micro_usd_per_attempt: Option<u64>,
    /// What all attempts cost, divided by the number of those that solved their task; absent where none did.
    pub micro_usd_per_solved: Option<u64>,
    /// Date of the list of prices; absent where nothing is priced by a list.
    pub prices_of: Option<String>,
}

impl Spending {
    /// Adds up attempts, each with whether it solved its task.
    pub fn of<'a, B: Into<Bill<'a>>>(attempts: impl IntoIterator<Item = (B, bool)>, pricing: &Pricing) -> Self {
        let mut sum = Self { prices_of: pricing.date().map(str::to_owned), ..Self::default() };
        let mut priced = None;
        for (bill, solved) in attempts {
            let bill = bill.into();
            let cost = bill.total;
            sum.attempts += 1;
            sum.solved += usize::from(solved);
            sum.calls += u64::from(cost.calls);
            sum.input_tokens += cost.input_tokens;
            sum.cached_tokens += cost.cached_tokens;
            sum.cache_written_tokens += cost.cache_written_tokens;
            sum.output_tokens += cost.output_tokens;
            sum.working_ms += milliseconds(cost.seconds);
            // A call that failed has no tokens and no price; the others say what was paid.
            priced = add(priced, pricing.of(bill));
        }
        sum.micro_usd = if sum.attempts == 0 { pricing.of(&Cost::default()) } else { priced };
        let each = |of: usize| sum.micro_usd?.checked_div(of as u64);
        (sum.micro_usd_per_attempt, sum.micro_usd_per_solved) = (each(sum.attempts), each(sum.solved));
        sum
    }

    /// The share of the input, in percent, that came out of the provider's cache; absent where nothing was asked.
    #[expect(clippy::cast_precision_loss, reason = "a share of tokens needs no more")]
    pub fn cached_percent(&self) -> Option<f64> {
        (self.input_tokens > 0).then(|| 100.0 * self.cached_tokens as f64 / self.input_tokens as f64)
    }

    /// Minutes that agents worked, of an attempt in the mean; absent without attempts.
    pub fn minutes_per_attempt(&self) -> Option<f64> {
        self.minutes_per(self.attempts)
    }

    /// Minutes of all attempts, divided by the number of those that solved their task; absent where none did.
    pub fn minutes_per_solved(&self) -> Option<f64> {
        self.minutes_per(self.solved)
    }

    #[expect(clippy::cast_precision_loss, reason = "minutes of attempts need no more")]
    fn minutes_per(&self, of: usize) -> Option<f64> {
        (of > 0).then(|| self.working_ms as f64 / 60_000.0 / of as f64)
    }

    /// Tokens of an attempt in the mean; absent where nothing was asked.
    pub fn tokens_per_attempt(&self) -> Option<u64> {
        let all = self.input_tokens + self.output_tokens;
        if all == 0 { None } else { all.checked_div(self.attempts as u64) }
    }
}

/// What a run cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunCosts {
    pub all: Spending,
    /// Micro-dollars of each attempt, in their order; absent where unknown.
    pub micro_usd: Vec<Option<u64>>,
}

impl RunCosts {
    /// The costs of attempts, each with whether it solved its task.
    pub fn of<'a, B: Into<Bill<'a>> + Copy>(attempts: &[(B, bool)], pricing: &Pricing) -> Self {
        Self {
            all: Spending::of(attempts.iter().copied(), pricing),
            micro_usd: attempts.iter().map(|(bill, _)| pricing.of(*bill)).collect(),
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a length of time, which is checked")]
fn milliseconds(seconds: f64) -> u64 {
    if seconds.is_finite() { (seconds.max(0.0) * 1000.0).round() as u64 } else { 0 }
}

/// The sum of what is known.
const fn add(sum: Option<u64>, more: Option<u64>) -> Option<u64> {
    match (sum, more) {
        (Some(sum), Some(more)) => Some(sum.saturating_add(more)),
        (known, None) | (None, known) => known,
    }
}

/// An amount of micro-dollars for people: `$0.0123`, `unknown`.
pub fn dollars(micro_usd: Option<u64>) -> String {
    let Some(micro_usd) = micro_usd else { return "unknown".to_owned() };
    let tenths_of_mills = micro_usd.saturating_add(50) / 100;
    format!("${}.{:04}", tenths_of_mills / 10_000, tenths_of_mills % 10_000)
}

#[cfg(test)]
mod tests {
    use super::super::{DatedPrice, Price};
    use super::*;

    fn known() -> Pricing {
        let price = Price { input: 1_000_000, cached_read: 0, cache_write: 0, output: 2_000_000 };
        Pricing::Known(DatedPrice { price, date: "2026-01-02".to_owned() })
    }

    fn cost(calls: u32, input_tokens: u64, output_tokens: u64) -> Cost {
        Cost { calls, input_tokens, output_tokens, ..Cost::default() }
    }

    #[test]
    fn solved_tasks_bear_the_cost_of_all_attempts() {
        let costs = [cost(2, 100, 10), cost(1, 50, 5), cost(3, 0, 0)];
        let sum = Spending::of(costs.iter().zip([true, false, false]), &known());
        assert_eq!(
            (sum.micro_usd, sum.micro_usd_per_attempt, sum.micro_usd_per_solved),
            (Some(180), Some(60), Some(180))
        );
        assert_eq!((sum.calls, sum.tokens_per_attempt(), sum.prices_of.as_deref()), (6, Some(55), Some("2026-01-02")));
        let read = Cost { cached_tokens: 30, cache_written_tokens: 20, ..costs[0] };
        let cached = Spending::of([(&read, true), (&costs[1], true)], &known());
        assert_eq!((cached.cached_percent(), cached.cache_written_tokens), (Some(20.0), 20));
        assert_eq!(Spending::of([(&costs[2], false)], &known()).cached_percent(), None);
        let slow = costs.map(|cost| Cost { seconds: 90.0, ..cost });
        let worked = Spending::of(slow.iter().zip([true, true, false]), &known());
        assert_eq!((worked.minutes_per_attempt(), worked.minutes_per_solved()), (Some(1.5), Some(2.25)));
        let none = Spending::of([(&costs[0], false)], &known());
        assert_eq!(none.minutes_per_solved(), None);
        assert_eq!((none.micro_usd, none.micro_usd_per_solved), (Some(120), None));
    }

    #[test]
    fn what_is_unknown_is_not_nothing() {
        let silent = [cost(3, 0, 0)];
        assert_eq!(Spending::of([(&silent[0], true)], &known()).micro_usd, None, "no tokens are reported");
        let paid = cost(1, 5, 5);
        let sum = Spending::of([(&paid, true)], &Pricing::Unknown);
        assert_eq!((sum.micro_usd, sum.micro_usd_per_attempt, sum.micro_usd_per_solved), (None, None, None));
        let free = Spending::of([(&Cost::default(), true)], &Pricing::Nothing);
        assert_eq!((free.micro_usd, free.tokens_per_attempt()), (Some(0), None));
        assert_eq!(Spending::of([] as [(&Cost, bool); 0], &Pricing::Nothing).micro_usd_per_attempt, None);
    }

    #[test]
    fn amounts_are_rounded_to_hundredths_of_cents() {
        let shown = [0, 49, 50, 1_234_567, 12_000_000].map(|micro| dollars(Some(micro)));
        assert_eq!(shown, ["$0.0000", "$0.0000", "$0.0001", "$1.2346", "$12.0000"]);
        assert_eq!(dollars(None), "unknown");
    }
}
