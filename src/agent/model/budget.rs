//! What a run may spend: every client of the run looks at it before each request.

use std::sync::{Arc, Mutex, PoisonError};

use super::Usage;
use crate::grade::{Price, dollars};

/// What may be spent, and what is; clones share it. The default has no limit.
#[derive(Debug, Clone, Default)]
pub struct Budget {
    limited: Option<Arc<Limited>>,
    /// What is reckoned by.
    price: Option<Price>,
}

#[derive(Debug)]
struct Limited {
    micro_usd: Option<u64>,
    /// Tokens of requests and answers.
    tokens: Option<u64>,
    spent: Mutex<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    /// By price.
    usage: Vec<(Option<Price>, Usage)>,
    /// Whether an answer came without a word on its tokens.
    is_silent: bool,
}

impl Budget {
    /// So many micro-dollars at a price, and so many tokens.
    pub fn new(micro_usd: Option<(u64, Price)>, tokens: Option<u64>) -> Self {
        let (micro_usd, price) = micro_usd.unzip();
        let is_limited = micro_usd.is_some() || tokens.is_some();
        Self { limited: is_limited.then(|| Arc::new(Limited { micro_usd, tokens, spent: Mutex::default() })), price }
    }

    /// The same budget for a model with another price.
    pub fn at(&self, price: Option<Price>) -> Self {
        Self { price, ..self.clone() }
    }

    /// Notes what an answer used.
    pub fn add(&self, usage: Usage) {
        let Some(limited) = &self.limited else { return };
        let mut spent = limited.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.is_silent |= usage == Usage::default();
        match spent.usage.iter_mut().find(|(price, _)| *price == self.price) {
            Some((_, sum)) => *sum += usage,
            None => spent.usage.push((self.price, usage)),
        }
    }

    /// Why nothing more may be asked; `None` while something may.
    pub fn exhausted(&self) -> Option<String> {
        let limited = self.limited.as_ref()?;
        let spent = limited.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let tokens: u64 = spent.usage.iter().map(|(_, usage)| usage.input_tokens + usage.output_tokens).sum();
        if let Some(most) = limited.tokens.filter(|most| tokens >= *most) {
            return Some(format!("the budget is spent: {tokens} of {most} tokens"));
        }
        if let Some(most) = limited.micro_usd {
            let paid = |(price, usage): &(Option<Price>, Usage)| price.map_or(0, |price| price.of(&usage.cost(0)));
            let micro_usd: u64 = spent.usage.iter().map(paid).sum();
            if micro_usd >= most {
                return Some(format!("the budget is spent: {} of {}", dollars(Some(micro_usd)), dollars(Some(most))));
            }
        }
        spent.is_silent.then(|| "no budget can be kept: the endpoint does not report tokens".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Price = Price { input: 1_000_000, cached_read: 1, cache_write: 1, output: 1_000_000 };

    fn used(input_tokens: u64, output_tokens: u64) -> Usage {
        Usage { input_tokens, output_tokens, ..Usage::default() }
    }

    #[test]
    fn a_budget_ends_with_the_first_of_its_limits_and_clones_share_it() {
        let budget = Budget::new(Some((500, PRICE)), Some(300));
        let other = budget.clone();
        other.add(used(200, 50));
        assert_eq!(budget.exhausted(), None);
        other.add(used(50, 0));
        assert_eq!(budget.exhausted().unwrap(), "the budget is spent: 300 of 300 tokens");
        let money = Budget::new(Some((500, PRICE)), None);
        money.add(used(400, 111));
        assert_eq!(money.exhausted().unwrap(), "the budget is spent: $0.0005 of $0.0005");
    }

    #[test]
    fn without_a_limit_nothing_is_ever_spent_and_without_counts_no_limit_is_kept() {
        let free = Budget::default();
        free.add(used(u64::MAX / 2, 0));
        assert_eq!((free.exhausted(), Budget::new(None, None).exhausted()), (None, None));
        let blind = Budget::new(None, Some(5));
        assert_eq!(blind.exhausted(), None);
        blind.add(Usage::default());
        assert!(blind.exhausted().unwrap().contains("does not report tokens"));
    }

    #[test]
    fn models_with_other_prices_share_the_budget() {
        let budget = Budget::new(Some((1_000, PRICE)), None);
        let cheap = budget.at(Some(Price { input: 100_000, ..PRICE }));
        cheap.add(used(5_000, 0));
        assert_eq!(budget.exhausted(), None);
        budget.add(used(499, 0));
        assert_eq!(cheap.exhausted(), None);
        cheap.add(used(10, 0));
        assert_eq!(budget.exhausted().unwrap(), "the budget is spent: $0.0010 of $0.0010");
    }
}
