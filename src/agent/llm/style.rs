//! How a model is talked to: the two protocols, and the switches that may differ from them.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter, EnumMessage, EnumString, IntoStaticStr};

use crate::agent::Observing;
use crate::perceive::Convention;

/// A way of talking to a model.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Display, EnumIter, EnumMessage, EnumString, IntoStaticStr,
)]
pub enum Protocol {
    /// The published agent's (paper, appendix P, and its implementation): the result of an action is never shown, an
    /// unreadable answer is a lost step, the last ten turns are sent, pictures of the newest one only.
    #[strum(serialize = "paper-1")]
    #[serde(rename = "paper-1")]
    Paper1,
    /// Ours: errors are shown, unreadable answers are answered with what is wrong, the conversation only grows until it is
    /// shortened, and of the elements only changes are sent.
    #[strum(serialize = "scratchbed-1")]
    #[serde(rename = "scratchbed-1")]
    Scratchbed1,
}

/// How a model says what it does.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Display, EnumIter, EnumMessage, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Answers {
    /// As a JSON object in its text.
    Text,
    /// By calling a tool; each action is one.
    Tools,
}

/// How much of the conversation is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum History {
    /// The system message and this many of the last messages, once there are more.
    Last { messages: usize },
    /// All of it, until it has about this many tokens; then a line for each of the older half of the turns takes their place.
    Growing { tokens: usize },
}

/// How a model is talked to. All of it is part of a run's record.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Style {
    pub protocol: Protocol,
    /// How the model says what it does.
    pub answers: Answers,
    /// What the model is shown.
    pub observing: Observing,
    /// Whether primitive mode has the element list; else the model sees pictures only, and names points.
    pub elements: bool,
    /// Whether of the elements only changes are sent after the first list.
    pub changes_only: bool,
    /// Whether the result of the last action is sent.
    pub feedback: bool,
    pub history: History,
    /// Of so many newest turns the pictures are sent; 0 for none at all.
    pub pictures: usize,
    /// How many turns more than `pictures` may keep theirs, so that the beginning of requests changes seldom.
    pub picture_slack: usize,
    /// So many unreadable answers in a row end the attempt, each of them answered with what is wrong; 0 when an unreadable
    /// answer is a lost step instead.
    pub unreadable: u32,
    /// What the model's coordinates mean.
    pub convention: Convention,
    /// Whether what a model thought is sent back to it. With answers that call tools it always is.
    pub sends_reasoning: bool,
    /// Whether the provider is asked to keep the beginning of a request for the next one. It changes costs alone.
    pub cache: bool,
}

impl Style {
    /// The protocol as it is, for a model with these coordinates.
    pub const fn of(protocol: Protocol, convention: Convention) -> Self {
        match protocol {
            Protocol::Paper1 => Self {
                protocol,
                answers: Answers::Text,
                observing: Observing::Published,
                elements: true,
                changes_only: false,
                feedback: false,
                // Ten turns of two messages, and the newest observation.
                history: History::Last { messages: 21 },
                pictures: 1,
                picture_slack: 0,
                unreadable: 0,
                convention,
                sends_reasoning: true,
                cache: false,
            },
            Protocol::Scratchbed1 => Self {
                protocol,
                answers: Answers::Text,
                observing: Observing::Native,
                elements: true,
                changes_only: true,
                feedback: true,
                history: History::Growing { tokens: 60_000 },
                pictures: 1,
                picture_slack: 3,
                unreadable: 3,
                convention,
                sends_reasoning: false,
                cache: true,
            },
        }
    }

    /// The same where the model is shown this. The published lists have no changes: each is whole.
    pub const fn observing(self, observing: Observing) -> Self {
        let changes_only = self.changes_only && matches!(observing, Observing::Native);
        Self { observing, changes_only, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_protocol_has_its_observation_and_published_lists_are_whole() {
        let of = |protocol| Style::of(protocol, Convention::Pixels);
        assert_eq!(of(Protocol::Paper1).observing, Observing::Published);
        let ours = of(Protocol::Scratchbed1);
        assert!(ours.observing == Observing::Native && ours.changes_only);
        assert!(!ours.observing(Observing::Published).changes_only);
        assert_eq!(serde_json::to_value(of(Protocol::Paper1)).unwrap()["observing"], "paper");
    }
}
