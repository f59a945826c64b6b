//! `scratchbed perception`: sets of questions about pictures of the editor.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;

use super::failure::{Failure, Status};
use super::output::Output;
use super::table::table;
use crate::grade::Proportion;
use crate::runner::perception::{Imported, PerceptionSet, Reply, Score, import, lines, score};

/// What to do with questions.
#[derive(Debug, Subcommand)]
pub enum PerceptionCommand {
    /// Make a set of the published benchmark: a folder with tasks/ and screenshots_final/.
    Import(ImportArgs),
    /// List the items of a set.
    List(SetArgs),
    /// Show one item.
    Show(ShowArgs),
    /// Score a file of answers.
    Score(ScoreArgs),
}

/// Where foreign items come from.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// The folder, with `tasks/` and `screenshots_final/` in it.
    folder: PathBuf,
    /// Where the set goes.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace a set that is there.
    #[arg(long)]
    force: bool,
}

/// Which set.
#[derive(Debug, Args)]
pub struct SetArgs {
    /// The folder of the set.
    #[arg(long, value_name = "DIR")]
    set: PathBuf,
}

/// Which item of which set.
#[derive(Debug, Args)]
pub struct ShowArgs {
    #[command(flatten)]
    set: SetArgs,
    /// Its name.
    id: String,
}

/// Which answers to which set.
#[derive(Debug, Args)]
pub struct ScoreArgs {
    #[command(flatten)]
    set: SetArgs,
    /// A file with an object a line: `id`, and `response` or `error`.
    answers: PathBuf,
}

/// Makes, shows or scores sets.
pub fn run(command: PerceptionCommand, out: Output) -> Result<Status, Failure> {
    match command {
        PerceptionCommand::Import(args) => import_set(&args, out),
        PerceptionCommand::List(args) => list(&args, out),
        PerceptionCommand::Show(args) => show(&args, out),
        PerceptionCommand::Score(args) => score_answers(&args, out),
    }
}

fn import_set(args: &ImportArgs, out: Output) -> Result<Status, Failure> {
    let Imported { set, dropped, warnings } = import(&args.folder, &args.out, args.force)?;
    for warning in &warnings {
        out.say(format!("warning: {warning}"));
    }
    let items = set.items.len();
    out.say(format!("{}: {items} items; {dropped} fields of their authors' tools left out", args.out.display()));
    out.answer(&json!({"set": args.out, "items": items, "dropped_fields": dropped, "warnings": warnings}));
    Ok(Status::Success)
}

fn list(args: &SetArgs, out: Output) -> Result<Status, Failure> {
    let set = PerceptionSet::read(&args.set)?;
    let rows = set
        .items
        .iter()
        .map(|item| [item.id.clone(), item.tag.name().to_owned(), item.screenshot.clone(), item.instruction.clone()]);
    out.say(table(&["item", "tag", "picture", "question"], rows).to_string());
    out.answer(&json!({"set": args.set, "head": set.head, "items": set.items}));
    Ok(Status::Success)
}

fn show(args: &ShowArgs, out: Output) -> Result<Status, Failure> {
    let set = PerceptionSet::read(&args.set.set)?;
    let item = set.find(&args.id)?;
    let picture = set.picture(item);
    out.say(format!("{} ({})\n{}\ntruth: {}", picture.display(), item.tag.name(), item.instruction, item.ground_truth));
    out.answer(&json!({"item": item, "picture": picture}));
    Ok(Status::Success)
}

fn score_answers(args: &ScoreArgs, out: Output) -> Result<Status, Failure> {
    let set = PerceptionSet::read(&args.set.set)?;
    let replies: Vec<Reply> = lines(Path::new(&args.answers))?;
    let score = score(&set.items, &replies)?;
    show_score(&score, out);
    out.answer(&json!({"set": args.set.set, "score": score}));
    Ok(Status::Success)
}

/// Prints accuracies, abilities first.
fn show_score(score: &Score, out: Output) {
    let types = score.task_types.iter().map(|group| row(group.kind.name(), group.accuracy));
    let tags = score.tags.iter().map(|group| row(group.kind.name(), group.accuracy));
    let rows = types.chain([row("all", score.all)]).chain(tags);
    out.say(table(&["items", "right", "of", "accuracy", "95 %"], rows).to_string());
    if score.unanswered > 0 {
        out.say(format!("{} without an answer, counted as wrong", score.unanswered));
    }
}

fn row(name: &str, accuracy: Proportion) -> [String; 5] {
    let percent = accuracy.percent.map_or_else(|| "-".to_owned(), |percent| format!("{percent:.1}"));
    let interval = accuracy.interval.map_or_else(|| "-".to_owned(), |(low, high)| format!("{low:.1} to {high:.1}"));
    [name.to_owned(), accuracy.hits.to_string(), accuracy.n.to_string(), percent, interval]
}
