//! The library of scenario templates (ScratchEval, section 4.1): what each one does to a project with these facts. Which scenarios are
//! played, `choice` decides.

use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use crate::bugs::Facts;
use crate::model::{Scenario, Step};
use crate::project::reach::Start;

/// Tick of the first input after the flag.
const BEGIN: u64 = 60;
/// Tick of the second flag in `restart`.
const AGAIN: u64 = 450;
/// Ticks in which the inputs before the second flag must have come.
const BEFORE_AGAIN: u64 = AGAIN - 30;
/// Length of `restart`.
const RESTART: u64 = 1200;
/// Length of those that send a message or start a backdrop's hats.
const SENT: u64 = 540;
/// Inputs of `play`.
const PLAYED: usize = 60;
/// Where the pointer goes, in Scratch units, 15 ticks each.
const WAY: [(f64, f64); 9] = [
    (0.0, 0.0),
    (-150.0, 0.0),
    (-150.0, 100.0),
    (0.0, 130.0),
    (150.0, 100.0),
    (150.0, 0.0),
    (150.0, -100.0),
    (0.0, -130.0),
    (-150.0, -100.0),
];

/// A scenario with what its inputs can set off.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    pub scenario: Scenario,
    /// What starts scripts, the flag included.
    pub starts: Vec<Start>,
    /// Keys and the like that running scripts ask for.
    pub sensed: Vec<String>,
}

/// All instances of all templates, in the order of the table.
pub fn instances(facts: &Facts, horizon: u64) -> Vec<Instance> {
    let maker = Maker { facts, horizon };
    let mut all = vec![maker.idle()];
    all.extend((!facts.keys.is_empty()).then(|| maker.keys()));
    all.extend(facts.keys.iter().map(|key| maker.tap(key)));
    all.extend(facts.sensed_keys.iter().filter(|key| *key != "any").map(|key| maker.hold(key)));
    all.extend(facts.clicked.iter().map(|sprite| maker.click(sprite)));
    all.extend(facts.is_stage_clicked.then(|| maker.click_stage()));
    all.extend((facts.follows_pointer || facts.asks_for_button).then(|| maker.pointer()));
    all.extend((!facts.answers.is_empty()).then(|| maker.answer()));
    all.extend(facts.messages.iter().map(|message| maker.message(message)));
    all.extend(facts.backdrops.iter().map(|backdrop| maker.backdrop(backdrop)));
    all.push(maker.restart(&all));
    all.push(maker.stop());
    all.extend(facts.draggable.iter().map(|sprite| maker.drag(sprite)));
    all.push(maker.play());
    all
}

struct Maker<'a> {
    facts: &'a Facts,
    horizon: u64,
}

