//! What the reference server does with the editor by script: run and stop, palette, stage size, markup, page scripts.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::{ActionError, NoArgs, settle};
use crate::model::StageSize;
use crate::page::PageFn;
use crate::page_fn;
use crate::session::Live;

#[derive(Debug, Serialize)]
struct Run {
    running: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct Category {
    category: String,
}

#[derive(Debug, Serialize)]
struct Script {
    source: String,
    payload: Value,
}

/// The button that made the stage small.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmallStage {
    pub selector: String,
    pub title: Option<String>,
    pub label: Option<String>,
    /// Whether it is marked as pressed.
    pub pressed: bool,
}

const RUN: PageFn<Run, ()> = page_fn!("scratchworld", "run-project").in_every_editor();
const SELECT: PageFn<Category, Category> = page_fn!("scratchworld", "select-category").in_every_editor();
const SCRIPT: PageFn<Script, Value> = page_fn!("scratchworld", "page-script").in_every_editor();
const SMALL_STAGE: PageFn<NoArgs, Option<SmallStage>> = page_fn!("scratchworld", "small-stage").in_every_editor();
const HTML: PageFn<NoArgs, String> = page_fn!("scratchworld", "page-html").in_every_editor();

/// Presses the green flag, or stops all scripts, without a click.
///
/// # Errors
/// When the page is lost or does not answer.
pub async fn run_project(live: &mut Live, running: bool) -> Result<(), ActionError> {
    Ok(live.page().call(&RUN, &Run { running }).await?)
}

/// Scrolls the palette to a category, by its id or name, and waits until it rests; returns the id.
///
/// # Errors
/// `unknown_category`, or when the page is lost.
pub async fn select_category(live: &mut Live, category: String) -> Result<String, ActionError> {
    let Category { category } = live.page().call(&SELECT, &Category { category }).await?;
    settle(live.page()).await?;
    Ok(category)
}

/// Runs a function that the caller wrote in the page. Its callers can do anything to the session.
///
/// # Errors
/// `invalid_js_fn` when the source is not a function, `custom_js_error` when it throws.
pub async fn page_script(live: &mut Live, source: String, payload: Value) -> Result<Value, ActionError> {
    let value = live.page().call(&SCRIPT, &Script { source, payload }).await?;
    settle(live.page()).await?;
    Ok(value)
}

/// Makes the stage small; one that is small already stays so. `None` when the editor has no button for it.
///
/// # Errors
/// When the page is lost or does not answer.
pub async fn small_stage(live: &mut Live) -> Result<Option<SmallStage>, ActionError> {
    let button = live.page().call(&SMALL_STAGE, &NoArgs {}).await?;
    if button.is_some() {
        live.stage_is(StageSize::Small);
    }
    Ok(button)
}

/// The document as markup.
///
/// # Errors
/// When the page is lost or does not answer.
pub async fn page_html(live: &mut Live) -> Result<String, ActionError> {
    Ok(live.page().call(&HTML, &NoArgs {}).await?)
}
