//! Whether what an index was given to is still where it was seen. An agent means what it saw: when something else has
//! taken its place, acting on that would be reported as a success without being one.

use super::target::Place;
use crate::action::ActionError;
use crate::model::{Element, ElementType, Point, Rect};
use crate::ocr::Area;
use crate::page::scripts;
use crate::perceive::Seen;
use crate::session::Live;

/// Refuses indexes of elements that have moved or changed since they were observed.
///
/// # Errors
/// `stale_index` with what is there now; or when the page is lost.
pub(super) async fn check(live: &mut Live, named: &[(Place, u32)]) -> Result<(), ActionError> {
    let Some(observed) = &live.memory.observed else { return Ok(()) };
    let wanted: Vec<(Place, Element, Point)> = named
        .iter()
        .filter_map(|(place, index)| {
            let index = usize::try_from(*index).ok()?;
            let element = observed.elements.iter().find(|element| element.index == index)?;
            Some((*place, element.clone(), observed.point(index)?))
        })
        .collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let now = live.page().call(&scripts::LIST_ELEMENTS, &()).await?.elements;
    for (place, element, point) in wanted {
        if !now.iter().any(|seen| is_same(&element, point, seen)) && !is_still_read(live, &element).await? {
            return Err(stale(place, &element, point, &now));
        }
    }
    Ok(())
}

/// Whether the page reports the same thing at the same place.
fn is_same(element: &Element, point: Point, seen: &Seen) -> bool {
    // What these show is the project's, and changes while it runs.
    let shows_the_project = matches!(element.kind, ElementType::Stage | ElementType::Monitors | ElementType::Canvas);
    element.kind == seen.kind
        && element.position == seen.position
        && (shows_the_project || element.text == seen.text)
        && point == seen.point.unwrap_or_else(|| seen.position.center())
}

/// Whether a text that was read from the picture is there to the pixel.
async fn is_still_read(live: &mut Live, element: &Element) -> Result<bool, ActionError> {
    if element.kind != ElementType::Text || !live.has_reader() {
        return Ok(false);
    }
    let png = live.page().screenshot().await?;
    let Some(reader) = live.take_reader() else { return Ok(false) };
    let Rect { x, y, width, height } = element.position;
    let compared = tokio::task::spawn_blocking(move || {
        let picture = image::load_from_memory(&png).map(image::DynamicImage::into_rgba8);
        let same = picture.is_ok_and(|picture| reader.has_seen(&picture, Area::new(x, y, width, height)));
        (reader, same)
    });
    let (reader, same) = compared.await.map_err(|error| {
        ActionError::refused("ocr_failed", error.to_string(), "use coordinates, or observe with ocr=off")
    })?;
    live.put_reader(reader);
    Ok(same)
}

fn stale(place: Place, element: &Element, point: Point, now: &[Seen]) -> ActionError {
    let Element { index, kind, text, .. } = element;
    let there = what_is_at(point, now).map_or_else(
        || "nothing is there now".to_owned(),
        |seen| format!("there is now {}", named(seen.kind, &seen.text)),
    );
    ActionError::refused(
        "stale_index",
        format!(
            "{}index {index} was {} when it was observed, which has moved or changed since; {there}",
            place.prefix(),
            named(*kind, text),
        ),
        "observe again and use the new list, or give coordinates",
    )
}

/// The innermost element at a point.
fn what_is_at(point: Point, now: &[Seen]) -> Option<&Seen> {
    let area = |seen: &Seen| i64::from(seen.position.width) * i64::from(seen.position.height);
    now.iter().filter(|seen| holds(&seen.position, point)).min_by_key(|seen| area(seen))
}

fn holds(at: &Rect, point: Point) -> bool {
    let within =
        |start: i32, length: i32, value: f64| (f64::from(start)..f64::from(start) + f64::from(length)).contains(&value);
    within(at.x, at.width, point.x) && within(at.y, at.height, point.y)
}

fn named(kind: ElementType, text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    if short.is_empty() { kind.to_string() } else { format!("{kind} \"{short}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(kind: ElementType, text: &str, x: i32) -> Seen {
        Seen { kind, text: text.to_owned(), position: Rect::new(x, 10, 40, 20), point: None }
    }

    fn observed(kind: ElementType, text: &str) -> (Element, Point) {
        let position = Rect::new(100, 10, 40, 20);
        (Element { index: 3, kind, text: text.to_owned(), position }, position.center())
    }

    #[test]
    fn the_same_is_of_one_kind_with_one_text_at_one_place() {
        let (block, point) = observed(ElementType::Blocks, "move 10 steps");
        assert!(is_same(&block, point, &seen(ElementType::Blocks, "move 10 steps", 100)));
        assert!(!is_same(&block, point, &seen(ElementType::Blocks, "say Hello!", 100)));
        assert!(!is_same(&block, point, &seen(ElementType::Inputs, "move 10 steps", 100)));
        assert!(!is_same(&block, point, &seen(ElementType::Blocks, "move 10 steps", 101)));
        let elsewhere =
            Seen { point: Some(Point::new(101.0, 11.0)), ..seen(ElementType::Blocks, "move 10 steps", 100) };
        assert!(!is_same(&block, point, &elsewhere), "its middle is covered by now");
        let (monitor, point) = observed(ElementType::Monitors, "score: 1");
        assert!(is_same(&monitor, point, &seen(ElementType::Monitors, "score: 2", 100)));
    }

    #[test]
    fn a_refusal_says_what_was_meant_and_what_is_there() {
        let (block, point) = observed(ElementType::Blocks, "move 10 steps");
        let palette = Seen { position: Rect::new(0, 0, 400, 400), ..seen(ElementType::Canvas, "", 0) };
        let now = [palette, seen(ElementType::Blocks, "say Hello!", 100)];
        let error = stale(Place::Start, &block, point, &now).to_string();
        assert_eq!(
            error,
            "start_index 3 was blocks \"move 10 steps\" when it was observed, which has moved or changed since; \
             there is now blocks \"say Hello!\""
        );
        assert!(stale(Place::Only, &block, point, &[]).to_string().ends_with("nothing is there now"));
    }
}
