//! An attempt at a task as the reference logs it: turns with what was seen, answered and done.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::source::{iso, opened, stamp};
use crate::agent::ACT;
use crate::model::{Ending, TaskDetail, Verdict};
use crate::store::{RunDir, StoreError, Try, read_lines};

/// What stands for pictures in prompts.
const NO_PICTURE: &str = "<base64_image_removed>";
/// How the reference calls an answer that no action can be read from.
const NO_PLAN: &str = "INVALID_ACTION_PLAN";

/// An attempt with all that its folder has of it.
pub(super) struct Played {
    pub(super) tried: Try<TaskDetail>,
    pub(super) verdict: Option<Verdict>,
    /// When the session began, in seconds since 1970; when the run did, where no log says so.
    pub(super) begun: f64,
    session: Option<String>,
    steps: BTreeMap<u64, Step>,
    /// What the agent thought of its attempt, if it was asked.
    pub(super) judged_itself: Option<Value>,
    turns: Vec<Value>,
    /// By their ids.
    messages: BTreeMap<String, Value>,
}

/// One turn of the loop.
#[derive(Debug, Default)]
pub(super) struct Step {
    /// The last look before the action.
    seen: Option<Value>,
    /// The action.
    pub(super) acted: Option<Value>,
    /// The last request to the model.
    turn: Option<Value>,
}

impl Played {
    /// Reads what is kept of an attempt.
    pub(super) fn read(run: &RunDir, tried: Try<TaskDetail>) -> Result<Self, StoreError> {
        let (verdict, calls) = match run.recorded(&tried.name)? {
            Some(recorded) => (recorded.verdict, recorded.calls),
            None => (None, Vec::new()),
        };
        let lines = |name: &str| {
            let path = tried.path.join(name);
            if path.is_file() { Ok(read_lines::<Value>(&path)?.0) } else { Ok(Vec::new()) }
        };
        let (turns, messages) = (lines("turns.jsonl")?, lines("messages.jsonl")?);
        let named = |message: Value| Some((message["id"].as_str()?.to_owned(), message));
        let opened = opened(&tried.path);
        Ok(Self {
            begun: opened.as_ref().map_or(run.record().started_at, |opened| opened.started_at),
            session: opened.map(|opened| opened.session),
            judged_itself: run.kept(&format!("{}/autoeval.json", RunDir::place(&tried.record)))?,
            steps: steps(calls, &turns),
            messages: messages.into_iter().filter_map(named).collect(),
            turns,
            verdict,
            tried,
        })
    }

    /// What the reference names the files of an attempt by: when it began.
    pub(super) fn sid(&self) -> String {
        stamp(self.begun)
    }

    /// When judging was over.
    pub(super) fn ended(&self) -> f64 {
        let record = &self.tried.record;
        self.begun + record.cost.seconds + record.detail.judging_s
    }

    pub(super) const fn steps(&self) -> &BTreeMap<u64, Step> {
        &self.steps
    }

    /// One value a turn, as in the reference's log of interactions.
    pub(super) fn interactions(&self) -> Vec<Value> {
        self.steps.iter().map(|(number, step)| self.interaction(*number, step)).collect()
    }

    fn interaction(&self, number: u64, step: &Step) -> Value {
        let last = step.acted.as_ref().or(step.seen.as_ref());
        let at = last.and_then(|call| call["at_s"].as_f64()).map(|at| self.begun + at);
        let time = at.map(iso);
        let answer = step.turn.as_ref().map_or(&Value::Null, |turn| &turn["answer"]["text"]);
        let wasted = step.turn.as_ref().filter(|_| step.acted.is_none()).and_then(|turn| turn["fault"].as_str());
        let mut interaction = json!({
            "turn": number,
            "timestamp": time,
            "observation": step.seen.as_ref().map(observation),
            "agent_prediction": answer,
            // An action that was carried out is in the result, there.
            "action": wasted.map(|_| json!({"api": "", "args": {}})),
            "result": step.acted.as_ref().map(|call| self.envelope(call, time.as_deref())),
            "screenshot_path": step.screenshot().map(|(_, ending)| screenshot_name(number, ending)),
        });
        if let Some(fault) = wasted {
            interaction["error"] = json!({"code": NO_PLAN, "message": fault});
        } else if let Some(error) = step.turn.as_ref().and_then(|turn| turn["error"].as_str()) {
            interaction["error"] = json!({"code": "API_ERROR", "message": error});
            interaction["fatal"] = json!(true);
        }
        interaction
    }

    /// A reply in the reference's envelope.
    fn envelope(&self, call: &Value, time: Option<&str>) -> Value {
        let reply = &call["reply"];
        let action = |call: &Value| json!({"api": call["api"], "args": call["args"]});
        let error = &reply["error"];
        let took = |part: &str| reply["timing"][part].as_f64().unwrap_or_default();
        let mut data = reply["data"].clone();
        if data.is_null() {
            data = json!({});
        }
        json!({
            "success": reply["success"],
            "requested_action": action(&call["call"]),
            "executed_action": action(&reply["executed_action"]),
            "data": data,
            "error": (!error.is_null()).then(|| json!({"code": error["code"], "message": error["message"]})),
            "meta": {
                "session_id": self.session,
                "timestamp": time,
                "duration_ms": (took("action_ms") + took("settle_ms")).round(),
            },
        })
    }

    /// The requests to the model: the number of each, and what the reference keeps of it.
    pub(super) fn prompts(&self) -> Vec<(u64, Value)> {
        self.turns.iter().filter_map(|turn| Some((turn["turn"].as_u64()?, self.prompt(turn)))).collect()
    }

