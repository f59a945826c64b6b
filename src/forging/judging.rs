//! `scratchbed explain judge`: a second model rates the explanations of a run.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::rating::opened;
use crate::arms::output::Output;
use crate::arms::signs::{LoggedBar, bar, brief};
use crate::arms::spending::say_spending;
use crate::flags::agents::{AgentName, AskArgs, among};
use crate::flags::budget::BudgetArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::model::Preset;
use crate::flags::run::JobsArgs;
use scratchbed::benchmarks::explain::ratings::{Book, Judgement, Subject, Subjects};
use scratchbed::bugs::Bench;
use scratchbed::grade::{Pricing, Spending};
use scratchbed::report::distributions_text;

/// The exit code is 0 when all explanations that could be read have been rated, and 1 when calls failed.
#[derive(Debug, Args)]
pub struct JudgeArgs {
    /// The benchmark that the run is of.
    bench: PathBuf,
    /// The folder of the run.
    run: PathBuf,
    /// Who rates; `command` if --command is given, else `model`.
    #[arg(long, value_parser = among(&[AgentName::Model, AgentName::Command]))]
    agent: Option<AgentName>,
    #[command(flatten)]
    ask: AskArgs,
    #[command(flatten)]
    jobs: JobsArgs,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// Has what is left rated, and prints how all scores are spread.
pub async fn judge(args: &JudgeArgs, out: Output) -> Result<Status, Failure> {
    let (bench, dir) = (Bench::open(&args.bench)?, opened(&args.run)?);
    let subjects = Subjects::of(&bench, &dir)?;
    let agent = args.agent.unwrap_or_else(|| args.ask.asked());
    // The paper's: temperature 0.
    let preset = Preset { temperature: Some(0.0), ..Preset::default() };
    let model = args.ask.model(agent).map(|name| name.model);
    let budget = args.budget.budget(model.as_deref())?;
    let asker = args.ask.asker(agent, &preset, None, &budget)?.ok_or_else(nobody)?;
    let name = args.ask.name(agent);
    let mut book = Book::open(&dir, &name, &args.ask.options(agent, &preset))?;
    // What has no count of tokens would make the budget unknown.
    for known in book.known().iter().filter(|known| known.cost.input_tokens > 0) {
        budget.add(known.cost.into());
    }
    let pricing = pricing(&args.budget, model.as_deref())?;
    let owed = book.owed(&subjects.all).len();
    let shown = bar("explanations rated", owed as u64);
    let on_rated = |subject: &Subject, rated: Result<&Judgement, &str>| tell(&shown, subject, rated);
    let failed = book.rate(&*asker, (&bench, &subjects.all), args.jobs.jobs.into(), &on_rated).await;
    shown.finish_and_clear();
    let failed = failed?;
    let (spread, unreadable) = book.figures(&subjects.all);
    let costs = Spending::of(book.known().iter().map(|one| (&one.cost, one.score.is_some())), &pricing);
    out.say(distributions_text([(name.as_str(), &spread)]));
    for (count, what) in [
        (unreadable, "ratings that could not be read"),
        (failed.len(), "calls that failed; the same call again makes them"),
        (subjects.unreadable, "explanations that could not be read, and are not rated"),
        (subjects.unanswered, "attempts without an explanation"),
    ] {
        if count > 0 {
            out.say(format!("{count} {what}"));
        }
    }
    say_spending(&costs, "rating", out);
    out.answer(&json!({
        "run": dir.path(), "judge": name, "scores": spread, "unreadable": unreadable, "failed": failed.len(), "asked": owed,
        "not_rated": {"unreadable": subjects.unreadable, "unanswered": subjects.unanswered}, "costs": costs,
    }));
    Ok(Status::of(failed.is_empty()))
}

fn nobody() -> Failure {
    let failure = Failure::new(Status::Usage, "no_judge", "nobody is named who rates");
    failure.hinted("give --endpoint and --model, or --command")
}

fn pricing(budget: &BudgetArgs, model: Option<&str>) -> Result<Pricing, Failure> {
    let price = match model {
        Some(model) => budget.prices.table()?.of(model),
        None => None,
    };
    Ok(price.map_or(Pricing::Unknown, Pricing::Known))
}

/// A line about an explanation that was asked about.
fn tell(shown: &LoggedBar, subject: &Subject, rated: Result<&Judgement, &str>) {
    shown.inc(1);
    let (done, all) = (shown.position(), shown.length().unwrap_or_default());
    let became = match rated {
        Ok(Judgement { score: Some(score), evidence, .. }) => format!("{score}  {}", brief(evidence)),
        Ok(Judgement { unreadable, .. }) => {
            format!("unreadable  {}", brief(unreadable.as_deref().unwrap_or_default()))
        }
        Err(reason) => format!("failed  {}", brief(reason)),
    };
    let line = format!("{done:>4}/{all}  {}.{}  {became}", subject.key.item, subject.key.attempt);
    shown.say(line.trim_end());
}
