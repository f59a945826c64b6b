//! What the right explanation of a fault is, made when it is forged and kept with its truth (ScratchEval, section 6.2): what sets off the
//! script that it is in, by static reach and by the inputs of the runs that differ, and what is noticed of it. What the report lists is not
//! looked at: whoever copies that has explained nothing.

use std::collections::BTreeSet;

use super::gold::Gold;
use super::sighting::Sighting;
use super::trials::Accepted;
use crate::bugs::{CausalChain, ChainOutcome};
use crate::grade::signals::value;
use crate::grade::suite::{number, same};
use crate::inject::Pattern;
use crate::model::{Scenario, Step, TraceRun};
use crate::noticing::{Noticed, Sense};
use crate::project::reach::{Reach, Script, Start, chosen};
use crate::project::view::target;

/// The chain of an accepted fault.
pub fn chain(gold: &Gold, accepted: &Accepted, sighting: &Sighting) -> CausalChain {
    let primary = primary(gold, accepted);
    let mut triggers = inputs(gold, accepted);
    triggers.extend(primary.clone());
    let flag = named(&Start::GreenFlag);
    // All begins with the flag. It is named where nothing else is, and where the fault is in one of its scripts.
    let is_flags = own(gold, accepted).is_some_and(|(_, script)| script.start == Start::GreenFlag);
    if triggers.len() > 1 && primary != flag && !is_flags {
        triggers.retain(|trigger| Some(trigger) != flag.as_ref());
    }
    if triggers.is_empty() {
        triggers.extend(flag);
    }
    let runs = [sighting.golden.run(), sighting.buggy.run()];
    let outcomes = sighting.noticed.iter().map(|one| outcome(one, runs)).collect();
    CausalChain { primary, triggers: triggers.into_iter().collect(), outcomes }
}

/// The script that a fault is in.
fn own<'a>(gold: &'a Gold, accepted: &Accepted) -> Option<(usize, &'a Script)> {
    let candidate = &accepted.candidate;
    let is_own = |script: &Script| script.target == candidate.sprite_id && script.root == candidate.script;
    gold.reach.scripts.iter().enumerate().find(|(_, script)| is_own(script))
}

/// The event of the script with the fault; of a message that is not heard, the receiver's.
fn primary(gold: &Gold, accepted: &Accepted) -> Option<String> {
    if accepted.candidate.pattern == Pattern::UntriggeredEvent {
        // What gold starts and the buggy project does not.
        let buggy = Reach::of(&accepted.buggy.json);
        let is_live = |script: &Script| buggy.live().any(|one| one.target == script.target && one.root == script.root);
        let is_lost = |script: &&Script| matches!(script.start, Start::Message(_)) && !is_live(script);
        if let Some(receiver) = gold.reach.live().find(is_lost) {
            return named(&receiver.start);
        }
    }
    named(&own(gold, accepted)?.1.start)
}

/// The inputs that lead to the script with the fault, as far as runs that differ have them; those of any run where none has.
fn inputs(gold: &Gold, accepted: &Accepted) -> BTreeSet<String> {
    let Some((at, script)) = own(gold, accepted) else { return BTreeSet::new() };
    let starts = gold.reach.scripts.iter().map(|script| &script.start).filter(|start| is_input(start));
    let leading = starts.filter(|start| gold.reach.reached_by(&[(*start).clone()]).contains(&at));
    let mut all: BTreeSet<String> = leading.filter_map(named).collect();
    all.extend(sensed(gold, script));
    let made: BTreeSet<String> =
        differing(gold, accepted).flat_map(|scenario| &scenario.steps).filter_map(input).collect();
    let both: BTreeSet<String> = all.intersection(&made).cloned().collect();
    if both.is_empty() { all } else { both }
}

/// Scenarios in which the runs differ.
fn differing<'a>(gold: &'a Gold, accepted: &'a Accepted) -> impl Iterator<Item = &'a Scenario> + use<'a> {
    gold.scenarios.iter().filter(|scenario| {
        let both = gold.first.get(&scenario.id).zip(accepted.first.get(&scenario.id));
        both.is_some_and(|(golden, buggy)| golden.hash != buggy.hash)
    })
}

const fn is_input(start: &Start) -> bool {
    matches!(start, Start::GreenFlag | Start::Key(_) | Start::Click(_) | Start::Sensed(_))
}

/// What a script asks for by itself: keys, and the pointer.
fn sensed(gold: &Gold, script: &Script) -> Vec<String> {
    let Some(target) = target(&gold.project.json, &script.target) else { return Vec::new() };
    let blocks = script.blocks.iter().filter_map(|id| target.block(id));
    let asked = blocks.filter_map(|block| match block.opcode {
        "sensing_keypressed" => named(&Start::Key(chosen(target, &block, "KEY_OPTION")?)),
        "sensing_mousex" | "sensing_mousey" | "sensing_mousedown" => Some("mouse".to_owned()),
        _ => None,
    });
    asked.collect()
}

