//! What was made or paid for before: answers by the digest of their request, probes by case and engine. They lie outside of runs, so that a
//! run which is begun anew buys and plays nothing twice.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::agent::{Question, Response};
use crate::grade::signals::VERSION;
use crate::model::{Cost, sha256_hex};
use crate::store::{ByDigest, StoreError};
use crate::trajectory::{Case, Plans, Probe, Profile};

/// Folders of a root of runs.
#[derive(Debug, Clone)]
pub struct Kept {
    answers: ByDigest,
    probes: ByDigest,
    gold: ByDigest,
}

/// An answer as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptAnswer {
    pub text: String,
    pub is_cut: bool,
    pub is_filtered: bool,
    pub cost: Cost,
}

impl Kept {
    /// What lies below a folder of runs.
    pub fn below(runs: &Path) -> Self {
        let cache = |name: &str| ByDigest::new(runs.join("cache").join(name));
        Self { answers: ByDigest::new(runs.join("answers")), probes: cache("probe"), gold: cache("gold") }
    }

    pub(super) fn answer(&self, digest: &str) -> Result<Option<KeptAnswer>, StoreError> {
        self.answers.get(digest)
    }

    pub(super) fn keep_answer(&self, digest: &str, said: &Response) -> Result<(), StoreError> {
        let (text, cost) = (said.text.clone(), said.cost);
        let kept = KeptAnswer { text, is_cut: said.is_cut, is_filtered: said.is_filtered, cost };
        self.answers.put(digest, &kept)
    }

    pub(super) fn probe(&self, key: &str) -> Result<Option<Probe>, StoreError> {
        self.probes.get(key)
    }

    pub(super) fn keep_probe(&self, key: &str, probe: &Probe) -> Result<(), StoreError> {
        self.probes.put(key, probe)
    }

    /// Whether gold was found to pass its own checks.
    pub(super) fn is_checked(&self, key: &str) -> Result<bool, StoreError> {
        Ok(self.gold.get::<bool>(key)?.unwrap_or(false))
    }

    pub(super) fn keep_checked(&self, key: &str) -> Result<(), StoreError> {
        self.gold.put(key, &true)
    }
}

/// All that a probe depends on: the projects, the checks, the engine, the schedule, the formulas, and whether what it shows is made shorter.
pub(super) fn probe_key(case: &Case, plans: &Plans, profile: Profile) -> String {
    sha256_hex(json!([case.hashes, plans.digest, VERSION, profile]).to_string().as_bytes())
}

/// All that gold's own check depends on.
pub(super) fn gold_key(case: &Case) -> String {
    sha256_hex(json!([case.hashes["gold"], case.hashes["suite"], case.hashes["engine"]]).to_string().as_bytes())
}

/// All that an answer depends on: who is asked, the words and pictures, the form, and which of several answers it is: mode, replicate,
/// attempt.
pub(super) fn request_digest(
    (name, options): (&str, &serde_json::Value),
    question: &Question,
    which: (&str, u32, u32),
) -> String {
    let pictures: Vec<String> = question.pictures.iter().map(|png| sha256_hex(png.as_slice())).collect();
    let form = json!([question.form.max_tokens, question.form.schema.as_deref()]);
    let all = json!([name, options, question.system, question.user, pictures, form, which]);
    sha256_hex(all.to_string().as_bytes())
}
