//! What a person can set off in a project, and what is seen of it: each input is played after the flag, early and once more later, and
//! compared with a run without it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::kept::Fault;
use super::smoke::{Player, told};
use crate::bugs::{Change, Facts, Hook, SeenChange};
use crate::judge::{Play, PlayError, Played};
use crate::model::{Scenario, Step, TraceRun};
use crate::project::Project;
use crate::project::reach::{Reach, Start, chosen};
use crate::project::view::targets;

/// The ticks of an input: many programs explain themselves first. And how long what it does is looked for.
const INPUTS: [u64; 2] = [60, 240];
const SEEN: u64 = 150;
const LENGTH: u64 = INPUTS[1] + SEEN;
/// Ticks between two looks.
const EVERY: u64 = 10;
/// Seeds under all of which a change must be seen.
const SEEDS: u64 = 5;
/// Hooks of a record at most; each costs as many runs as there are seeds.
const MOST: usize = 12;
/// Outcomes of a hook at most, and sprites that are watched for what they show beside the state signals.
const MOST_OUTCOMES: usize = 12;
const MOST_SPRITES: usize = 6;
/// What is watched of these sprites.
const SHOWN: [&str; 5] = ["x", "y", "direction", "visible", "costume"];
/// Ticks that a key is held.
const HELD: u64 = 20;
/// Opcodes that follow the pointer.
const POINTING: [&str; 3] = ["sensing_mousex", "sensing_mousey", "sensing_mousedown"];

/// An event before it was played.
#[derive(Debug, Clone, PartialEq)]
struct Input {
    event: String,
    sprites: Vec<String>,
    steps: Vec<Step>,
    answers: Vec<String>,
}

/// All hooks of a project with what is seen of them.
///
/// # Errors
/// When no page holds. What the project itself does wrong leaves outcomes empty.
pub(super) async fn of(player: &Player<'_>, project: &Project, facts: &Facts) -> Result<Vec<Hook>, PlayError> {
    let Ok(sb3) = project.pack() else { return Ok(Vec::new()) };
    let reach = Reach::of(&project.json);
    let mut hooks = Vec::new();
    let mut without = Vec::new();
    for input in inputs(&project.json, facts, &reach) {
        let watched = watched(&facts.state_signals, &input.sprites);
        let outcomes = match seen(player, &sb3, &input, &mut without, &watched).await? {
            Ok(outcomes) => {
                // The state of the program first.
                let place = |seen: &SeenChange| watched.iter().position(|signal| *signal == seen.signal);
                let mut outcomes: Vec<SeenChange> = outcomes.into_iter().collect();
                outcomes.sort_by_key(place);
                outcomes.truncate(MOST_OUTCOMES);
                outcomes
            }
            Err(fault) => {
                tracing::debug!(reason = fault.reason, event = input.event, "a hook is left without outcomes");
                Vec::new()
            }
        };
        hooks.push(Hook { event: input.event, sprites: input.sprites, outcomes });
    }
    Ok(hooks)
}

/// Signals in which an outcome can be.
fn watched(state_signals: &[String], sprites: &[String]) -> Vec<String> {
    let mut all = state_signals.to_vec();
    for sprite in sprites.iter().filter(|sprite| *sprite != "Stage").take(MOST_SPRITES) {
        add(&mut all, SHOWN.iter().map(|signal| format!("{sprite}/{signal}")).collect());
    }
    all
}

/// Changes that all seeds show. `without` has the runs without the input, by seed, as far as they were played.
async fn seen(
    player: &Player<'_>,
    sb3: &[u8],
    input: &Input,
    without: &mut Vec<Played>,
    signals: &[String],
) -> Result<Result<BTreeSet<SeenChange>, Fault>, PlayError> {
    let idle = scenario(Vec::new(), Vec::new());
    let with = scenario(input.steps.clone(), input.answers.clone());
    let is_flag = input.steps.is_empty() && input.answers.is_empty();
    let mut common: Option<BTreeSet<SeenChange>> = None;
    for seed in 1..=SEEDS {
        let play = |scenario| Play { sources: player.sources, scenario, seed, every: EVERY, pictures: &[] };
        if without.len() < usize::try_from(seed).unwrap_or(usize::MAX) {
            match told(player.judges.play(sb3, &play(&idle)).await)? {
                Ok(run) => without.push(run),
                Err(fault) => return Ok(Err(fault)),
            }
        }
        let Some(base) = without.get(usize::try_from(seed - 1).unwrap_or(usize::MAX)) else { break };
        let (changes, draws) = if is_flag {
            (changes_since_start(base.run(), signals), base.draws)
        } else {
            match told(player.judges.play(sb3, &play(&with)).await)? {
                Ok(run) => (changes(base.run(), run.run(), signals), run.draws + base.draws),
                Err(fault) => return Ok(Err(fault)),
            }
        };
        common = Some(common.map_or_else(|| changes.clone(), |known| &known & &changes));
        if draws == 0 {
            break;
        }
    }
    Ok(Ok(common.unwrap_or_default()))
}

