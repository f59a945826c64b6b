//! The events and messages of an attempt: requests to the model with what was sent, and calls with their results.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use super::pictures::{Pictures, media_type};
use super::{short_id, without_nulls};
use crate::agent::ACT;
use crate::export::source::iso;
use crate::model::TaskDetail;
use crate::store::{LoggedPicture, RunDir, StoreError, Try, read_lines};

/// What comes first of the same step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Look,
    Turn,
    Act,
}

/// What happened in an attempt.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    pub(super) events: Vec<Value>,
    /// The conversation in one line.
    pub(super) messages: Vec<Value>,
    /// Messages that requests refer to, each once.
    pub(super) pool: Vec<Value>,
    /// The last answer.
    pub(super) output: Value,
    pub(super) pictures: Pictures,
}

/// What is needed to write an attempt down.
struct Scribe<'a> {
    run: &'a RunDir,
    tried: &'a Try<TaskDetail>,
    model: &'a str,
    begun: f64,
    /// Where the messages of each id lie in the pool.
    places: BTreeMap<String, Vec<usize>>,
    /// Seconds since the session began of what was last written.
    at: f64,
    out: Transcript,
}

impl Transcript {
    pub(super) fn read(
        run: &RunDir,
        tried: &Try<TaskDetail>,
        (model, instruction): (&str, &str),
        begun: f64,
    ) -> Result<Self, StoreError> {
        let calls = run.recorded(&tried.name)?.map(|recorded| recorded.calls).unwrap_or_default();
        let pictures = run.logged_pictures(&tried.name, &calls)?;
        let lines = |name: &str| {
            let path = tried.path.join(name);
            if path.is_file() { Ok(read_lines::<Value>(&path)?.0) } else { Ok(Vec::new()) }
        };
        let (turns, kept) = (lines("turns.jsonl")?, lines("messages.jsonl")?);
        let mut scribe = Scribe { run, tried, model, begun, places: BTreeMap::new(), at: 0.0, out: Self::default() };
        scribe.begin(instruction);
        scribe.keep_messages(&kept);
        let step = |value: &Value| value["step"].as_u64().unwrap_or_default();
        let mut order: Vec<(u64, Place, usize)> = Vec::new();
        for (at, call) in calls.iter().enumerate() {
            let place = if call["call"]["api"] == "observe" { Place::Look } else { Place::Act };
            order.push((step(call), place, at));
        }
        order.extend(turns.iter().enumerate().map(|(at, turn)| (step(turn), Place::Turn, at)));
        order.sort_unstable();
        let has_turns = !turns.is_empty();
        for (_, place, at) in order {
            match place {
                Place::Turn => scribe.turn(at, &turns[at]),
                Place::Look | Place::Act => scribe.call(at, &calls[at], pictures[at].as_ref(), !has_turns),
            }
        }
        scribe.converse(&turns, instruction);
        Ok(scribe.out)
    }
}

