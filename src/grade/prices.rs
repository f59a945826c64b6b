//! What calls to a model cost: dated lists of prices, and the price of a model by its name. All amounts are whole
//! micro-dollars, so that sums are exact.

use std::collections::BTreeMap;

use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::model::{Asked, Blame, Coded, Cost, RunRecord, TaskRecord};

/// The list that comes with the program.
const BUNDLED: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/prices.toml"));
/// Prices are per so many tokens.
const PER: u128 = 1_000_000;

/// A list of prices can't be read.
#[derive(Debug, thiserror::Error)]
#[error("{name} is no list of prices")]
pub struct PricesError {
    pub name: String,
    pub source: toml::de::Error,
}

impl Coded for PricesError {
    fn code(&self) -> &'static str {
        "prices_malformed"
    }

    fn hint(&self) -> Option<String> {
        Some("assets/prices.toml shows the form".to_owned())
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

/// Micro-dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Price {
    /// Of the request, without what a cache has part in.
    pub input: u64,
    /// Of the request, out of the provider's cache.
    pub cached_read: u64,
    /// Of the request, into the cache.
    pub cache_write: u64,
    /// Of the answer, thinking included.
    pub output: u64,
}

impl Price {
    /// Micro-dollars, rounded up: a budget is not passed by fractions.
    pub fn of(&self, cost: &Cost) -> u64 {
        let plain = cost.input_tokens.saturating_sub(cost.cached_tokens).saturating_sub(cost.cache_written_tokens);
        let parts = [
            (plain, self.input),
            (cost.cached_tokens, self.cached_read),
            (cost.cache_written_tokens, self.cache_write),
            (cost.output_tokens, self.output),
        ];
        let sum: u128 = parts.into_iter().map(|(tokens, price)| u128::from(tokens) * u128::from(price)).sum();
        u64::try_from(sum.div_ceil(PER)).unwrap_or(u64::MAX)
    }
}

/// A price, and as of when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DatedPrice {
    pub price: Price,
    /// Date of the list.
    pub date: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    date: String,
    /// Where the prices come from; for people who check them.
    #[serde(rename = "source")]
    _source: String,
    model: Vec<Entry>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    names: Vec<String>,
    input: u64,
    cached_read: Option<u64>,
    cache_write: Option<u64>,
    output: u64,
}

impl Entry {
    fn is_of(&self, model: &str) -> bool {
        self.names.iter().any(|name| fits(name, model))
    }

    fn price(&self) -> Price {
        Price {
            input: self.input,
            cached_read: self.cached_read.unwrap_or(self.input),
            cache_write: self.cache_write.unwrap_or(self.input),
            output: self.output,
        }
    }
}

/// Whether a model has this name, in which `*` stands for any letters.
fn fits(name: &str, model: &str) -> bool {
    let pattern = format!("(?is)^{}$", regex::escape(name).replace(r"\*", ".*"));
    Regex::new(&pattern).is_ok_and(|pattern| pattern.is_match(model))
}

/// Lists of prices, the first of which wins.
#[derive(Debug, Clone)]
pub struct PriceTable {
    lists: Vec<List>,
}

impl PriceTable {
    /// The list that comes with the program.
    ///
    /// # Errors
    /// Never, as a test shows.
    pub fn bundled() -> Result<Self, PricesError> {
        Ok(Self { lists: vec![list("assets/prices.toml", BUNDLED)?] })
    }

    /// The same with a list before it, given as TOML.
    ///
    /// # Errors
    /// When the text, which is of the file of this name, is no such list.
    pub fn preceded_by(mut self, name: &str, text: &str) -> Result<Self, PricesError> {
        self.lists.insert(0, list(name, text)?);
        Ok(self)
    }

    /// The price of a model; `None` when it is not known.
    pub fn of(&self, model: &str) -> Option<DatedPrice> {
        self.lists.iter().find_map(|list| {
            let entry = list.model.iter().find(|entry| entry.is_of(model))?;
            Some(DatedPrice { price: entry.price(), date: list.date.clone() })
        })
    }

    /// How the calls of a run are priced.
    pub fn pricing(&self, run: &RunRecord) -> Pricing {
        match run.asked() {
            Asked::Nothing => Pricing::Nothing,
            Asked::Model(name) => self.of(name).map_or(Pricing::Unknown, Pricing::Known),
            Asked::Models(roles) => {
                Pricing::Roles(roles.into_iter().map(|(role, name)| (role.to_owned(), self.of(name))).collect())
            }
            Asked::Unknown => Pricing::Unknown,
        }
    }
}

fn list(name: &str, text: &str) -> Result<List, PricesError> {
    toml::from_str(text).map_err(|source| PricesError { name: name.to_owned(), source })
}

/// How the calls of a run are priced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pricing {
    /// Nothing is asked, so nothing is paid.
    Nothing,
    Known(DatedPrice),
    /// Each role of several models has a price, where it is known.
    Roles(BTreeMap<String, Option<DatedPrice>>),
    Unknown,
}

/// What is to be paid: all together, and by the roles of several models.
#[derive(Debug, Clone, Copy)]
pub struct Bill<'a> {
    pub total: &'a Cost,
    pub roles: Option<&'a BTreeMap<String, Cost>>,
}

impl<'a> From<&'a Cost> for Bill<'a> {
    fn from(total: &'a Cost) -> Self {
        Self { total, roles: None }
    }
}

