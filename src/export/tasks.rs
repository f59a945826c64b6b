//! Runs of tasks in the reference's layout: `result_<model>_<mode>_<agent>/<type>/<task>/`.

use serde_json::{Value, json};

use super::known::{Known, task};
use super::out::Out;
use super::played::Played;
use super::source::{Who, attempt_folder, endpoint, iso, name_part};
use super::{ExportError, Exported};
use crate::grade::Graded;
use crate::model::{ItemId, Mode, Outcome, RunRecord, TaskDetail, Verdict};
use crate::store::RunDir;
use crate::taskset::TaskSet;

/// Writes the attempts of a run.
pub(super) fn write(run: &RunDir, known: &Known, out: &mut Out, exported: &mut Exported) -> Result<(), ExportError> {
    let tasks = known.tasks_of(run);
    if tasks.is_none() {
        exported.notes.push(format!("{}: its tasks are not at hand, so instructions are left out", run.record().id));
    }
    for tried in run.last_tries::<TaskDetail>()? {
        let played = Played::read(run, tried)?;
        let record = &played.tried.record;
        let folder = attempt_place(run.record(), record.attempt, record.detail.mode);
        let folder = format!("{folder}/{}/{}", record.detail.category, record.item);
        out.claim(&folder)?;
        let attempt = Attempt { run: run.record(), tasks, played: &played, folder };
        attempt.write(out)?;
        if has_result(record.outcome) {
            exported.attempts += 1;
        } else {
            exported.lost.push(record.outcome.name());
        }
    }
    Ok(())
}

/// Whether an attempt gets a `result.json`. A judge that broke is the testbed's own failure: no project is called failed
/// for it.
const fn has_result(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Passed | Outcome::Failed | Outcome::Limit)
}

/// The folder of a run's results.
pub(super) fn attempt_place(run: &RunRecord, attempt: u32, mode: Mode) -> String {
    let who = Who::of(run);
    let names = [name_part(who.model_or_agent()), mode.to_string(), name_part(&who.agent)];
    format!("{}result_{}", attempt_folder(run, attempt), names.join("_"))
}

/// The log of interactions in the folder of an attempt.
pub(super) fn log_name(played: &Played) -> String {
    format!("interaction_log_{}.json", played.sid())
}

struct Attempt<'a> {
    run: &'a RunRecord,
    tasks: Option<&'a TaskSet>,
    played: &'a Played,
    /// Below the folder of the export.
    folder: String,
}

impl Attempt<'_> {
    fn write(&self, out: &mut Out) -> Result<(), ExportError> {
        let file = |name: &str| format!("{}/{name}", self.folder);
        out.json(&file("task_config.json"), &self.config())?;
        out.json(&file("run_args.json"), &self.run_args())?;
        out.json(&file(&log_name(self.played)), &self.log())?;
        let prompts = format!("prompts_{}", self.played.sid());
        for (number, prompt) in self.played.prompts() {
            out.json(&file(&format!("{prompts}/turn_{number:03}_prompt.json")), &prompt)?;
        }
        for (name, picture) in self.played.screenshots() {
            out.write(&file(&name), &picture)?;
        }
        if let Some(judgement) = &self.played.judged_itself {
            out.json(&file("autoeval.json"), judgement)?;
        }
        let project = file(&self.project_name());
        let kept = out.copy(&project, &self.played.tried.path.join("project.sb3"))?;
        if has_result(self.played.tried.record.outcome) {
            out.json(&file("result.json"), &self.result(kept.then_some(&project)))
        } else {
            out.json(&file("error.json"), &self.error())
        }
    }

    const fn item(&self) -> &ItemId {
        &self.played.tried.record.item
    }

    fn instruction(&self) -> Option<&str> {
        task(self.tasks, self.item()).map(|entry| entry.task.instruction.as_str())
    }

    #[expect(clippy::cast_possible_truncation, reason = "of seconds since 1970")]
    fn project_name(&self) -> String {
        format!("{}_{}.sb3", self.item(), self.played.begun as i64)
    }

    fn config(&self) -> Value {
        let category = self.played.tried.record.detail.category;
        json!({"name": self.item(), "type": category, "instruction": self.instruction()})
    }

    fn max_steps(&self) -> Option<u64> {
        let own = || {
            let entry = task(self.tasks, self.item())?;
            Some(entry.task.limits.steps.of(self.played.tried.record.detail.mode).into())
        };
        self.run.options["limits"]["max_steps"].as_u64().or_else(own)
    }

    fn run_args(&self) -> Value {
        let who = Who::of(self.run);
        let detail = &self.played.tried.record.detail;
        json!({
            "cli_args": {
                "model": who.model,
                "agent": who.agent,
                "mode": detail.mode,
                "max_steps": self.max_steps(),
                "base_url": endpoint(self.run),
            },
            "task": {
                "timestamp": iso(self.played.begun),
                "task_name": self.item(),
                "task_type": detail.category,
            },
        })
    }

    fn log(&self) -> Value {
        let record = &self.played.tried.record;
        json!({
            "session_id": self.played.sid(),
            "task_description": self.instruction(),
            "model": Who::of(self.run).model,
            "base_url": endpoint(self.run),
            "start_time": iso(self.played.begun),
            "interactions": self.played.interactions(),
            "mode": record.detail.mode,
            "max_steps": self.max_steps(),
            "end_time": iso(self.played.begun + record.cost.seconds),
            "final_status": self.played.final_status(),
            "final_reason": self.played.final_reason(),
        })
    }

    fn agent_interaction(&self) -> Value {
        let log = format!("{}/{}", self.folder, log_name(self.played));
        json!({
            "steps_used": self.played.tried.record.detail.steps,
            "final_status": self.played.final_status(),
            "final_reason": self.played.final_reason(),
            "log_file": log,
            "interaction_log": log,
            "auto_eval_result": self.played.judged_itself,
        })
    }

    fn result(&self, project: Option<&String>) -> Value {
        let record = &self.played.tried.record;
        let graded = Graded::from(record);
        json!({
            "success": graded.succeeded(),
            "task_name": record.item,
            "task_type": record.detail.category,
            "output_file": project,
            "result_dir": self.folder,
            "evaluation": evaluation(graded, self.played.verdict.as_ref(), record.error.as_deref()),
            "timestamp": iso(self.played.ended()),
            "agent_interaction": self.agent_interaction(),
        })
    }

    fn error(&self) -> Value {
        let record = &self.played.tried.record;
        let error = record.error.clone().unwrap_or_else(|| record.outcome.name().to_owned());
        json!({
            "success": false,
            "error": format!("{}: {error}", record.outcome.name()),
            "timestamp": iso(self.played.ended()),
            "agent_interaction": self.agent_interaction(),
        })
    }
}

/// What an evaluation script reports, from its verdict; or that none could be had, since the program broke the editor.
fn evaluation(graded: Graded, verdict: Option<&Verdict>, error: Option<&str>) -> Value {
    let Some(verdict) = verdict else {
        return json!({"success": false, "partial_success_rate": 0.0, "output": "", "error": error});
    };
    json!({
        "success": graded.succeeded(),
        "passed_tests": graded.passed_tests,
        "total_tests": graded.total_tests,
        "partial_success_rate": graded.partial(),
        "details": verdict.details,
    })
}
