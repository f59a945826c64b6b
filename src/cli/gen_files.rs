//! `scratchbed gen`: writes the committed files that are made from the code.

use serde_json::json;

use super::failure::{Failure, Status};
use super::output::Output;
use super::project::write;
use super::settings::Settings;
use crate::action::manual;

/// Where the manual of actions is, below the root.
const MANUAL: &str = "docs/API.md";

/// Writes them all.
pub fn run(settings: &Settings, out: Output) -> Result<Status, Failure> {
    write(&settings.root.join(MANUAL), manual().as_bytes())?;
    out.say(format!("wrote {MANUAL}"));
    out.answer(&json!({"files": [MANUAL]}));
    Ok(Status::Success)
}
