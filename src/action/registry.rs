//! The table of actions. Routes, tools, schemas, prompts and docs are made from it; a call's action is
//! looked up in it once, by the room that takes the call.

use super::error::meant;
use super::{ActionError, Entry, composite, primitive};
use crate::model::{ActionCall, Mode};

/// A call with the action that it asks for.
#[derive(Debug, Clone)]
pub struct Resolved {
    pub entry: &'static Entry,
    /// The call, by the action's name.
    pub call: ActionCall,
}

impl Resolved {
    /// Looks the action of a call up.
    ///
    /// # Errors
    /// As [`unknown_action`].
    pub fn of(mode: Mode, call: ActionCall) -> Result<Self, ActionError> {
        match find(mode, &call.api) {
            Some(entry) => Ok(Self { entry, call }),
            None => Err(unknown_action(mode, &call.api)),
        }
    }
}

/// All actions of both modes.
pub fn registry() -> &'static [Entry] {
    static ENTRIES: std::sync::LazyLock<Vec<Entry>> =
        std::sync::LazyLock::new(|| [primitive::ENTRIES, composite::ENTRIES].concat());
    &ENTRIES
}

/// The action of this name in this mode.
pub fn find(mode: Mode, name: &str) -> Option<&'static Entry> {
    registry().iter().find(|entry| entry.mode == mode && entry.name == name)
}

/// The refusal of a name that the mode does not have.
pub fn unknown_action(mode: Mode, name: &str) -> ActionError {
    ActionError::UnknownAction { mode, name: name.to_owned(), hint: known_actions(mode, name) }
}

/// The nearest name; where the other mode has just this one, that; and all that this mode has.
fn known_actions(mode: Mode, asked: &str) -> String {
    let of = |mode: Mode| {
        registry().iter().filter(move |entry| entry.mode == mode && !entry.extended).map(|entry| entry.name)
    };
    let elsewhere = registry().iter().find(|entry| entry.mode != mode && entry.name == asked);
    let first = match (elsewhere, meant(asked, of(mode))) {
        (Some(entry), _) => format!("`{asked}` is an action of {} mode; ", entry.mode),
        (None, Some(name)) => format!("did you mean `{name}`? "),
        (None, None) => String::new(),
    };
    format!("{first}{mode} mode has {}", of(mode).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_within_a_mode_and_every_entry_is_documented() {
        let mut seen = BTreeSet::new();
        for entry in registry() {
            assert!(seen.insert((entry.mode.to_string(), entry.name)), "{} twice", entry.name);
            assert!(entry.doc.len() > 20, "{} has no doc", entry.name);
        }
    }

    #[test]
    fn a_misspelt_name_is_answered_with_the_nearest_and_one_of_the_other_mode_with_that() {
        assert!(known_actions(Mode::Composite, "set_block_feild").starts_with("did you mean `set_block_field`? "));
        let elsewhere = known_actions(Mode::Composite, "click");
        assert!(elsewhere.starts_with("`click` is an action of primitive mode; composite mode has "), "{elsewhere}");
        assert!(known_actions(Mode::Primitive, "zzz").starts_with("primitive mode has "));
    }
}
