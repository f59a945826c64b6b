//! What variables and lists are called in a text: by their names, and where a name alone would be read as another one, by a
//! form that says which is meant.
//!
//! A target reads a name as its own first, then as the stage's. The stage's `score` below a sprite's own is
//! `Stage's score`, the second of two with one name `score #2`. What is really called so goes before such a form.

use std::collections::BTreeMap;

use scratchbed_project::{Numbered, called};

use super::document::TextTarget;

/// What holds data in a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum DataKind {
    Variable,
    List,
}

impl DataKind {
    /// Its word in ids.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Variable => "variable",
            Self::List => "list",
        }
    }
}

/// Where a variable or list is declared: its target, and its place among those of its kind there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place {
    pub(super) target: usize,
    pub(super) at: usize,
}

/// Names of a target's variables or lists, each with its number among those of that name.
pub(super) fn declared(target: &TextTarget, kind: DataKind) -> Vec<(&str, usize)> {
    match kind {
        DataKind::Variable => target.variables.iter().map(|one| (one.name.as_str(), one.number)).collect(),
        DataKind::List => target.lists.iter().map(|one| (one.name.as_str(), one.number)).collect(),
    }
}

/// A name with its number, where it is not the first of that name.
pub(super) fn numbered(name: &str, number: usize) -> String {
    if number == 1 { name.to_owned() } else { format!("{name} #{number}") }
}

/// What scripts of a target write for the variables or lists that they can reach; none is written for two. One whose form is
/// another one's name is missing.
pub(super) fn written(targets: &[TextTarget], target: usize, kind: DataKind) -> BTreeMap<String, Place> {
    let all = |owner: usize| -> Vec<Numbered<Place>> {
        let names = targets.get(owner).map(|one| declared(one, kind)).unwrap_or_default().into_iter().enumerate();
        names.map(|(at, (name, number))| (Place { target: owner, at }, name.to_owned(), number)).collect()
    };
    called(&all(target), &if target == 0 { Vec::new() } else { all(0) }).0
}

#[cfg(test)]
mod tests {
    use super::super::document::Variable;
    use super::*;

    fn target(names: &[(&str, usize)]) -> TextTarget {
        let variables = names.iter().map(|(name, number)| Variable {
            name: (*name).to_owned(),
            number: *number,
            value: 0.into(),
            cloud: false,
        });
        TextTarget { variables: variables.collect(), ..TextTarget::stage() }
    }

    #[test]
    fn a_form_stands_where_a_name_alone_means_another_one() {
        let targets = [
            target(&[("score", 1), ("time", 1), ("time", 2)]),
            target(&[("score", 1), ("score", 2), ("Stage's time #2", 1)]),
        ];
        let forms = |at: usize| {
            let forms = written(&targets, at, DataKind::Variable);
            forms.into_iter().map(|(form, place)| (form, place.target, place.at)).collect::<Vec<_>>()
        };
        let form = |form: &str, target: usize, at: usize| (form.to_owned(), target, at);
        assert_eq!(forms(0), [form("score", 0, 0), form("time", 0, 1), form("time #2", 0, 2)]);
        assert_eq!(
            forms(1),
            [
                form("Stage's score", 0, 0),
                form("Stage's time #2", 1, 2),
                form("score", 1, 0),
                form("score #2", 1, 1),
                form("time", 0, 1),
            ]
        );
        assert!(written(&targets, 1, DataKind::List).is_empty());
    }
}
