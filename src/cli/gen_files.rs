//! `scratchbed gen`: writes the committed files that are made from the code.

use serde_json::json;

use crate::arms::files::write;
use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::action::manual;
use scratchbed::model::codes;

/// Where the manual of actions is, below the root.
const MANUAL: &str = "docs/API.md";
/// Where the table of codes is, below the root.
const CODES: &str = "docs/CODES.md";

/// Where the reference of the command line is, below the root.
const CLI: &str = "docs/CLI.md";

/// Writes them all; `reference` is that of the command line.
pub fn run(settings: &Settings, reference: String, out: Output) -> Result<Status, Failure> {
    for (file, text) in [(MANUAL, manual()), (CODES, codes::table()), (CLI, reference)] {
        write(&settings.root.join(file), text.as_bytes())?;
        out.say(format!("wrote {file}"));
    }
    out.answer(&json!({"files": [MANUAL, CODES, CLI]}));
    Ok(Status::Success)
}
