//! The whole project as Markdown (paper, appendix L), for an agent that is shown it instead of the open sprite alone.
//!
//! The paper's text has no numbers, and calls name blocks by number: the blocks of the open sprite follow as `observe`
//! numbers them.

use std::time::Instant;

use serde_json::{Map, Value};

use super::observe::{CompositeObservation, LookArgs, look, noted};
use crate::action::perform::{milliseconds, noted as logged, perform_by, replied, request};
use crate::action::{ActionError, Done, Kind, find, perform};
use crate::model::{ActionCall, ActionReply, Mode};
use crate::notation::{Bounds, from_project, markdown};
use crate::page::PageError;
use crate::session::{Live, SessionError, SessionHandle};

/// A game's longest list or value would take the place of the program.
const SHOWN: Bounds = Bounds { items: 20, characters: 200 };

/// Carries out a call in composite mode for an agent that is shown the project as Markdown. Failures of the action are in the
/// reply, never in the error.
///
/// # Errors
/// As [`perform()`].
pub async fn perform_with_markdown(session: &SessionHandle, call: ActionCall) -> Result<ActionReply, SessionError> {
    let mode = Mode::Composite;
    let Some(entry) = find(mode, &call.api).filter(|entry| entry.kind == Kind::Observe && entry.name == "observe")
    else {
        return perform(session, mode, call).await;
    };
    let request = request(mode, &call);
    let work: crate::session::Job<_> = Box::new(move |live| {
        Box::pin(async move {
            let started = Instant::now();
            let outcome = seen(live, &call.args).await;
            let reply = replied(call, outcome, milliseconds(started));
            live.recorder.answer(logged(&reply, true));
            reply
        })
    });
    perform_by(session, entry, request, work).await
}

async fn seen(live: &mut Live, options: &Map<String, Value>) -> Result<Done<Value>, ActionError> {
    if let Some(loss) = live.take_unreported_loss() {
        return Err(ActionError::Page(PageError::Lost(loss)));
    }
    let mut seen = look(live, LookArgs::default()).await?;
    let project = live.export().await.map_err(ActionError::Session)?;
    let shown = markdown(&from_project(&project).document, SHOWN);
    seen.text = text(&shown, &seen);
    seen.sizes.text_bytes = seen.text.len();
    noted(live, &seen);
    let mut executed = options.clone();
    executed.insert("observation".to_owned(), "markdown".into());
    let data = serde_json::to_value(&seen).map_err(|error| ActionError::invalid(error.to_string()))?;
    Ok(Done { executed: Some(executed), data })
}

fn text(project: &str, seen: &CompositeObservation) -> String {
    let or_none = |text: String| if text.is_empty() { "None".to_owned() } else { text };
    let name = &seen.target.name;
    let (choices, blocks) = (or_none(seen.choices.join("\n")), or_none(seen.pseudocode.trim_end().to_owned()));
    format!(
        "# Project\n\n{project}\n# Editor\n\n## Current Editing Target\n{name}\n\n## Dropdown Choices\n{choices}\n\n\
         ## Blocks Pseudocode\n{blocks}"
    )
}