fn scenario(steps: Vec<Step>, answers: Vec<String>) -> Scenario {
    let steps = std::iter::once(Step::Flag { at: 0 }).chain(steps).collect();
    Scenario { id: "hook".to_owned(), template: "hook".to_owned(), length: LENGTH, answers, steps }
}

/// The inputs of a project, the flag first.
fn inputs(gold: &Value, facts: &Facts, reach: &Reach) -> Vec<Input> {
    let plain = |event: &str, sprites, steps| Input { event: event.to_owned(), sprites, steps, answers: Vec::new() };
    let involved = |starts: &[Start]| {
        let mut names: Vec<String> = Vec::new();
        for at in reach.reached_by(starts) {
            let name = &reach.scripts[at].target;
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    };
    let mut all = vec![plain("green_flag", involved(&[Start::GreenFlag]), Vec::new())];
    for key in &facts.keys {
        let mut sprites = involved(&[Start::Key(key.clone()), Start::Key("any".to_owned())]);
        add(&mut sprites, asking(gold, "sensing_keypressed", Some(key)));
        let steps = at_each(|at| vec![Step::Key { at, key: key.clone(), ticks: HELD }]);
        all.push(plain(&format!("key:{}", canonical(key)), sprites, steps));
    }
    for sprite in &facts.clicked {
        let steps = at_each(|at| vec![Step::Click { at, sprite: sprite.clone() }]);
        all.push(plain(&format!("click:{}", canonical(sprite)), involved(&[Start::Click(sprite.clone())]), steps));
    }
    if facts.is_stage_clicked {
        let steps = at_each(|at| vec![Step::ClickStage { at }]);
        all.push(plain("click:stage", involved(&[Start::Click("Stage".to_owned())]), steps));
    }
    if facts.follows_pointer || facts.asks_for_button {
        let mut sprites = Vec::new();
        for opcode in POINTING {
            add(&mut sprites, asking(gold, opcode, None));
        }
        let steps = at_each(|at| {
            let mut steps = vec![Step::Mouse { at, x: 100.0, y: 60.0 }];
            if facts.asks_for_button {
                steps.extend([Step::Button { at, down: true }, Step::Button { at: at + HELD, down: false }]);
            }
            steps
        });
        all.push(plain("mouse", sprites, steps));
    }
    if !facts.answers.is_empty() {
        let sprites = asking(gold, "sensing_askandwait", None);
        all.push(Input { answers: facts.answers.clone(), ..plain("answer", sprites, Vec::new()) });
    }
    all.truncate(MOST);
    all
}

fn at_each(steps: impl Fn(u64) -> Vec<Step>) -> Vec<Step> {
    INPUTS.into_iter().flat_map(steps).collect()
}

fn add(all: &mut Vec<String>, more: Vec<String>) {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
}

/// Targets with this block, and this key in it where one is given.
fn asking(gold: &Value, opcode: &str, key: Option<&str>) -> Vec<String> {
    let with = targets(gold).filter(|target| {
        let mut own = target.blocks().filter(|block| block.opcode == opcode);
        own.any(|block| key.is_none_or(|key| chosen(*target, &block, "KEY_OPTION").as_deref() == Some(key)))
    });
    with.map(|target| target.sprite_id().to_owned()).collect()
}

/// Names as events have them: lower case, blanks as `_`.
pub(super) fn canonical(name: &str) -> String {
    name.to_lowercase().split_whitespace().collect::<Vec<_>>().join("_")
}

/// What an input changes, compared with the same run without it.
fn changes(base: &TraceRun, run: &TraceRun, signals: &[String]) -> BTreeSet<SeenChange> {
    let times = || INPUTS.into_iter().flat_map(|input| (input..=input + SEEN).step_by(10));
    let found = signals.iter().filter_map(|signal| {
        let change = if let Some((event, what)) = happening(signal) {
            (count(run, event, what, INPUTS[0]) > count(base, event, what, INPUTS[0])).then_some(Change::Happens)?
        } else {
            let (one, other) = (base.signals.get(signal)?, run.signals.get(signal)?);
            let differing: Vec<(&Value, &Value)> =
                times().filter_map(|at| Some((one.after(at)?, other.after(at)?))).filter(|(a, b)| a != b).collect();
            direction(&differing)?
        };
        Some(SeenChange { signal: signal.clone(), change })
    });
    found.collect()
}

/// What the flag changes.
fn changes_since_start(run: &TraceRun, signals: &[String]) -> BTreeSet<SeenChange> {
    let found = signals.iter().filter_map(|signal| {
        let change = if let Some((event, what)) = happening(signal) {
            (count(run, event, what, 0) > 0).then_some(Change::Happens)?
        } else {
            let column = run.signals.get(signal)?;
            let first = column.v.first()?;
            let later = column.t.iter().zip(&column.v).filter(|(tick, value)| **tick <= SEEN && *value != first);
            direction(&later.map(|(_, value)| (first, value)).collect::<Vec<_>>())?
        };
        Some(SeenChange { signal: signal.clone(), change })
    });
    found.collect()
}

/// An event's signal and what happens, of a state signal such as `events/broadcast:go`.
fn happening(signal: &str) -> Option<(&str, &str)> {
    signal.starts_with("events/").then(|| signal.split_once(':')).flatten()
}

/// How often something happens from a tick on. Messages are compared as the virtual machine does.
fn count(run: &TraceRun, event: &str, what: &str, from: u64) -> usize {
    let Some(column) = run.signals.get(event) else { return 0 };
    let is_it = |value: &Value| value.as_str().is_some_and(|name| name.to_uppercase() == what.to_uppercase());
    column.t.iter().zip(&column.v).filter(|(tick, value)| **tick >= from && is_it(value)).count()
}

/// Which way values go, of pairs that differ; `None` of none.
fn direction(pairs: &[(&Value, &Value)]) -> Option<Change> {
    if pairs.is_empty() {
        return None;
    }
    let numbers: Option<Vec<(f64, f64)>> =
        pairs.iter().map(|(one, other)| Some((number(one)?, number(other)?))).collect();
    Some(match numbers {
        Some(numbers) if numbers.iter().all(|(one, other)| other > one) => Change::Increases,
        Some(numbers) if numbers.iter().all(|(one, other)| other < one) => Change::Decreases,
        _ => Change::Changes,
    })
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run(signals: &Value) -> TraceRun {
        serde_json::from_value(json!({"ticks": 390, "signals": signals})).unwrap()
    }

    #[test]
    fn an_input_is_judged_by_what_is_otherwise_without_it() {
        let base = run(&json!({
            "Owl/x": {"t": [0, 30], "v": [0, 5]},
            "Stage/variable/score": {"t": [0], "v": ["0"]},
            "Owl/visible": {"t": [0], "v": [true]},
            "events/broadcast": {"t": [3], "v": ["go"]}
        }));
        let with = run(&json!({
            "Owl/x": {"t": [0, 30, 62], "v": [0, 5, -9]},
            "Stage/variable/score": {"t": [0, 70], "v": ["0", "10"]},
            "Owl/visible": {"t": [0, 71, 95], "v": [true, false, true]},
            "events/broadcast": {"t": [3, 80], "v": ["go", "GO"]}
        }));
        let signals =
            ["Owl/x", "Stage/variable/score", "Owl/visible", "events/broadcast:Go", "Owl/y"].map(str::to_owned);
        let seen = changes(&base, &with, &signals);
        let of = |signal: &str| seen.iter().find(|seen| seen.signal == signal).map(|seen| seen.change);
        assert_eq!((of("Owl/x"), of("Stage/variable/score")), (Some(Change::Decreases), Some(Change::Increases)));
        assert_eq!((of("Owl/visible"), of("events/broadcast:Go")), (Some(Change::Changes), Some(Change::Happens)));
        assert_eq!(of("Owl/y"), None);
        assert!(changes(&base, &base, &signals).is_empty());
        let flag = changes_since_start(&base, &signals);
        assert_eq!(flag.len(), 2, "{flag:?}");
    }

    #[test]
    fn inputs_are_named_as_events_are() {
        let project = json!({"targets": [{"isStage": false, "name": "Red Owl", "blocks": {
            "k": {"opcode": "event_whenkeypressed", "next": null, "inputs": {}, "fields": {"KEY_OPTION": ["right arrow", null]}, "topLevel": true},
            "c": {"opcode": "event_whenthisspriteclicked", "next": null, "inputs": {}, "fields": {}, "topLevel": true}
        }}]});
        let reach = Reach::of(&project);
        let found = inputs(&project, &Facts::of(&project, &reach), &reach);
        let events: Vec<&str> = found.iter().map(|input| input.event.as_str()).collect();
        assert_eq!(events, ["green_flag", "key:right_arrow", "click:red_owl"]);
        assert_eq!(found[1].sprites, ["Red Owl"]);
    }
}