    fn prompt(&self, turn: &Value) -> Value {
        let sent = turn["sent"].as_array().map(Vec::as_slice).unwrap_or_default();
        let messages = sent.iter().filter_map(|id| self.messages.get(id.as_str()?)).flat_map(sent_as);
        let called = turn["answer"]["parts"].as_array().into_iter().flatten().filter_map(|part| part.get("call"));
        let called = tool_calls(called);
        let mut prompt = json!({
            "turn": turn["step"],
            // No time was noted, and no price is known; tokens are.
            "timestamp": null,
            "messages": messages.collect::<Vec<_>>(),
            "response": turn["answer"]["text"],
            "cost": null,
            "usage": turn["answer"]["usage"],
        });
        if !called.is_empty() {
            prompt["tool_calls"] = called.into();
        }
        prompt
    }

    /// The pictures that the agent was shown, by their names.
    pub(super) fn screenshots(&self) -> impl Iterator<Item = (String, Vec<u8>)> + '_ {
        self.steps.iter().filter_map(|(number, step)| {
            let (encoded, ending) = step.screenshot()?;
            Some((screenshot_name(*number, ending), STANDARD.decode(encoded).ok()?))
        })
    }

    /// How the attempt ended, in the reference's words where they are known.
    pub(super) const fn final_status(&self) -> &'static str {
        match self.tried.record.detail.ending {
            Ending::Done => "done",
            Ending::GaveUp => "failed",
            Ending::StepLimit => "step_limit",
            Ending::WallLimit => "wall_limit",
            Ending::CostLimit => "cost_limit",
            Ending::AgentError => "agent_error",
            Ending::ProviderError => "API_ERROR",
            Ending::InfraError => "infra_error",
            Ending::Crashed => "crashed",
        }
    }

    /// Why it ended: what the agent said with its last action, or what went wrong.
    pub(super) fn final_reason(&self) -> Option<String> {
        let last = self.steps.values().next_back().and_then(|step| step.acted.as_ref());
        let said = last.and_then(|call| call["call"]["args"]["reason"].as_str()).map(str::to_owned);
        said.or_else(|| self.tried.record.error.clone())
    }
}

impl Step {
    /// What a look showed, in base64, with the ending of its file's name.
    fn screenshot(&self) -> Option<(&str, &str)> {
        let data = &self.seen.as_ref()?["reply"]["data"];
        let encoded = data["screenshot"].as_str().filter(|text| !text.is_empty())?;
        let ending = match data["picture"]["media_type"].as_str() {
            Some("image/jpeg") => "jpg",
            Some("image/webp") => "webp",
            _ => "png",
        };
        Some((encoded, ending))
    }
}

fn screenshot_name(number: u64, ending: &str) -> String {
    format!("screenshots/turn_{number:03}.{ending}")
}

/// What a look showed, without its picture.
fn observation(seen: &Value) -> Value {
    let mut data = seen["reply"]["data"].clone();
    if let Some(data) = data.as_object_mut() {
        data.shift_remove("screenshot");
    }
    data
}

/// What endpoints take of a message: results of calls, then the message with what it calls.
fn sent_as(kept: &Value) -> Vec<Value> {
    let results = kept["results"].as_array().into_iter().flatten();
    let mut sent: Vec<Value> = results
        .map(|result| json!({"role": "tool", "tool_call_id": result["id"], "content": result["text"]}))
        .collect();
    let mut said = message(kept);
    let parts = kept["parts"].as_array().into_iter().flatten().filter_map(|part| part.get("call"));
    let calls = tool_calls(parts);
    if !calls.is_empty() {
        said["tool_calls"] = calls.into();
    }
    sent.push(said);
    sent
}

/// Calls as endpoints write them.
fn tool_calls<'a>(calls: impl Iterator<Item = &'a Value>) -> Vec<Value> {
    let one = |call: &Value| {
        let function = json!({"name": call["name"], "arguments": call["args"].to_string()});
        json!({"id": call["id"], "type": "function", "function": function})
    };
    calls.map(one).collect()
}

/// A message as endpoints take it, without its picture.
fn message(kept: &Value) -> Value {
    let content = if kept["picture"].is_string() {
        json!([
            {"type": "text", "text": kept["text"]},
            {"type": "image_url", "image_url": {"url": NO_PICTURE}},
        ])
    } else {
        kept["text"].clone()
    };
    let mut message = Map::from_iter([("role".to_owned(), kept["role"].clone()), ("content".to_owned(), content)]);
    if kept["reasoning"].is_string() {
        message.insert("reasoning_content".to_owned(), kept["reasoning"].clone());
    }
    Value::Object(message)
}

/// Looks, actions and requests by the step that they belong to.
fn steps(calls: Vec<Value>, turns: &[Value]) -> BTreeMap<u64, Step> {
    let mut steps: BTreeMap<u64, Step> = BTreeMap::new();
    for call in calls {
        let Some(number) = call["step"].as_u64() else { continue };
        let step = steps.entry(number).or_default();
        let is_look = call["call"]["api"] == "observe";
        *(if is_look { &mut step.seen } else { &mut step.acted }) = Some(call);
    }
    for turn in turns {
        // What else a model was asked decides on nothing.
        let decides = turn["purpose"].as_str().is_none_or(|purpose| purpose == ACT);
        let Some(number) = turn["step"].as_u64().filter(|_| decides) else { continue };
        steps.entry(number).or_default().turn = Some(turn.clone());
    }
    // A last look, from which an agent learns, is no turn.
    steps.retain(|_, step| step.acted.is_some() || step.turn.is_some());
    steps
}
