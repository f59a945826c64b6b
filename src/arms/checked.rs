//! From the file of an experiment to arms that have been checked, each as far as that is possible without a browser.

use std::path::{Path, PathBuf};

use super::arm::{ArmArgs, Outline, command};
use crate::flags::experiment::{ArmFlags, ExperimentFile, arm_flags, check_posted, wrong};
use crate::flags::failure::{Failure, Status};
use crate::flags::lent_key::LentKey;
use crate::flags::settings::Settings;
use scratchbed::experiment::engine::{Caps, entry};
use scratchbed::files::make_private_folders;
use scratchbed::grade::Price;
use scratchbed::ledger::Ledger;
use scratchbed::model::{Cost, shown_name};
use scratchbed::store::RunDir;

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
        let arms = file_arms(&file)?;
        Self::from(file, text, arms, settings).await
    }

    /// Checks the text of a file.
    pub async fn of(text: &str, settings: &Settings) -> Result<Self, Failure> {
        let file = ExperimentFile::parse(text)?;
        let arms = file_arms(&file)?;
        Self::from(file, text.to_owned(), arms, settings).await
    }

    /// Checks the text of a file that came over the network: first that it names nothing of this machine but these keys, then all
    /// else.
    pub async fn posted(text: &str, keys: &[LentKey], settings: &Settings) -> Result<Self, Failure> {
        let file = ExperimentFile::parse(text)?;
        let arms = file_arms(&file)?;
        check_posted(&file, &arms, keys)?;
        Self::from(file, text.to_owned(), arms, settings).await
    }

    async fn from(
        file: ExperimentFile,
        text: String,
        flagged: Vec<ArmFlags>,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let (prices, given) = (file.prices()?, file.caps()?);
        let is_limited = file.budget()?.micro_usd.is_some();
        file.lane_plans()?;
        let mut arms = Vec::new();
        for flags in flagged {
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
            let items = arms.iter().map(|arm| arm.outline.items.len());
            entry::count(items, file.epochs).map_err(|error| wrong(error.to_string()))?;
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

    /// Keeps the file beside the attempts, named by what is in it. Where it is.
    pub fn keep(&self, settings: &Settings) -> Result<PathBuf, Failure> {
        let folder = self.folder(settings).join("inputs");
        let unwritten = |error: std::io::Error| Failure::infrastructure("experiment_not_kept", &error);
        make_private_folders(&folder).map_err(unwritten)?;
        let digest = scratchbed::model::sha256_hex(self.text.as_bytes());
        let path = folder.join(format!("experiment-{}.toml", &digest[..12]));
        std::fs::write(&path, &self.text).map_err(unwritten)?;
        Ok(path)
    }

    /// Refuses to begin an experiment where attempts of one of its name lie that the ledger does not know: they would be made again,
    /// in the place of the old ones.
    pub async fn nothing_is_lost(&self, ledger: &Ledger, settings: &Settings) -> Result<(), Failure> {
        let (folder, name) = (self.folder(settings), &self.file.name);
        let has_attempts = self.arms.iter().any(|arm| RunDir::has_attempts(&folder.join(&arm.label)));
        if !has_attempts || ledger.experiments().await?.contains(name) {
            return Ok(());
        }
        let message = format!("{} holds attempts of `{name}`, which the ledger does not know", folder.display());
        let failure = Failure::new(Status::Input, "experiment_not_in_ledger", message);
        Err(failure.hinted(format!(
            "`scratchbed experiment rebuild {}` enters them; move the folder away to begin anew",
            folder.display()
        )))
    }
}

/// The flags of each arm of a file.
fn file_arms(file: &ExperimentFile) -> Result<Vec<ArmFlags>, Failure> {
    let command = command(file.benchmark);
    file.arms()?.iter().map(|entry| arm_flags(file, entry, &command)).collect()
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
    let message = format!("arm `{label}`: dollars are limited, and the price of `{}` is not known", shown_name(model));
    Failure::new(Status::Input, "price_unknown", message)
        .hinted("give the model a `price`, or limit the experiment by budget.tokens")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::experiment::{BenchmarkName, Posted, posted};

    #[test]
    fn it_is_known_of_each_setting_what_becomes_of_it_in_a_posted_file() {
        for benchmark in [
            BenchmarkName::Tasks,
            BenchmarkName::Drag,
            BenchmarkName::Perception,
            BenchmarkName::Repair,
            BenchmarkName::Explain,
            BenchmarkName::Trajectory,
        ] {
            let flags = command(benchmark);
            for name in flags.get_arguments().filter_map(clap::Arg::get_long) {
                let is_ours = crate::flags::experiment::SET_BY_EXPERIMENTS.contains(&name);
                assert!(is_ours || posted(name) != Posted::Unknown, "{benchmark}: --{name}");
            }
        }
    }
}
