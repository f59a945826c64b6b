//! What to look at: picture, elements, text recognition.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::region::Region;
use crate::action::ActionError;
use crate::model::{Element, ElementType, Rect};

/// Default quality of a lossy picture: text on blocks stays sharp, at half a PNG's size.
const QUALITY: u8 = 80;
/// The smallest scale: below it not even large shapes can be distinguished.
const LEAST_SCALE: f64 = 0.1;

/// How the picture is encoded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PictureFormat {
    /// Without loss.
    #[default]
    Png,
    /// With loss, see `quality`.
    Jpeg,
    /// With loss, see `quality`; the smallest.
    Webp,
    /// No picture.
    Off,
}

/// Which elements are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ElementsMode {
    /// All, renumbered from 0. (`on` means the same.)
    #[default]
    #[serde(alias = "on")]
    Full,
    /// Only what changed since the last observation: what is still there keeps its index. All, if there is no
    /// valid last list.
    Changed,
    /// None, a picture only; indexes are then invalid.
    Off,
}

/// Which text is read from the picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OcrMode {
    /// Text that the page itself does not report. (`on` means the same.)
    #[default]
    #[serde(alias = "on")]
    Unexplained,
    /// All text in the picture, also what elements already say; slower.
    All,
    /// None; only what the page itself reports is listed.
    Off,
}

/// What to look at. Without options: the whole viewport as PNG, and all elements.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObserveArgs {
    /// The picture's format; `off` leaves the picture out.
    #[serde(default)]
    pub picture: PictureFormat,
    /// Quality of a JPEG or WebP picture, 1 to 100; 80 by default.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(range(min = 1, max = 100))]
    pub quality: Option<u8>,
    /// Take a picture of this part of the viewport only. Coordinates in actions stay viewport pixels.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub crop: Option<Region>,
    /// Pixels of the picture for one of the viewport, 0.1 to 1; 1 by default. Coordinates in actions
    /// stay viewport pixels.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(range(min = 0.1, max = 1.0))]
    pub scale: Option<f64>,
    /// Which elements are listed: all, those that changed since the last observation, or none.
    #[serde(default)]
    pub elements: ElementsMode,
    /// List only elements of these types; all types by default. Indexes are those of the whole list.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub types: Option<Vec<ElementType>>,
    /// List only elements that reach into this part of the viewport. Indexes are those of the whole list.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub region: Option<Region>,
    /// Which text is read from the picture: what the page itself does not report, all of it, or none.
    #[serde(default)]
    pub ocr: OcrMode,
}

impl ObserveArgs {
    /// Fills in what depends on other options.
    ///
    /// # Errors
    /// When a value is out of its range, or an option has nothing to act on.
    pub(super) fn resolved(mut self) -> Result<Self, ActionError> {
        let is_lossy = matches!(self.picture, PictureFormat::Jpeg | PictureFormat::Webp);
        match self.quality {
            None if is_lossy => self.quality = Some(QUALITY),
            Some(_) if !is_lossy => return Err(ActionError::invalid("`quality` is for jpeg and webp pictures")),
            Some(quality) if !(1..=100).contains(&quality) => {
                return Err(ActionError::invalid("`quality` must be between 1 and 100"));
            }
            _ => {}
        }
        if self.scale.is_some_and(|scale| !(LEAST_SCALE..=1.0).contains(&scale)) {
            return Err(ActionError::invalid(format!("`scale` must be between {LEAST_SCALE} and 1")));
        }
        if self.picture == PictureFormat::Off && self.elements == ElementsMode::Off {
            return Err(ActionError::invalid("with `picture` and `elements` both off there is nothing to see"));
        }
        Ok(self)
    }

    /// Whether text is to be read: not when rows of text would not be listed.
    pub(super) fn reads(&self) -> bool {
        let lists_text = self.types.as_ref().is_none_or(|types| types.contains(&ElementType::Text));
        self.ocr != OcrMode::Off && self.elements != ElementsMode::Off && lists_text
    }

    /// Which elements are to be listed.
    pub(super) fn filter(&self) -> Result<impl Fn(&Element) -> bool + use<>, ActionError> {
        let types = self.types.clone();
        let region: Option<Rect> = self.region.map(|region| region.checked("region")).transpose()?;
        Ok(move |element: &Element| {
            types.as_ref().is_none_or(|types| types.contains(&element.kind))
                && region.as_ref().is_none_or(|region| region.overlap(&element.position) > 0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Coded;
    use serde_json::{Value, json};

    fn args(value: Value) -> ObserveArgs {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn former_names_and_defaults_hold() {
        assert_eq!(args(json!({"elements": "on", "ocr": "on"})), ObserveArgs::default());
        let bare = serde_json::to_value(ObserveArgs::default().resolved().unwrap()).unwrap();
        assert_eq!(bare, json!({"picture": "png", "elements": "full", "ocr": "unexplained"}));
        assert_eq!(args(json!({"picture": "webp"})).resolved().unwrap().quality, Some(80));
    }

    #[test]
    fn options_without_sense_are_refused() {
        for wrong in [
            json!({"quality": 50}),
            json!({"picture": "jpeg", "quality": 0}),
            json!({"scale": 0.05}),
            json!({"scale": 1.5}),
            json!({"picture": "off", "elements": "off"}),
        ] {
            assert_eq!(args(wrong.clone()).resolved().unwrap_err().code(), "invalid_arguments", "{wrong}");
        }
    }

    #[test]
    fn text_that_is_not_listed_is_not_read() {
        assert!(args(json!({})).reads() && args(json!({"types": ["blocks", "text"]})).reads());
        assert!(!args(json!({"types": ["blocks"]})).reads() && !args(json!({"elements": "off"})).reads());
    }

    #[test]
    fn types_and_region_both_limit_the_list() {
        let element = |kind, x| Element { index: 0, kind, text: String::new(), position: Rect::new(x, 0, 10, 10) };
        let wanted = args(json!({"types": ["buttons"], "region": "0,0,100,100"})).filter().unwrap();
        assert!(wanted(&element(ElementType::Buttons, 95)));
        assert!(!wanted(&element(ElementType::Buttons, 100)) && !wanted(&element(ElementType::Text, 0)));
    }
}
