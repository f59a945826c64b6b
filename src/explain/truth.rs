//! What the right explanation of a forged fault is: trigger, mechanism, outcome (ScratchEval, section 6.2), and the project's record.

use std::collections::BTreeSet;

use super::event::Event;
use super::outcome::{Outcome, named, outcomes};
use crate::bugs::{CausalChain, Instance, ReferenceRecord};
use crate::forge::says::is_reported;
use crate::inject::Pattern;
use crate::project::reach::{Reach, Start};
use crate::project::{Project, ProjectError};

/// What answers are compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// The event of the script in which the fault acts.
    pub primary: Option<Event>,
    /// The primary trigger and the inputs that lead there; the flag only if it is the primary one or there is no other.
    pub triggers: BTreeSet<Event>,
    /// The pattern's tag.
    pub mechanism: String,
    pub outcomes: BTreeSet<Outcome>,
    /// All events that the project waits for: what a slip of the pen may mean.
    pub known: BTreeSet<Event>,
    /// What the project is for, if the benchmark says so.
    pub record: Option<ReferenceRecord>,
}

impl Explained {
    /// The truth of an instance: as it was noted when the fault was forged, with what its suite asserts. Of one that was made otherwise,
    /// it is derived from its place and the inputs that its report lists.
    ///
    /// # Errors
    /// When a project can't be read.
    pub fn of(instance: &Instance) -> Result<Self, ProjectError> {
        let (gold, buggy) = (Project::read(&instance.golden)?, Project::read(&instance.buggy)?);
        let reaches = [Reach::of(&gold.json), Reach::of(&buggy.json)];
        let (primary, triggers) = match &instance.truth.chain {
            Some(chain) => noted(chain),
            None => derived(&reaches, instance),
        };
        // What was added against wrong repairs holds with the fault, too: that is no outcome of it.
        let broken = instance.suite.assertions.iter().filter(|one| one.p_buggy <= instance.suite.theta.1);
        let noticed = instance.truth.chain.iter().flat_map(|chain| &chain.outcomes).flat_map(named);
        let known = reaches.iter().flat_map(|reach| &reach.scripts).filter_map(|script| event(&script.start));
        Ok(Self {
            primary,
            mechanism: instance.truth.pattern.clone(),
            outcomes: noticed.chain(broken.flat_map(outcomes)).collect(),
            known: known.chain(triggers.iter().cloned()).collect(),
            triggers,
            record: instance.record.clone(),
        })
    }
}

/// The primary trigger and all of them, as noted.
fn noted(chain: &CausalChain) -> (Option<Event>, BTreeSet<Event>) {
    let primary = chain.primary.as_deref().and_then(Event::parse);
    (primary, chain.triggers.iter().filter_map(|text| Event::parse(text)).collect())
}

/// The same of a truth without a chain.
fn derived(reaches: &[Reach; 2], instance: &Instance) -> (Option<Event>, BTreeSet<Event>) {
    let primary = primary(reaches, instance, instance.truth.pattern.parse::<Pattern>().ok());
    let roots = roots(&reaches[0], &instance.report.reproduce);
    let flag = Event::of("green_flag", "");
    let mut triggers: BTreeSet<Event> = roots.iter().filter(|event| **event != flag).cloned().collect();
    triggers.extend(primary.clone());
    if triggers.is_empty() {
        triggers.insert(flag);
    }
    (primary, triggers)
}

/// The event of the script with the fault; of a message that is not heard, the receiver's.
fn primary(reaches: &[Reach; 2], instance: &Instance, pattern: Option<Pattern>) -> Option<Event> {
    let site = &instance.truth.site;
    let scripts = || reaches.iter().flat_map(|reach| &reach.scripts);
    let own = scripts().find(|script| script.target == site.sprite_id && script.root == site.script)?;
    if pattern == Some(Pattern::UntriggeredEvent) {
        // What gold starts and the buggy project does not.
        let heard = |reach: &Reach| -> BTreeSet<(String, String)> {
            reach.live().map(|script| (script.target.clone(), script.root.clone())).collect()
        };
        let lost: Vec<_> = heard(&reaches[0]).difference(&heard(&reaches[1])).cloned().collect();
        let receiver = reaches[0].scripts.iter().find(|script| {
            matches!(script.start, Start::Message(_)) && lost.contains(&(script.target.clone(), script.root.clone()))
        });
        if let Some(receiver) = receiver {
            return event(&receiver.start);
        }
    }
    event(&own.start)
}

/// The inputs that a report lists.
fn roots(gold: &Reach, steps: &[String]) -> BTreeSet<Event> {
    let reported = gold.scripts.iter().filter(|script| is_reported(&script.start, steps));
    let mut found: BTreeSet<Event> = reported.filter_map(|script| event(&script.start)).collect();
    let says = |words: &str| steps.iter().any(|step| step.to_lowercase().contains(words));
    for (words, kind) in [("stop sign", "stop"), ("move the pointer", "mouse")] {
        if says(words) {
            found.insert(Event::of(kind, ""));
        }
    }
    // Keys that only a loop asks for.
    for step in steps {
        let key = step.split_once("the ").and_then(|(_, rest)| rest.split_once(" key")).map(|(key, _)| key);
        found.extend(key.map(|key| Event::of("key", key)));
    }
    found
}

/// What starts a script, as answers name it.
fn event(start: &Start) -> Option<Event> {
    Some(match start {
        Start::GreenFlag => Event::of("green_flag", ""),
        Start::Key(key) => Event::of("key", key),
        Start::Click(sprite) => Event::of("click", sprite),
        Start::Backdrop(name) => Event::of("backdrop", name),
        Start::Message(name) => Event::of("broadcast", name),
        Start::Clone(sprite) => Event::of("clone_start", sprite),
        Start::Sensed(opcode) if opcode.contains("greaterthan") => Event::of("timer", ""),
        Start::Sensed(_) | Start::Call(..) => return None,
    })
}
