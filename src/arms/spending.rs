//! What the calls of a run cost, in words.

use crate::arms::output::Output;
use scratchbed::grade::{Pricing, Spending, dollars};
use scratchbed::model::{AttemptRecord, Outcome, pluralise};

/// Prints what the attempts of a run cost, if anything was asked; `solved` is what those are called that went well.
pub fn say_spending(spending: &Spending, solved: &str, out: Output) {
    if spending.calls > 0 {
        out.say(format!("cost      {}", spending_text(spending, solved)));
    }
}

/// Prints what the attempts at single questions cost, and returns it.
pub fn say_costs<D>(records: &[AttemptRecord<D>], pricing: &Pricing, solved: &str, out: Output) -> Spending {
    let passed = |record: &AttemptRecord<D>| record.outcome == Outcome::Passed;
    let spending = Spending::of(records.iter().map(|record| (&record.cost, passed(record))), pricing);
    say_spending(&spending, solved, out);
    spending
}

fn spending_text(spending: &Spending, solved: &str) -> String {
    let Spending { calls, input_tokens, cached_tokens, output_tokens, .. } = spending;
    let share = spending.cached_percent().map(|percent| format!(", {percent:.0} %")).unwrap_or_default();
    let (calls, input) = (pluralise(*calls, "call"), pluralise(*input_tokens, "token"));
    let tokens = format!("{calls}, {input} in ({cached_tokens} of them cached{share}), {output_tokens} out");
    let Some(date) = &spending.prices_of else { return format!("unknown ({tokens})") };
    if spending.micro_usd.is_none() {
        return format!("unknown ({tokens})");
    }
    let each = match spending.micro_usd_per_solved {
        Some(each) => format!("{} per {solved}", dollars(Some(each))),
        None => format!("no {solved}"),
    };
    let (all, mean) = (dollars(spending.micro_usd), dollars(spending.micro_usd_per_attempt));
    format!("{all}, {mean} per attempt, {each} ({tokens}; list prices of {date}, check before use)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_price_is_said_to_be_unknown() {
        let spending = Spending { attempts: 2, calls: 3, input_tokens: 90, output_tokens: 10, ..Spending::default() };
        assert_eq!(
            spending_text(&spending, "solved task"),
            "unknown (3 calls, 90 tokens in (0 of them cached, 0 %), 10 out)"
        );
        let micro = Some(1_500_000);
        let known = Spending {
            micro_usd: micro,
            micro_usd_per_attempt: micro,
            prices_of: Some("2026-01-02".to_owned()),
            ..spending
        };
        let text = spending_text(&known, "solved task");
        assert!(text.starts_with("$1.5000, $1.5000 per attempt, no solved task (3 calls"), "{text}");
        assert!(text.ends_with("list prices of 2026-01-02, check before use)"), "{text}");
    }
}
