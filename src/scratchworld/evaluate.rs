//! `evaluate`: as everywhere in this testbed, the exported project is judged in a page of its own, not the live one.

use std::sync::Arc;

use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::app::Reply;
use super::fault::Fault;
use super::params::Params;
use super::projects::exported;
use super::state::{Scope, ScratchWorld};
use crate::benchmarks::tasks::Judging as _;
use crate::model::{Outcome, Verdict};
use crate::taskset::{TaskEntry, TaskSet};

/// The one method there is.
const BROWSER: &str = "browser";

/// A caller who gets verdicts.
#[derive(Debug)]
pub struct JudgeAccess;

impl FromRequestParts<Arc<ScratchWorld>> for JudgeAccess {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, dialect: &Arc<ScratchWorld>) -> Result<Self, Fault> {
        dialect.check_judge(&parts.headers).map(|()| Self)
    }
}

/// Judges the project of a session for a task. `sb3_file_name` and `timeout` have no effect, as in the reference.
pub async fn evaluate(dialect: Arc<ScratchWorld>, scope: Scope, params: Params) -> Reply {
    let mut fields = params.body()?;
    let (name, method) = (fields.text("task_name"), fields.text_or("evaluation_method", "node"));
    fields.text_or("sb3_file_name", "");
    fields.maybe_int("timeout");
    fields.done()?;
    dialect.check_session(&scope).await?;
    let failed = |text: String| Fault::new(StatusCode::INTERNAL_SERVER_ERROR, "not_evaluated", text);
    if method != BROWSER {
        return Err(failed(format!("Unsupported evaluation method: {method} (use \"browser\")")));
    }
    let entry = task_of(&dialect.api.tasks, &name);
    let entry = entry.ok_or_else(|| failed(format!("Evaluation script not found: {name}")))?;
    let sb3 = exported(&dialect, &scope).await?;
    let verdict = dialect.api.judge.judge(entry, &sb3).await.map_err(|error| Fault::Problem(error.into()))?;
    match verdict.outcome {
        Outcome::InfraError => Err(failed(verdict.error.unwrap_or_else(|| "the judge's browser broke".to_owned()))),
        _ => Ok(Json(page_fault(verdict)).into_response()),
    }
}

/// By the task's name, or by that of its script.
fn task_of<'a>(tasks: &'a TaskSet, name: &str) -> Option<&'a TaskEntry> {
    let named = |entry: &&TaskEntry| entry.task.id.as_str() == name;
    tasks.all().iter().find(named).or_else(|| tasks.all().iter().find(|entry| entry.task.evaluation == name))
}

fn page_fault(verdict: Verdict) -> Value {
    let stdout = verdict.console.join("\n");
    if verdict.outcome == Outcome::JudgeError {
        let error = verdict.error.unwrap_or_else(|| "the evaluation script broke".to_owned());
        let result = json!({});
        return json!({
            "status": "failed", "error": error, "result": result, "evaluation_method": BROWSER, "stdout": stdout,
        });
    }
    let (passed, total) = (verdict.passed_tests, verdict.total_tests);
    let result = json!({
        "success": verdict.outcome == Outcome::Passed, "passed_tests": passed, "total_tests": total,
        "partial_success_rate": if total == 0 { 0.0 } else { f64::from(passed) / f64::from(total) },
        "details": verdict.details,
    });
    json!({"status": "success", "result": result, "message": "", "evaluation_method": BROWSER, "stdout": stdout})
}