impl<'a> From<&'a TaskRecord> for Bill<'a> {
    fn from(record: &'a TaskRecord) -> Self {
        Self { total: &record.cost, roles: Some(&record.detail.roles) }
    }
}

impl Pricing {
    /// Micro-dollars; `None` when they are not known, as for an endpoint that reports no tokens.
    pub fn of<'a>(&self, bill: impl Into<Bill<'a>>) -> Option<u64> {
        let bill = bill.into();
        match self {
            Self::Nothing => Some(0),
            Self::Known(price) => by(Some(price), bill.total),
            Self::Roles(_) if bill.total.calls == 0 => Some(0),
            Self::Roles(prices) => {
                let parts = bill.roles.filter(|roles| !roles.is_empty())?.iter();
                parts.map(|(role, cost)| by(prices.get(role)?.as_ref(), cost)).sum()
            }
            Self::Unknown => None,
        }
    }

    /// The date of the list that the price is from.
    pub fn date(&self) -> Option<&str> {
        match self {
            Self::Known(known) => Some(&known.date),
            Self::Roles(prices) => prices.values().flatten().next().map(|known| known.date.as_str()),
            Self::Nothing | Self::Unknown => None,
        }
    }
}

/// Micro-dollars by a price, unless no tokens were reported.
fn by(price: Option<&DatedPrice>, cost: &Cost) -> Option<u64> {
    let is_silent = cost.calls > 0 && cost.input_tokens + cost.output_tokens == 0;
    price.filter(|_| !is_silent).map(|known| known.price.of(cost))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str =
        "date = '2026-02-03'\nsource = 'a contract'\n[[model]]\nnames = ['gpt-5*', 'my/*-7b']\ninput = 7\noutput = 9\n";

    #[test]
    fn each_kind_of_token_has_its_price_and_the_sum_is_exact() {
        let price = PriceTable::bundled().unwrap().of("Claude-Sonnet-4-5-20250929").unwrap();
        assert_eq!(price.date, "2025-11-01");
        let cost = Cost {
            input_tokens: 10_000,
            cached_tokens: 6_000,
            cache_written_tokens: 1_000,
            output_tokens: 200,
            ..Cost::default()
        };
        // 3,000 at $3, 6,000 at $0.30, 1,000 at $3.75 and 200 at $15 per million.
        assert_eq!(price.price.of(&cost), 9_000 + 1_800 + 3_750 + 3_000);
        assert_eq!(price.price.of(&Cost { input_tokens: 1, ..Cost::default() }), 3);
        let tiny = Price { input: 1, cached_read: 1, cache_write: 1, output: 1 };
        assert_eq!(tiny.of(&Cost { output_tokens: 1, ..Cost::default() }), 1, "rounded up");
        assert_eq!(tiny.of(&Cost { output_tokens: u64::MAX, ..Cost::default() }), u64::MAX.div_ceil(1_000_000));
    }

    #[test]
    fn the_first_fitting_name_wins_and_a_model_that_is_not_listed_has_no_price() {
        let bundled = PriceTable::bundled().unwrap();
        for unknown in ["gpt-5-pro", "gpt-55", "", "org/gpt-5", "scripted", "gpt-4xmini"] {
            assert_eq!(bundled.of(unknown), None, "{unknown}");
        }
        assert_eq!(bundled.of("gpt-5-mini-2025-08-07").unwrap().price.input, 250_000);
        let own = bundled.preceded_by("own.toml", OWN).unwrap();
        let price = own.of("gpt-5").unwrap();
        assert_eq!((price.price.input, price.price.cached_read, price.date.as_str()), (7, 7, "2026-02-03"));
        assert_eq!(own.of("my/model-7b").unwrap().price.output, 9);
        assert_eq!(own.of("gpt-4o").unwrap().date, "2025-11-01");
        let error = own.preceded_by("bad.toml", "date = 1").unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), ("prices_malformed", "bad.toml is no list of prices"));
    }

    #[test]
    fn each_role_has_the_price_of_its_model() {
        let own = PriceTable::bundled().unwrap().preceded_by("own.toml", OWN).unwrap();
        let price = |name: &str| own.of(name);
        let known = [("main".to_owned(), price("gpt-5")), ("ground".to_owned(), price("my/g-7b"))];
        let cost = |calls, output_tokens| Cost { calls, input_tokens: 1, output_tokens, ..Cost::default() };
        let total = cost(3, 0);
        let of = |prices: &Pricing, roles: &[(&str, Cost)]| {
            let roles: BTreeMap<String, Cost> = roles.iter().map(|(role, cost)| ((*role).to_owned(), *cost)).collect();
            prices.of(Bill { total: &total, roles: Some(&roles) })
        };
        let roles = Pricing::Roles(BTreeMap::from(known.clone()));
        let million = 1_000_000;
        assert_eq!(of(&roles, &[("main", cost(2, million)), ("ground", cost(1, 2 * million))]), Some(10 + 19));
        assert_eq!(of(&roles, &[]), None, "the parts are not known");
        assert_eq!(of(&roles, &[("main", cost(1, 1)), ("embed", cost(1, 1))]), None, "a role without a price");
        assert_eq!(roles.of(&Cost::default()), Some(0));
        assert_eq!(roles.date(), Some("2026-02-03"));
        let unknown = Pricing::Roles(known.into_iter().map(|(role, _)| (role, None)).collect());
        assert_eq!((of(&unknown, &[("main", cost(1, 1))]), unknown.date()), (None, None));
    }
}
