//! What the reference's clients show a model: the sections about the open sprite, or the screenshot with the element table.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::blocks::read_blocks;
use super::elements::elements_of;
use super::table::{fuse, selectors, table};
use crate::action::primitive::read_words;
use crate::action::{ActionError, Done, settle};
use crate::model::{Mode, ObservationEvent};
use crate::page::PageError;
use crate::perceive::Word;
use crate::session::Live;

/// What the sections are made of.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Blocks {
    pseudocode: String,
    target_name: String,
    available_targets: Vec<Named>,
    target_variables: Vec<Named>,
    target_lists: Vec<Named>,
}

#[derive(Debug, Deserialize)]
struct Named {
    name: String,
    /// Of a variable or list: `sprite` or `all`.
    #[serde(default)]
    scope: String,
}

/// Looks, and remembers what numbers stand for. Of the options `picture` and `elements` count, which may be `off`.
///
/// # Errors
/// When no sprite is open, the page is lost, or its picture can't be read.
pub(super) async fn look(
    live: &mut Live,
    mode: Mode,
    options: &Map<String, Value>,
) -> Result<Done<Value>, ActionError> {
    if let Some(loss) = live.take_unreported_loss() {
        return Err(ActionError::Page(PageError::Lost(loss)));
    }
    let data = match mode {
        Mode::Composite => look_at_blocks(live).await?,
        Mode::Primitive => {
            let is_on = |name: &str| options.get(name).is_none_or(|value| value != "off");
            look_at_page(live, is_on("picture"), is_on("elements")).await?
        }
    };
    let mut executed = options.clone();
    executed.insert("observation".to_owned(), "paper".into());
    Ok(Done { executed: Some(executed), data })
}

async fn look_at_blocks(live: &mut Live) -> Result<Value, ActionError> {
    let mut data = read_blocks(live, false).await?;
    let blocks: Blocks =
        serde_json::from_value(data.clone()).map_err(|error| ActionError::invalid(error.to_string()))?;
    let text = sections(&blocks);
    let number = live.memory.begin_observation(Mode::Composite);
    live.recorder.observed(ObservationEvent { number, text: Some(text.clone()), ..ObservationEvent::default() });
    data["text"] = text.into();
    Ok(data)
}

fn sections(blocks: &Blocks) -> String {
    let targets: Vec<&str> = blocks.available_targets.iter().map(|target| target.name.as_str()).collect();
    let sections = [
        ("Current Editing Target", blocks.target_name.clone()),
        ("Target Variables In Scope", scoped(&blocks.target_variables)),
        ("Target Lists In Scope", scoped(&blocks.target_lists)),
        ("All Available Targets", targets.join(", ")),
        ("Blocks Pseudocode", blocks.pseudocode.clone()),
    ];
    let mut text = String::new();
    for (heading, section) in sections {
        let gap = if text.is_empty() { "" } else { "\n\n" };
        // Writing to a String can't fail.
        let _ = write!(text, "{gap}## {heading}\n{}", section.trim_end());
    }
    text
}

fn scoped(names: &[Named]) -> String {
    if names.is_empty() {
        return "None".to_owned();
    }
    let shown = |one: &Named| format!("name: {}, scope: {}", one.name, one.scope);
    names.iter().map(shown).collect::<Vec<_>>().join("; ")
}

async fn look_at_page(live: &mut Live, picture: bool, elements: bool) -> Result<Value, ActionError> {
    settle(live.page()).await?;
    let reads = elements && live.has_reader();
    let page = live.page();
    // Both at the same time, so that they show the same moment.
    let png = async { if picture || reads { page.screenshot().await.map(Some) } else { Ok(None) } };
    let found = async { if elements { elements_of(page, selectors()).await.map(Some) } else { Ok(None) } };
    let (png, found) = tokio::try_join!(png, found)?;
    let mut data = json!({"screenshot": png.as_ref().filter(|_| picture).map(|png| STANDARD.encode(png))});
    let number = live.memory.begin_observation(Mode::Primitive);
    live.memory.reference_boxes = None;
    let mut noted = ObservationEvent { number, ..ObservationEvent::default() };
    noted.image = png.as_ref().filter(|_| picture).and_then(|png| live.recorder.seen("image/png", png));
    noted.media_type = noted.image.is_some().then(|| "image/png".to_owned());
    if let Some(found) = found {
        let rows = fuse(&found, words(live, png.filter(|_| reads)).await?);
        live.memory.reference_boxes = Some(rows.iter().map(|row| row.position).collect());
        let table = table(&rows);
        data["table"] = table.clone().into();
        noted.text = Some(table);
    }
    live.recorder.observed(noted);
    Ok(data)
}

/// The words in a picture, if there is one. Recognition is as sure of each as the reference's clients ask for.
async fn words(live: &mut Live, png: Option<Vec<u8>>) -> Result<Vec<Word>, ActionError> {
    match png {
        Some(png) => read_words(live, png).await,
        None => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sections_are_five_and_none_is_said_of_what_is_not_there() {
        let data = json!({
            "pseudocode": "#1 [top] event_whenflagclicked\n", "targetName": "Boat", "targetId": "b",
            "availableTargets": [{"id": "s", "name": "Stage", "isStage": true}, {"id": "b", "name": "Boat", "isStage": false}],
            "targetVariables": [{"name": "fuel", "scope": "sprite"}, {"name": "my variable", "scope": "all"}],
            "targetLists": [],
        });
        let expected = "## Current Editing Target\nBoat\n\n\
            ## Target Variables In Scope\nname: fuel, scope: sprite; name: my variable, scope: all\n\n\
            ## Target Lists In Scope\nNone\n\n\
            ## All Available Targets\nStage, Boat\n\n\
            ## Blocks Pseudocode\n#1 [top] event_whenflagclicked";
        assert_eq!(sections(&serde_json::from_value(data).unwrap()), expected);
    }
}