impl Maker<'_> {
    /// A scenario that begins with the flag; questions are answered in all of them, or no program with one goes on.
    fn made(
        &self,
        template: String,
        length: u64,
        steps: Vec<Step>,
        mut starts: Vec<Start>,
        sensed: Vec<String>,
    ) -> Instance {
        let mut all = vec![Step::Flag { at: 0 }];
        all.extend(steps);
        starts.insert(0, Start::GreenFlag);
        // Whole seconds and checkpoints: what comes after the last one is not seen.
        let (length, answers) = (length.next_multiple_of(30).min(self.horizon), self.facts.answers.clone());
        all.retain(|step| step.at() < length);
        Instance { scenario: Scenario { id: String::new(), template, length, answers, steps: all }, starts, sensed }
    }

    fn idle(&self) -> Instance {
        self.made("idle".to_owned(), self.horizon, Vec::new(), Vec::new(), Vec::new())
    }

    fn keys(&self) -> Instance {
        let held: Vec<Step> = (0..3)
            .flat_map(|_| &self.facts.keys)
            .zip(0..)
            .map(|(key, number)| Step::Key { at: BEGIN + number * 30, key: key.clone(), ticks: 20 })
            .collect();
        let length = end(&held) + 20 + 300;
        let starts = self.facts.keys.iter().flat_map(|key| key_starts(key)).collect();
        self.made("keys".to_owned(), length, held, starts, self.facts.keys.clone())
    }

    fn tap(&self, key: &str) -> Instance {
        let steps: Vec<Step> =
            (0..10).map(|number| Step::Key { at: BEGIN + number * 20, key: key.to_owned(), ticks: 2 }).collect();
        self.made(format!("tap({key})"), end(&steps) + 152, steps, key_starts(key), vec![key.to_owned()])
    }

    fn hold(&self, key: &str) -> Instance {
        let steps: Vec<Step> =
            (0..3).map(|number| Step::Key { at: BEGIN + number * 105, key: key.to_owned(), ticks: 90 }).collect();
        self.made(format!("hold({key})"), end(&steps) + 240, steps, key_starts(key), vec![key.to_owned()])
    }

    fn click(&self, sprite: &str) -> Instance {
        let steps: Vec<Step> =
            (0..6).map(|number| Step::Click { at: BEGIN + number * 30, sprite: sprite.to_owned() }).collect();
        let starts = vec![Start::Click(sprite.to_owned())];
        self.made(
            format!("click({sprite})"),
            end(&steps) + 150,
            steps,
            starts,
            vec!["pointer".to_owned(), "button".to_owned()],
        )
    }

    fn click_stage(&self) -> Instance {
        let steps: Vec<Step> = (0..6).map(|number| Step::ClickStage { at: BEGIN + number * 30 }).collect();
        let starts = vec![Start::Click("Stage".to_owned())];
        self.made("click_stage".to_owned(), end(&steps) + 150, steps, starts, vec!["button".to_owned()])
    }

    fn pointer(&self) -> Instance {
        let mut steps = Vec::new();
        for ((x, y), number) in WAY.into_iter().zip(0_u64..) {
            let at = BEGIN + number * 15;
            steps.push(Step::Mouse { at, x, y });
            if self.facts.asks_for_button {
                steps.push(Step::Button { at, down: number % 2 == 1 });
            }
        }
        steps.push(Step::Button { at: BEGIN + 15 * 9, down: false });
        self.made(
            "pointer".to_owned(),
            end(&steps) + 150,
            steps,
            Vec::new(),
            vec!["pointer".to_owned(), "button".to_owned()],
        )
    }

    fn answer(&self) -> Instance {
        let length = BEGIN + 60 * self.facts.answers.len() as u64 + 300;
        self.made("answer".to_owned(), length, Vec::new(), Vec::new(), vec!["answer".to_owned()])
    }

    fn message(&self, message: &str) -> Instance {
        let steps = [BEGIN, 240].map(|at| Step::Message { at, message: message.to_owned() }).to_vec();
        let starts = vec![Start::Message(message.to_uppercase())];
        self.made(format!("message({message})"), SENT, steps, starts, Vec::new())
    }

    fn backdrop(&self, backdrop: &str) -> Instance {
        let steps = [BEGIN, 240].map(|at| Step::Backdrop { at, backdrop: backdrop.to_owned() }).to_vec();
        let starts = vec![Start::Backdrop(backdrop.to_owned())];
        self.made(format!("backdrop({backdrop})"), SENT, steps, starts, Vec::new())
    }

    /// The inputs of the instance that reaches most, the flag, and the same again.
    fn restart(&self, all: &[Instance]) -> Instance {
        let wanted = |instance: &&Instance| {
            let name = instance.scenario.template.split('(').next().unwrap_or_default();
            matches!(name, "keys" | "click" | "answer")
        };
        let reaches =
            |instance: &Instance| (instance.starts.len() + instance.sensed.len(), instance.scenario.steps.len());
        let mut best: Option<&Instance> = None;
        for instance in all.iter().filter(wanted) {
            if best.is_none_or(|best| reaches(instance) > reaches(best)) {
                best = Some(instance);
            }
        }
        let (mut steps, mut starts, mut sensed) = (vec![Step::Flag { at: AGAIN }], Vec::new(), Vec::new());
        if let Some(instance) = best {
            let inputs = instance.scenario.steps.iter().filter(|step| step.at() > 0 && step.at() < BEFORE_AGAIN);
            for step in inputs {
                steps.push(step.clone());
                steps.push(later(step, AGAIN));
            }
            starts.extend(instance.starts.iter().skip(1).cloned());
            sensed.extend(instance.sensed.clone());
        }
        steps.sort_by_key(Step::at);
        self.made("restart".to_owned(), RESTART, steps, starts, sensed)
    }

    fn stop(&self) -> Instance {
        let steps = vec![Step::Stop { at: 90 }, Step::Flag { at: 120 }];
        self.made("stop".to_owned(), 420, steps, Vec::new(), Vec::new())
    }

    fn drag(&self, sprite: &str) -> Instance {
        let to = |at, to| Step::Drag { at, sprite: sprite.to_owned(), to };
        let steps = vec![to(BEGIN, (0.0, 90.0)), to(BEGIN + 60, (0.0, 0.0))];
        self.made(format!("drag({sprite})"), end(&steps) + 180, steps, Vec::new(), vec![format!("drag {sprite}")])
    }

    /// Inputs of all kinds, drawn by the scenario's own seed.
    fn play(&self) -> Instance {
        let facts = self.facts;
        let mut kinds: Vec<Step> = Vec::new();
        kinds.extend(facts.keys.iter().map(|key| Step::Key { at: 0, key: key.clone(), ticks: 10 }));
        kinds.extend(facts.clicked.iter().map(|sprite| Step::Click { at: 0, sprite: sprite.clone() }));
        kinds.extend(facts.is_stage_clicked.then_some(Step::ClickStage { at: 0 }));
        if facts.follows_pointer {
            kinds.extend(WAY.map(|(x, y)| Step::Mouse { at: 0, x, y }));
        }
        let mut random = Pcg64::seed_from_u64(1);
        let mut at = BEGIN;
        let mut steps = Vec::new();
        for _ in 0..PLAYED {
            let Some(step) = kinds.choose(&mut random) else { break };
            steps.push(later(step, at));
            at += random.random_range(5..=30);
        }
        let starts = facts.keys.iter().flat_map(|key| key_starts(key));
        let clicks = facts.clicked.iter().map(|sprite| Start::Click(sprite.clone()));
        let stage = facts.is_stage_clicked.then(|| Start::Click("Stage".to_owned()));
        let starts = starts.chain(clicks).chain(stage).collect();
        let length = if steps.is_empty() { 1 } else { self.horizon };
        self.made("play".to_owned(), length, steps, starts, facts.keys.clone())
    }
}

/// Hats that a key starts.
fn key_starts(key: &str) -> Vec<Start> {
    vec![Start::Key(key.to_owned()), Start::Key("any".to_owned())]
}

/// The tick of the last step.
fn end(steps: &[Step]) -> u64 {
    steps.iter().map(Step::at).max().unwrap_or_default()
}

/// The same step, so many ticks later.
fn later(step: &Step, ticks: u64) -> Step {
    let mut step = step.clone();
    match &mut step {
        Step::Flag { at }
        | Step::Stop { at }
        | Step::Key { at, .. }
        | Step::Mouse { at, .. }
        | Step::Button { at, .. }
        | Step::Click { at, .. }
        | Step::ClickStage { at }
        | Step::Drag { at, .. }
        | Step::Message { at, .. }
        | Step::Backdrop { at, .. } => *at += ticks,
    }
    step
}
