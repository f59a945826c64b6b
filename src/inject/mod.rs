//! Faults that can be injected into a gold project, each by a small edit of blocks with an exact inverse (ScratchEval, section 3): the
//! eight patterns with their operators, each a function from a project to candidates; a file a pattern.
//!
//! [`candidates`] lists all that could be tried. Which are tried, and whether a fault shows when the project runs, the room `forge`
//! finds out.

mod clones;
mod conditions;
mod desynchronization;
mod edits;
mod events;
mod handlers;
mod initialization;
mod loops;
mod state;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::patches::effects::Program;
use crate::project::edit::{Edit, apply};

/// What kind of fault it is: the paper's eight patterns (table 1), and the mechanism that models are asked for.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    strum::Display,
    strum::EnumString,
    strum::EnumIter,
    strum::EnumMessage,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Pattern {
    /// A variable or list begins with what an earlier round left.
    MissingInitialization,
    /// What should wait for something else does not.
    Desynchronization,
    /// A message that is sent is not heard, or one that is waited for is not sent.
    UntriggeredEvent,
    /// A loop, or the game, never ends.
    NonTerminatingLoop,
    /// The wrong branch, the wrong number, the wrong variable.
    IncorrectConditionalLogic,
    /// A sprite looks wrong, is not seen, or faces the wrong way.
    SpriteStateMismatch,
    /// Clones pile up, or begin as the last one ended.
    CloneManagementError,
    /// Two scripts do the same, or one does what it should only do at times.
    EventHandlerConflict,
}

/// All operators, in the order of the catalogue (ScratchEval, section 3.3).
pub const OPERATORS: [&str; 26] = [
    "MI.delete",
    "MI.literal",
    "MI.move",
    "DS.nowait",
    "DS.delay",
    "UE.send",
    "UE.hear",
    "UE.drop",
    "UE.unhook",
    "NT.flip",
    "NT.threshold",
    "NT.negate",
    "IC.compare",
    "IC.logic",
    "IC.offbyone",
    "IC.operands",
    "IC.variable",
    "IC.binding",
    "SS.remove",
    "SS.swap",
    "SS.move",
    "CM.leak",
    "CM.noinit",
    "HC.double",
    "HC.overlap",
    "HC.ungate",
];

/// A fault that could be injected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    pub pattern: Pattern,
    /// The operator, such as `MI.delete`.
    pub operator: &'static str,
    /// The target of the site.
    pub sprite_id: String,
    /// Id of the script's hat.
    pub script: String,
    /// Id of the block that the fault is at.
    pub block_id: String,
    /// Id of the statement that it is, or that it lies in the slots of.
    pub statement: String,
    /// Messages whose names another repair may choose otherwise.
    pub messages: Vec<String>,
    /// Where it is: the target's script, place in its stack, and for each mouth around it the mouth and the place.
    pub path: String,
    /// Which of the operator's variants at this place.
    pub variant: String,
    pub patch: Vec<Edit>,
}

impl Candidate {
    /// Whether its patch gives another project.
    pub fn applies_to(&self, gold: &Value) -> bool {
        apply(gold, &self.patch).is_ok_and(|buggy| buggy != *gold)
    }

    /// Its name in the project.
    pub fn id(&self) -> String {
        format!("{}:{}:{}:{}", self.operator, self.sprite_id, self.path, self.variant)
    }
}

/// All candidates of a gold project, pattern by pattern, in the order of the file. Each gives another project that can be loaded.
pub fn candidates(gold: &Value) -> Vec<Candidate> {
    sites(gold).into_iter().filter(|candidate| candidate.applies_to(gold)).collect()
}

/// The same by their sites alone, which is much faster: whether a patch gives another project is for [`Candidate::applies_to`] to say.
pub fn sites(gold: &Value) -> Vec<Candidate> {
    let program = Program::of(gold);
    let mut all = Vec::new();
    for pattern in [
        initialization::candidates,
        desynchronization::candidates,
        events::candidates,
        loops::candidates,
        conditions::candidates,
        state::candidates,
        clones::candidates,
        handlers::candidates,
    ] {
        pattern(&program, &mut all);
    }
    all
}
