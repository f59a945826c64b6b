//! Runs of tasks as logs of Inspect (`inspect-ai`): one `.eval` file a run, which Inspect View and its data frames read.
//!
//! The form is that of log version 2, tested with [`TESTED_WITH`]. `header` has what is said of the run, `sample` of an attempt,
//! `transcript` its events and messages, `pictures` the attachments.

mod header;
mod pictures;
mod sample;
mod transcript;

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::Value;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use self::header::Header;
use self::sample::Sample;
use super::known::{Known, task};
use super::out::Out;
use super::source::iso;
use super::{ExportError, Exported};
use crate::model::{TaskDetail, sha256_hex};
use crate::store::RunDir;

/// The release of `inspect-ai` that `make test-inspect` reads exports with.
pub const TESTED_WITH: &str = "0.3.285";

/// Version of the log's form.
const LOG_VERSION: u32 = 2;

/// Writes the log of a run.
pub(super) fn write(run: &RunDir, known: &Known, out: &mut Out, exported: &mut Exported) -> Result<(), ExportError> {
    let tasks = known.tasks_of(run);
    if tasks.is_none() {
        exported.notes.push(format!("{}: its tasks are not at hand, so instructions are left out", run.record().id));
    }
    let name = file_name(run);
    out.claim(&name)?;
    let path = out.reserve(&name)?;
    let file = File::create(&path).map_err(ExportError::unwritable(&path))?;
    let mut archive = Archive { zip: ZipWriter::new(file), path };
    let mut header = Header::new(run);
    archive.json("_journal/start.json", &header.start())?;
    let mut summaries = Vec::new();
    for tried in run.last_tries::<TaskDetail>()? {
        let task = task(tasks, &tried.record.item);
        let sample = Sample::read(run, tried, task.map(|entry| &entry.task))?;
        archive.json(&format!("samples/{}_epoch_{}.json", sample.item(), sample.epoch()), &sample.whole())?;
        summaries.push(sample.summary());
        header.count(&sample);
        exported.attempts += 1;
    }
    archive.json("summaries.json", &Value::Array(summaries))?;
    archive.json("header.json", &header.whole(run))?;
    archive.zip.finish().map_err(|error| ExportError::unwritable(&archive.path)(error.into()))?;
    Ok(())
}

/// As Inspect names its logs: time, task and an id, of which the last two have no `_`.
fn file_name(run: &RunDir) -> String {
    let time = iso(run.record().started_at.floor());
    let time = format!("{}+00-00", time.get(..19).unwrap_or_default().replace(':', "-"));
    format!("{time}_{}_{}.eval", header::task_name(run.record()).replace(['/', '_'], "-"), short_id(&run.record().id))
}

/// An id in the length of Inspect's own.
fn short_id(of: &str) -> String {
    sha256_hex(of.as_bytes()).chars().take(22).collect()
}

struct Archive {
    zip: ZipWriter<File>,
    path: PathBuf,
}

impl Archive {
    fn json(&mut self, name: &str, value: &Value) -> Result<(), ExportError> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        let begun = self.zip.start_file(name, options).map_err(std::io::Error::from);
        let text = serde_json::to_vec(value).map_err(std::io::Error::from);
        begun.and(text).and_then(|text| self.zip.write_all(&text)).map_err(ExportError::unwritable(&self.path))
    }
}

/// An object without the keys that are null: readers have defaults for them.
fn without_nulls(mut value: Value) -> Value {
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|_, field| !field.is_null());
    }
    value
}
