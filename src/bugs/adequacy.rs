//! How well the suite of an instance tells right repairs from wrong ones, as it was last measured: kept beside the truth, so that whoever
//! chooses instances need not measure it again.

use serde::{Deserialize, Serialize};

use super::bench::Bench;
use super::error::BugsError;
use super::pool::{read_json, write_json};

/// The file beside the truth of an instance.
const FILE: &str = "adequacy.json";

/// What `bugs check --adequacy` found of an instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdequacyMark {
    /// SHA-256 of the suite that was measured.
    pub suite: String,
    /// Shares that the suite rejects, 0 to 1: of wrong repairs that are not equivalent to gold, and of damage elsewhere that is noticed.
    pub score: f64,
    pub damage_score: f64,
    /// Right repairs that were tried, and those of them that the suite rejects.
    pub right: usize,
    pub right_rejected: usize,
    /// Whether both shares are at least 0.9 and no right repair is rejected. Of a suite that is not adequate, passing says less.
    pub is_adequate: bool,
}

impl std::fmt::Display for AdequacyMark {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { score, damage_score, right, right_rejected, .. } = self;
        let weak = if self.is_adequate { "" } else { ", WEAK" };
        let rejects = format!("rejects {score:.2} of wrong repairs, {damage_score:.2} of damage elsewhere");
        write!(formatter, "{rejects}, {right_rejected} of {right} right ones{weak}")
    }
}

impl Bench {
    /// Notes how adequate the suite of an instance is.
    ///
    /// # Errors
    /// When there is no instance of this id, or the file can't be written.
    pub fn note_adequacy(&self, id: &str, mark: &AdequacyMark) -> Result<(), BugsError> {
        self.entry(id)?;
        write_json(&self.truth(id).join(FILE), mark)
    }

    /// How adequate the suite of an instance is, if this very suite was measured.
    ///
    /// # Errors
    /// When there is no instance of this id, or the file is broken.
    pub fn adequacy(&self, id: &str) -> Result<Option<AdequacyMark>, BugsError> {
        let (entry, file) = (self.entry(id)?, self.truth(id).join(FILE));
        if !file.is_file() {
            return Ok(None);
        }
        let mark: AdequacyMark = read_json(&file)?;
        Ok((mark.suite == entry.suite).then_some(mark))
    }
}
