//! `scratchbed task new`: starts a task from the template of its category.

use clap::Args;
use serde_json::json;

use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::author::{AuthorError, Draft, NewTask, scaffold};
use scratchbed::model::Category;

/// What to start.
///
/// The draft is written to tasks/drafts and its judge to eval-scripts/drafts. Drafts of create and compute are tiny
/// tasks that work; those of debug and extend hold a copy of the base's program, and a judge that fails until it is written.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// Its name: lower-case letters, digits and underscores.
    id: String,
    /// The kind of task.
    #[arg(long, value_parser = named::<Category>())]
    category: Category,
    /// A few words for lists; made from the name when absent.
    #[arg(long)]
    title: Option<String>,
    /// The project in tasks/bases that it uses. Debug and extend need one; for the others it must be without code.
    #[arg(long)]
    base: Option<String>,
}

pub fn run(args: &NewArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let base = args.base.as_ref().map(|base| base.parse()).transpose().map_err(AuthorError::from)?;
    let id = args.id.parse().map_err(AuthorError::from)?;
    let new = NewTask { category: args.category, id, title: args.title.clone(), base };
    let draft = scaffold(&settings.root, &new)?;
    out.say(format!("{}", draft.folder.display()));
    for file in &draft.files {
        out.say(format!("  {file}"));
    }
    out.say(format!("{}", draft.judge.display()));
    let steps = next_steps(&draft);
    out.say("\nNext:");
    for (number, step) in steps.iter().enumerate() {
        out.say(format!("  {}. {step}", number + 1));
    }
    out.answer(&json!({"draft": draft, "next": steps}));
    Ok(Status::Success)
}

/// What its author does now, in order.
fn next_steps(draft: &Draft) -> Vec<String> {
    let Draft { id, category, .. } = draft;
    let projects = match category {
        Category::Create | Category::Compute => {
            "make initial.txt, golden.txt and, where there is one, slow.txt the projects of your task"
        }
        Category::Debug => "put one fault that a user can see into initial.txt",
        Category::Extend => {
            "build the new behaviour into golden.txt, and again as slowly as the instruction allows into slow.txt"
        }
    };
    vec![
        projects.to_owned(),
        "write the instruction, limits, difficulty and concepts in task.json".to_owned(),
        format!("write the cases in eval-scripts/drafts/{id}.js (docs/JUDGING.md)"),
        format!("scratchbed judge --drafts --task {id} --golden, and with --initial"),
        format!("scratchbed task oracle --drafts {id} --write"),
        format!("scratchbed check --drafts --task {id} --write; it counts when that says certified"),
        format!(
            "mv tasks/drafts/{category}/{id} tasks/{category}/{id}, and \
             mv eval-scripts/drafts/{id}.js eval-scripts/{id}.js"
        ),
    ]
}
