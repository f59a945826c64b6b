//! `scratchbed lint`: what looks odd about a project, or about a patch of it, without running it.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::arms::files::read;
use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use scratchbed::mend::read_answer;
use scratchbed::patches::lint::{lint, review};
use scratchbed::project::Project;

/// What to look at.
#[derive(Debug, Args)]
pub struct LintArgs {
    /// The project, an .sb3 file.
    project: PathBuf,
    /// A patch, as `repair apply` takes it; told is what its edits do that looks wrong, and what is odd since.
    #[arg(long, value_name = "PATCH.json")]
    patch: Option<PathBuf>,
}

/// Looks. Exit code 1 if something is found.
pub fn run(args: &LintArgs, out: Output) -> Result<Status, Failure> {
    let project = Project::read(&read(&args.project)?)?.json;
    let findings = match &args.patch {
        Some(file) => {
            let text = String::from_utf8_lossy(&read(file)?).into_owned();
            let answer = read_answer(&text).map_err(|error| Failure::of(Status::Input, "patch_unreadable", &error))?;
            review(&project, &answer.patch)
        }
        None => lint(&project),
    };
    for finding in &findings {
        let edit = finding.edit.map_or_else(String::new, |edit| format!("edit {edit}: "));
        out.say(format!("{}: {edit}{}", finding.code, finding.message));
    }
    out.answer(&json!({"findings": findings}));
    Ok(Status::of(findings.is_empty()))
}
