//! Installs what a machine needs, and checks that it is there.
//!
//! [`steps`] lists the work of `scratchbed setup`: each step checks first, and redoes nothing that is already
//! there, judged by content. [`doctor`] only checks, and more thoroughly: it opens the editor in a real page.
//! Talking to a person about it is the `cli` room's work.

mod bundle;
pub mod doctor;
mod error;
mod packages;
mod postgres;
mod python;
mod recognition;
mod reference;
mod run;
mod samples;
mod system;

use std::path::{Path, PathBuf};

pub use error::SetupError;
pub use reference::{has_reference_editor, reference_version};

use crate::files::{Checkout, hold_lock};

/// What set-up works on.
#[derive(Debug, Clone)]
pub struct Place {
    pub checkout: Checkout,
    /// A Chromium to use instead of the usual ones.
    pub chromium: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Done {
    /// Nothing was missing; the text says what is there.
    Already(String),
    /// Something was missing or stale; the text says what was done.
    Now(String),
    /// It could not be done, and set-up goes on without it; the text says why and what follows.
    Failed(String),
}

impl Done {
    /// How a line about it begins: `=` where nothing was to be done, `+` for what was done, `!` for what failed.
    pub const fn mark(&self) -> char {
        match self {
            Self::Already(_) => '=',
            Self::Now(_) => '+',
            Self::Failed(_) => '!',
        }
    }

    /// What is there, what was done, or why it was not.
    pub fn detail(&self) -> &str {
        let (Self::Already(detail) | Self::Now(detail) | Self::Failed(detail)) = self;
        detail
    }
}

/// One step of set-up. A later step may count on the earlier ones.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Short name for people and JSON.
    pub name: &'static str,
    /// What is being done, for a progress line.
    pub doing: &'static str,
    work: fn(&Place) -> Result<Done, SetupError>,
}

impl Step {
    /// Looks, and does what is missing.
    ///
    /// # Errors
    /// When the step can't be done; the error's hint says what a person can do.
    pub fn carry_out(&self, place: &Place) -> Result<Done, SetupError> {
        (self.work)(place)
    }
}

/// The steps of set-up, in order.
pub const fn steps() -> [Step; 4] {
    [
        Step { name: "system", doing: "looking for Chromium and its fonts", work: system::ensure },
        Step { name: "packages", doing: "fetching the Scratch editor", work: packages::ensure },
        Step { name: "bundle", doing: "compressing the editor", work: bundle::ensure },
        Step { name: "recognition", doing: "preparing text recognition", work: recognition::ensure },
    ]
}

/// The step that only the tests of the Python client need.
pub const fn python_step() -> Step {
    Step { name: "python", doing: "making the virtual environment of the Python client", work: python::ensure }
}

/// The step that only fleets, and the tests of the ledger, need.
pub const fn postgres_step() -> Step {
    Step { name: "postgres", doing: "looking for Postgres", work: postgres::ensure }
}

/// The step that only the tests of fleets need.
pub const fn s3_step() -> Step {
    Step { name: "s3", doing: "making the virtual environment of the S3 server", work: python::ensure_s3 }
}

/// The step that only pools of sample projects need.
pub const fn samples_step() -> Step {
    Step { name: "samples", doing: "fetching sample projects", work: samples::ensure }
}

/// The step that only work in the reference editor needs.
pub const fn reference_editor_step() -> Step {
    Step { name: "reference", doing: "fetching the reference editor", work: reference::ensure }
}

/// Keeps two set-ups of one checkout from working at once; held until it is dropped.
///
/// # Errors
/// When the cache folder can't be written.
pub fn lock(place: &Place) -> Result<std::fs::File, SetupError> {
    let path = place.checkout.cache().join("setup.lock");
    let lock = || {
        std::fs::create_dir_all(place.checkout.cache())?;
        hold_lock(&path)
    };
    lock().map_err(SetupError::file("locking", &path))
}

fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), SetupError> {
    crate::files::write_whole(path, bytes).map_err(SetupError::file("writing", path))
}
