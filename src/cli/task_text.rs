//! `scratchbed task text`: a project as text, from a file or of a task.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use strum::{EnumIter, EnumMessage, EnumString, IntoStaticStr};

use crate::arms::files;
use crate::arms::output::Output;
use crate::arms::pack::PackArgs;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::compile::decompile;
use scratchbed::model::Coded;
use scratchbed::project::text::{Bounds, Document, markdown, parse, render};
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

/// Which project, and in which form.
#[derive(Debug, Args)]
pub struct TextArgs {
    /// A project file (.sb3), a project text (.txt), or the name of a task, whose initial project is meant.
    #[arg(value_name = "FILE|TASK")]
    what: String,
    /// Of a task: its golden project instead.
    #[arg(long)]
    golden: bool,
    /// The form.
    #[arg(long, value_parser = named::<Format>(), default_value = "text")]
    format: Format,
    /// Folder for the text and the assets of a project file; without it the text is only printed.
    #[arg(long, short, value_name = "FOLDER", conflicts_with = "golden")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pack: PackArgs,
}

pub fn run(args: &TextArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let path = file(args, settings)?;
    if is_sb3(&path) {
        let (text, parts) = decompile(&files::read(&path)?)?;
        let text = if args.format == Format::Text { text } else { markdown(&parts.document, Bounds::NONE) };
        match &args.out {
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
        for path in &parts.missing {
            out.say(format!("warning: the project does not contain {path}"));
        }
        out.answer(&json!({"text": text, "assets": parts.files.keys().collect::<Vec<_>>(), "missing": parts.missing}));
        return Ok(Status::Success);
    }
    if args.out.is_some() {
        let message = "only a project file has assets to be written";
        let failure = Failure::new(Status::Usage, "no_project_file", message);
        return Err(
            failure.hinted("leave --out out, or name an .sb3 file; `scratchbed task build` makes them of texts")
        );
    }
    let document = read(&path)?;
    let text = if args.format == Format::Text { render(&document) } else { markdown(&document, Bounds::NONE) };
    out.say(text.trim_end());
    out.answer(&json!({"text": text, "assets": [], "missing": []}));
    Ok(Status::Success)
}

/// The file that is meant: one that is named, or a project of the task of this name.
fn file(args: &TextArgs, settings: &Settings) -> Result<PathBuf, Failure> {
    let path = Path::new(&args.what);
    let is_named = path.is_file() || path.extension().is_some() || args.what.contains('/');
    if is_named {
        return if args.golden {
            let message = format!("{} is a file, and only tasks have a golden project", path.display());
            Err(Failure::new(Status::Usage, "not_a_task", message).hinted("name a task, or leave --golden out"))
        } else {
            Ok(path.to_owned())
        };
    }
    let set = args.pack.tasks(settings, std::slice::from_ref(&args.what))?;
    let entry = set.find(&args.what)?;
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
