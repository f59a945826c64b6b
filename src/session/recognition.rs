//! The recognizer of a fleet: given, or loaded for the first session. Loading takes a tenth of a second and keeps tens of megabytes, and what
//! only builds, plays or judges reads no text.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::ocr::Recognizer;

/// Loads a recognizer, if this testbed has one; called once.
type Load = Box<dyn Fn() -> Option<Arc<Recognizer>> + Send + Sync>;

/// What reads text, once it was asked for.
#[derive(Default)]
pub(super) struct Recognition {
    found: OnceLock<Option<Arc<Recognizer>>>,
    load: OnceLock<Load>,
}

impl Recognition {
    /// This one is used. A second one would be the same: the models belong to the checkout.
    pub(super) fn give(&self, recognizer: Arc<Recognizer>) {
        let _ = self.found.set(Some(recognizer));
    }

    /// What this loads is used, once it is asked for.
    pub(super) fn load_by(&self, load: Load) {
        let _ = self.load.set(load);
    }

    /// What reads text, if this testbed has it.
    pub(super) fn get(&self) -> Option<Arc<Recognizer>> {
        self.found.get_or_init(|| self.load.get().and_then(|load| load())).clone()
    }
}

impl fmt::Debug for Recognition {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Recognition").field("found", &self.found).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn nothing_is_loaded_before_it_is_asked_for_and_never_twice() {
        let loads = Arc::new(AtomicU32::default());
        let counted = Arc::clone(&loads);
        let recognition = Recognition::default();
        recognition.load_by(Box::new(move || {
            counted.fetch_add(1, Ordering::SeqCst);
            None
        }));
        assert_eq!(loads.load(Ordering::SeqCst), 0);
        assert!(recognition.get().is_none() && recognition.get().is_none());
        assert_eq!(loads.load(Ordering::SeqCst), 1);
        assert!(Recognition::default().get().is_none(), "without models there is no text");
    }
}
