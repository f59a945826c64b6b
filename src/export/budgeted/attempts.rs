//! `attempt_results.csv`: one row an attempt of a trajectory that counts.

use serde::Serialize;

use super::columns::{WHO, Who};
use super::{Matrix, csv_of};
use crate::model::{PlanId, RepairAttempt, StageRecord};

/// The columns after those of the trajectory.
const OWN: [&str; 28] = [
    "attempt",
    "plan",
    "ops_cap",
    "leak",
    "layer",
    "code",
    "ops",
    "coerced",
    "normalised",
    "images_available",
    "images_inserted",
    "image_bytes",
    "tries",
    "cut",
    "replayed",
    "input_tokens",
    "cached_input_tokens",
    "output_tokens",
    "reasoning_tokens",
    "usd",
    "settled",
    "call_s",
    "apply_s",
    "precheck_outcome",
    "precheck_s",
    "full_outcome",
    "full_s",
    "candidate_sha256",
];

#[derive(Debug, Serialize)]
struct Row<'a> {
    who: Who<'a>,
    /// From 0, as in the record.
    attempt: u32,
    plan: PlanId,
    ops_cap: u32,
    leak: u8,
    layer: String,
    code: Option<&'a str>,
    ops: Option<u32>,
    coerced: Option<u32>,
    normalised: Option<u32>,
    images_available: u32,
    images_inserted: u32,
    image_bytes: u64,
    tries: Option<u32>,
    cut: Option<bool>,
    replayed: Option<bool>,
    input_tokens: u64,
    cached_input_tokens: u64,
    output_tokens: u64,
    reasoning_tokens: u64,
    usd: Option<f64>,
    settled: bool,
    call_s: Option<f64>,
    apply_s: Option<f64>,
    precheck_outcome: Option<&'a str>,
    precheck_s: Option<f64>,
    full_outcome: Option<&'a str>,
    full_s: Option<f64>,
    candidate_sha256: Option<&'a str>,
}

/// The table.
pub(super) fn table(matrix: &Matrix) -> Result<Vec<u8>, csv::Error> {
    let rows = matrix.counted().flat_map(|(entry, trajectory)| {
        trajectory.attempts.iter().map(move |attempt| row(Who::of(entry, trajectory), attempt))
    });
    csv_of(&[&WHO[..], &OWN].concat(), rows)
}

fn row<'a>(who: Who<'a>, attempt: &'a RepairAttempt) -> Row<'a> {
    let RepairAttempt { images, usage, .. } = attempt;
    let (response, patch) = (attempt.response.as_ref(), attempt.patch.as_ref());
    let seconds = |stage: &str| attempt.seconds.get(stage).copied();
    let verified = attempt.verification.as_ref();
    let outcome = |stage: Option<&'a StageRecord>| stage.map(|stage| stage.outcome.as_str());
    Row {
        who,
        attempt: attempt.a,
        plan: attempt.plan,
        ops_cap: attempt.ops_cap,
        leak: attempt.leak,
        layer: attempt.layer.to_string(),
        code: attempt.code.as_deref(),
        ops: patch.map(|patch| patch.ops),
        coerced: patch.map(|patch| patch.coerced),
        normalised: patch.map(|patch| patch.normalised),
        images_available: images.available,
        images_inserted: images.inserted,
        image_bytes: images.bytes,
        tries: response.map(|response| response.tries),
        cut: response.map(|response| response.cut),
        replayed: response.map(|response| response.replayed),
        input_tokens: usage.input,
        cached_input_tokens: usage.cached_input,
        output_tokens: usage.output,
        reasoning_tokens: usage.reasoning,
        usd: usage.usd,
        settled: usage.settled,
        call_s: seconds("call"),
        apply_s: seconds("apply"),
        precheck_outcome: outcome(verified.and_then(|stages| stages.precheck.as_ref())),
        precheck_s: seconds("precheck"),
        full_outcome: outcome(verified.and_then(|stages| stages.full.as_ref())),
        full_s: seconds("full"),
        candidate_sha256: attempt.candidate.as_ref().map(|candidate| candidate.sha256.as_str()),
    }
}
