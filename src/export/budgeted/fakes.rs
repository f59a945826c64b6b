//! Runs and trajectories for tests.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use crate::model::{
    AttemptRecord, ControllerMode, Cost, ImageAudit, Layer, Outcome, PlanId, ProbeRecord, RUN_FORMAT, RepairAttempt,
    ResponseRecord, RunRecord, Signals, StageRecord, TRAJECTORY_FORMAT, Totals, Trajectory, UsageRecord,
    VerificationRecord,
};
use crate::store::RunDir;

/// A run of one model and mode at these cases.
pub(crate) fn run(id: &str, model: &str, mode: ControllerMode, items: &[&str]) -> RunRecord {
    RunRecord {
        id: id.to_owned(),
        benchmark: "repair".to_owned(),
        agent: model.to_owned(),
        setting: mode.to_string(),
        options: json!({"agent": {"model": {"model": model, "dialect": "openai"}}}),
        ..crate::store::fakes::run(items)
    }
}

/// A trajectory of one attempt that ended there.
pub(crate) fn trajectory(case: &str, mode: ControllerMode, layer: Layer) -> Trajectory {
    let hash = |name: &str, digest: &str| (name.to_owned(), digest.to_owned());
    let usage = UsageRecord { input: 900, output: 100, usd: Some(0.0013), settled: true, ..UsageRecord::default() };
    Trajectory {
        format: TRAJECTORY_FORMAT,
        case: case.to_owned(),
        mechanism: "broken, \"event\"".to_owned(),
        mode,
        profile: "paper".to_owned(),
        replicate: 1,
        probe: ProbeRecord {
            key: "k".to_owned(),
            cached: false,
            signals: Signals { mis: 0.25, gap: 1.0, level: 1, images_available: 3, ..Signals::default() },
        },
        attempts: vec![attempt(layer, usage)],
        stop: if layer.is_strict() { "strict_success" } else { "exhausted" }.to_owned(),
        generation_success: layer.is_generated(),
        strict_verify_success: layer.is_strict(),
        layer,
        best_attempt: layer.is_generated().then_some(0),
        size: None,
        distance: None,
        minimal: None,
        energy: None,
        totals: Totals {
            attempts: 1,
            tries: 1,
            input: 900,
            output: 100,
            usd: usage.usd,
            images_inserted: 2,
            image_bytes: 1000,
            wall_s: 4.5,
            ..Totals::default()
        },
        hashes: BTreeMap::from([hash("plans", "p1"), hash("buggy", case)]),
    }
}

fn attempt(layer: Layer, usage: UsageRecord) -> RepairAttempt {
    let stage = StageRecord {
        outcome: if layer.is_strict() { "pass" } else { "assertion_failed" }.to_owned(),
        checked: 20,
        failed: u32::from(!layer.is_strict()),
        trace_hashes: vec!["t1".to_owned()],
        ..StageRecord::default()
    };
    let response =
        ResponseRecord { file: "a0.response.json".to_owned(), cut: false, tries: 1, replayed: false, seconds: 2.0 };
    RepairAttempt {
        a: 0,
        plan: PlanId::M1,
        ops_cap: 8,
        leak: 2,
        layer,
        code: (!layer.is_strict()).then(|| "some_code".to_owned()),
        detail: None,
        request: None,
        images: ImageAudit { available: 3, inserted: 2, bytes: 1000, ..ImageAudit::default() },
        response: Some(response),
        usage,
        patch: None,
        candidate: None,
        verification: layer.is_generated().then_some(VerificationRecord { precheck: None, full: Some(stage) }),
        seconds: BTreeMap::from([("call".to_owned(), 2.0)]),
    }
}

/// Writes a run with these trajectories, in the order of its items; the testbed broke where there is none.
pub(crate) fn write(folder: &Path, run: RunRecord, trajectories: Vec<Option<Trajectory>>) -> RunDir {
    let items = run.items.clone();
    let dir = RunDir::create(folder, run).unwrap();
    for (item, detail) in items.into_iter().zip(trajectories) {
        let outcome = match &detail {
            None => Outcome::InfraError,
            Some(trajectory) if trajectory.strict_verify_success => Outcome::Passed,
            Some(_) => Outcome::Failed,
        };
        let attempt = dir.begin(&item, 1, 0).unwrap();
        let (format, cost) = (RUN_FORMAT, Cost::default());
        attempt
            .complete(&AttemptRecord { format, item, attempt: 1, retry: 0, outcome, error: None, cost, detail })
            .unwrap();
    }
    dir
}
