//! `scratchbed perception score`: answers that were given elsewhere, as a run with its report.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde_json::json;

use super::finish;
use crate::arms::output::Output;
use crate::arms::questions::{SetArgs, plan};
use crate::arms::runs::carry_out;
use crate::flags::count::CountArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::benchmarks::perception::{
    Answers, ITEMS, PerceptionError, PerceptionSet, Questions, Reply, given, lines,
};
use scratchbed::experiment::engine::RunArm;
use scratchbed::experiment::{Plan, RunOptions};
use scratchbed::grade::Pricing;
use scratchbed::model::sha256_hex;

/// Which answers to which set. They become a run in runs/perception, as those of `perception run` do.
#[derive(Debug, Args)]
pub struct ScoreArgs {
    #[command(flatten)]
    set: SetArgs,
    /// A file with an object a line: `id`, and `response` or `error`.
    answers: PathBuf,
    /// The name of who answered, in records and reports; the file's name by default.
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
    let texts: Vec<_> = replies.iter().map(|reply| json!([reply.id, reply.response, reply.error])).collect();
    let answers = Answers::Given(given(&set.items, replies)?);
    let digest = set.digest()?;
    let questions = Questions { set, answers };
    let name = args.name();
    let plan = Plan {
        name: format!("{}-answers", name.replace('-', "_")),
        agent: name,
        setting: "answers".to_owned(),
        options: json!({"answers": sha256_hex(json!(texts).to_string().as_bytes())}),
        attempts: 1,
        ..plan(&questions, digest)
    };
    let dir = plan.open(&settings.root.runs().join("perception"), None)?;
    dir.keep(ITEMS, &questions.set.items)?;
    let arm = Arc::new(RunArm { benchmark: questions, dir, pricing: Pricing::Nothing });
    let options = RunOptions { jobs: 1, retries: 0, retry_failed_calls: false };
    let records = carry_out(&arm, options, settings).await?;
    let mut answer = finish(&arm, &records, args.count, out)?;
    answer["set"] = json!(args.set.set);
    out.answer(&answer);
    Ok(Status::Success)
}
