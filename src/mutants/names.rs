//! Other messages, variables and lists that a block could refer to.

use serde_json::{Value, json};

use crate::project::view::{TargetView, targets};

/// Id of a message that only a mutant has.
pub(super) const NEW_MESSAGE: &str = "mutant-message";

/// A name and its id.
pub(super) type Named = (String, String);

/// What is in scope of a target.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    variables: Vec<Named>,
    lists: Vec<Named>,
    messages: Vec<Named>,
}

impl Names {
    /// What a target sees: its own things and those of the stage.
    pub(super) fn of(project: &Value, target: TargetView<'_>) -> Self {
        let stage = targets(project).find(TargetView::is_stage);
        let outer = stage.filter(|_| !target.is_stage());
        let named = |key: &str, view: Option<TargetView<'_>>| -> Vec<Named> {
            let name = |item: &Value| item.as_str().or_else(|| item.get(0)?.as_str()).map(str::to_owned);
            let entries = view.into_iter().flat_map(|view| view.entries(key));
            entries.filter_map(|(id, item)| Some((name(item)?, id.to_owned()))).collect()
        };
        let both = |key: &str| [named(key, Some(target)), named(key, outer)].concat();
        Self { variables: both("variables"), lists: both("lists"), messages: named("broadcasts", stage) }
    }

    /// Another variable or list than that of an id, or than the first of a name where there is none: the one after it, around the end.
    pub(super) fn other(&self, list: bool, id: Option<&str>, name: &str) -> Option<Named> {
        let all = if list { &self.lists } else { &self.variables };
        let of_id = |id: &str| all.iter().position(|(_, known)| known == id);
        let own = id.and_then(of_id).or_else(|| all.iter().position(|(known, _)| known == name));
        let after = own.map_or(0, |at| at + 1);
        // What the target has of an id hides what the stage has of it.
        let is_other = |one: &&Named| own.is_none_or(|at| all[at].1 != one.1);
        all.iter().cycle().skip(after).take(all.len()).find(is_other).cloned()
    }

    /// Another message; a new one, to be declared, if there is no other.
    pub(super) fn other_message(&self, name: &str) -> (Named, Option<Named>) {
        // Scratch takes messages that differ only in case for the same.
        let same = |other: &str| other.to_lowercase() == name.to_lowercase();
        if let Some(other) = self.messages.iter().find(|(other, _)| !same(other)) {
            return (other.clone(), None);
        }
        let new = (format!("not {name}"), NEW_MESSAGE.to_owned());
        (new.clone(), Some(new))
    }
}

/// Declares a message on the stage.
pub(super) fn declare(project: &mut Value, (name, id): &Named) -> Option<()> {
    let stage = project.get_mut("targets")?.as_array_mut()?.first_mut()?;
    if stage.get("broadcasts").is_none_or(|broadcasts| !broadcasts.is_object()) {
        stage.as_object_mut()?.insert("broadcasts".to_owned(), json!({}));
    }
    stage.get_mut("broadcasts")?.as_object_mut()?.insert(id.clone(), json!(name)).is_none().then_some(())
}
