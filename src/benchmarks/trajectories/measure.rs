//! What an answer becomes: read and applied in Rust alone, then verified in stages (EcoScratch, sections 5 and 6). The layer says how far
//! it came.

use serde_json::json;

use super::course::Log;
use super::pass::{Pass, Passed};
use crate::agent::Response;
use crate::experiment::RunError;
use crate::json_patch::{Aliases, End, Operation, apply, bindings, check, read, refuse};
use crate::model::{CandidateRecord, Coded as _, Layer, PatchRecord, RepairAttempt, VerificationRecord, sha256_hex};
use crate::project::Project;
use crate::trajectory::{OracleError, Profile, Verified};

/// Why an attempt ended before it was verified.
pub(super) struct Fault {
    pub layer: Layer,
    pub code: String,
    pub detail: String,
}

impl Fault {
    pub(super) fn new(layer: Layer, code: &str, detail: String) -> Self {
        Self { layer, code: code.to_owned(), detail }
    }
}

/// What an answer became on its way to a candidate.
pub(super) struct Built {
    pub operations: Vec<Operation>,
    project: Project,
    counts: PatchRecord,
}

impl Pass<'_> {
    /// Reads and applies an answer, in Rust alone.
    pub(super) fn built(
        &self,
        said: &Response,
        aliases: Option<&mut Aliases>,
        made: &mut Passed,
    ) -> Result<Built, Fault> {
        let (manner, buggy) = (self.course.manner, &self.course.case.buggy);
        let end = match (said.is_filtered, said.is_cut) {
            (true, _) => End::Refused,
            (_, true) => End::Cut,
            _ => End::Complete,
        };
        let answer = read(&said.text, end, &self.limits())
            .map_err(|error| Fault::new(error.layer(), error.code(), error.to_string()))?;
        let raw = answer.operations.len();
        let operations = match aliases {
            Some(aliases) => aliases.restore(&answer.operations),
            None => answer.operations,
        };
        let counted = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let mut counts = answer.counts;
        let mut record = PatchRecord {
            file: format!("a{}.patch.json", self.number()),
            raw_ops: counted(raw),
            ops: counted(operations.len()),
            coerced: counted(counts.coerced),
            normalised: counted(counts.normalised),
            unescaped: counted(counts.unescaped),
        };
        made.patch = Some(operations.clone());
        made.attempt.patch = Some(record.clone());
        let applied = apply(&buggy.json, &operations)
            .map_err(|error| Fault::new(Layer::Application, error.code(), error.to_string()))?;
        counts += applied.counts;
        (record.ops, record.normalised) = (counted(applied.operations.len()), counted(counts.normalised));
        (record.coerced, record.unescaped) = (counted(counts.coerced), counted(counts.unescaped));
        made.patch = Some(applied.operations.clone());
        made.attempt.patch = Some(record.clone());
        let project = Project { json: applied.project, assets: buggy.assets.clone() };
        let invalid = |error: crate::json_patch::PatchError| {
            let code = error.code().to_owned();
            Fault::new(Layer::Application, &code, error.to_string())
        };
        check(buggy, &project).map_err(invalid)?;
        if manner.profile == Profile::Own {
            refuse(bindings(&buggy.json, &project.json)).map_err(invalid)?;
        }
        Ok(Built { operations: applied.operations, project, counts: record })
    }

    pub(super) fn keep_patch(&self, made: &Passed) -> Result<(), RunError> {
        if let Some(patch) = &made.patch {
            self.course.dir.keep_json(&format!("a{}.patch.json", self.number()), patch)?;
        }
        Ok(())
    }

    /// Verifies what was built; the layer says how far it came.
    pub(super) async fn verified(
        &self,
        built: Built,
        made: &mut Passed,
        log: &mut Log,
    ) -> Result<Result<(), OracleError>, RunError> {
        let a = self.number();
        made.attempt.patch = Some(built.counts);
        let sb3 = match built.project.pack() {
            Ok(sb3) => sb3,
            Err(error) => {
                made.attempt.fail(Fault::new(Layer::Application, "unloadable", error.to_string()));
                return Ok(Ok(()));
            }
        };
        let verified = match self.course.case.oracle.verify(&sb3, self.plan().precheck).await {
            Ok(verified) => verified,
            Err(error) => return Ok(Err(error)),
        };
        let Verified { unloadable, precheck, full, seconds: [quick, whole] } = verified;
        if let Some(message) = unloadable {
            made.attempt.fail(Fault::new(Layer::Application, "unloadable", message));
            return Ok(Ok(()));
        }
        let file = format!("a{a}.sb3");
        self.course.dir.keep(&file, &sb3)?;
        made.attempt.candidate = Some(CandidateRecord { file, sha256: sha256_hex(&sb3) });
        made.candidate = Some(built.project.json);
        made.attempt.seconds.insert("precheck".to_owned(), quick);
        made.attempt.seconds.insert("full".to_owned(), whole);
        let stage = full.as_ref().or(precheck.as_ref());
        let outcome = stage.map(|stage| stage.outcome.clone()).unwrap_or_default();
        let detail = stage.and_then(|stage| stage.failures.first().cloned()).unwrap_or_default();
        let layer = match (&full, outcome.as_str()) {
            (Some(_), "pass") => Layer::StrictSuccess,
            (Some(_), _) => Layer::Full,
            (None, _) => Layer::Precheck,
        };
        let verification = VerificationRecord { precheck, full };
        self.course.dir.keep_json(&format!("a{a}.verify.json"), &verification)?;
        log.note("verified", &json!({"a": a, "layer": layer}))?;
        made.attempt.verification = Some(verification);
        if layer == Layer::StrictSuccess {
            made.attempt.layer = layer;
        } else {
            made.attempt.fail(Fault::new(layer, &outcome, detail));
        }
        Ok(Ok(()))
    }
}

/// An attempt that ends somewhere.
pub(super) trait Fail {
    fn fail(&mut self, fault: Fault);
}

impl Fail for RepairAttempt {
    fn fail(&mut self, fault: Fault) {
        self.layer = fault.layer;
        self.code = Some(fault.code);
        self.detail = (!fault.detail.is_empty()).then_some(fault.detail);
    }
}
