//! The turns of a model as they are shown: long texts cut, costs reckoned, messages on demand.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::grade::{PriceTable, Pricing};
use crate::model::{Cost, RunRecord};
use crate::store::{Progress, RunDir, StoreError};

/// Characters of an answer, of reasoning or of a message that are shown.
const SHOWN: usize = 20_000;
/// Bytes of a call's arguments that are shown, as JSON.
const ARGUMENT_BYTES: usize = 4_000;

/// A text that a model wrote or was sent, as far as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct ShownText {
    /// Its first 20,000 characters. It may hold anything, markup and control characters included.
    pub text: String,
    /// How many characters more it has.
    pub left_out: usize,
}

/// Tokens that a request used, as far as its endpoint told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Tokens {
    /// Of the request.
    pub input_tokens: u64,
    /// Of the answer.
    pub output_tokens: u64,
    /// Of the request: out of the provider's cache.
    pub cached_tokens: u64,
    /// Of the request: written to the provider's cache.
    pub cache_written_tokens: u64,
    /// Of the answer: thinking.
    pub reasoning_tokens: u64,
}

/// A request to the model, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TurnView {
    /// Its number, from 1.
    pub turn: u64,
    /// The step that was to be decided. Several turns may be about one.
    pub step: u64,
    /// Seconds from the request to the answer, waits for the provider included.
    pub seconds: f64,
    /// The answer, if one came.
    pub answer: Option<ShownText>,
    /// What the model thought before, as far as the endpoint told.
    pub reasoning: Option<ShownText>,
    /// Why there is no answer.
    pub error: Option<String>,
    /// Whether the answer was cut off at the longest length.
    pub is_cut: bool,
    /// Whether the provider's filter held it back.
    pub is_filtered: bool,
    /// The call that was read from it: `api` and `args`.
    pub call: Option<Value>,
    /// Why no call could be read.
    pub fault: Option<String>,
    /// The model, as its endpoint named it.
    pub model: Option<String>,
    /// What it used.
    pub tokens: Option<Tokens>,
    /// Requests that it took.
    pub tries: u32,
    /// Of the seconds: those of failed requests and of waits after them.
    pub waited_s: f64,
    /// What it cost in millionths of a dollar; absent where the price is not known.
    pub micro_usd: Option<u64>,
    /// How many messages were sent.
    pub messages: usize,
}

/// A message of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MessageView {
    /// `system`, `user` or `assistant`.
    pub role: String,
    /// Its text.
    pub text: ShownText,
    /// What the model had thought before it, where that was sent back.
    pub reasoning: Option<ShownText>,
    /// Whether a picture was sent with it.
    pub picture: bool,
}

/// The turns of an attempt.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TurnPage {
    /// Grows with every turn and every call of the attempt.
    pub version: u64,
    /// Whether there will be no more.
    pub complete: bool,
    /// Those after the one that was asked for, in order; none for agents that ask no model.
    pub turns: Vec<TurnView>,
}

impl TurnPage {
    /// Of an agent that asks no model, or whose model is not ours to ask.
    pub const fn none() -> Self {
        Self { version: 1, complete: true, turns: Vec::new() }
    }

    /// Of an attempt of a run after this turn; `None` when there is no such attempt.
    ///
    /// # Errors
    /// When they can't be read.
    pub fn of_run(run: &RunDir, name: &str, after: u64) -> Result<Option<Self>, StoreError> {
        // First: what comes in between is told again.
        let Some(Progress { version, is_complete }) = run.progress(name) else { return Ok(None) };
        let pricing = pricing(run.record());
        let turns = run.turns(name)?;
        let later = turns.iter().filter(|line| line["turn"].as_u64().is_some_and(|turn| turn > after));
        let turns = later.map(|line| TurnView::of(line, &pricing)).collect();
        Ok(Some(Self { version, complete: is_complete, turns }))
    }
}

/// The messages of a turn; `None` when there is no such turn.
///
/// # Errors
/// When they can't be read.
pub fn messages_of(run: &RunDir, name: &str, turn: u64) -> Result<Option<Vec<MessageView>>, StoreError> {
    Ok(run.turn_messages(name, turn)?.map(|sent| sent.iter().map(MessageView::of).collect()))
}

/// How the calls of a run are priced: by the list of this program.
fn pricing(run: &RunRecord) -> Pricing {
    PriceTable::bundled().map_or(Pricing::Unknown, |table| table.pricing(run))
}

impl ShownText {
    fn of(text: &Value) -> Option<Self> {
        let text = text.as_str()?;
        let end = text.char_indices().nth(SHOWN).map_or(text.len(), |(end, _)| end);
        Some(Self { text: text[..end].to_owned(), left_out: text[end..].chars().count() })
    }
}

