//! Scenarios: fixed inputs at fixed ticks, which are played to a program and say nothing about what should come of them
//! (ScratchEval, section 4). Which ones are worth playing, and how they reach the program, is not known here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Inputs for one run of a program, which begins freshly loaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Its name within a suite, such as `s2`.
    pub id: String,
    /// The template that it was made of, with its parameter, such as `tap(space)`.
    pub template: String,
    /// Ticks after which the run ends, from 1; a program at rest ends it before.
    pub length: u64,
    /// What is answered to the questions that come, in turn and again from the first; each 15 ticks after its question.
    #[serde(default)]
    pub answers: Vec<String>,
    /// In the order of their ticks.
    pub steps: Vec<Step>,
}

/// An input; `at` is the tick before which it comes, from 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// The green flag is clicked.
    Flag { at: u64 },
    /// The stop sign is clicked.
    Stop { at: u64 },
    /// A key, as Scratch's menus name it, is held for so many ticks.
    Key { at: u64, key: String, ticks: u64 },
    /// The pointer is moved, in Scratch units.
    Mouse { at: u64, x: f64, y: f64 },
    /// The button goes down or up where the pointer is.
    Button { at: u64, down: bool },
    /// A sprite is clicked where it or a clone of it shows; nothing happens where none does.
    Click { at: u64, sprite: String },
    /// The stage is clicked where no sprite is.
    ClickStage { at: u64 },
    /// A sprite is dragged so that it ends at this place, in Scratch units.
    Drag { at: u64, sprite: String, to: (f64, f64) },
    /// A message is sent from outside.
    Message { at: u64, message: String },
    /// The hats of a backdrop are started, without a switch to it.
    Backdrop { at: u64, backdrop: String },
}

impl Scenario {
    /// The same up to so many ticks.
    pub fn until(&self, ticks: u64) -> Self {
        let steps = self.steps.iter().filter(|step| step.at() < ticks).cloned().collect();
        Self { length: ticks, steps, ..self.clone() }
    }
}

impl Step {
    /// The tick before which it comes.
    pub const fn at(&self) -> u64 {
        match self {
            Self::Flag { at }
            | Self::Stop { at }
            | Self::Key { at, .. }
            | Self::Mouse { at, .. }
            | Self::Button { at, .. }
            | Self::Click { at, .. }
            | Self::ClickStage { at }
            | Self::Drag { at, .. }
            | Self::Message { at, .. }
            | Self::Backdrop { at, .. } => *at,
        }
    }

    /// The same before another tick.
    #[must_use]
    pub fn moved_to(&self, tick: u64) -> Self {
        let mut moved = self.clone();
        match &mut moved {
            Self::Flag { at }
            | Self::Stop { at }
            | Self::Key { at, .. }
            | Self::Mouse { at, .. }
            | Self::Button { at, .. }
            | Self::Click { at, .. }
            | Self::ClickStage { at }
            | Self::Drag { at, .. }
            | Self::Message { at, .. }
            | Self::Backdrop { at, .. } => *at = tick,
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn steps_are_written_as_the_contract_has_them_and_strange_members_are_refused() {
        let step = json!({"at": 60, "do": "key", "key": "right arrow", "ticks": 20});
        let read: Step = serde_json::from_value(step.clone()).unwrap();
        assert_eq!((read.at(), &read), (60, &Step::Key { at: 60, key: "right arrow".to_owned(), ticks: 20 }));
        let mut strange = step;
        strange["held"] = json!(true);
        assert!(serde_json::from_value::<Step>(strange).is_err());
        assert!(serde_json::from_value::<Step>(json!({"at": 0, "do": "jump"})).is_err());
        let drag: Step =
            serde_json::from_value(json!({"at": 1, "do": "drag", "sprite": "Moth", "to": [0, 90]})).unwrap();
        assert_eq!(drag, Step::Drag { at: 1, sprite: "Moth".to_owned(), to: (0.0, 90.0) });
    }
}
