//! `scratchbed doctor`.

use serde_json::json;

use crate::arms::browsers::launch_options;
use crate::arms::output::Output;
use crate::arms::signs::spinner;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::http::editor::{EditorFiles, serve_to_ourselves};
use scratchbed::model::EditorGeneration;
use scratchbed::setup::{doctor, has_reference_editor};

/// Runs all checks and prints them; the status is negative when one is not as it must be.
pub async fn run(settings: &Settings, out: Output) -> Result<Status, Failure> {
    let place = settings.place();
    let mut checks = doctor::check_files(&place);
    let reference = has_reference_editor(&place).then_some(EditorGeneration::Reference);
    for editor in [EditorGeneration::Current].into_iter().chain(reference) {
        let progress = spinner(&format!("opening the {editor} editor"));
        let files = EditorFiles::of_checkout(&settings.root, editor);
        let url = serve_to_ourselves(&files).await.map_err(|error| Failure::infrastructure("no_port", &error))?;
        checks.extend(doctor::check_editor(&launch_options(editor, settings)?, &url, editor).await);
        progress.finish_and_clear();
    }
    for check in &checks {
        out.say(format!("{:<4} {:<17} {}", if check.ok { "ok" } else { "BAD" }, check.name, check.detail));
        if let Some(hint) = &check.hint {
            out.say(format!("     {:<17} hint: {hint}", ""));
        }
    }
    let healthy = checks.iter().all(|check| check.ok);
    out.answer(&json!({"healthy": healthy, "checks": checks}));
    Ok(Status::of(healthy))
}
