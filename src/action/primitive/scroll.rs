//! scroll.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target::{At, Place, aim};
use crate::action::{Action, ActionError, Context, Done, NoData};
use crate::model::{Mode, Point, VIEWPORT};
use crate::page::MouseInput;

/// Default distance of a scroll, in pixels.
const DEFAULT_AMOUNT: f64 = 100.0;
/// More than the longest palette; a larger wheel turn has no further effect.
const MAX_AMOUNT: f64 = 20_000.0;

/// Which way the content moves out of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Shows what is above.
    Up,
    /// Shows what is below.
    Down,
    /// Shows what is to the left.
    Left,
    /// Shows what is to the right.
    Right,
}

/// Which way, how far and where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScrollArgs {
    /// Which way.
    pub direction: Direction,
    /// Pixels, at least 1; 100 by default.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(range(min = 1.0, max = 20000.0))]
    pub amount: Option<f64>,
    /// Where the pointer is while scrolling; its last position by default. The same as the flat fields.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(extend("x-second-form" = true))]
    pub at: Option<At>,
    /// Where the pointer is while scrolling: pixels from the left edge of the viewport.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub x: Option<f64>,
    /// Pixels from the top edge of the viewport.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub y: Option<f64>,
    /// Or over this element of the last observation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub index: Option<u32>,
}

#[derive(Debug)]
pub struct Scroll;

impl Action for Scroll {
    const NAME: &'static str = "scroll";
    const MODE: Mode = Mode::Primitive;
    const DOC: &'static str = "Turn the mouse wheel: the palette, the code area or a list scrolls.";
    type Args = ScrollArgs;
    type Data = NoData;

    async fn perform(context: Context<'_>, args: ScrollArgs) -> Result<Done<NoData>, ActionError> {
        let amount = args.amount.unwrap_or(DEFAULT_AMOUNT);
        if !(1.0..=MAX_AMOUNT).contains(&amount) {
            return Err(ActionError::invalid(format!("amount must be between 1 and {MAX_AMOUNT}")));
        }
        let place = place_of(&args)?;
        let point = match place {
            Some(at) => {
                let [point] = aim(context.live, [(Place::Only, at)]).await?;
                point
            }
            None => context.live.page().pointer().unwrap_or_else(center),
        };
        let page = context.live.page();
        page.mouse(MouseInput::Move(point)).await?;
        let (right, down) = match args.direction {
            Direction::Up => (0.0, -amount),
            Direction::Down => (0.0, amount),
            Direction::Left => (-amount, 0.0),
            Direction::Right => (amount, 0.0),
        };
        page.mouse(MouseInput::Wheel(point, right, down)).await?;
        let at = At { x: Some(point.x), y: Some(point.y), index: None };
        let executed =
            ScrollArgs { direction: args.direction, amount: Some(amount), at: Some(at), x: None, y: None, index: None };
        Ok(Done::new(NoData {}).executed_as(&executed))
    }
}

/// The place in whichever form it came.
fn place_of(args: &ScrollArgs) -> Result<Option<At>, ActionError> {
    let flat = At { x: args.x, y: args.y, index: args.index };
    match (args.at, flat == At::default()) {
        (None, true) => Ok(None),
        (Some(at), true) if at == At::default() => Ok(None),
        (Some(at), true) => Ok(Some(at)),
        (None, false) => Ok(Some(flat)),
        (Some(_), false) => Err(ActionError::invalid("give the place either in `at` or as x, y or index, not both")),
    }
}

fn center() -> Point {
    Point::new(f64::from(VIEWPORT.0) / 2.0, f64::from(VIEWPORT.1) / 2.0)
}
