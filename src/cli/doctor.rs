//! `scratchbed doctor`.

use serde_json::json;

use crate::arms::output::Output;
use crate::arms::signs::spinner;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::http::editor::{EditorFiles, serve_to_ourselves};
use scratchbed::setup::doctor;

/// Runs all checks and prints them; the status is negative when one is not as it must be.
pub async fn run(settings: &Settings, out: Output) -> Result<Status, Failure> {
    let mut checks = doctor::check_files(&settings.place());
    let progress = spinner("opening the editor");
    let files = EditorFiles::of_checkout(&settings.root);
    let url = serve_to_ourselves(&files).await.map_err(|error| Failure::infrastructure("no_port", &error))?;
    checks.extend(doctor::check_editor(&settings.launch_options()?, &url).await);
    progress.finish_and_clear();
    for check in &checks {
        out.say(format!("{:<4} {:<16} {}", if check.ok { "ok" } else { "BAD" }, check.name, check.detail));
        if let Some(hint) = &check.hint {
            out.say(format!("     {:<16} hint: {hint}", ""));
        }
    }
    let healthy = checks.iter().all(|check| check.ok);
    out.answer(&json!({"healthy": healthy, "checks": checks}));
    Ok(Status::of(healthy))
}
