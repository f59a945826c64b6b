//! Asking: the script answers.

use super::items::Coins;
use crate::model::ItemId;

impl Coins {
    pub(super) fn ask(&self, item: &ItemId, attempt: u32) -> &'static str {
        let cell = (item.to_string(), attempt);
        self.tries.lock().unwrap().push(cell.clone());
        let mut script = self.script.lock().unwrap();
        let ends = script.entry(cell).or_default();
        if ends.is_empty() { "passed" } else { ends.remove(0) }
    }
}
