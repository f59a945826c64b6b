//! `scratchbed perception score`: answers that were given elsewhere, as a run with its report.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::{SetArgs, tables};
use crate::benchmarks::perception::{
    Answers, PerceptionError, PerceptionSet, PerceptionTrials, Reply, lines, reference_score, score,
};
use crate::cli::count::CountArgs;
use crate::cli::failure::{Failure, Status};
use crate::cli::output::Output;
use crate::cli::settings::Settings;
use crate::cli::trials::{Plan, say_outcomes};
use crate::experiment::trials::{Manner, outcomes, run as carry_out};
use crate::model::sha256_hex;
use crate::report::write_perception_report;
use crate::store::TrialDir;

/// Which answers to which set. They become a run in runs/perception, as those of `perception run` do.
#[derive(Debug, Args)]
pub struct ScoreArgs {
    #[command(flatten)]
    set: SetArgs,
    /// A file with an object a line: `id`, and `response` or `error`.
    answers: PathBuf,
    /// What records and reports call whoever answered; the file's name unless it is said.
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    name: Option<String>,
    #[command(flatten)]
    count: CountArgs,
}

impl ScoreArgs {
    fn name(&self) -> String {
        let stem = || self.answers.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        self.name.clone().or_else(stem).unwrap_or_else(|| "answers".to_owned())
    }
}

/// Scores them; nothing is recorded of answers that can't be scored.
pub async fn run(args: &ScoreArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let set = PerceptionSet::read(&args.set.set)?;
    let replies: Vec<Reply> = lines(Path::new(&args.answers)).map_err(PerceptionError::of_answers)?;
    let ours = score(&set.items, &replies)?;
    let reference = args.count.reference().then(|| reference_score(&set.items, &replies)).transpose()?;
    let dir = TrialDir::create(&settings.root.join("runs/perception"), plan(args, &set, &replies)?)?;
    let answers = replies.into_iter().map(given).collect();
    let benchmark = PerceptionTrials { set, answers: Answers::Given(answers) };
    let manner = Manner { jobs: 1, retry_failed_calls: false };
    let records = carry_out(&benchmark, &dir, manner, &|_| ()).await?;
    let ended = outcomes(&records);
    let page = write_perception_report(&dir, &records, &benchmark.set.items, (&ours, reference.as_ref()))?;
    tables::show(&ours, reference.as_ref(), out);
    say_outcomes(&ended, out);
    out.say(format!("report    {}", page.display()));
    out.answer(&json!({
        "set": args.set.set, "run": dir.path(), "report": page, "score": ours, "reference": reference, "outcomes": ended,
    }));
    Ok(Status::Success)
}

fn plan(args: &ScoreArgs, set: &PerceptionSet, replies: &[Reply]) -> Result<crate::model::TrialRun, Failure> {
    let told: Vec<_> = replies.iter().map(|reply| json!([reply.id, reply.response, reply.error])).collect();
    let plan = Plan {
        benchmark: "perception",
        setting: "answers".to_owned(),
        options: json!({"answers": sha256_hex(json!(told).to_string().as_bytes())}),
        set: set.digest()?,
        items: set.items.iter().map(|item| item.id.clone()).collect(),
    };
    let name = args.name();
    Ok(plan.run(name.clone(), &name, 1))
}

/// What is recorded of a reply.
fn given(Reply { id, response, error }: Reply) -> (String, Result<String, String>) {
    (id, response.ok_or_else(|| error.unwrap_or_else(|| "there is no answer".to_owned())))
}
