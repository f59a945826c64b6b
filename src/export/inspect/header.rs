//! What a log says of its run: who attempted what, how it was scored, and what came of it.

use serde_json::{Map, Value, json};

use super::sample::Sample;
use super::{LOG_VERSION, short_id, without_nulls};
use crate::export::source::{Who, endpoint, iso};
use crate::grade::Graded;
use crate::model::{Cost, RunRecord};
use crate::store::RunDir;

/// The scores of a sample: whether all tests passed, and the share of those that did.
pub(super) const TESTS: &str = "tests";
pub(super) const PSR: &str = "psr";

/// What is counted of the samples on the way.
pub(super) struct Header {
    spec: Value,
    model: String,
    graded: Vec<Graded>,
    cost: Cost,
    ended: f64,
    started: f64,
}

impl Header {
    pub(super) fn new(run: &RunDir) -> Self {
        let record = run.record();
        let model = model_name(record);
        let (graded, started) = (Vec::new(), record.started_at);
        let mut spec = spec(record, &model);
        spec["metadata"]["claimed_by_file"] = run.has_claims().into();
        Self { spec, model, graded, cost: Cost::default(), ended: started, started }
    }

    /// The journal's first entry.
    pub(super) fn start(&self) -> Value {
        json!({"version": LOG_VERSION, "eval": self.spec, "plan": self.plan()})
    }

    pub(super) fn count(&mut self, sample: &Sample) {
        self.graded.push(Graded::from(sample.record()));
        self.cost += sample.record().cost;
        self.ended = self.ended.max(sample.ended());
    }

    /// The header, whose fields are in the order that Inspect reads streams in.
    pub(super) fn whole(&self, run: &RunDir) -> Value {
        let wanted = run.record().items.len() * run.record().attempts as usize;
        let counted: Vec<&Graded> = self.graded.iter().filter(|graded| graded.counts()).collect();
        // Of a run that lacks attempts no reader should take the rates for final.
        let status = if counted.len() >= wanted { "success" } else { "cancelled" };
        json!({
            "version": LOG_VERSION,
            "status": status,
            "eval": self.spec,
            "plan": self.plan(),
            "results": self.results(&counted, wanted),
            "stats": {
                "started_at": iso(self.started),
                "completed_at": iso(self.ended),
                "model_usage": usage_by_model(&self.model, &self.cost),
                "role_usage": {},
            },
        })
    }

    fn plan(&self) -> Value {
        json!({"name": "plan", "steps": [{"solver": self.spec["solver"], "params": {}}], "config": {}})
    }

    fn results(&self, counted: &[&Graded], wanted: usize) -> Value {
        let mean = |of: fn(&Graded) -> f64| {
            #[expect(clippy::cast_precision_loss, reason = "counts of attempts are small")]
            let n = counted.len() as f64;
            (!counted.is_empty()).then(|| counted.iter().map(|graded| of(graded)).sum::<f64>() / n)
        };
        let score = |name: &str, metric: &str, value: Option<f64>| {
            let metrics: Map<String, Value> = value
                .into_iter()
                .map(|value| (metric.to_owned(), json!({"name": metric, "value": value, "params": {}})))
                .collect();
            json!({
                "name": name, "scorer": name, "scored_samples": counted.len(),
                "unscored_samples": self.graded.len() - counted.len(), "params": {}, "metrics": metrics,
            })
        };
        json!({
            "total_samples": wanted,
            "completed_samples": counted.len(),
            "logged_samples": self.graded.len(),
            "scores": [
                score(TESTS, "accuracy", mean(|graded| f64::from(u8::from(graded.succeeded())))),
                score(PSR, "mean", mean(Graded::partial)),
            ],
        })
    }
}

/// What Inspect calls a task is a set of them here.
pub(super) fn task_name(run: &RunRecord) -> String {
    let mode = run.mode.map(|mode| format!("/{mode}")).unwrap_or_default();
    format!("scratchbed{mode}")
}

fn model_name(run: &RunRecord) -> String {
    let who = Who::of(run);
    who.model.unwrap_or_else(|| format!("none/{}", who.agent))
}

fn spec(run: &RunRecord, model: &str) -> Value {
    let metric = |name: &str| json!([{"name": name, "options": {}}]);
    let scorer = |name: &str, of: &str| json!({"name": name, "options": {}, "metrics": metric(of), "metadata": {}});
    without_nulls(json!({
        "eval_id": short_id(&run.id),
        "run_id": short_id(&format!("run {}", run.id)),
        "created": iso(run.started_at),
        "task": task_name(run),
        "task_id": short_id(&format!("task {}", run.id)),
        "task_version": run.set,
        "task_attribs": {},
        "task_args": {"setting": run.setting, "split": run.split, "limits": run.options["limits"]},
        "solver": Who::of(run).agent,
        "solver_args": run.options["agent"]["style"],
        "tags": [run.setting],
        "dataset": {
            "name": run.split.as_deref().unwrap_or("scratchbed"),
            "samples": run.items.len(),
            "sample_ids": run.items,
            "shuffled": false,
        },
        "model": model,
        "model_generate_config": {},
        "model_base_url": endpoint(run),
        "model_args": {},
        "config": {"epochs": run.attempts, "epochs_reducer": ["mean"]},
        "packages": {"scratchbed": run.version},
        "metadata": {"run": run.id, "notes": run.notes},
        "scorers": [scorer(TESTS, "accuracy"), scorer(PSR, "mean")],
    }))
}

/// Tokens as Inspect counts them: what came out of a cache or went into one is no part of the input.
pub(super) fn usage(cost: &Cost) -> Value {
    let plain = cost.input_tokens.saturating_sub(cost.cached_tokens).saturating_sub(cost.cache_written_tokens);
    json!({
        "input_tokens": plain,
        "output_tokens": cost.output_tokens,
        "total_tokens": cost.input_tokens + cost.output_tokens,
        "input_tokens_cache_write": cost.cache_written_tokens,
        "input_tokens_cache_read": cost.cached_tokens,
        "reasoning_tokens": cost.reasoning_tokens,
    })
}

/// The usage of a model; nothing where none was asked.
pub(super) fn usage_by_model(model: &str, cost: &Cost) -> Value {
    if cost.calls == 0 { json!({}) } else { json!({model: usage(cost)}) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_tokens_are_no_input_and_built_in_agents_have_no_usage() {
        let cost = Cost {
            calls: 1,
            input_tokens: 100,
            cached_tokens: 60,
            cache_written_tokens: 10,
            output_tokens: 5,
            ..Cost::default()
        };
        let found = usage(&cost);
        assert_eq!((&found["input_tokens"], &found["total_tokens"]), (&json!(30), &json!(105)));
        assert_eq!(usage_by_model("none/oracle", &Cost::default()), json!({}));
    }
}