impl Scribe<'_> {
    fn event(&self, kind: &str, number: usize, more: Value) -> Value {
        let mut event = json!({
            "event": kind,
            "uuid": short_id(&format!("{} {} {kind} {number}", self.run.record().id, self.tried.name)),
            "timestamp": iso(self.begun + self.at),
            "working_start": self.at,
        });
        if let (Some(event), Value::Object(more)) = (event.as_object_mut(), without_nulls(more)) {
            event.extend(more);
        }
        event
    }

    fn begin(&mut self, instruction: &str) {
        let sample = json!({"input": instruction, "target": "", "id": self.tried.record.item});
        let event = self.event("sample_init", 0, json!({"sample": sample, "state": {}}));
        self.out.events.push(event);
    }

    /// Puts the messages of all requests into the pool.
    fn keep_messages(&mut self, kept: &[Value]) {
        for message in kept {
            let Some(id) = message["id"].as_str() else { continue };
            let all = messages(message, &self.tried.path, &mut self.out.pictures);
            let first = self.out.pool.len();
            self.places.insert(id.to_owned(), (first..first + all.len()).collect());
            self.out.pool.extend(all);
        }
    }

    /// A request to the model.
    fn turn(&mut self, number: usize, turn: &Value) {
        let sent = turn["sent"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let sent: Vec<usize> = sent.filter_map(|id| self.places.get(id)).flatten().copied().collect();
        let (answer, seconds) = (&turn["answer"], turn["seconds"].as_f64().unwrap_or_default());
        let model = answer["model"].as_str().unwrap_or(self.model);
        let output = output(model, answer, seconds);
        let error = turn["error"].as_str().or_else(|| turn["fault"].as_str());
        let event = self.event(
            "model",
            number,
            json!({
                "model": self.model,
                "role": turn["role"],
                "input": [],
                "input_refs": ranges(&sent),
                "tools": [],
                "tool_choice": "auto",
                "config": {},
                "output": output,
                "retries": answer["tries"].as_u64().map(|tries| tries.saturating_sub(1)),
                "error": error,
                "metadata": {"purpose": turn["purpose"]},
                "completed": iso(self.begun + self.at + seconds),
                "working_time": seconds,
            }),
        );
        self.out.events.push(event);
        if decides(turn) {
            self.out.output = output;
        }
    }

    /// A call with its result; it is part of the conversation where no model has one.
    fn call(&mut self, number: usize, call: &Value, picture: Option<&LoggedPicture>, is_said: bool) {
        let reply = &call["reply"];
        // A call is noted when it is answered.
        let ended = call["at_s"].as_f64().unwrap_or(self.at);
        let part = |name: &str| reply["timing"][name].as_f64().unwrap_or_default() / 1000.0;
        let took = part("wait_ms") + part("action_ms") + part("settle_ms");
        self.at = (ended - took).max(self.at);
        let id = format!("call_{number}");
        let (function, arguments) = (&call["call"]["api"], &call["call"]["args"]);
        let result = self.result(reply, picture);
        let error = reply["error"]["message"].as_str().map(|message| {
            let code = reply["error"]["code"].as_str().unwrap_or_default();
            json!({"type": "unknown", "message": format!("{code}: {message}")})
        });
        let event = self.event(
            "tool",
            number,
            json!({
                "type": "function", "id": id, "function": function, "arguments": arguments, "result": result,
                "error": error, "completed": iso(self.begun + ended), "working_time": took,
            }),
        );
        self.out.events.push(event);
        self.at = ended.max(self.at);
        if is_said {
            let asked = json!([{"id": id, "function": function, "arguments": arguments, "type": "function"}]);
            self.out.messages.push(json!({"role": "assistant", "content": "", "tool_calls": asked}));
            let told =
                json!({"role": "tool", "content": result, "tool_call_id": id, "function": function, "error": error});
            self.out.messages.push(without_nulls(told));
        }
    }

    /// What a call brought: words, and the picture that was taken after it.
    fn result(&mut self, reply: &Value, logged: Option<&LoggedPicture>) -> Value {
        let mut data = reply["data"].clone();
        let screenshot = data.as_object_mut().and_then(|data| data.shift_remove("screenshot"));
        let words = ["text", "pseudocode", "table"].into_iter().find_map(|key| data[key].as_str().map(str::to_owned));
        let is_empty = data.as_object().is_none_or(serde_json::Map::is_empty);
        let words = words.unwrap_or_else(|| if is_empty { "done".to_owned() } else { data.to_string() });
        let shown = screenshot.as_ref().and_then(Value::as_str).and_then(|encoded| {
            let kind = data["picture"]["media_type"].as_str().unwrap_or("image/png");
            self.out.pictures.add_encoded(encoded, kind)
        });
        let shown = shown.or_else(|| {
            let logged = logged?;
            let bytes = self.run.logged_picture(&self.tried.name, logged)?;
            Some(self.out.pictures.add(&bytes, logged.media_type()))
        });
        match shown {
            Some(picture) => json!([{"type": "text", "text": words}, picture]),
            None => json!(words),
        }
    }

    /// The conversation: each message once, in the order in which the model was first sent it, then the last answer.
    fn converse(&mut self, turns: &[Value], instruction: &str) {
        let mut said = BTreeSet::new();
        let mut sent = Vec::new();
        for id in
            turns.iter().filter(|turn| decides(turn)).flat_map(|turn| turn["sent"].as_array().into_iter().flatten())
        {
            if let Some(places) = id.as_str().and_then(|id| self.places.get(id)).filter(|_| said.insert(id.as_str())) {
                sent.extend(places.iter().map(|at| self.out.pool[*at].clone()));
            }
        }
        if sent.is_empty() {
            self.out.messages.insert(0, json!({"role": "user", "content": instruction, "source": "input"}));
        } else {
            sent.extend(self.out.output["choices"][0].get("message").cloned());
            self.out.messages = sent;
        }
        if self.out.output.is_null() {
            self.out.output = json!({"model": self.model, "choices": []});
        }
    }
}

/// Whether a request was made to decide on an action.
fn decides(turn: &Value) -> bool {
    turn["purpose"].as_str().is_none_or(|purpose| purpose == ACT)
}

/// Runs of neighbouring places, each with its first and the one after its last.
fn ranges(places: &[usize]) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for place in places {
        match found.last_mut() {
            Some((_, end)) if *end == *place => *end += 1,
            _ => found.push((*place, place + 1)),
        }
    }
    found
}

