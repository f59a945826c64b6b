//! Runs of single drags in the reference's layout: `result_single_step_drag_benchmark_<model>…/<id>/<run>/`.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::known::Known;
use super::out::Out;
use super::source::{Who, name_part, number};
use super::{ExportError, Exported};
use crate::benchmarks::drag::figures::{SceneClass, summary};
use crate::benchmarks::drag::measure::DragDetail;
use crate::benchmarks::drag::{Scene, SceneProject};
use crate::grade::{Count, has_result_file};
use crate::model::{AttemptRecord, Outcome, RunRecord};
use crate::store::{RunDir, Try};

/// Where the reference keeps results, before the model's name.
const RESULTS: &str = "result_single_step_drag_benchmark_";
/// What settings add to that name, by what ours are called.
const SETTINGS: [(&str, &str); 3] =
    [("elements", "_use_element_list"), ("gt_start", "_ground_truth_start"), ("knowledge", "_knowledge")];

/// Writes the trials of a run. Those without a drag have no file there.
pub(super) fn write(run: &RunDir, known: &Known, out: &mut Out, exported: &mut Exported) -> Result<(), ExportError> {
    let results = place(run.record());
    out.claim(&results)?;
    let mut records = Vec::new();
    for tried in run.last_tries::<Option<DragDetail>>()? {
        let record = &tried.record;
        if has_result_file(record.outcome) {
            let folder = format!("{results}/{}/{}", record.item, record.attempt);
            trial(&tried, known.scene(&record.item), &folder, out)?;
            exported.attempts += 1;
        } else {
            exported.lost.push(record.outcome.name());
        }
        records.push(tried.record);
    }
    let figures = summary(&records, Count::Reference, |item| known.scene(item).map(SceneClass::of));
    out.json(&format!("{results}/summary.json"), &figures)
}

/// The folder of a run's results.
fn place(run: &RunRecord) -> String {
    let given: Vec<&str> = run.setting.split('+').collect();
    let settings = SETTINGS.iter().filter(|(ours, _)| given.contains(ours)).map(|(_, theirs)| *theirs);
    format!("{RESULTS}{}{}", name_part(Who::of(run).model_or_agent()), settings.collect::<String>())
}

fn trial(
    tried: &Try<Option<DragDetail>>,
    scene: Option<&Scene>,
    folder: &str,
    out: &mut Out,
) -> Result<(), ExportError> {
    let record = &tried.record;
    let asked = asked(&tried.path);
    // The words that were asked with; those of a scene that has been changed since are others.
    let is_asked = |text: &Value, words: &str| text.as_str().is_some_and(|text| text.contains(words));
    let scene = scene.filter(|Scene { instruction, .. }| {
        asked.as_ref().is_none_or(|asked| ["user", "system"].iter().any(|part| is_asked(&asked[part], instruction)))
    });
    let passed = record.outcome == Outcome::Passed;
    let executed = record.detail.is_some() && record.error.is_none();
    let project = scene.and_then(|scene| match &scene.project {
        SceneProject::File(file) => Some(file.as_str()),
        SceneProject::Task(_) => None,
    });
    let result = json!({
        "task_id": record.item,
        "run_index": record.attempt,
        "instruction": scene.map(|scene| scene.instruction.as_str()),
        "init_project": project,
        "action": {"api": "drag_and_drop", "args": args(record)},
        "execution_result": {"success": executed, "error": record.error},
        "evaluation_result": passed,
        "exported_file": null,
        "success": executed && passed,
        // Trials do not note when they were made.
        "timestamp": null,
        "measured": record.detail.as_ref().map(measured),
    });
    out.json(&format!("{folder}/result.json"), &result)?;
    for (name, ours) in [("1.png", "seen.png"), ("2.png", "after.png"), ("regions.json", "regions.json")] {
        out.copy(&format!("{folder}/{name}"), &tried.path.join(ours))?;
    }
    let answer = fs::read_to_string(tried.path.join("answer.txt")).ok();
    if asked.is_some() || answer.is_some() {
        out.json(&format!("{folder}/call.log"), &json!({"prompt": asked, "response": answer}))?;
    }
    Ok(())
}

/// What the agent was asked, if that was kept.
pub(super) fn asked(path: &Path) -> Option<Value> {
    serde_json::from_slice(&fs::read(path.join("asked.json")).ok()?).ok()
}

/// From where to where, as far as that is known.
fn args(record: &AttemptRecord<Option<DragDetail>>) -> Map<String, Value> {
    let mut args = Map::new();
    let Some(detail) = &record.detail else { return args };
    for (end, point) in [("start", detail.start), ("end", detail.end)] {
        if let Some(point) = point {
            args.insert(format!("{end}_x"), number(point.x));
            args.insert(format!("{end}_y"), number(point.y));
        }
    }
    args
}

/// What the reference computes later from the published points, as it was measured.
fn measured(detail: &DragDetail) -> Value {
    json!({
        "measured_by": detail.measured_by,
        "start_in": detail.start_in,
        "end_in": detail.end_in,
        "start_gap": detail.start_gap,
        "end_gap": detail.end_gap,
        "failure": detail.failure,
    })
}
