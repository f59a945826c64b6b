//! What agents of a run learn for later attempts: a few text files, as a value that is named by its digest.
//!
//! An agent is told a [`MemoryState`] before its attempt and leaves another one after it; [`MemoryUse`] says where a run
//! begins and whether it goes on learning. Which attempt begins with which state is not known here.

mod error;
mod state;

pub use error::MemoryError;
pub use state::MemoryState;

use serde_json::{Value, json};

/// What a run does with what its agents learn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemoryUse {
    /// Each attempt knows nothing, and learns nothing.
    Off,
    /// All attempts know this, and learn nothing.
    Frozen(MemoryState),
    /// The first attempt knows this, and each later one what those before it have learned.
    Growing(MemoryState),
}

impl Default for MemoryUse {
    /// It grows from nothing.
    fn default() -> Self {
        Self::Growing(MemoryState::default())
    }
}

impl MemoryUse {
    /// Whether attempts learn for later ones, so that they must go one after another.
    pub const fn grows(&self) -> bool {
        matches!(self, Self::Growing(_))
    }

    /// What the first attempt knows; `None` when there is no memory at all.
    pub fn start(&self) -> Option<MemoryState> {
        match self {
            Self::Off => None,
            Self::Frozen(state) | Self::Growing(state) => Some(state.clone()),
        }
    }

    /// Whether attempts learn for later ones, by what [`Self::record`] said.
    pub fn grew(record: &Value) -> bool {
        *record == "on" || record.get("from").is_some()
    }

    /// What records say of it: states by their digests, wherever they were read from.
    pub fn record(&self) -> Value {
        match self {
            Self::Off => json!("off"),
            Self::Frozen(state) => json!({"frozen": state.digest()}),
            Self::Growing(state) if state.is_empty() => json!("on"),
            Self::Growing(state) => json!({"from": state.digest()}),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_has_a_beginning_and_records_name_states_by_digest() {
        let state: MemoryState = [("a.md".to_owned(), "Look first.".to_owned())].into_iter().collect();
        let frozen = MemoryUse::Frozen(state.clone());
        assert_eq!((frozen.grows(), frozen.start()), (false, Some(state.clone())));
        assert_eq!((MemoryUse::Off.grows(), MemoryUse::Off.start()), (false, None));
        assert!(MemoryUse::default().grows() && MemoryUse::Growing(state.clone()).grows());
        assert_eq!(frozen.record()["frozen"], state.digest());
        assert_eq!(MemoryUse::default().record(), "on");
        let all = [MemoryUse::Off, frozen.clone(), MemoryUse::default(), MemoryUse::Growing(state.clone())];
        assert!(all.iter().all(|one| MemoryUse::grew(&one.record()) == one.grows()));
        assert!(!MemoryUse::grew(&Value::Null), "an agent without a memory");
        assert_eq!(MemoryUse::Growing(state).record()["from"], frozen.record()["frozen"]);
    }
}
