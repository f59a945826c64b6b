//! From the file of an experiment to arms that have been checked, each as far as that is possible without a browser.

use std::path::{Path, PathBuf};

use super::arm::{ArmArgs, Outline, command};
use crate::flags::experiment::{ExperimentFile, arm_flags};
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::experiment::engine::Caps;
use scratchbed::grade::Price;
use scratchbed::model::Cost;

/// Tokens of a request, where nothing else is known: what long attempts send near their end.
const REQUEST_TOKENS: u64 = 40_000;
/// Tokens of an answer, likewise.
const ANSWER_TOKENS: u64 = 2_000;

/// An experiment as its file says it, checked.
pub struct Checked {
    pub file: ExperimentFile,
    /// The file's text.
    pub text: String,
    pub arms: Vec<CheckedArm>,
}

/// One of its arms.
pub struct CheckedArm {
    pub label: String,
    pub lane: String,
    pub args: ArmArgs,
    pub outline: Outline,
    /// What one attempt may use; where the file says nothing and dollars are limited, what is reckoned for it.
    pub caps: Caps,
    /// What one request and its answer may cost, in micro-dollars; `None` where that is not known.
    pub call_micro_usd: Option<u64>,
}

impl Checked {
    /// Reads and checks a file.
    pub async fn read(path: &Path, settings: &Settings) -> Result<Self, Failure> {
        let (file, text) = ExperimentFile::read(path)?;
        Self::from(file, text, settings).await
    }

    /// Checks the text of a file.
    pub async fn of(text: &str, settings: &Settings) -> Result<Self, Failure> {
        Self::from(ExperimentFile::parse(text)?, text.to_owned(), settings).await
    }

    async fn from(file: ExperimentFile, text: String, settings: &Settings) -> Result<Self, Failure> {
        let (command, prices, given) = (command(file.benchmark), file.prices()?, file.caps()?);
        let is_limited = file.budget()?.micro_usd.is_some();
        file.lane_plans()?;
        let mut arms = Vec::new();
        for entry in file.arms()? {
            let flags = arm_flags(&file, &entry, &command)?;
            let args = ArmArgs::parse(file.benchmark, &flags.label, &flags.flags, prices.as_deref())?;
            let outline = args.outline(settings).await?;
            let price = match &outline.model {
                Some(model) => args.prices().table()?.of(model).map(|dated| dated.price),
                None => None,
            };
            let call_micro_usd = price.as_ref().map(|price| of_calls(price, 1));
            let mut caps = given;
            if let Some(model) = outline.model.as_ref().filter(|_| is_limited) {
                let price = price.ok_or_else(|| no_price(&flags.label, model))?;
                caps.micro_usd = caps.micro_usd.or(Some(of_calls(&price, outline.most_calls)));
            }
            arms.push(CheckedArm { label: flags.label, lane: flags.lane, args, outline, caps, call_micro_usd });
        }
        Ok(Self { file, text, arms })
    }

    /// Its cells: items of all arms, as often as there are epochs.
    pub fn cells(&self) -> usize {
        let items: usize = self.arms.iter().map(|arm| arm.outline.items.len()).sum();
        items * self.file.epochs as usize
    }

    /// Where its files lie.
    pub fn folder(&self, settings: &Settings) -> PathBuf {
        settings.root.experiments().join(&self.file.name)
    }
}

/// What so many calls cost at most, by this price.
fn of_calls(price: &Price, calls: u64) -> u64 {
    let cost = Cost {
        input_tokens: REQUEST_TOKENS.saturating_mul(calls),
        output_tokens: ANSWER_TOKENS.saturating_mul(calls),
        ..Cost::default()
    };
    price.of(&cost)
}

fn no_price(label: &str, model: &str) -> Failure {
    let message =
        format!("arm `{label}`: dollars are limited, and the price of `{}` is not known", model.escape_debug());
    Failure::new(Status::Input, "price_unknown", message)
        .hinted("give the model a `price`, or limit the experiment by budget.tokens")
}
