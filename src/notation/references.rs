//! Which variable or list a reference in a project file means, found as the editor's machine finds it, and what the text writes
//! for it.
//!
//! The machine goes by the id, in the target and then on the stage (scratch-vm, `engine/target.js`, `lookupOrCreateVariable`). The project
//! is one that was `loaded`: ids that nothing has are settled.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use scratchbed_project::view::TargetView;

use super::document::TextTarget;
use super::loss::LossKind;
use super::names::{DataKind, Place, written};

/// What scripts of one target can refer to.
#[derive(Default)]
pub(super) struct References<'a> {
    by_id: HashMap<&'a str, (DataKind, Place)>,
    by_name: HashMap<(DataKind, &'a str), Place>,
    of_stage: HashMap<(DataKind, &'a str), Place>,
    forms: BTreeMap<(DataKind, Place), String>,
    taken: HashSet<(DataKind, String)>,
    /// Names of messages by id, and in lower case: the machine does not tell upper from lower case in them.
    messages: HashMap<&'a str, &'a str>,
    message_names: HashSet<String>,
    /// What was written so far.
    used: RefCell<BTreeSet<(DataKind, Place)>>,
}

/// The variables or lists of a target in the order in which a text has them: with their ids, names and contents.
///
/// Of a variable and a list with one id the machine keeps the list.
pub(super) fn data(view: TargetView<'_>, kind: DataKind) -> Vec<(&str, &str, &serde_json::Value)> {
    let key = if kind == DataKind::Variable { "variables" } else { "lists" };
    let is_kept = |id: &str| {
        let later: &[&str] = if kind == DataKind::Variable { &["lists", "broadcasts"] } else { &["broadcasts"] };
        !later.iter().any(|key| view.get(key).is_some_and(|all| all.get(id).is_some()))
    };
    let all = view.entries(key).filter(|(id, _)| is_kept(id));
    all.filter_map(|(id, item)| Some((id, item.get(0)?.as_str()?, item))).collect()
}

impl<'a> References<'a> {
    /// Those of a target; `targets` are the same with their names numbered.
    pub(super) fn new(views: &[TargetView<'a>], targets: &[TextTarget], target: usize) -> Self {
        let mut found = Self::default();
        // What is found later goes before: the target's own before the stage's, the first of a name before the others.
        for owner in [0, target] {
            let Some(view) = views.get(owner) else { continue };
            for kind in [DataKind::Variable, DataKind::List] {
                for (at, (id, name, _)) in data(*view, kind).into_iter().enumerate().rev() {
                    let place = Place { target: owner, at };
                    found.by_id.insert(id, (kind, place));
                    found.by_name.insert((kind, name), place);
                    if owner == 0 {
                        found.of_stage.insert((kind, name), place);
                    }
                }
            }
        }
        for kind in [DataKind::Variable, DataKind::List] {
            let forms = written(targets, target, kind);
            found.taken.extend(forms.keys().map(|form| (kind, form.clone())));
            found.forms.extend(forms.into_iter().map(|(form, place)| ((kind, place), form)));
        }
        let messages = views.first().into_iter().flat_map(|stage| stage.entries("broadcasts"));
        found.messages = messages.filter_map(|(id, name)| Some((id, name.as_str()?))).collect();
        found.message_names = found.messages.values().map(|name| name.to_lowercase()).collect();
        found
    }

    /// The message that a sender means: that of its id, if it has one (scratch-vm, `engine/target.js`, `lookupBroadcastMsg`).
    pub(super) fn message(&self, id: Option<&str>, name: &str) -> Option<&'a str> {
        match id {
            Some(id) => self.messages.get(id).copied(),
            None => self.messages.values().copied().find(|known| known.to_lowercase() == name.to_lowercase()),
        }
    }

    /// Whether a message of this name is declared.
    pub(super) fn has_message(&self, name: &str) -> bool {
        self.message_names.contains(&name.to_lowercase())
    }

    /// What a reference means, if it is declared.
    pub(super) fn find(&self, kind: DataKind, id: Option<&str>, name: &str) -> Result<Place, LossKind> {
        let other = || LossKind::OtherKind { kind: kind.word(), name: name.to_owned() };
        match id.and_then(|id| self.by_id.get(id)) {
            Some((found, place)) if *found == kind => Ok(*place),
            Some(_) => Err(other()),
            // An id of a message is no name of something else, either.
            None if id.is_some_and(|id| self.messages.contains_key(id)) => Err(other()),
            None => if id.is_some() { &self.of_stage } else { &self.by_name }
                .get(&(kind, name))
                .copied()
                .ok_or_else(|| LossKind::Undeclared { kind: kind.word(), name: name.to_owned() }),
        }
    }

    /// What the text writes for a reference.
    pub(super) fn form(&self, kind: DataKind, id: Option<&str>, name: &str) -> Result<&str, LossKind> {
        let place = self.find(kind, id, name)?;
        self.used.borrow_mut().insert((kind, place));
        let form = self.forms.get(&(kind, place)).map(String::as_str);
        form.ok_or_else(|| LossKind::Unnameable { kind: kind.word(), name: name.to_owned() })
    }

    /// Variables and lists that were written.
    pub(super) fn used(&self) -> BTreeSet<(DataKind, Place)> {
        self.used.borrow().clone()
    }

    /// Whether something of this kind is written so.
    pub(super) fn has_form(&self, kind: DataKind, form: &str) -> bool {
        self.taken.contains(&(kind, form.to_owned()))
    }
}
