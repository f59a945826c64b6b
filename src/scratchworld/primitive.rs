//! Mouse and keyboard: the arguments in the reference's form, the work by the registry.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value, json};

use super::app::Reply;
use super::codes;
use super::envelope::{Acted, Failure, reply};
use super::params::{Fields, Params};
use super::state::{Scope, ScratchWorld};
use crate::action::scratchworld::{hold_key, move_to, release_key};
use crate::action::{ACTION_LIMIT, ActionError, perform_on, settle};
use crate::http::noted;
use crate::model::{ActionCall, Mode, Point, RequestEvent};
use crate::page::KeyStroke;
use crate::session::{Live, SessionError};

/// The actions, as their addresses end.
pub const NAMES: [&str; 10] =
    ["click", "double_click", "move_to", "drag_and_drop", "scroll", "type", "key", "hold_key", "release_key", "hotkey"];

/// Fewest moves of the reference's pointer when it has time.
const FEWEST_STEPS: f64 = 10.0;
/// Its moves a second.
const STEPS_A_SECOND: f64 = 30.0;
/// More moves than this show nothing that fewer do not.
const MOST_STEPS: f64 = 300.0;

/// What is to be done.
#[derive(Debug)]
enum Step {
    Registry(ActionCall),
    Move(Point, u32),
    Hold(KeyStroke),
    Release(KeyStroke),
    Nothing,
}

/// The call for the session's log.
fn labelled(name: &str, args: &Map<String, Value>) -> RequestEvent {
    let mode = Some(Mode::Primitive);
    RequestEvent { api: name.to_owned(), mode, args: args.clone(), ..RequestEvent::default() }
}

/// Carries out one action.
pub async fn act(dialect: Arc<ScratchWorld>, scope: Scope, params: Params, name: &'static str) -> Reply {
    let started = Instant::now();
    let mut fields = params.body()?;
    let requested = arguments(name, &mut fields);
    fields.done()?;
    let handle = dialect.session(&scope).await?;
    let (executed, step) = plan(name, &requested);
    // A call that can't be carried out belongs to the session's log too.
    let job = noted(|live| Box::pin(async { carry_out(live, step?).await.map_err(codes::of_input) }));
    let outcome = match handle.run_as(labelled(name, &requested), ACTION_LIMIT, job).await {
        Ok(outcome) => outcome,
        Err(error @ (SessionError::Unknown(_) | SessionError::Ended(_) | SessionError::ShuttingDown)) => {
            return Err(scope.fault(error));
        }
        Err(error) => Err(codes::of_input(ActionError::from(error).body())),
    };
    let acted = Acted { api: name.to_owned(), requested, executed };
    Ok(reply(&scope, acted, outcome.map(|()| json!({})), started))
}

/// The arguments with their defaults, those that were left out dropped.
fn arguments(name: &str, fields: &mut Fields) -> Map<String, Value> {
    let args = match name {
        "click" | "double_click" => {
            json!({"x": fields.int("x"), "y": fields.int("y"), "button": fields.text_or("button", "left")})
        }
        "move_to" => json!({"x": fields.int("x"), "y": fields.int("y"), "duration": fields.float_or("duration", 0.5)}),
        "drag_and_drop" => json!({
            "start_x": fields.int("start_x"), "start_y": fields.int("start_y"),
            "end_x": fields.int("end_x"), "end_y": fields.int("end_y"), "duration": fields.float_or("duration", 0.5),
        }),
        "scroll" => json!({
            "direction": fields.text("direction"), "amount": fields.maybe_int("amount").unwrap_or(100),
            "x": fields.maybe_int("x"), "y": fields.maybe_int("y"),
        }),
        "type" => json!({"text": fields.text("text")}),
        "hotkey" => json!({"keys": fields.texts("keys")}),
        _ => json!({"key": fields.text("key")}),
    };
    let Value::Object(mut args) = args else { return Map::new() };
    args.retain(|_, value| !value.is_null());
    args
}

/// The arguments as they are carried out, and what to do.
fn plan(name: &str, requested: &Map<String, Value>) -> (Map<String, Value>, Result<Step, Failure>) {
    let mut executed = requested.clone();
    let step = match name {
        "move_to" => Ok(Step::Move(point(requested), steps(requested))),
        "scroll" => scroll(requested),
        "hold_key" | "release_key" => key(requested).map(|key| {
            executed.insert("key".to_owned(), name_of(&key).into());
            if name == "hold_key" { Step::Hold(key) } else { Step::Release(key) }
        }),
        "key" | "hotkey" => chord(requested).map(|keys| {
            let names: Vec<String> = keys.iter().map(name_of).collect();
            if name == "hotkey" {
                executed.insert("keys".to_owned(), json!(names));
            } else {
                executed.insert("key".to_owned(), names.join("+").into());
            }
            presses(&keys)
        }),
        "drag_and_drop" => {
            // The reference's duration only sets how many moves there are; the registry's path needs none.
            let mut args = requested.clone();
            args.remove("duration");
            Ok(call(name, args))
        }
        name => Ok(call(name, requested.clone())),
    };
    (executed, step)
}

fn call(name: &str, args: Map<String, Value>) -> Step {
    Step::Registry(ActionCall::new(name, args))
}

fn point(args: &Map<String, Value>) -> Point {
    let at = |name: &str| args.get(name).and_then(Value::as_f64).unwrap_or_default();
    Point::new(at("x"), at("y"))
}

fn steps(args: &Map<String, Value>) -> u32 {
    let duration = args.get("duration").and_then(Value::as_f64).unwrap_or_default();
    if duration <= 0.0 {
        return 1;
    }
    let steps = (duration * STEPS_A_SECOND).floor().clamp(FEWEST_STEPS, MOST_STEPS);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to small whole numbers")]
    let steps = steps as u32;
    steps
}

