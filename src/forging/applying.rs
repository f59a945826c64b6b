//! `scratchbed repair apply`: one patch, in either of the two languages, applied to one project.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::arms::files;
use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use scratchbed::json_patch::{AnswerError, End, Limits, Profile, Read, apply as carry_out, check, read};
use scratchbed::mend::{Answer, patched, read_answer};
use scratchbed::model::Coded as _;
use scratchbed::project::Project;

/// What to apply to what.
#[derive(Debug, Args)]
pub struct ApplyArgs {
    /// The buggy project, an .sb3 file.
    buggy: PathBuf,
    /// The patch: a list of edits, operations of JSON Patch on project.json, or an answer with either as a model gives it.
    patch: PathBuf,
    /// Where the patched project goes.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// A patch as it was read.
enum Patch {
    Edits(Answer),
    Operations(Read),
}

/// Applies it.
pub fn apply(args: &ApplyArgs, out: Output) -> Result<Status, Failure> {
    let buggy = Project::read(&files::read(&args.buggy)?)?;
    let text = std::fs::read_to_string(&args.patch)
        .map_err(|error| refused("patch_unreadable", format!("{}: {error}", args.patch.display())))?;
    let (project, what, count) = match read_patch(&text)? {
        Patch::Edits(answer) => (edited(&buggy, &answer)?, "edits", answer.patch.len()),
        Patch::Operations(answer) => {
            let (project, count) = operated(&buggy, &answer)?;
            (project, "operations", count)
        }
    };
    files::write(&args.out, &project.pack()?)?;
    out.say(format!("{}: {count} {what} applied", args.out.display()));
    out.answer(&json!({"project": args.out, what: count}));
    Ok(Status::Success)
}

fn refused(code: &'static str, message: String) -> Failure {
    Failure::new(Status::Input, code, message)
}

/// Edits if it has the form of edits, else operations; of a text that is neither, what is wrong with the one that it looks like.
fn read_patch(text: &str) -> Result<Patch, Failure> {
    let edits = match read_answer(text) {
        Ok(answer) => return Ok(Patch::Edits(answer)),
        Err(error) => error.to_string(),
    };
    let limits = Limits { operations: None, profile: Profile::Own };
    let failure = match read(text, End::Complete, &limits) {
        Ok(answer) => return Ok(Patch::Operations(answer)),
        Err(error) if looks_like_json_patch(text, &error) => {
            refused("patch_unreadable", format!("{}: {error}", error.code()))
                .hinted("docs/ECOSCRATCH.md has the operations and an example")
        }
        Err(_) => refused("patch_unreadable", edits).hinted("docs/SCRATCHEVAL.md has the edits and an example"),
    };
    Err(failure)
}

/// Whether a text that can't be read was meant for operations.
fn looks_like_json_patch(text: &str, error: &AnswerError) -> bool {
    error.layer() != scratchbed::model::Layer::Extraction && text.contains("\"path\"")
}

fn edited(buggy: &Project, answer: &Answer) -> Result<Project, Failure> {
    patched(buggy, &answer.patch).map_err(|error| {
        refused("patch_not_applied", format!("{}: {error}", error.stage))
            .hinted("docs/SCRATCHEVAL.md has the edits and an example")
    })
}

fn operated(buggy: &Project, answer: &Read) -> Result<(Project, usize), Failure> {
    let not_applied = |error: scratchbed::json_patch::PatchError| {
        refused("patch_not_applied", format!("{}: {error}", error.code()))
            .hinted("docs/ECOSCRATCH.md has the operations and what they may touch")
    };
    let applied = carry_out(&buggy.json, &answer.operations).map_err(not_applied)?;
    let project = Project { json: applied.project, assets: buggy.assets.clone() };
    check(buggy, &project).map_err(not_applied)?;
    Ok((project, applied.operations.len()))
}
