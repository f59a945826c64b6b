//! The turns of an attempt: what was thought, kept in mind and done.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::answer::Reply;
use crate::model::ActionCall;

/// So many of the last turns are in a request.
pub(super) const WINDOW: usize = 5;
/// Bytes of a thought or a note that go into later requests; a few hundred would do.
const PART_BYTES: usize = 16 << 10;
/// What stands for an action that can't be read.
const NO_ACTION: &str = "none that could be read";

/// The turns of an attempt, in order.
#[derive(Debug, Default)]
pub(super) struct Path(Vec<Turn>);

/// A turn, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Turn {
    number: u32,
    thought: String,
    memory: String,
    action: String,
}

/// What an attempt did that was judged a success: a line of the file of trajectories.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Trajectory {
    pub(super) task_description: String,
    pub(super) traj: String,
}

impl Path {
    /// Adds a turn.
    pub(super) fn add(&mut self, number: u32, reply: &Reply) {
        let action = reply.call.as_ref().map_or_else(|_| NO_ACTION.to_owned(), in_words);
        let [thought, memory] = [&reply.thought, &reply.memory].map(|part| clipped(part, PART_BYTES).to_owned());
        self.0.push(Turn { number, thought, memory, action });
    }

    /// The last turns, which are in a request.
    pub(super) fn window(&self) -> &[Turn] {
        &self.0[self.0.len().saturating_sub(WINDOW)..]
    }

    /// All actions.
    pub(super) fn actions(&self) -> Vec<&str> {
        self.0.iter().map(|turn| turn.action.as_str()).collect()
    }

    /// All of it, but for the notes, which were of use in the attempt alone.
    pub(super) fn trajectory(&self, instruction: &str) -> Trajectory {
        let lines = self.0.iter().map(|turn| format!("thought: {}\naction: {}", turn.thought, turn.action));
        Trajectory { task_description: instruction.to_owned(), traj: lines.collect::<Vec<_>>().join("\n") }
    }
}

fn in_words(call: &ActionCall) -> String {
    json!({"api": call.api, "args": call.args}).to_string()
}

/// The beginning of a text that may have any length, at most so many bytes.
pub(super) fn clipped(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;
    use crate::agent::llm::Fault;

    fn reply(number: u32) -> Reply {
        let call = ActionCall::new("click", Map::from_iter([("index".to_owned(), number.into())]));
        Reply { thought: format!("t{number}"), memory: format!("m{number}"), call: Ok(call) }
    }

    fn path(turns: u32) -> Path {
        let mut path = Path::default();
        (1..=turns).for_each(|number| path.add(number, &reply(number)));
        path
    }

    #[test]
    fn the_window_is_the_last_five_turns() {
        let numbers = |path: &Path| path.window().iter().map(|turn| turn.number).collect::<Vec<_>>();
        assert!(numbers(&path(0)).is_empty());
        assert_eq!(numbers(&path(3)), [1, 2, 3]);
        assert_eq!(numbers(&path(5)), [1, 2, 3, 4, 5]);
        assert_eq!(numbers(&path(9)), [5, 6, 7, 8, 9]);
        let last = path(9).window()[4].clone();
        let action = r#"{"api":"click","args":{"index":9}}"#;
        assert_eq!((last.thought.as_str(), last.memory.as_str(), last.action.as_str()), ("t9", "m9", action));
    }

    #[test]
    fn a_trajectory_has_all_turns_the_lost_ones_too() {
        let mut path = path(6);
        path.add(7, &Reply { call: Err(Fault::Broken), ..reply(7) });
        let Trajectory { task_description, traj } = path.trajectory("Go.");
        assert_eq!((task_description.as_str(), traj.lines().count()), ("Go.", 14));
        assert!(
            traj.starts_with("thought: t1\naction: {\"api\":\"click\"")
                && traj.ends_with("action: none that could be read")
        );
        assert_eq!(path.actions().len(), 7);
    }

    #[test]
    fn long_thoughts_are_cut_between_letters() {
        let mut path = Path::default();
        path.add(1, &Reply { thought: format!("a{}", "ü".repeat(PART_BYTES)), ..reply(1) });
        assert_eq!(path.window()[0].thought.len(), PART_BYTES - 1);
    }
}
