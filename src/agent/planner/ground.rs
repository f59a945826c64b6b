//! Places that an action names in words, and the points that the grounding model names for them.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::model::{ActionCall, Point};
use crate::perceive::Convention;

/// Arguments that describe a place, each with the coordinates that take its place.
const PLACES: [(&str, &str, &str); 3] =
    [("description", "x", "y"), ("source_description", "start_x", "start_y"), ("target_description", "end_x", "end_y")];

/// A place that is still words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) words: String,
    argument: &'static str,
    x: &'static str,
    y: &'static str,
}

/// The places that a call describes.
///
/// # Errors
/// When a description is no text.
pub(super) fn places(call: &ActionCall) -> Result<Vec<Place>, String> {
    let described = PLACES.iter().filter_map(|(argument, x, y)| Some((argument, x, y, call.args.get(*argument)?)));
    let place = |(argument, x, y, given): (&&'static str, &&'static str, &&'static str, &Value)| {
        let words = given.as_str().map(str::trim).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| format!("`{argument}` is no description"))?.to_owned();
        Ok(Place { words, argument, x, y })
    };
    described.map(place).collect()
}

/// The point in an answer, in the model's units: its first two whole numbers, as the published agent reads them.
pub(super) fn read_point(answer: &str) -> Option<Point> {
    static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\d+").ok());
    let mut numbers = NUMBER.as_ref()?.find_iter(answer).map(|found| found.as_str().parse::<u32>().ok());
    let (x, y) = (numbers.next()??, numbers.next()??);
    Some(Point::new(x.into(), y.into()))
}

/// The call with a point of the page instead of the words.
pub(super) fn put(call: &mut ActionCall, place: &Place, said: Point, convention: Convention) {
    let point = convention.to_page(said);
    call.args.shift_remove(place.argument);
    call.args.insert(place.x.to_owned(), whole(point.x));
    call.args.insert(place.y.to_owned(), whole(point.y));
}

#[expect(clippy::cast_possible_truncation, reason = "it saturates, and such a point is refused")]
fn whole(value: f64) -> Value {
    Value::from(value as i64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(args: Value) -> ActionCall {
        let Value::Object(args) = args else { panic!() };
        ActionCall::new("drag_and_drop", args)
    }

    #[test]
    fn each_description_becomes_a_point_of_the_page() {
        let mut drag = call(json!({"source_description": "the block ", "target_description": "the end", "note": "n"}));
        let places = places(&drag).unwrap();
        assert_eq!(places.iter().map(|place| place.words.as_str()).collect::<Vec<_>>(), ["the block", "the end"]);
        put(&mut drag, &places[0], Point::new(500.0, 500.0), Convention::Thousandths);
        put(&mut drag, &places[1], Point::new(1.0, 2.0), Convention::Pixels);
        let args = json!({"note": "n", "start_x": 640, "start_y": 360, "end_x": 1, "end_y": 2});
        assert_eq!(Value::Object(drag.args), args);
    }

    #[test]
    fn what_is_no_description_is_named() {
        for bad in [json!(7), json!(""), json!(" "), json!(null), json!(["a"]), json!({"x": 1})] {
            let fault = places(&call(json!({"description": bad}))).unwrap_err();
            assert_eq!(fault, "`description` is no description");
        }
        assert_eq!(places(&call(json!({"x": 1, "y": 2}))), Ok(Vec::new()), "points need no grounding");
    }

    #[test]
    fn a_point_is_the_first_two_whole_numbers() {
        for (answer, point) in [
            ("(12, 34)", Some((12.0, 34.0))),
            ("start_box='<|box_start|>(640,360)<|box_end|>'", Some((640.0, 360.0))),
            ("12 34 56 78", Some((12.0, 34.0))),
            ("x: 7\ny: 8", Some((7.0, 8.0))),
            // As published: a fraction is two numbers.
            ("0.5", Some((0.0, 5.0))),
            ("-3, 4", Some((3.0, 4.0))),
            ("", None),
            ("I don't see it.", None),
            ("(12)", None),
            ("99999999999999999999, 1", None),
            ("NaN, NaN", None),
            ("<answer>12, nowhere</answer>", None),
        ] {
            assert_eq!(read_point(answer), point.map(|(x, y)| Point::new(x, y)), "{answer}");
        }
    }
}
