//! A part of the viewport in arguments: an object, or text for queries.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::ActionError;
use crate::model::{Rect, VIEWPORT};

/// A part of the viewport, in viewport pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value")]
pub struct Region {
    pub x: u32,
    pub y: u32,
    /// Width, at least 1.
    pub width: u32,
    /// Height, at least 1.
    pub height: u32,
}

/// Why a value is not a region.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a region is {{\"x\", \"y\", \"width\", \"height\"}} in whole pixels or the text \"x,y,width,height\"")]
pub struct NoRegion;

impl TryFrom<Value> for Region {
    type Error = NoRegion;

    fn try_from(value: Value) -> Result<Self, NoRegion> {
        let numbers = match &value {
            Value::String(text) => {
                text.split(',').map(|part| part.trim().parse().ok()).collect::<Option<Vec<u32>>>().ok_or(NoRegion)?
            }
            Value::Object(fields) if fields.len() == 4 => ["x", "y", "width", "height"]
                .iter()
                .map(|name| fields.get(*name)?.as_u64()?.try_into().ok())
                .collect::<Option<Vec<u32>>>()
                .ok_or(NoRegion)?,
            _ => return Err(NoRegion),
        };
        let [x, y, width, height] = numbers[..] else { return Err(NoRegion) };
        Ok(Self { x, y, width, height })
    }
}

impl Region {
    pub const WHOLE: Self = Self { x: 0, y: 0, width: VIEWPORT.0, height: VIEWPORT.1 };

    /// The region as a box.
    ///
    /// # Errors
    /// When it is empty or not inside the viewport.
    pub fn checked(self, name: &str) -> Result<Rect, ActionError> {
        let fits = |start: u32, length: u32, limit: u32| {
            length >= 1 && start.checked_add(length).is_some_and(|end| end <= limit)
        };
        if !fits(self.x, self.width, VIEWPORT.0) || !fits(self.y, self.height, VIEWPORT.1) {
            return Err(ActionError::refused(
                "outside_viewport",
                format!("`{name}` is empty or not inside the viewport"),
                format!("the viewport is {}x{} pixels", VIEWPORT.0, VIEWPORT.1),
            ));
        }
        // All of it is below 2000 by now.
        let [x, y, width, height] = [self.x, self.y, self.width, self.height].map(u32::cast_signed);
        Ok(Rect::new(x, y, width, height))
    }
}

impl JsonSchema for Region {
    fn schema_name() -> Cow<'static, str> {
        "Region".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let pixels = |least: u32, most: u32, what: &str| json_schema!({"type": "integer", "minimum": least, "maximum": most, "description": what});
        let (width, height) = VIEWPORT;
        json_schema!({
            "description": "A part of the viewport, in viewport pixels; as text `x,y,width,height`.",
            "anyOf": [
                {
                    "type": "object",
                    "properties": {
                        "x": pixels(0, width - 1, "Left edge."),
                        "y": pixels(0, height - 1, "Top edge."),
                        "width": pixels(1, width, "Width."),
                        "height": pixels(1, height, "Height."),
                    },
                    "required": ["x", "y", "width", "height"],
                    "additionalProperties": false,
                },
                {"type": "string", "pattern": "^\\d+,\\d+,\\d+,\\d+$", "examples": ["0,0,640,720"]},
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Coded;
    use serde_json::json;

    #[test]
    fn a_region_is_an_object_or_text() {
        let region = Region { x: 1, y: 2, width: 3, height: 4 };
        for value in [json!({"x": 1, "y": 2, "width": 3, "height": 4}), json!("1,2,3,4"), json!("1, 2, 3, 4")] {
            assert_eq!(serde_json::from_value::<Region>(value).unwrap(), region);
        }
        for wrong in [json!({"x": 1, "y": 2, "width": 3}), json!("1,2,3"), json!("-1,2,3,4"), json!([1, 2, 3, 4])] {
            assert!(serde_json::from_value::<Region>(wrong.clone()).is_err(), "{wrong}");
        }
        assert_eq!(serde_json::to_value(region).unwrap(), json!({"x": 1, "y": 2, "width": 3, "height": 4}));
    }

    #[test]
    fn a_region_lies_in_the_viewport() {
        assert_eq!(Region::WHOLE.checked("crop").unwrap(), Rect::new(0, 0, 1280, 720));
        for wrong in ["0,0,0,1", "1279,0,2,1", "0,0,1281,1", "4294967295,0,4294967295,1"] {
            let region: Region = serde_json::from_value(json!(wrong)).unwrap();
            assert_eq!(region.checked("crop").unwrap_err().code(), "outside_viewport", "{wrong}");
        }
    }
}
