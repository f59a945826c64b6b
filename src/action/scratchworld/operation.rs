//! Block operations in the reference's terms: its numbers are put into the registry's, which does the work.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::block_args::{ArgsFault, for_registry};
use super::blocks::locate;
use crate::action::{ActionError, perform_on};
use crate::model::{ActionCall, ActionReply, Mode};
use crate::session::Live;

/// The operations that end what the block numbers stand for: edits, and opening another sprite.
const RENUMBERING: [&str; 6] =
    ["add_block", "connect_blocks", "detach_blocks", "delete_block", "select_sprite", "select_stage"];

/// Why an operation was not tried.
#[derive(Debug, thiserror::Error)]
pub enum OperationFault {
    #[error(transparent)]
    Args(#[from] ArgsFault),
    #[error(transparent)]
    Action(#[from] ActionError),
}

/// Carries out an operation by the arguments that it knows. The reply is the registry's, with the blocks that an error names
/// by their numbers in the reference's terms.
///
/// # Errors
/// When an argument is missing or unfit, a number names no block, or the page is lost. What the registry refuses is a reply.
pub async fn operate(live: &mut Live, api: &str, known: &Map<String, Value>) -> Result<ActionReply, OperationFault> {
    let located = locate(live).await?;
    let args = for_registry(api, known, &located)?;
    // The reference has no reports, however the session was created.
    let call = ActionCall { report: Some(false), ..ActionCall::new(api, args) };
    let mut reply = perform_on(live, Mode::Composite, call).await;
    match &mut reply.error {
        Some(error) => {
            let known_as = |number| located.known_as(number);
            error.message = renumbered(&error.message, known_as);
            error.hint = error.hint.as_deref().map(|hint| renumbered(hint, known_as));
        }
        None if RENUMBERING.contains(&api) => live.memory.reference_blocks = None,
        None => {}
    }
    Ok(reply)
}

/// How messages name blocks.
const NAMED: &str = "block #";

/// A text in which blocks have other numbers: `block #3` becomes what `known_as` says, and a block without a number there
/// has none.
fn renumbered(text: &str, known_as: impl Fn(u32) -> Option<usize>) -> String {
    let mut parts = text.split(NAMED);
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let (digits, rest) = part.split_at(end);
        // Writing to a String can't fail.
        let _ = match digits.parse().ok().map(&known_as) {
            None => write!(written, "{NAMED}{part}"),
            Some(Some(number)) => write!(written, "{NAMED}{number}{rest}"),
            Some(None) => write!(written, "block{rest}"),
        };
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_blocks_by_the_numbers_that_the_caller_knows() {
        let known_as = |number| (number == 7).then_some(3);
        let text = "TIMES of control_repeat holds the block #7 operator_add";
        assert_eq!(renumbered(text, known_as), "TIMES of control_repeat holds the block #3 operator_add");
        assert_eq!(renumbered("the block #8 operator_add", known_as), "the block operator_add");
        assert_eq!(renumbered("no block: # or #123456", known_as), "no block: # or #123456");
    }
}