/// What starts a script, as answers name it.
fn named(start: &Start) -> Option<String> {
    Some(match start {
        Start::GreenFlag => "green_flag".to_owned(),
        Start::Key(key) => format!("key:{key}"),
        Start::Click(sprite) => format!("click:{sprite}"),
        Start::Backdrop(name) => format!("backdrop:{name}"),
        Start::Message(name) => format!("broadcast:{name}"),
        Start::Clone(sprite) => format!("clone_start:{sprite}"),
        Start::Sensed(opcode) if opcode.contains("greaterthan") => "timer".to_owned(),
        Start::Sensed(_) | Start::Call(..) => return None,
    })
}

/// An input in the same words.
fn input(step: &Step) -> Option<String> {
    match step {
        Step::Flag { .. } => named(&Start::GreenFlag),
        Step::Key { key, .. } => named(&Start::Key(key.clone())),
        Step::Click { sprite, .. } | Step::Drag { sprite, .. } => named(&Start::Click(sprite.clone())),
        Step::ClickStage { .. } => named(&Start::Click("Stage".to_owned())),
        Step::Mouse { .. } | Step::Button { .. } => Some("mouse".to_owned()),
        Step::Stop { .. } | Step::Message { .. } | Step::Backdrop { .. } => None,
    }
}

/// How what is noticed deviates, in all words that are right for it, the plainest first.
fn outcome(noticed: &Noticed, [golden, buggy]: [&TraceRun; 2]) -> ChainOutcome {
    let (signal, after) = (&noticed.signal, noticed.after);
    let [wanted, seen] = [golden, buggy].map(|run| value(run, signal, after).unwrap_or_default());
    let is_less = number(&seen).unwrap_or_default() < number(&wanted).unwrap_or_default();
    let is_stuck = is_unchanged(buggy, signal, after) && !is_unchanged(golden, signal, after);
    let mut deviations = match noticed.sense {
        Sense::Sound | Sense::Question if is_less => vec!["missing"],
        Sense::Sound | Sense::Question => vec!["extra"],
        Sense::Clones if is_less => vec!["missing", "wrong_value"],
        Sense::Clones => vec!["accumulates", "extra", "wrong_value"],
        Sense::Visibility if seen == false => vec!["missing", "wrong_value"],
        Sense::Visibility => vec!["extra", "wrong_value"],
        Sense::Speech if seen.is_null() => vec!["missing", "wrong_value"],
        Sense::Speech if wanted.is_null() => vec!["extra", "wrong_value"],
        _ => vec!["wrong_value"],
    };
    if is_stuck {
        deviations.push("stuck");
    }
    ChainOutcome { signal: signal.clone(), deviations: deviations.into_iter().map(str::to_owned).collect() }
}

/// Whether a signal is what it was at the beginning.
fn is_unchanged(run: &TraceRun, signal: &str, after: u64) -> bool {
    let first = run.signals.get(signal).and_then(|column| column.v.first());
    first.zip(value(run, signal, after).as_ref()).is_some_and(|(first, now)| same(first, now))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::*;
    use crate::model::Column;

    fn run(signal: &str, values: &[Value]) -> TraceRun {
        let t = (0..values.len() as u64).map(|number| 10 * number + 9).collect();
        TraceRun { ticks: 300, signals: BTreeMap::from([(signal.to_owned(), Column { t, v: values.to_vec() })]) }
    }

    fn deviations(sense: Sense, signal: &str, golden: &[Value], buggy: &[Value]) -> Vec<String> {
        let noticed = Noticed { sense, signal: signal.to_owned(), after: 100 };
        outcome(&noticed, [&run(signal, golden), &run(signal, buggy)]).deviations
    }

    #[test]
    fn what_is_noticed_deviates_as_the_runs_show() {
        let card = |golden: &[Value], buggy: &[Value]| deviations(Sense::Visibility, "Card/visible", golden, buggy);
        assert_eq!(card(&[json!(false), json!(true)], &[json!(false)]), ["missing", "wrong_value", "stuck"]);
        assert_eq!(card(&[json!(false)], &[json!(true)]), ["extra", "wrong_value"]);
        let clones = deviations(Sense::Clones, "clones/Moth", &[json!(1)], &[json!(1), json!(7)]);
        assert_eq!(clones, ["accumulates", "extra", "wrong_value"]);
        let says = deviations(Sense::Speech, "Owl/bubble", &[json!("say: Hoo")], &[Value::Null]);
        assert_eq!(says, ["missing", "wrong_value"]);
        let place = deviations(Sense::Place, "Moth/x", &[json!(0), json!(50)], &[json!(0), json!(90)]);
        assert_eq!(place, ["wrong_value"]);
    }

    #[test]
    fn starts_and_inputs_have_the_same_names() {
        let key = Step::Key { at: 9, key: "right arrow".to_owned(), ticks: 3 };
        assert_eq!(input(&key), named(&Start::Key("right arrow".to_owned())));
        assert_eq!(input(&Step::ClickStage { at: 1 }).as_deref(), Some("click:Stage"));
        assert_eq!(input(&Step::Message { at: 1, message: "go".to_owned() }), None, "no player sends it");
        assert_eq!(named(&Start::Message("GO".to_owned())).as_deref(), Some("broadcast:GO"));
        assert_eq!(named(&Start::Call("Moth".to_owned(), "jump".to_owned())), None);
    }
}
