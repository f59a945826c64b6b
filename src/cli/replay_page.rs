//! `scratchbed log page`: an attempt as one file.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::arms::output::Output;
use crate::arms::signs::spinner;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::model::{pluralise, pluralise_as};
use scratchbed::recording::playback::{Playback, replay_file};
use scratchbed::store::{RunDir, SessionDir, StoreError};
use scratchbed::taskset::TaskSet;

/// Writes the file of the attempt or log in a folder.
pub fn write(folder: &Path, file: &Path, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let mut playback = of_folder(folder)?;
    // A task of another pack is shown without its instruction.
    let tasks = TaskSet::read(&settings.root).ok();
    if let Some(entry) = tasks.as_ref().and_then(|set| set.find(&playback.details.record.task).ok()) {
        playback.is_of(&entry.task);
    }
    let progress = spinner("drawing");
    let made = replay_file(&playback);
    progress.finish_and_clear();
    fs::write(file, &made.html).map_err(|error| {
        Failure::of(Status::Infrastructure, "page_not_written", &error).hinted("name another file with --out")
    })?;
    #[expect(clippy::cast_precision_loss, reason = "of megabytes")]
    let megabytes = made.html.len() as f64 / 1e6;
    let (pictures, width) = (made.pictures, made.width);
    let shown = pluralise(pictures, "picture");
    out.say(format!("{}: {megabytes:.1} MB, {shown} of at most {width} pixels' width", file.display()));
    if made.left_out > 0 {
        let left_out = pluralise_as(made.left_out, "picture is", "pictures are");
        out.say(format!("{left_out} left out: the file would be too large"));
    }
    out.answer(&json!({
        "file": file, "bytes": made.html.len(), "pictures": pictures, "left_out": made.left_out, "width": width,
    }));
    Ok(Status::Success)
}

fn of_folder(folder: &Path) -> Result<Playback, Failure> {
    let unreadable = |error: &StoreError| Failure::of(Status::Input, "log_unreadable", error);
    let folder = &fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    if let Some(playback) = of_attempt(folder).map_err(|error| unreadable(&error))? {
        return Ok(playback);
    }
    let Some(dir) = SessionDir::open(folder) else {
        let detail = format!("{} has no log", folder.display());
        return Err(Failure::new(Status::Input, "log_unreadable", detail).hinted(
            "name a folder with a log.jsonl, as `scratchbed serve --record-dir` and `scratchbed run` make them",
        ));
    };
    Playback::of_log(&dir, false).map_err(|error| unreadable(&error))
}

/// The attempt of a run in a folder; `None` when it is not one, or not complete.
fn of_attempt(folder: &Path) -> Result<Option<Playback>, StoreError> {
    let name = folder.file_name().and_then(|name| name.to_str());
    let run = folder.parent().and_then(Path::parent);
    match (run, name) {
        (Some(run), Some(name)) if run.join("run.json").is_file() => Playback::of_run(&RunDir::open(run)?, name),
        _ => Ok(None),
    }
}
