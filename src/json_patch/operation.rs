//! One operation of a patch, and the two ways of writing it: RFC 6902, as patches are stored, and the form in which models answer.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// An operation of RFC 6902, which wants other members to be passed over. Its path is text, since a model may have written what is no
/// pointer. Stored patches are lists of these; [`read`](super::read) is for answers, where a text may be JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Operation {
    /// Puts a member into an object, or an item into a list before the one at the index; `-` is the list's end.
    Add { path: String, value: Value },
    /// Takes a member or an item away.
    Remove { path: String },
    /// Sets what is there.
    Replace { path: String, value: Value },
}

impl Operation {
    /// Where it is made, as JSON Pointer.
    pub fn path(&self) -> &str {
        let (Self::Add { path, .. } | Self::Remove { path } | Self::Replace { path, .. }) = self;
        path
    }

    /// What is put there.
    pub const fn value(&self) -> Option<&Value> {
        match self {
            Self::Add { value, .. } | Self::Replace { value, .. } => Some(value),
            Self::Remove { .. } => None,
        }
    }

    /// The same at another place.
    pub(super) fn at(self, path: String) -> Self {
        match self {
            Self::Add { value, .. } => Self::Add { path, value },
            Self::Remove { .. } => Self::Remove { path },
            Self::Replace { value, .. } => Self::Replace { path, value },
        }
    }

    /// The same with another value; a removal has none.
    pub(super) fn with(self, value: Value) -> Self {
        match self {
            Self::Add { path, .. } => Self::Add { path, value },
            Self::Remove { path } => Self::Remove { path },
            Self::Replace { path, .. } => Self::Replace { path, value },
        }
    }
}

/// Operations as a model writes them (EcoScratch, section 5): each value is JSON text, and null for a removal.
pub fn wire_form(operations: &[Operation]) -> Value {
    let name = |operation: &Operation| match operation {
        Operation::Add { .. } => "add",
        Operation::Remove { .. } => "remove",
        Operation::Replace { .. } => "replace",
    };
    let wire =
        |one: &Operation| json!({"op": name(one), "path": one.path(), "value": one.value().map(Value::to_string)});
    json!({"operations": operations.iter().map(wire).collect::<Vec<_>>()})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Counts, End, Limits, read};

    #[test]
    fn an_operation_is_stored_as_rfc_6902_has_it() {
        let operation = Operation::Replace { path: "/targets/0/blocks/a/next".to_owned(), value: Value::Null };
        let stored = json!({"op": "replace", "path": "/targets/0/blocks/a/next", "value": null});
        assert_eq!(serde_json::to_value(&operation).unwrap(), stored);
        assert_eq!(serde_json::from_value::<Operation>(stored).unwrap(), operation);
        assert!(serde_json::from_value::<Operation>(json!({"op": "add", "path": "/a"})).is_err());
    }

    #[test]
    fn what_is_written_as_a_model_writes_it_is_read_as_it_was() {
        let path = || "/a".to_owned();
        let operations = vec![
            Operation::Add { path: path(), value: json!([1, [10, "0"]]) },
            Operation::Add { path: path(), value: json!("10") },
            Operation::Replace { path: path(), value: Value::Null },
            Operation::Remove { path: path() },
        ];
        let read = read(&wire_form(&operations).to_string(), End::Complete, &Limits::default()).unwrap();
        assert_eq!((read.operations, read.counts), (operations, Counts::default()));
    }
}
