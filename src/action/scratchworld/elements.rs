//! The element lists of the reference server.

use serde::{Deserialize, Serialize};

use crate::action::ActionError;
use crate::model::Rect;
use crate::page::{Page, PageError, PageFn};
use crate::page_fn;
use crate::session::Live;

/// What to list, under which name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ElementSelector {
    /// The name, which becomes the rows' type.
    pub name: String,
    /// A CSS selector; an invalid one matches nothing.
    pub selector: String,
}

/// An element that can be seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ElementRow {
    /// Its place among the selector's matches, those out of sight counted.
    pub index: u64,
    /// Its box in whole pixels of the viewport.
    pub position: Rect,
    pub text: String,
    /// The name of the selector that matched it.
    #[serde(rename = "type")]
    pub kind: String,
    /// A block's type, followed by ` on canvas` unless it is in the palette.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub block_name: Option<String>,
}

#[derive(Debug, Serialize)]
struct Wanted {
    selectors: Vec<ElementSelector>,
}

const LIST: PageFn<Wanted, Vec<ElementRow>> = page_fn!("scratchworld", "elements").in_every_editor();

/// The same on a page alone, so that something else can be done on it meanwhile.
pub(super) async fn elements_of(page: &Page, selectors: Vec<ElementSelector>) -> Result<Vec<ElementRow>, PageError> {
    page.call(&LIST, &Wanted { selectors }).await
}

/// The elements that match, selector by selector.
///
/// # Errors
/// When the page is lost or does not answer.
pub async fn list_elements(live: &mut Live, selectors: Vec<ElementSelector>) -> Result<Vec<ElementRow>, ActionError> {
    Ok(elements_of(live.page(), selectors).await?)
}
