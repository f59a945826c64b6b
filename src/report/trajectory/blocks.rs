//! The scripts that a patch touches, before and after: as lines of notation, and drawn as the editor draws them.

use serde::Serialize;

use crate::compile::DrawingPage;
use crate::fault_views::{ScriptView, lines, marked_by, pictures};
use crate::project::Project;
use crate::project::edit::edit_set;
use crate::report::ReportError;
use crate::session::retry::while_broken;

/// What a patch does to scripts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Blocks {
    /// Lines of the scripts that differ: a sign, a blank for lines that stay, and the line.
    lines: Vec<(char, String)>,
    /// Scripts of the buggy project and of the candidate; absent where nothing was to be drawn.
    drawn: Option<[Vec<ScriptView>; 2]>,
    /// Why they could not be drawn.
    trouble: Option<String>,
}

/// What differs between the buggy project and a candidate; drawn if there is a page for it.
///
/// # Errors
/// When no page holds.
pub(super) async fn blocks(
    buggy: &Project,
    candidate: &Project,
    drawing: Option<&DrawingPage>,
) -> Result<Blocks, ReportError> {
    let mut blocks = Blocks { lines: lines(buggy, candidate), drawn: None, trouble: None };
    if let Some(drawing) = drawing {
        // Of a run that others made the candidate may be anything: the editor gets what was checked.
        if let Err(error) = candidate.check() {
            return Ok(Blocks { trouble: Some(error.to_string()), ..blocks });
        }
        let both = || drawn(buggy, candidate, drawing);
        match while_broken("drawing scripts", ReportError::is_broken, both).await {
            Ok(both) => blocks.drawn = Some(both),
            Err(error) if error.is_broken() => return Err(error),
            // A model may make projects that the editor does not show; the page says so.
            Err(error) => blocks.trouble = Some(error.to_string()),
        }
    }
    Ok(blocks)
}

async fn drawn(
    buggy: &Project,
    candidate: &Project,
    drawing: &DrawingPage,
) -> Result<[Vec<ScriptView>; 2], ReportError> {
    let (before, after) = (buggy.pack()?, candidate.pack()?);
    let to = marked_by(buggy, &edit_set(&buggy.json, &candidate.json));
    let back = marked_by(candidate, &edit_set(&candidate.json, &buggy.json));
    Ok([pictures(drawing, &before, to).await?, pictures(drawing, &after, back).await?])
}
