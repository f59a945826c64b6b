//! An attempt as a sample: its scores, its times, its messages and events.

use serde_json::{Value, json};

use super::header::{PSR, TESTS, usage_by_model};
use super::transcript::Transcript;
use super::{short_id, without_nulls};
use crate::export::ExportError;
use crate::export::source::{Who, iso, opened};
use crate::grade::Graded;
use crate::model::{Ending, Task, TaskDetail, TaskRecord, Verdict};
use crate::store::{RunDir, Try};

/// Letters of the input in a summary.
const THIN: usize = 500;

/// An attempt with what its folder has of it.
pub(super) struct Sample {
    tried: Try<TaskDetail>,
    verdict: Option<Verdict>,
    model: String,
    instruction: String,
    title: Option<String>,
    uuid: String,
    /// When the session began, in seconds since 1970.
    begun: f64,
    transcript: Transcript,
}

impl Sample {
    pub(super) fn read(run: &RunDir, tried: Try<TaskDetail>, task: Option<&Task>) -> Result<Self, ExportError> {
        let who = Who::of(run.record());
        let model = who.model.unwrap_or_else(|| format!("none/{}", who.agent));
        let begun = opened(&tried.path).map_or(run.record().started_at, |opened| opened.started_at);
        let instruction = task.map_or_else(|| tried.record.item.to_string(), |task| task.instruction.clone());
        let transcript = Transcript::read(run, &tried, (&model, &instruction), begun)?;
        Ok(Self {
            verdict: run.verdict(&tried.name)?,
            uuid: short_id(&format!("{} {}", run.record().id, tried.name)),
            title: task.map(|task| task.title.clone()),
            tried,
            model,
            instruction,
            begun,
            transcript,
        })
    }

    pub(super) const fn record(&self) -> &TaskRecord {
        &self.tried.record
    }

    pub(super) fn item(&self) -> &str {
        self.tried.record.item.as_str()
    }

    pub(super) const fn epoch(&self) -> u32 {
        self.tried.record.attempt
    }

    /// When judging was over.
    pub(super) fn ended(&self) -> f64 {
        self.begun + self.total()
    }

    fn total(&self) -> f64 {
        self.record().cost.seconds + self.record().detail.judging_s
    }

    /// The file of the sample.
    pub(super) fn whole(&self) -> Value {
        let mut events = self.transcript.events.clone();
        events.extend(self.scores().into_iter().flatten().map(|(name, score)| self.score_event(&name, &score)));
        without_nulls(json!({
            "id": self.item(),
            "epoch": self.epoch(),
            "input": self.instruction,
            "target": "",
            "messages": self.transcript.messages,
            "output": self.transcript.output,
            "scores": self.scores(),
            "metadata": self.metadata(),
            "store": {},
            "events": events,
            "model_usage": usage_by_model(&self.model, &self.record().cost),
            "role_usage": {},
            "started_at": iso(self.begun),
            "completed_at": iso(self.ended()),
            "total_time": self.total(),
            "working_time": self.record().cost.seconds,
            "uuid": self.uuid,
            "error": self.error(),
            "attachments": self.transcript.pictures.attachments(),
            "events_data": {"messages": self.transcript.pool, "calls": []},
            "limit": self.limit(),
        }))
    }

    /// What lists of samples show.
    pub(super) fn summary(&self) -> Value {
        let thin: String = self.instruction.chars().take(THIN).collect();
        let limit = self.limit();
        without_nulls(json!({
            "id": self.item(),
            "epoch": self.epoch(),
            "input": thin,
            "target": "",
            "metadata": self.metadata(),
            "scores": self.scores(),
            "model_usage": usage_by_model(&self.model, &self.record().cost),
            "role_usage": {},
            "started_at": iso(self.begun),
            "completed_at": iso(self.ended()),
            "total_time": self.total(),
            "working_time": self.record().cost.seconds,
            "uuid": self.uuid,
            "error": self.error().map(|error| error["message"].clone()),
            "limit": limit.map(|limit| limit["type"].clone()),
            "retries": self.record().retry,
            "completed": true,
            "message_count": self.transcript.messages.len(),
        }))
    }

    fn metadata(&self) -> Value {
        let detail = &self.record().detail;
        without_nulls(json!({
            "title": self.title,
            "category": detail.category,
            "mode": detail.mode,
            "outcome": self.record().outcome,
            "ending": detail.ending,
            "steps": detail.steps,
        }))
    }

    /// The scores of an attempt that counts; one that the testbed broke has an error.
    fn scores(&self) -> Option<serde_json::Map<String, Value>> {
        let graded = Graded::from(self.record());
        let failed: Vec<String> = self
            .verdict
            .iter()
            .flat_map(|verdict| verdict.details.iter().filter(|case| !case.passed))
            .map(|case| {
                format!(
                    "failed: {}{}",
                    case.name,
                    case.error.as_ref().map(|error| format!(" ({error})")).unwrap_or_default()
                )
            })
            .collect();
        let detail = &self.record().detail;
        let tests = json!({
            "value": if graded.succeeded() { "C" } else { "I" },
            "explanation": format!("{} of {} tests passed\n{}", detail.passed_tests, detail.total_tests, failed.join("\n")).trim_end(),
            "metadata": {"passed_tests": detail.passed_tests, "total_tests": detail.total_tests},
        });
        let psr = json!({"value": graded.partial()});
        graded.counts().then(|| [(TESTS.to_owned(), tests), (PSR.to_owned(), psr)].into_iter().collect())
    }

    fn score_event(&self, name: &str, score: &Value) -> Value {
        json!({
            "event": "score", "uuid": short_id(&format!("{} {name}", self.uuid)), "timestamp": iso(self.ended()),
            "working_start": self.record().cost.seconds, "score": score, "target": "", "intermediate": false,
            "scorer": name,
        })
    }

    fn error(&self) -> Option<Value> {
        let record = self.record();
        let message = record.error.clone().unwrap_or_else(|| record.outcome.name().to_owned());
        (!record.outcome.counts()).then(|| {
            let message = format!("{}: {message}", record.outcome.name());
            json!({"message": message, "traceback": "", "traceback_ansi": ""})
        })
    }

    /// The limit that ended it, with how much was used.
    fn limit(&self) -> Option<Value> {
        let (kind, used) = match self.record().detail.ending {
            Ending::StepLimit => ("turn", f64::from(self.record().detail.steps)),
            Ending::WallLimit => ("time", self.record().cost.seconds),
            Ending::CostLimit => ("cost", 0.0),
            _ => return None,
        };
        Some(json!({"type": kind, "limit": used}))
    }
}
