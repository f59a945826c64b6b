//! What an action met and changed, for callers who ask for it: the page is watched from before the action until the editor
//! has settled. Without a request the reply has no report.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ActionError, Entry};
use crate::model::{ActionReply, Mode};
use crate::page::PageFn;
use crate::page_fn;
use crate::session::Live;

const BEGIN: PageFn<(), ()> = page_fn!("page", "begin-report").in_every_editor();
const END: PageFn<EndReport, Report> = page_fn!("page", "end-report").in_every_editor();

/// Arguments of `end-report.js`.
#[derive(Debug, Serialize)]
struct EndReport {
    /// The action, which decides what is reported of the pointer and the keyboard.
    api: &'static str,
    /// Whether blocks are named by their indexes too.
    numbered: bool,
}

/// What an action met and changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// Of a click: what the pointer was on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hit: Option<Met>,
    /// Of a click, a key or typing: what has the focus afterwards.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub focus: Option<Met>,
    /// Of typing: the field that the text went to, with what it holds now.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub typed_into: Option<Met>,
    /// Of a drag: what moved, and where to.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub drag: Option<Dragged>,
    /// Of scrolling: what moved, by how many pixels.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub scrolled: Option<Scrolled>,
    /// The sprite or stage that is open now, if it is another one than before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub opened: Option<String>,
    /// What is different in the program; null when nothing is.
    pub program_changed: Option<ProgramChanges>,
}

/// Something on the page, as the list of elements names it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Met {
    /// Its type in the list of elements; `none` for nothing, `other` for what is in no list.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its text there, or what it is.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub text: String,
    /// Of a field: what it holds, 200 characters of it at most.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub contains: Option<String>,
}

/// What a drag did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dragged {
    /// What was under the pointer when the button went down.
    pub hit: Met,
    /// The block that was carried, with those below it; absent when no block was.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub grabbed: Option<String>,
    /// What was under the pointer, and under the block, when the button was released.
    pub dropped_on: Met,
    /// Where the block is now: `connected`, `loose` or `deleted`; absent when no block was carried.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub now: Option<String>,
    /// The block that it hangs on or sits in.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parent: Option<String>,
    /// Where on that: `next` for below it, else the name of a slot.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub slot: Option<String>,
    /// The block below it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next: Option<String>,
}

/// What scrolled.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scrolled {
    /// `palette`, `code area`, the text of a list, or `none`.
    pub what: String,
    /// Pixels that its content moved to the left; negative to the right.
    pub right: f64,
    /// Pixels that its content moved up; negative down.
    pub down: f64,
}

/// What is different in the program, each block in the wording of the pseudocode. Lists are cut after 40 entries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProgramChanges {
    /// New blocks with their fields, their slots and where they are, in the order of the program.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub added: Vec<String>,
    /// Blocks that are gone.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub removed: Vec<String>,
    /// Blocks that are elsewhere, with those below them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub moved: Vec<String>,
    /// Fields and slots with other values.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub changed: Vec<String>,
    /// In composite mode: which indexes became which, of blocks that are still there.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub renumbered: Vec<String>,
    /// Everything else: sprites, variables, costumes, sounds, and blocks of sprites that are not open.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub elsewhere: Vec<String>,
}

/// Notes the current program, and watches the page from now on.
pub(super) async fn begin(live: &mut Live) -> Result<(), ActionError> {
    Ok(live.page().call(&BEGIN, &()).await?)
}

/// Ends watching, and puts the report into the data of an action that succeeded.
pub(super) async fn end(live: &mut Live, entry: &Entry, reply: &mut ActionReply) {
    let args = EndReport { api: entry.name, numbered: entry.mode == Mode::Composite };
    match live.page().call(&END, &args).await {
        Ok(report) if reply.success => put(report, &mut reply.data),
        Ok(_) => {}
        Err(error) if reply.success => {
            reply.success = false;
            reply.error = Some(ActionError::from(error).body());
        }
        Err(error) => tracing::debug!(%error, "a failed action could not be reported"),
    }
}

/// The changes stand for the whole program, unless another one is open now.
fn put(report: Report, data: &mut Value) {
    let Some(data) = data.as_object_mut() else { return };
    if report.opened.is_none() {
        data.shift_remove("pseudocode");
    }
    if let Ok(report) = serde_json::to_value(report) {
        data.insert("report".to_owned(), report);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn report(opened: Option<&str>) -> Report {
        serde_json::from_value(json!({"program_changed": null, "opened": opened})).unwrap()
    }

    #[test]
    fn a_report_takes_the_place_of_the_program_unless_another_one_is_open() {
        let mut data = json!({"index": 2, "pseudocode": "#1"});
        put(report(None), &mut data);
        assert_eq!(data, json!({"index": 2, "report": {"program_changed": null}}));
        let mut data = json!({"selected": "Cat", "pseudocode": "#1"});
        put(report(Some("Cat")), &mut data);
        assert_eq!((&data["pseudocode"], &data["report"]["opened"]), (&json!("#1"), &json!("Cat")));
    }
}
