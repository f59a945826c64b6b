//! `scratchbed task text`: a project as text, from a file or of a task.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use strum::{EnumIter, EnumMessage, EnumString, IntoStaticStr};

use crate::arms::files;
use crate::arms::output::Output;
use crate::arms::pack::PackArgs;
use crate::arms::signs::progress;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::compile::decompile;
use scratchbed::model::Coded;
use scratchbed::notation::{Bounds, Document, Loss, markdown, parse, render};
use scratchbed::taskset::is_sb3;

/// Forms of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, EnumMessage, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
enum Format {
    /// The notation that projects are built from (docs/PROJECT-TEXT.md).
    Text,
    /// A section for each target with its scripts, variables, costumes and sounds, for language models (paper, appendix L).
    Markdown,
}

/// Which projects, and in which form.
#[derive(Debug, Args)]
pub struct TextArgs {
    /// Project files (.sb3), project texts (.txt), or names of tasks, whose initial projects are meant.
    #[arg(required = true, value_name = "FILE|TASK")]
    projects: Vec<String>,
    /// Of a task: its golden project instead.
    #[arg(long)]
    golden: bool,
    /// The form.
    #[arg(long, value_parser = named::<Format>(), default_value = "text")]
    format: Format,
    /// Folder for the text and the assets of a project file, with one inside it for each of several; without it the text is
    /// only printed.
    #[arg(long, short, value_name = "FOLDER", conflicts_with = "golden")]
    out: Option<PathBuf>,
    /// Write a text that is not the same program, too; what differs is told all the same.
    #[arg(long)]
    lossy: bool,
    #[command(flatten)]
    pack: PackArgs,
}

pub fn run(args: &TextArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    if let [only] = args.projects.as_slice() {
        let answer = text_of(args, only, args.out.as_deref(), settings, out)?;
        out.answer(&answer);
        return Ok(Status::Success);
    }
    let (mut status, mut answers) = (Status::Success, Vec::new());
    for (number, project) in args.projects.iter().enumerate() {
        let folder = args.out.as_ref().map(|out| out.join(folder_name(&args.projects, number)));
        let mut answer = match text_of(args, project, folder.as_deref(), settings, out) {
            Ok(answer) => answer,
            // The others are not to blame.
            Err(failure) => {
                progress(failure.text());
                status = failure.status();
                failure.json()
            }
        };
        answer["project"] = json!(project);
        answers.push(answer);
    }
    out.answer(&json!({"projects": answers}));
    Ok(status)
}

/// The folder of one of several projects: its name, with its number where another one has that name.
fn folder_name(projects: &[String], number: usize) -> String {
    let stem = |project: &String| {
        let stem = Path::new(project).file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    };
    let own = projects.get(number).map(stem).unwrap_or_default();
    let is_shared = projects.iter().filter(|other| stem(other) == own).count() > 1;
    if is_shared { format!("{own}-{}", number + 1) } else { own }
}

/// Prints or writes the text of one project; the answer for a program.
fn text_of(
    args: &TextArgs,
    project: &str,
    folder: Option<&Path>,
    settings: &Settings,
    out: Output,
) -> Result<Value, Failure> {
    let path = file(args, project, settings)?;
    if !is_sb3(&path) {
        return text_of_text(args, &path, out);
    }
    let (text, parts) = decompile(&files::read(&path)?)?;
    if args.format == Format::Text {
        tell_losses(&path, &parts.losses, args.lossy)?;
    }
    let text = if args.format == Format::Text { text } else { markdown(&parts.document, Bounds::NONE) };
    match folder {
        None => out.say(text.trim_end()),
        Some(folder) => {
            let name = if args.format == Format::Text { "project.txt" } else { "project.md" };
            files::write(&folder.join(name), text.as_bytes())?;
            for (path, bytes) in &parts.files {
                files::write(&folder.join(path), bytes)?;
            }
            out.say(format!("{}: {name} and {} assets", folder.display(), parts.files.len()));
        }
    }
    let losses: Vec<Value> =
        parts.losses.iter().map(|loss| json!({"code": loss.code(), "message": loss.to_string()})).collect();
    Ok(json!({
        "text": text, "assets": parts.files.keys().collect::<Vec<_>>(), "missing": parts.missing, "losses": losses
    }))
}

/// Says what a text leaves out of its project.
///
/// # Errors
/// Fails if there is any, and that is not wanted.
fn tell_losses(path: &Path, losses: &[Loss], wanted: bool) -> Result<(), Failure> {
    for loss in losses {
        progress(format!("lossy[{}]: {}: {loss}", loss.code(), path.display()));
    }
    let Some(first) = losses.first().filter(|_| !wanted) else { return Ok(()) };
    let more = if losses.len() > 1 { format!(", and {} more", losses.len() - 1) } else { String::new() };
    let message = format!("{}: the text would be another program: {first}{more}", path.display());
    Err(Failure::new(Status::Input, "lossy_text", message)
        .hinted("--lossy writes it all the same; docs/PROJECT-TEXT.md lists what a text can't say"))
}

fn text_of_text(args: &TextArgs, path: &Path, out: Output) -> Result<Value, Failure> {
    if args.out.is_some() {
        let message = "only a project file has assets to be written";
        let failure = Failure::new(Status::Usage, "no_project_file", message);
        return Err(
            failure.hinted("leave --out out, or name an .sb3 file; `scratchbed task build` makes them of texts")
        );
    }
    let document = read(path)?;
    let text = if args.format == Format::Text { render(&document) } else { markdown(&document, Bounds::NONE) };
    out.say(text.trim_end());
    Ok(json!({"text": text, "assets": [], "missing": [], "losses": []}))
}

/// The file that is meant: one that is named, or a project of the task of this name.
fn file(args: &TextArgs, project: &str, settings: &Settings) -> Result<PathBuf, Failure> {
    let path = Path::new(project);
    let is_named = path.is_file() || path.extension().is_some() || project.contains('/');
    if is_named {
        return if args.golden {
            let message = format!("{} is a file, and only tasks have a golden project", path.display());
            Err(Failure::new(Status::Usage, "not_a_task", message).hinted("name a task, or leave --golden out"))
        } else {
            Ok(path.to_owned())
        };
    }
    let set = args.pack.tasks(settings, &[project.to_owned()])?;
    let entry = set.find(project)?;
    Ok(if args.golden { entry.golden() } else { entry.initial() })
}

fn read(path: &Path) -> Result<Document, Failure> {
    let bytes = files::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    parse(&text).map_err(|error| {
        let message = format!("{}: {error}", path.display());
        Failure::new(Status::Input, error.code(), message).hinted_by(error.hint())
    })
}