/// A negative amount turns the wheel the other way, and the pointer stays unless both coordinates are given.
fn scroll(requested: &Map<String, Value>) -> Result<Step, Failure> {
    let mut args = requested.clone();
    let amount = args.get("amount").and_then(Value::as_i64).unwrap_or_default();
    let direction = args.get("direction").and_then(Value::as_str).unwrap_or_default().trim().to_lowercase();
    let opposite = match direction.as_str() {
        "up" => "down",
        "down" => "up",
        "left" => "right",
        "right" => "left",
        _ => return Err(Failure::new("INVALID_ARG", format!("Invalid scroll direction: {direction}"))),
    };
    if amount == 0 {
        return Ok(Step::Nothing);
    }
    let direction = if amount < 0 { opposite } else { &direction };
    args.insert("direction".to_owned(), direction.into());
    args.insert("amount".to_owned(), amount.abs().into());
    if !(args.contains_key("x") && args.contains_key("y")) {
        args.remove("x");
        args.remove("y");
    }
    Ok(call("scroll", args))
}

fn key(args: &Map<String, Value>) -> Result<KeyStroke, Failure> {
    parse(args.get("key").and_then(Value::as_str).unwrap_or_default())
}

fn parse(name: &str) -> Result<KeyStroke, Failure> {
    KeyStroke::parse(name).map_err(|_| Failure::new("INVALID_ARG", format!("Unknown key: {name}")))
}

/// The keys of a hotkey, or of a key that may be a chord such as `Control+A`.
fn chord(args: &Map<String, Value>) -> Result<Vec<KeyStroke>, Failure> {
    if let Some(keys) = args.get("keys").and_then(Value::as_array) {
        if keys.is_empty() {
            return Err(Failure::new("INVALID_ARG", "Hotkey needs at least one key"));
        }
        return keys.iter().map(|key| parse(key.as_str().unwrap_or_default())).collect();
    }
    let single = key(args);
    let written = args.get("key").and_then(Value::as_str).unwrap_or_default().trim();
    match single {
        Err(_) if written.contains('+') => written.split('+').map(parse).collect(),
        single => Ok(vec![single?]),
    }
}

fn presses(keys: &[KeyStroke]) -> Step {
    let names: Vec<&str> = keys.iter().map(KeyStroke::key).collect();
    let (name, args) = match names.as_slice() {
        [one] => ("key", json!({"key": one})),
        several => ("hotkey", json!({"keys": several})),
    };
    match args {
        Value::Object(args) => call(name, args),
        _ => Step::Nothing,
    }
}

/// The reference's name of a key.
fn name_of(key: &KeyStroke) -> String {
    if key.key() == " " { "Space".to_owned() } else { key.key().to_owned() }
}

async fn carry_out(live: &mut Live, step: Step) -> Result<(), crate::model::ErrorBody> {
    let done = match step {
        Step::Registry(call) => {
            let call = ActionCall { report: Some(false), ..call };
            let reply = perform_on(live, Mode::Primitive, call).await;
            return reply.error.map_or(Ok(()), Err);
        }
        Step::Nothing => return Ok(()),
        Step::Move(point, steps) => move_to(live, point, steps).await,
        Step::Hold(key) => hold_key(live, &key).await,
        Step::Release(key) => release_key(live, &key).await,
    };
    match done {
        Ok(()) => settle(live.page()).await.map(|_| ()).map_err(|error| error.body()),
        Err(error) => Err(error.body()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(name: &str, args: Value) -> (Value, Result<Step, Failure>) {
        let Value::Object(args) = args else { panic!("no object") };
        let (executed, step) = plan(name, &args);
        (Value::Object(executed), step)
    }

    fn called(name: &str, args: Value) -> (String, Value) {
        match planned(name, args).1.unwrap() {
            Step::Registry(call) => (call.api, Value::Object(call.args)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn keys_are_shown_by_the_references_names_and_chords_taken_apart() {
        assert_eq!(planned("key", json!({"key": "esc"})).0, json!({"key": "Escape"}));
        assert_eq!(planned("hold_key", json!({"key": "spacebar"})).0, json!({"key": "Space"}));
        assert_eq!(called("key", json!({"key": "Control+A"})), ("hotkey".into(), json!({"keys": ["Control", "A"]})));
        assert_eq!(called("key", json!({"key": "+"})), ("key".into(), json!({"key": "+"})));
        assert_eq!(called("hotkey", json!({"keys": ["enter"]})), ("key".into(), json!({"key": "Enter"})));
        for (name, args) in [
            ("hotkey", json!({"keys": []})),
            ("key", json!({"key": "hyperspace"})),
            ("hotkey", json!({"keys": ["ctrl", "hyperspace"]})),
            ("scroll", json!({"direction": "sideways", "amount": 5})),
        ] {
            assert_eq!(planned(name, args).1.unwrap_err().code, "INVALID_ARG");
        }
    }

    #[test]
    fn the_wheel_needs_both_coordinates_and_turns_back_for_a_negative_amount() {
        let args = json!({"direction": "down", "amount": -30, "x": 4});
        assert_eq!(called("scroll", args), ("scroll".into(), json!({"direction": "up", "amount": 30})));
    }

    #[test]
    fn moves_are_as_many_as_the_references() {
        for (duration, moves) in [(0.0, 1), (0.1, 10), (0.5, 15), (2.0, 60)] {
            assert_eq!(steps(json!({"duration": duration}).as_object().unwrap()), moves);
        }
    }
}