impl TurnView {
    fn of(line: &Value, pricing: &Pricing) -> Self {
        let answer = &line["answer"];
        let word = |value: &Value| ShownText::of(value).map(|shown| shown.text);
        let tokens: Option<Tokens> = serde_json::from_value(answer["usage"].clone()).ok();
        let tries = answer["tries"].as_u64().and_then(|tries| u32::try_from(tries).ok()).unwrap_or_default();
        Self {
            turn: line["turn"].as_u64().unwrap_or_default(),
            step: line["step"].as_u64().unwrap_or_default(),
            seconds: line["seconds"].as_f64().unwrap_or_default(),
            answer: ShownText::of(&answer["text"]),
            reasoning: ShownText::of(&answer["reasoning"]).filter(|shown| !shown.text.trim().is_empty()),
            error: word(&line["error"]),
            is_cut: answer["is_cut"] == true,
            is_filtered: answer["is_filtered"] == true,
            call: Some(&line["call"]).filter(|call| call.is_object()).map(shortened),
            fault: word(&line["fault"]),
            model: word(&answer["model"]),
            tokens,
            tries,
            waited_s: answer["waited_s"].as_f64().unwrap_or_default(),
            micro_usd: tokens.and_then(|tokens| pricing.of(&tokens.cost(tries))),
            messages: line["sent"].as_array().map_or(0, Vec::len),
        }
    }
}

impl Tokens {
    fn cost(self, calls: u32) -> Cost {
        let Self { input_tokens, output_tokens, cached_tokens, cache_written_tokens, reasoning_tokens } = self;
        Cost { seconds: 0.0, calls, input_tokens, output_tokens, cached_tokens, cache_written_tokens, reasoning_tokens }
    }
}

impl MessageView {
    fn of(kept: &Value) -> Self {
        Self {
            role: kept["role"].as_str().unwrap_or_default().to_owned(),
            text: ShownText::of(&kept["text"]).unwrap_or_default(),
            reasoning: ShownText::of(&kept["reasoning"]),
            picture: kept["picture"].is_string(),
        }
    }
}

/// A call without arguments that no honest one has.
fn shortened(call: &Value) -> Value {
    let bytes = call["args"].to_string().len();
    if bytes <= ARGUMENT_BYTES {
        return json!({"api": call["api"], "args": call["args"]});
    }
    let left_out = Map::from_iter([("left_out_bytes".to_owned(), bytes.into())]);
    json!({"api": call["api"], "args": left_out})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(more: &Value) -> Value {
        let usage = json!({"input_tokens": 1000, "output_tokens": 50, "cached_tokens": 600, "reasoning_tokens": 20});
        let mut line = json!({
            "turn": 3, "step": 2, "seconds": 1.5, "sent": ["a", "b"], "error": null, "call": null, "fault": null,
            "answer": {"text": "\u{1b}[2J<b>x", "reasoning": "hm", "is_cut": false, "model": "m", "usage": usage, "tries": 2},
        });
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        line
    }

    #[test]
    fn a_turn_has_what_was_said_and_what_it_cost() {
        let price = PriceTable::bundled().unwrap().of("gpt-5").unwrap();
        let call = json!({"api": "click", "args": {"x": 1}});
        let view = TurnView::of(&line(&json!({"call": call})), &Pricing::Known(price));
        assert_eq!((view.turn, view.step, view.messages, view.tries), (3, 2, 2, 2));
        assert_eq!(view.answer.unwrap().text, "\u{1b}[2J<b>x", "it is the page that shows it harmlessly");
        assert_eq!((view.call, view.reasoning.unwrap().text.as_str()), (Some(call), "hm"));
        assert!(view.micro_usd.is_some_and(|micro| micro > 0));
        assert_eq!(TurnView::of(&line(&json!({})), &Pricing::Unknown).micro_usd, None);
    }

    #[test]
    fn endless_answers_and_arguments_are_cut_and_absent_ones_told() {
        let endless = "ä".repeat(10 << 20);
        let mut long = line(&json!({"call": {"api": "type", "args": {"text": endless}}, "fault": "f".repeat(50_000)}));
        long["answer"]["text"] = endless.into();
        let view = TurnView::of(&long, &Pricing::Unknown);
        let answer = view.answer.unwrap();
        assert_eq!((answer.text.chars().count(), answer.left_out), (SHOWN, (10 << 20) - SHOWN));
        assert_eq!(view.fault.unwrap().len(), SHOWN);
        assert!(view.call.unwrap()["args"]["left_out_bytes"].as_u64().unwrap() > 20 << 20);
        let none = TurnView::of(&line(&json!({"answer": null, "error": "busy"})), &Pricing::Unknown);
        assert_eq!((none.answer, none.tokens, none.error.as_deref()), (None, None, Some("busy")));
    }
}
