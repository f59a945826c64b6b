//! The folder of one expansion: the request, each exchange verbatim, and the result.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::json;

use crate::agent::model::{Answer, Message, ModelError};
use crate::author::AuthorError;
use crate::files::Checkout;
use crate::model::{Coded, run_name, unix_seconds};

/// Version of what is written here.
const FORMAT: u32 = 1;

/// Writes the record as events occur.
#[derive(Debug)]
pub struct Record {
    folder: PathBuf,
    exchanges: u32,
}

impl Record {
    /// A new folder below `runs/expand` of a checkout, with the settings of the run. They contain no keys.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn create(checkout: &Checkout, what: &str, settings: &impl Serialize) -> Result<Self, AuthorError> {
        let folder = checkout.runs().join("expand").join(run_name(unix_seconds(), what));
        let record = Self { folder, exchanges: 0 };
        let version = env!("CARGO_PKG_VERSION");
        record.write(
            "settings.json",
            &json!({"format": FORMAT, "version": version, "what": what, "settings": settings}),
        )?;
        Ok(record)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn exchange(
        &mut self,
        asked: &[Message],
        answer: &Result<Answer, ModelError>,
    ) -> Result<(), AuthorError> {
        self.exchanges += 1;
        let error = answer.as_ref().err().map(|error| json!({"code": error.code(), "message": error.to_string()}));
        let exchange = json!({"messages": asked, "answer": answer.as_ref().ok(), "error": error});
        self.write(&format!("exchange-{:03}.json", self.exchanges), &exchange)
    }

    /// Writes a file of the run.
    pub(super) fn write(&self, name: &str, value: &impl Serialize) -> Result<(), AuthorError> {
        let path = self.folder.join(name);
        let text = serde_json::to_string_pretty(value).map_err(std::io::Error::other);
        let written = text.and_then(|text| {
            fs::create_dir_all(&self.folder)?;
            fs::write(&path, text + "\n")
        });
        written.map_err(|source| AuthorError::NotWritten { path, source })
    }
}
