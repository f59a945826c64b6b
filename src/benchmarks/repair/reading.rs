//! What repairs of an instance are compared with: played once a process, however many answers there are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use crate::bugs::Instance;
use crate::forge::Plays;
use crate::judge::PlayError;
use crate::mend::Reference;

/// References by the ids of instances, each made by whoever needs it first.
#[derive(Debug, Default)]
pub struct References(Mutex<BTreeMap<String, Arc<OnceCell<Reference>>>>);

impl References {
    /// The place of an instance's reference.
    pub fn place(&self, id: &str) -> Arc<OnceCell<Reference>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(id.to_owned()).or_default())
    }
}

/// The reference at its place.
///
/// # Errors
/// When gold or the buggy project can't be played; whoever asks next tries again.
pub async fn referred<'a>(
    place: &'a OnceCell<Reference>,
    instance: &Instance,
    plays: &Plays,
) -> Result<&'a Reference, PlayError> {
    place.get_or_try_init(|| Reference::of(instance, plays)).await
}
