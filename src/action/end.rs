//! The two actions that end an attempt; both modes have them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ActionError;
use super::contract::{Action, Context, Done as Outcome, Kind, NoData};
use crate::model::Mode;

/// Why the agent stops, in its own words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndArgs {
    /// Why, for the record; nothing depends on it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

const fn mode(primitive: bool) -> Mode {
    if primitive { Mode::Primitive } else { Mode::Composite }
}

/// The agent declares the task done.
#[derive(Debug)]
pub struct Done<const PRIMITIVE: bool>;

impl<const PRIMITIVE: bool> Action for Done<PRIMITIVE> {
    const NAME: &'static str = "done";
    const MODE: Mode = mode(PRIMITIVE);
    const KIND: Kind = Kind::End;
    const DOC: &'static str = "Mark the task as completed.";
    type Args = EndArgs;
    type Data = NoData;

    async fn perform(_: Context<'_>, _: EndArgs) -> Result<Outcome<NoData>, ActionError> {
        Ok(Outcome::new(NoData {}))
    }
}

/// The agent gives up.
#[derive(Debug)]
pub struct Failed<const PRIMITIVE: bool>;

impl<const PRIMITIVE: bool> Action for Failed<PRIMITIVE> {
    const NAME: &'static str = "failed";
    const MODE: Mode = mode(PRIMITIVE);
    const KIND: Kind = Kind::End;
    const DOC: &'static str = "Mark the task as failed: it can't be done.";
    type Args = EndArgs;
    type Data = NoData;

    async fn perform(_: Context<'_>, _: EndArgs) -> Result<Outcome<NoData>, ActionError> {
        Ok(Outcome::new(NoData {}))
    }
}
