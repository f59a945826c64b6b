//! What a run may spend, and by which prices: arguments of all commands that run, and of reports.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use super::failure::{Failure, Status};
use scratchbed::agent::model::Budget;
use scratchbed::grade::{Price, PriceTable};
use scratchbed::model::RunRecord;
use scratchbed::store::RunDir;

/// Micro-dollars in a dollar.
const MICRO: f64 = 1e6;
/// More than this is no budget but a slip.
const MOST_USD: f64 = 1e9;

/// By which prices costs are reckoned.
#[derive(Debug, Clone, Args)]
pub struct PricesArgs {
    /// A list of prices of models, in the form of assets/prices.toml; its entries come before those of that list.
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// Prices that an experiment's file gives, in that form; they come first.
    #[arg(skip)]
    pub given: Option<String>,
}

impl PricesArgs {
    /// Those of an experiment's file, before the bundled list.
    pub const fn of(given: Option<String>) -> Self {
        Self { prices: None, given }
    }

    /// The bundled list, with the user's before it.
    pub fn table(&self) -> Result<PriceTable, Failure> {
        let mut bundled = PriceTable::bundled()?;
        if let Some(text) = &self.given {
            bundled = bundled.preceded_by("the experiment's file", text)?;
        }
        let Some(file) = &self.prices else { return Ok(bundled) };
        let text = std::fs::read_to_string(file).map_err(|error| {
            let failure = Failure::of(Status::Input, "prices_unreadable", &error);
            failure.hinted(format!("is {} the right file?", file.display()))
        })?;
        Ok(bundled.preceded_by(&file.display().to_string(), &text)?)
    }
}

/// What a run may spend. None of it changes a score, so a run may be resumed with more.
#[derive(Debug, Clone, Args)]
pub struct BudgetArgs {
    /// End the run when its model has cost so many dollars: no further request is sent. Attempts that are cut off are not
    /// counted; --resume with a larger budget makes them. What the run cost before it was resumed is part of it.
    #[arg(long, value_name = "X", value_parser = micro_usd)]
    max_usd: Option<u64>,
    /// End the run in the same way when its requests and answers have so many tokens together.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_run_tokens: Option<u64>,
    #[command(flatten)]
    pub prices: PricesArgs,
}

/// Dollars as whole micro-dollars.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the bounds are checked")]
pub fn micro_usd(text: &str) -> Result<u64, String> {
    let dollars: Option<f64> = text.parse().ok().filter(|given| *given > 0.0 && *given <= MOST_USD);
    dollars.map(|given| (given * MICRO).ceil() as u64).ok_or_else(|| "give dollars above 0, such as 2.50".to_owned())
}

impl BudgetArgs {
    /// The budget for the calls of this model; `None` for agents that are none.
    pub fn budget(&self, model: Option<&str>) -> Result<Budget, Failure> {
        if self.max_usd.is_none() && self.max_run_tokens.is_none() {
            return Ok(Budget::default());
        }
        let Some(model) = model else {
            let message = "only the calls of a model that is asked at an endpoint can be counted";
            let failure = Failure::new(Status::Usage, "budget_without_model", message);
            return Err(failure.hinted("leave out --max-usd and --max-run-tokens"));
        };
        let limit = self.max_usd.zip(self.price(model)?);
        Ok(Budget::new(limit, self.max_run_tokens))
    }
}

impl BudgetArgs {
    /// The price of a model, where dollars are limited.
    pub fn price(&self, model: &str) -> Result<Option<Price>, Failure> {
        if self.max_usd.is_none() {
            return Ok(None);
        }
        let price = self.prices.table()?.of(model).ok_or_else(|| {
            let message = format!("the price of `{}` is not known", model.escape_debug());
            Failure::new(Status::Usage, "price_unknown", message)
                .hinted("give --prices FILE, in the form of assets/prices.toml, or limit the run by --max-run-tokens")
        })?;
        Ok(Some(price.price))
    }
}

/// Notes what the recorded attempts of a run that goes on have cost.
pub fn count_recorded(budget: &Budget, dir: &RunDir) -> Result<(), Failure> {
    for (_, record) in dir.attempts::<Value>()? {
        if record.cost.calls > 0 && record.cost.input_tokens > 0 {
            budget.add(record.cost.into());
        }
    }
    Ok(())
}

/// How the calls of a run are priced.
pub fn pricing(prices: &PricesArgs, run: &RunRecord) -> Result<scratchbed::grade::Pricing, Failure> {
    Ok(prices.table()?.pricing(run))
}

#[cfg(test)]
#[path = "budget_tests.rs"]
mod tests;
