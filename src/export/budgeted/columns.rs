//! Columns that several tables share, with their names.

use serde::Serialize;

use super::matrix::Entry;
use crate::meter::comparable_wh;
use crate::model::{ControllerMode, Trajectory, sha256_hex};

/// Which trajectory, with what kind of fault.
pub(super) const WHO: [&str; 7] = ["run", "case", "mechanism", "model", "provider", "mode", "replicate"];
/// Which trajectory, in `cost_results.csv`.
pub(super) const PLACE: [&str; 6] = ["run", "case", "model", "provider", "mode", "replicate"];
/// What it reached.
pub(super) const REACHED: [&str; 17] = [
    "generation_success",
    "strict_verify_success",
    "layer",
    "stop",
    "attempts",
    "best_attempt",
    "checked",
    "failed",
    "p_b",
    "mis",
    "div_tick",
    "inst",
    "gap",
    "level",
    "d_edit",
    "drift",
    "trace_hash",
];
/// What it cost, without the number of attempts.
pub(super) const SPENT: [&str; 15] = [
    "tries",
    "input_tokens",
    "cached_input_tokens",
    "output_tokens",
    "usd",
    "unsettled",
    "image_count",
    "image_bytes",
    "energy_wh",
    "energy_marginal_wh",
    "energy_method",
    "energy_quality",
    "wall_s",
    "cpu_s",
    "price_table",
];

#[derive(Debug, Serialize)]
pub(super) struct Who<'a> {
    run: &'a str,
    case: &'a str,
    mechanism: &'a str,
    model: &'a str,
    provider: &'a str,
    mode: ControllerMode,
    replicate: u32,
}

impl<'a> Who<'a> {
    pub(super) fn of(entry: &'a Entry, trajectory: &'a Trajectory) -> Self {
        let key = &entry.key;
        Self {
            run: &entry.run,
            case: &key.case,
            mechanism: &trajectory.mechanism,
            model: &key.model,
            provider: &key.provider,
            mode: key.mode,
            replicate: key.replicate,
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Place<'a> {
    run: &'a str,
    case: &'a str,
    model: &'a str,
    provider: &'a str,
    mode: ControllerMode,
    replicate: u32,
}

impl<'a> Place<'a> {
    pub(super) fn of(entry: &'a Entry) -> Self {
        let key = &entry.key;
        Self {
            run: &entry.run,
            case: &key.case,
            model: &key.model,
            provider: &key.provider,
            mode: key.mode,
            replicate: key.replicate,
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Reached<'a> {
    generation_success: bool,
    strict_verify_success: bool,
    layer: String,
    stop: &'a str,
    attempts: u32,
    best_attempt: Option<u32>,
    /// Assertions of the last stage of the candidate that counts.
    checked: Option<u32>,
    failed: Option<u32>,
    p_b: f64,
    mis: f64,
    div_tick: Option<u64>,
    inst: f64,
    gap: f64,
    level: u8,
    d_edit: Option<u32>,
    drift: Option<f64>,
    /// The digest of its full run: of all traces, one a line, where there are several.
    trace_hash: Option<String>,
}

impl<'a> Reached<'a> {
    pub(super) fn of(trajectory: &'a Trajectory) -> Self {
        let signals = &trajectory.probe.signals;
        let best = trajectory.attempts.iter().find(|attempt| Some(attempt.a) == trajectory.best_attempt);
        let verified = best.and_then(|attempt| attempt.verification.as_ref());
        let full = verified.and_then(|stages| stages.full.as_ref());
        let last = full.or_else(|| verified?.precheck.as_ref());
        Self {
            generation_success: trajectory.generation_success,
            strict_verify_success: trajectory.strict_verify_success,
            layer: trajectory.layer.to_string(),
            stop: &trajectory.stop,
            attempts: trajectory.totals.attempts,
            best_attempt: trajectory.best_attempt,
            checked: last.map(|stage| stage.checked),
            failed: last.map(|stage| stage.failed),
            p_b: signals.p_b,
            mis: signals.mis,
            div_tick: signals.div_tick,
            inst: signals.inst,
            gap: signals.gap,
            level: signals.level,
            d_edit: trajectory.distance.and_then(|distance| distance.d_edit),
            drift: trajectory.distance.and_then(|distance| distance.drift),
            trace_hash: full.and_then(|stage| trace_hash(&stage.trace_hashes)),
        }
    }
}

fn trace_hash(hashes: &[String]) -> Option<String> {
    match hashes {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(sha256_hex(several.join("\n").as_bytes())),
    }
}

/// Energy is absent where it was not recorded, or where nobody knows whose it was.
#[derive(Debug, Serialize)]
pub(super) struct Spent<'a> {
    tries: u32,
    input_tokens: u64,
    cached_input_tokens: u64,
    output_tokens: u64,
    usd: Option<f64>,
    /// Attempts whose worst case is booked, because the provider did not tell.
    unsettled: u32,
    image_count: u32,
    image_bytes: u64,
    energy_wh: Option<f64>,
    energy_marginal_wh: Option<f64>,
    energy_method: Option<&'a str>,
    energy_quality: Option<&'a str>,
    wall_s: f64,
    cpu_s: Option<f64>,
    price_table: Option<&'a str>,
}

impl<'a> Spent<'a> {
    pub(super) fn of(trajectory: &'a Trajectory) -> Self {
        let totals = &trajectory.totals;
        let energy = trajectory.energy.as_ref().filter(|energy| comparable_wh(energy).is_some());
        let unsettled = |asked: &&crate::model::RepairAttempt| asked.response.is_some() && !asked.usage.settled;
        Self {
            tries: totals.tries,
            input_tokens: totals.input,
            cached_input_tokens: totals.cached_input,
            output_tokens: totals.output,
            usd: totals.usd,
            unsettled: trajectory.attempts.iter().filter(unsettled).map(|_| 1).sum(),
            image_count: totals.images_inserted,
            image_bytes: totals.image_bytes,
            energy_wh: energy.map(|energy| energy.wh),
            energy_marginal_wh: energy.and_then(|energy| energy.marginal_wh),
            energy_method: energy.map(|energy| energy.method.into()),
            energy_quality: energy.map(|energy| energy.quality.into()),
            wall_s: totals.wall_s,
            cpu_s: energy.map(|energy| energy.cpu_s),
            price_table: trajectory.hashes.get("prices").map(String::as_str),
        }
    }
}
