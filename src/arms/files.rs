//! Project files that subcommands read, build and write.

use std::path::Path;

use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use scratchbed::compile::{build_file, build_file_with, kept};
use scratchbed::session::Fleet;
use scratchbed::taskset::{TaskEntry, is_sb3};

/// Reads a project file that the arguments name.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| {
        let message = format!("{}: {error}", path.display());
        Failure::new(Status::Input, "project_unreadable", message).hinted("name an existing .sb3 file")
    })
}

/// A task's own project; what was built of its text before is taken from `cache`.
pub async fn build(fleet: &Fleet, cache: &Path, text: &Path) -> Result<Vec<u8>, Failure> {
    if is_sb3(text) {
        return Ok(build_file(fleet, text).await?);
    }
    Ok(kept(cache, text, async || build_file(fleet, text).await).await?)
}

/// A project for a task: an .sb3 file as it is, anything else as a text that may use the assets of the task and of its base.
pub async fn of_task(fleet: &Fleet, path: &Path, entry: &TaskEntry) -> Result<Vec<u8>, Failure> {
    if is_sb3(path) { read(path) } else { Ok(build_file_with(fleet, path, entry.asset_folders()).await?) }
}

/// Writes a file that the arguments name, with the folders above it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, bytes))
        .map_err(|error| Failure::new(Status::Input, "not_written", format!("{}: {error}", path.display())))
}

/// Writes tables to a file, or prints them where none is named.
pub fn write_or_say(text: &str, file: Option<&Path>, out: Output) -> Result<(), Failure> {
    match file {
        Some(file) => {
            write(file, text.as_bytes())?;
            out.say(format!("wrote {}", file.display()));
        }
        None => out.say(text.trim_end()),
    }
    Ok(())
}
