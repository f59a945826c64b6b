//! The name of an item of a benchmark: a task, a scene, a question. Names of foreign files become names of folders, so
//! they are checked where they are read.

use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::TaskId;

/// Letters of the longest name.
const LONGEST: usize = 100;

/// 1 to 100 ASCII letters, digits, `-`, `_` and `.`, not beginning with a `.`: never a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ItemId(String);

/// A text that can't be an item's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no item id: use 1 to 100 letters, digits, `-`, `_` and `.`, and begin with none of the dots")]
pub struct ItemIdError(String);

impl ItemId {
    /// The name of an item of our own: letters that names can't have become `_`, and what is too long is cut.
    pub fn plain(text: &str) -> Self {
        let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' };
        let name: String = text.chars().map(plain).take(LONGEST).collect();
        Self(if name.is_empty() { "_".to_owned() } else { name })
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ItemId {
    type Err = ItemIdError;

    fn from_str(text: &str) -> Result<Self, ItemIdError> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if (1..=LONGEST).contains(&text.len()) && !text.starts_with('.') && text.chars().all(allowed) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ItemIdError(text.to_owned()))
        }
    }
}

impl TryFrom<String> for ItemId {
    type Error = ItemIdError;

    fn try_from(text: String) -> Result<Self, ItemIdError> {
        text.parse()
    }
}

impl From<ItemId> for String {
    fn from(id: ItemId) -> Self {
        id.0
    }
}

impl From<&TaskId> for ItemId {
    fn from(id: &TaskId) -> Self {
        Self(id.as_str().to_owned())
    }
}

impl Borrow<str> for ItemId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for ItemId {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_a_folder() {
        for name in ["D_001", "7", "stuck_ferry", "a-b.c"] {
            assert_eq!(name.parse::<ItemId>().unwrap().as_str(), name);
        }
        for name in ["", ".", "..", "../x", "a/b", "/etc", "a\\b", ".hidden", "ä", "a b", "a\0", &"x".repeat(101)] {
            assert!(name.parse::<ItemId>().is_err(), "{name:?}");
        }
        assert_eq!(["D_001", "../x", ""].map(|text| ItemId::plain(text).to_string()), ["D_001", "___x", "_"]);
        assert!(serde_json::from_str::<ItemId>(r#""../../home""#).is_err());
    }
}
