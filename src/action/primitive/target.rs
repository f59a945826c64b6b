//! Where an action goes: coordinates, or the index of an element of the last observation.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::still_there;
use crate::action::ActionError;
use crate::model::{Point, VIEWPORT};
use crate::session::{Live, Memory};

/// A place: exactly one of coordinates and index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = one_of_coordinates_or_index)]
pub struct At {
    /// Pixels from the left edge of the viewport, 0 to 1279.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub x: Option<f64>,
    /// Pixels from the top edge of the viewport, 0 to 719.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub y: Option<f64>,
    /// Index of an element of the last observation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub index: Option<u32>,
}

/// States in the schema that the two ways exclude each other.
fn one_of_coordinates_or_index(schema: &mut Schema) {
    one_of(schema, &[&["x", "y"], &["index"]]);
}

/// States in a schema that exactly one of these sets of fields is given.
pub fn one_of(schema: &mut Schema, sets: &[&[&str]]) {
    let choices: Vec<_> = sets.iter().map(|fields| json!({"required": fields})).collect();
    schema.insert("oneOf".to_owned(), choices.into());
}

/// Which place of an action is meant, for messages.
#[derive(Debug, Clone, Copy)]
pub enum Place {
    /// The only one.
    Only,
    Start,
    /// Where a drag ends.
    End,
}

impl Place {
    pub(super) const fn prefix(self) -> &'static str {
        match self {
            Self::Only => "",
            Self::Start => "start_",
            Self::End => "end_",
        }
    }
}

/// The points that places stand for. What indexes name is still where it was seen.
///
/// # Errors
/// Neither or both ways given, a point outside the viewport, an index that is no longer valid or never was.
pub async fn aim<const N: usize>(live: &mut Live, places: [(Place, At); N]) -> Result<[Point; N], ActionError> {
    let mut points = [Point::new(0.0, 0.0); N];
    for (point, (place, at)) in points.iter_mut().zip(places) {
        *point = resolve(&live.memory, place, at)?;
    }
    let named: Vec<(Place, u32)> = places.iter().filter_map(|(place, at)| Some((*place, at.index?))).collect();
    still_there::check(live, &named).await?;
    Ok(points)
}

fn resolve(memory: &Memory, place: Place, at: At) -> Result<Point, ActionError> {
    let p = place.prefix();
    match (at.x, at.y, at.index) {
        (Some(x), Some(y), None) => inside(p, Point::new(x, y)),
        (None, None, Some(index)) => of_index(memory, p, index),
        (None, None, None) => Err(ActionError::invalid(format!("give {p}x and {p}y, or {p}index"))),
        (_, _, Some(_)) => Err(ActionError::invalid(format!("give either {p}x and {p}y, or {p}index, not both"))),
        _ => Err(ActionError::invalid(format!("{p}x and {p}y go together"))),
    }
}

fn inside(p: &str, point: Point) -> Result<Point, ActionError> {
    let (width, height) = VIEWPORT;
    if point.is_inside(width, height) {
        return Ok(point);
    }
    Err(outside_viewport(p, point))
}

/// The refusal of a point that the viewport does not have; `p` stands before `x` and `y`.
pub fn outside_viewport(p: &str, point: Point) -> ActionError {
    let (width, height) = VIEWPORT;
    ActionError::refused(
        "outside_viewport",
        format!("({p}x, {p}y) = ({}, {}) is outside the viewport", point.x, point.y),
        format!("x goes from 0 to {}, y from 0 to {}", width - 1, height - 1),
    )
}

fn of_index(memory: &Memory, p: &str, index: u32) -> Result<Point, ActionError> {
    let Some(observed) = &memory.observed else {
        let (code, what) = if memory.observations == 0 {
            ("no_observation", "there was no observation yet")
        } else {
            ("stale_index", "the page has changed since the last observation, or it had no element list")
        };
        return Err(ActionError::refused(code, format!("{p}index {index}: {what}"), "observe, then use the new list"));
    };
    let point = usize::try_from(index).ok().and_then(|index| observed.point(index));
    point.ok_or_else(|| {
        ActionError::refused(
            "unknown_index",
            format!("{p}index {index} is not in the last observation, which has {} elements", observed.elements.len()),
            "use an index of the last observation",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Coded, Element, ElementType, Rect};
    use crate::session::Observed;

    fn code(at: At, memory: &Memory) -> String {
        resolve(memory, Place::Only, at).unwrap_err().code().to_owned()
    }

    #[test]
    fn exactly_one_way_must_be_given() {
        let none = Memory::default();
        assert_eq!(code(At::default(), &none), "invalid_arguments");
        assert_eq!(code(At { x: Some(1.0), ..At::default() }, &none), "invalid_arguments");
        assert_eq!(code(At { x: Some(1.0), y: Some(1.0), index: Some(0) }, &none), "invalid_arguments");
    }

    #[test]
    fn an_index_needs_an_observation_that_still_stands() {
        let at = At { index: Some(1), ..At::default() };
        let mut memory = Memory::default();
        assert_eq!(code(at, &memory), "no_observation");
        memory.observations = 1;
        assert_eq!(code(at, &memory), "stale_index");
        let element =
            Element { index: 0, kind: ElementType::Tabs, text: String::new(), position: Rect::new(0, 0, 6, 8) };
        let points = vec![Point::new(3.0, 4.0)];
        memory.observed = Some(Observed { number: 1, elements: vec![element], points, ..Observed::default() });
        assert_eq!(code(at, &memory), "unknown_index");
        let first = At { index: Some(0), ..At::default() };
        assert_eq!(resolve(&memory, Place::Only, first).unwrap(), Point::new(3.0, 4.0));
    }

    #[test]
    fn points_outside_the_viewport_are_refused() {
        let at = At { x: Some(1280.0), y: Some(0.0), index: None };
        assert_eq!(code(at, &Memory::default()), "outside_viewport");
    }
}
