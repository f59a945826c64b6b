//! `scratchbed experiment probe`: what the models of a file can do, before money is spent on them.

use std::path::PathBuf;

use clap::{Args, FromArgMatches as _};
use serde_json::{Value, json};

use crate::arms::output::Output;
use crate::arms::signs::spinner;
use crate::flags::budget::PricesArgs;
use crate::flags::experiment::{BenchmarkName, ExperimentFile, model_flags, needs, refused, wrong};
use crate::flags::failure::{Failure, Status};
use crate::flags::model::{ModelArgs, ModelName, Preset};
use scratchbed::agent::model::{Budget, ModelClient};
use scratchbed::grade::dollars;
use scratchbed::perceive::{Convention, Family};
use scratchbed::probe::{Finding, Probed, probe, unit};
use scratchbed::report::plain_table as table;

/// Which file. Each of its models is asked three questions: for ten boxes in a picture, for a call as text, and for a call of a
/// tool. The exit code is 1 when one can't do what its arms ask of it.
#[derive(Debug, Args)]
pub struct ProbeArgs {
    /// The file of the experiment.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// A model as its flags name it.
#[derive(Debug, Args)]
struct Asked {
    #[command(flatten)]
    name: ModelName,
    #[command(flatten)]
    manner: ModelArgs,
}

/// A model of the file, with what was found.
struct Found {
    name: String,
    filed: Convention,
    probed: Probed,
    /// Micro-dollars of a call in the mean; absent where the price is unknown.
    per_call: Option<u64>,
    problems: Vec<String>,
}

/// Asks each model.
pub async fn run(args: &ProbeArgs, out: Output) -> Result<Status, Failure> {
    let (file, _) = ExperimentFile::read(&args.file)?;
    if file.models.is_empty() {
        return Err(wrong("the file has no models to probe".to_owned()).hinted("models are the tables [models.NAME]"));
    }
    let prices = PricesArgs::of(file.prices()?).table()?;
    let asked =
        file.models.keys().map(|name| Ok((name, Asked::read(&file, name)?))).collect::<Result<Vec<_>, Failure>>()?;
    let mut all = Vec::new();
    for (name, asked) in asked {
        let client = asked.client()?;
        let progress = spinner(&format!("asking {name}"));
        let probed = probe(&client).await;
        progress.finish_and_clear();
        let price = prices.of(&asked.name.model).map(|dated| dated.price);
        let cost = price.map(|price| price.of(&probed.usage.cost(probed.calls)));
        let filed = Convention::of_model(&asked.name.model, family(file.benchmark));
        all.push(Found {
            per_call: cost.and_then(|cost| cost.checked_div(probed.calls.into())),
            problems: probed.problems(needs(&file, name)?, filed),
            name: name.clone(),
            filed,
            probed,
        });
    }
    show(&all, out);
    out.answer(&json!({"models": all.iter().map(answer).collect::<Vec<_>>()}));
    Ok(Status::of(all.iter().all(|found| found.problems.is_empty())))
}

impl Asked {
    fn read(file: &ExperimentFile, name: &str) -> Result<Self, Failure> {
        let command = clap::Command::new("model").no_binary_name(true).disable_help_flag(true);
        let command = Self::augment_args(command);
        let flags = model_flags(file, name, &command)?;
        let refused = |error: clap::Error| refused(&format!("models.{name}"), &error);
        let matches = command.try_get_matches_from(flags).map_err(refused)?;
        Self::from_arg_matches(&matches).map_err(refused)
    }

    fn client(&self) -> Result<ModelClient, Failure> {
        Ok(self.manner.client(&self.name, &Preset::default(), Budget::default())?)
    }
}

const fn family(benchmark: BenchmarkName) -> Family {
    match benchmark {
        BenchmarkName::Drag => Family::Drag,
        BenchmarkName::Tasks
        | BenchmarkName::Perception
        | BenchmarkName::Repair
        | BenchmarkName::Explain
        | BenchmarkName::Trajectory => Family::Main,
    }
}

fn show(all: &[Found], out: Output) {
    let rows = all.iter().map(|found| {
        let probed = &found.probed;
        let off = |convention| {
            let off = probed.coordinates.as_ref().and_then(|found| found.of(convention));
            off.map_or_else(|| "-".to_owned(), |off| format!("{:.0} px", off.median_px))
        };
        let is = |finding: &Finding| if finding.is_yes() { "yes" } else { "no" }.to_owned();
        [
            found.name.clone(),
            is(&probed.vision),
            off(Convention::Pixels),
            off(Convention::Thousandths),
            off(Convention::SmartResize),
            probed
                .coordinates
                .as_ref()
                .map_or_else(|| "-".to_owned(), |found| unit(found.best().convention).to_owned()),
            unit(found.filed).to_owned(),
            is(&probed.json),
            is(&probed.tools),
            dollars(found.per_call),
            format!("{:.1} s", probed.seconds),
        ]
    });
    let head = [
        "model",
        "sees",
        "off: pixels",
        "thousandths",
        "resized",
        "fits best",
        "read as",
        "JSON",
        "tools",
        "a call",
        "took",
    ];
    out.say(table(&head, rows).to_string());
    for found in all {
        for problem in &found.problems {
            out.say(format!("problem   {}: {problem}", found.name));
        }
    }
}

fn answer(found: &Found) -> Value {
    let best = found.probed.coordinates.as_ref().map(|coordinates| coordinates.best().convention);
    json!({
        "model": found.name, "found": found.probed, "best": best, "in_file": found.filed,
        "micro_usd_per_call": found.per_call, "problems": found.problems,
    })
}
