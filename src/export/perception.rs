//! Runs of questions in the reference's layout: `result_visual_perception_benchmark_<model>/<id>/result.json`.

use serde_json::json;

use super::drags::asked;
use super::known::Known;
use super::out::Out;
use super::source::{Who, attempt_folder, name_part};
use super::{ExportError, Exported};
use crate::benchmarks::perception::Answered;
use crate::grade::has_result_file;
use crate::model::Outcome;
use crate::store::RunDir;

/// Writes the answers of a run. A question without an answer has no file there.
pub(super) fn write(run: &RunDir, known: &Known, out: &mut Out, exported: &mut Exported) -> Result<(), ExportError> {
    known.check_questions(run)?;
    if known.questions.is_none() {
        let id = &run.record().id;
        exported.notes.push(format!("{id}: without --set, tags, instructions and truths are left out"));
    }
    let model = name_part(Who::of(run.record()).model_or_agent());
    for tried in run.last_tries::<Option<Answered>>()? {
        let record = &tried.record;
        if !has_result_file(record.outcome) {
            exported.lost.push(record.outcome.name());
            continue;
        }
        let above = attempt_folder(run.record(), record.attempt);
        let folder = format!("{above}result_visual_perception_benchmark_{model}/{}", record.item);
        out.claim(&folder)?;
        let item = known.question(&record.item);
        let response = record.detail.as_ref().map(|answered| answered.response.as_str());
        let result = json!({
            "task_id": record.item,
            "tag": item.map(|item| item.tag),
            "instruction": item.map(|item| item.instruction.as_str()),
            "ground_truth": item.map(|item| item.ground_truth.as_str()),
            "model_response": response.map(str::trim),
            "success": record.outcome == Outcome::Passed,
            "prompt": asked(&tried.path),
            "response": response,
        });
        out.json(&format!("{folder}/result.json"), &result)?;
        exported.attempts += 1;
    }
    Ok(())
}