/// The answer of a model.
fn output(model: &str, answer: &Value, seconds: f64) -> Value {
    let calls = answer["parts"].as_array().into_iter().flatten().filter_map(|part| part.get("call"));
    let calls: Vec<Value> = calls.map(asked).collect();
    let stop = match (answer["is_filtered"].as_bool(), answer["is_cut"].as_bool(), calls.is_empty()) {
        (Some(true), ..) => "content_filter",
        (_, Some(true), _) => "max_tokens",
        (_, _, false) => "tool_calls",
        _ => "stop",
    };
    let message = without_nulls(json!({
        "role": "assistant",
        "content": spoken(&answer["reasoning"], &answer["text"]),
        "source": "generate",
        "tool_calls": (!calls.is_empty()).then_some(calls),
        "model": model,
    }));
    let usage = &answer["usage"];
    let count = |name: &str| usage[name].as_u64().unwrap_or_default();
    let plain = count("input_tokens").saturating_sub(count("cached_tokens") + count("cache_written_tokens"));
    json!({
        "model": model,
        "choices": [{"message": message, "stop_reason": stop}],
        "usage": {
            "input_tokens": plain,
            "output_tokens": count("output_tokens"),
            "total_tokens": count("input_tokens") + count("output_tokens"),
            "input_tokens_cache_write": count("cache_written_tokens"),
            "input_tokens_cache_read": count("cached_tokens"),
            "reasoning_tokens": count("reasoning_tokens"),
        },
        "time": seconds,
    })
}

fn asked(call: &Value) -> Value {
    let arguments = if call["args"].is_object() { call["args"].clone() } else { json!({}) };
    json!({"id": call["id"], "function": call["name"], "arguments": arguments, "type": "function"})
}

/// Thoughts and words.
fn spoken(reasoning: &Value, text: &Value) -> Value {
    let text = text.as_str().unwrap_or_default();
    match reasoning.as_str().filter(|thought| !thought.is_empty()) {
        Some(thought) => json!([{"type": "reasoning", "reasoning": thought}, {"type": "text", "text": text}]),
        None => json!(text),
    }
}

/// A kept message in Inspect's form: results of calls, then what was said.
fn messages(kept: &Value, folder: &Path, pictures: &mut Pictures) -> Vec<Value> {
    let results = kept["results"].as_array().into_iter().flatten();
    let mut all: Vec<Value> = results
        .map(|result| json!({"role": "tool", "content": result["text"].as_str().unwrap_or_default(), "tool_call_id": result["id"]}))
        .collect();
    let calls: Vec<Value> =
        kept["parts"].as_array().into_iter().flatten().filter_map(|part| part.get("call")).map(asked).collect();
    let role = kept["role"].as_str().unwrap_or("user");
    let picture = kept["picture"].as_str().filter(|name| !name.contains(['/', '\\'])).and_then(|name| {
        let bytes = std::fs::read(folder.join(name)).ok()?;
        Some(pictures.add(&bytes, media_type(name)))
    });
    let content = match picture {
        Some(picture) => json!([{"type": "text", "text": kept["text"].as_str().unwrap_or_default()}, picture]),
        None => spoken(&kept["reasoning"], &kept["text"]),
    };
    if all.is_empty() || content != json!("") {
        let calls = (!calls.is_empty() && role == "assistant").then_some(calls);
        all.push(without_nulls(json!({"role": role, "content": content, "tool_calls": calls})));
    }
    for (at, message) in all.iter_mut().enumerate() {
        message["id"] = json!(short_id(&format!("{} {at}", kept["id"].as_str().unwrap_or_default())));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_messages_are_one_range() {
        assert_eq!(ranges(&[0, 1, 2, 7, 8, 3]), [(0, 3), (7, 9), (3, 4)]);
        assert_eq!(ranges(&[]), []);
    }

    #[test]
    fn answers_have_their_calls_and_why_they_ended() {
        let answer = json!({
            "text": "", "reasoning": "hm", "is_cut": false, "is_filtered": false,
            "parts": [{"call": {"id": "c", "name": "click", "args": {"x": 1}}}],
            "usage": {"input_tokens": 10, "cached_tokens": 4, "output_tokens": 2},
        });
        let found = output("m", &answer, 1.5);
        let choice = &found["choices"][0];
        assert_eq!((&choice["stop_reason"], &found["usage"]["input_tokens"]), (&json!("tool_calls"), &json!(6)));
        assert_eq!(choice["message"]["tool_calls"][0]["function"], "click");
        assert_eq!(choice["message"]["content"][0]["reasoning"], "hm");
        assert_eq!(output("m", &json!({"text": "a", "is_cut": true}), 0.0)["choices"][0]["stop_reason"], "max_tokens");
    }
}
