//! click and double_click.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target::{At, Place, aim, one_of};
use crate::action::{Action, ActionError, Context, Done, NoData};
use crate::model::{Mode, Point};
use crate::page::{Button, MouseInput};

/// Where to click, and with which button.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = |schema: &mut schemars::Schema| one_of(schema, &[&["x", "y"], &["index"]]))]
pub struct ClickArgs {
    /// Pixels from the left edge of the viewport, 0 to 1279.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub x: Option<f64>,
    /// Pixels from the top edge of the viewport, 0 to 719.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub y: Option<f64>,
    /// Index of an element of the last observation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub index: Option<u32>,
    /// Which button; left by default.
    #[serde(default)]
    pub button: Button,
}

#[derive(Debug)]
pub struct Click;

impl Action for Click {
    const NAME: &'static str = "click";
    const MODE: Mode = Mode::Primitive;
    const DOC: &'static str = "Click at a point or on an element of the last observation.";
    type Args = ClickArgs;
    type Data = NoData;

    async fn perform(context: Context<'_>, args: ClickArgs) -> Result<Done<NoData>, ActionError> {
        press(context, args, 1).await
    }
}

#[derive(Debug)]
pub struct DoubleClick;

impl Action for DoubleClick {
    const NAME: &'static str = "double_click";
    const MODE: Mode = Mode::Primitive;
    const DOC: &'static str = "Double-click at a point or on an element of the last observation.";
    type Args = ClickArgs;
    type Data = NoData;

    async fn perform(context: Context<'_>, args: ClickArgs) -> Result<Done<NoData>, ActionError> {
        press(context, args, 2).await
    }
}

async fn press(context: Context<'_>, args: ClickArgs, times: u8) -> Result<Done<NoData>, ActionError> {
    let at = At { x: args.x, y: args.y, index: args.index };
    let [point] = aim(context.live, [(Place::Only, at)]).await?;
    let page = context.live.page();
    page.mouse(MouseInput::Move(point)).await?;
    for count in 1..=times {
        page.mouse(MouseInput::Down(point, args.button, count)).await?;
        page.mouse(MouseInput::Up(point, args.button, count)).await?;
    }
    Ok(Done::new(NoData {}).executed_as(&executed(point, args.button)))
}

const fn executed(point: Point, button: Button) -> ClickArgs {
    ClickArgs { x: Some(point.x), y: Some(point.y), index: None, button }
}
