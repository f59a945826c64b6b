//! drag_and_drop, and the one path that every drag takes.
//!
//! The path depends on the arguments alone; pacing over `duration` never changes it, and neither does
//! load, since each event is awaited.

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target::{At, Place, aim, one_of};
use crate::action::{Action, ActionError, Context, Done, NoData};
use crate::model::{Mode, Point};
use crate::page::{Button, MouseInput};

/// Length of the first move in pixels: more than the 10 px that the palette asks for before it makes a
/// block, and than the 3 px of the canvas (Blockly's `flyoutDragRadius` and `dragRadius`).
pub const DRAG_THRESHOLD: f64 = 12.0;
/// Pixels that one move on the straight line covers, as long as the number of moves allows.
const STRIDE: f64 = 40.0;
/// Fewest and most moves on the straight line. The reference makes 15 for its default duration.
const MOVES: (u32, u32) = (4, 15);

/// How every drag travels, for code that predicts its path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PathRules {
    /// Length of the first move in pixels.
    pub threshold: f64,
    /// Pixels that one further move covers, as long as their number allows.
    pub stride: f64,
    /// Fewest further moves before the end.
    pub fewest: u32,
    /// Most further moves before the end.
    pub most: u32,
}

/// The rules that [`drag_path`] follows.
pub const PATH_RULES: PathRules =
    PathRules { threshold: DRAG_THRESHOLD, stride: STRIDE, fewest: MOVES.0, most: MOVES.1 };

/// Longest pacing: no call takes much longer than 10 seconds because its caller wants it to.
const MAX_DURATION_S: f64 = 10.0;

/// From where to where; each end as coordinates or as an index.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = |schema: &mut schemars::Schema| one_of(schema, &[
    &["start_x", "start_y", "end_x", "end_y"],
    &["start_index", "end_index"],
    &["start_x", "start_y", "end_index"],
    &["start_index", "end_x", "end_y"],
]))]
pub struct DragArgs {
    /// Where to press, pixels from the left.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub start_x: Option<f64>,
    /// Where to press, pixels from the top.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub start_y: Option<f64>,
    /// Where to release, pixels from the left.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub end_x: Option<f64>,
    /// Where to release, pixels from the top.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub end_y: Option<f64>,
    /// Element of the last observation to press on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub start_index: Option<u32>,
    /// Element of the last observation to release on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub end_index: Option<u32>,
    /// Seconds that the moves are spread over, 0 to 10; 0 by default. It never changes the path.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub duration: f64,
}

/// Presses, moves in a straight line, releases.
#[derive(Debug)]
pub struct DragAndDrop;

impl Action for DragAndDrop {
    const NAME: &'static str = "drag_and_drop";
    const MODE: Mode = Mode::Primitive;
    const DOC: &'static str =
        "Press the left button at the start, move in a straight line to the end, and release it there.";
    type Args = DragArgs;
    type Data = NoData;

    async fn perform(context: Context<'_>, args: DragArgs) -> Result<Done<NoData>, ActionError> {
        if !(0.0..=MAX_DURATION_S).contains(&args.duration) {
            return Err(ActionError::invalid(format!("duration must be between 0 and {MAX_DURATION_S} seconds")));
        }
        let start = At { x: args.start_x, y: args.start_y, index: args.start_index };
        let end = At { x: args.end_x, y: args.end_y, index: args.end_index };
        let [start, end] = aim(context.live, [(Place::Start, start), (Place::End, end)]).await?;
        let page = context.live.page();
        page.mouse(MouseInput::Move(start)).await?;
        page.mouse(MouseInput::Down(start, Button::Left, 1)).await?;
        let path = drag_path(start, end);
        let pace = Pace::over(Duration::from_secs_f64(args.duration), path.len());
        for (moved, point) in path.iter().enumerate() {
            page.mouse(MouseInput::Move(*point)).await?;
            pace.wait(moved + 1).await;
        }
        page.mouse(MouseInput::Up(end, Button::Left, 1)).await?;
        let executed = DragArgs {
            start_x: Some(start.x),
            start_y: Some(start.y),
            end_x: Some(end.x),
            end_y: Some(end.y),
            duration: args.duration,
            ..DragArgs::default()
        };
        Ok(Done::new(NoData {}).executed_as(&executed))
    }
}

/// How many moves lie on the straight line, not counting the first one past the threshold and the end.
pub fn move_count(start: Point, end: Point) -> u32 {
    let (fewest, most) = MOVES;
    (fewest..most).find(|moves| f64::from(*moves) * STRIDE >= start.distance(end)).unwrap_or(most)
}

/// The pointer positions of a drag after the press: one past the threshold, the moves on the straight
/// line, the end twice. A drag that goes nowhere has no first move, so that it stays a click.
pub fn drag_path(start: Point, end: Point) -> Vec<Point> {
    let distance = start.distance(end);
    let mut path = Vec::new();
    if distance > 0.0 {
        path.push(start.towards(end, DRAG_THRESHOLD / distance));
        let moves = move_count(start, end);
        path.extend((1..=moves).map(|step| start.towards(end, f64::from(step) / f64::from(moves + 1))));
    }
    path.extend([end, end]);
    path
}

/// Spreads moves evenly over a time.
struct Pace {
    started: Instant,
    each: Duration,
}

impl Pace {
    fn over(duration: Duration, moves: usize) -> Self {
        let each = duration / u32::try_from(moves).unwrap_or(1).max(1);
        Self { started: Instant::now(), each }
    }

    async fn wait(&self, moves: usize) {
        let due = self.each * u32::try_from(moves).unwrap_or(u32::MAX);
        if let Some(left) = due.checked_sub(self.started.elapsed()) {
            tokio::time::sleep(left).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn short_drags_make_four_moves_and_long_ones_fifteen() {
        let from = Point::new(100.0, 100.0);
        assert_eq!(move_count(from, Point::new(150.0, 100.0)), 4);
        assert_eq!(move_count(from, Point::new(1200.0, 100.0)), 15);
        assert_eq!(drag_path(from, Point::new(150.0, 100.0)).len(), 1 + 4 + 2);
    }

    #[test]
    fn a_drag_to_its_own_start_stays_put() {
        let here = Point::new(5.0, 5.0);
        assert_eq!(drag_path(here, here), [here, here]);
    }

    proptest! {
        #[test]
        fn every_path_passes_the_threshold_first_and_rests_at_the_end(
            sx in 0.0..1280.0, sy in 0.0..720.0, ex in 0.0..1280.0, ey in 0.0..720.0) {
            let (start, end) = (Point::new(sx, sy), Point::new(ex, ey));
            prop_assume!(start.distance(end) > 0.001);
            let path = drag_path(start, end);
            prop_assert!(path[0].distance(start) > 10.0);
            prop_assert_eq!(&path[path.len() - 2..], &[end, end]);
        }
    }
}
