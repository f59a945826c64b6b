//! Inputs as a search changes them: a list of (gap, input, hold), and the scenario that they make (ScratchEval, section 10.5).

use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use rand_pcg::Pcg64;

use crate::bugs::Facts;
use crate::model::{Scenario, Step};

/// Tick of the flag's end, before which no input comes.
const BEGIN: u64 = 10;
/// Ticks between the end of an input and the next one.
const MOST_GAP: u64 = 60;
/// Ticks that a key or the button is held.
const MOST_HOLD: u64 = 90;
/// Inputs of a list that is made from nothing.
const NEW: std::ops::RangeInclusive<usize> = 4..=24;
/// Inputs of a list at most.
const MOST: usize = 60;
/// Ticks that a program is watched after the last input.
const AFTER: u64 = 150;

/// What is done; how long, the gene says.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    Key(String),
    Click(String),
    ClickStage,
    Pointer(f64, f64),
    Button,
    Drag(String, (f64, f64)),
    Flag,
}

/// One input.
#[derive(Debug, Clone, PartialEq)]
pub struct Gene {
    /// Ticks since the end of the one before.
    pub gap: u64,
    pub input: Input,
    /// Ticks that it is held; without meaning for clicks and the pointer.
    pub hold: u64,
}

/// Inputs in their order.
pub type Genes = Vec<Gene>;

/// What can be done to a project.
#[derive(Debug, Clone)]
pub struct Alphabet {
    inputs: Vec<Input>,
    answers: Vec<String>,
}

impl Alphabet {
    /// The inputs that a project notices; the pointer goes to nine places of the stage. Without any, there is nothing to search in.
    pub fn of(facts: &Facts) -> Self {
        let mut inputs: Vec<Input> = facts.keys.iter().cloned().map(Input::Key).collect();
        inputs.extend(facts.clicked.iter().cloned().map(Input::Click));
        inputs.extend(facts.is_stage_clicked.then_some(Input::ClickStage));
        if facts.follows_pointer || facts.asks_for_button {
            let places = [-150.0, 0.0, 150.0].into_iter().flat_map(|x| [-100.0, 0.0, 100.0].map(|y| (x, y)));
            inputs.extend(places.map(|(x, y)| Input::Pointer(x, y)));
        }
        inputs.extend(facts.asks_for_button.then_some(Input::Button));
        for sprite in &facts.draggable {
            inputs.extend([(0.0, 90.0), (0.0, 0.0)].map(|to| Input::Drag(sprite.clone(), to)));
        }
        if !inputs.is_empty() {
            inputs.push(Input::Flag);
        }
        Self { inputs, answers: facts.answers.clone() }
    }

    /// Whether the project notices nothing but the flag.
    pub const fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// A list from nothing.
    pub fn random(&self, random: &mut Pcg64) -> Genes {
        let length = random.random_range(NEW);
        (0..length).filter_map(|_| self.gene(random)).collect()
    }

    fn gene(&self, random: &mut Pcg64) -> Option<Gene> {
        let input = self.inputs.choose(random)?.clone();
        Some(Gene { gap: random.random_range(1..=MOST_GAP), input, hold: random.random_range(1..=MOST_HOLD) })
    }

    /// A list like this one: up to three genes are put in, taken out, exchanged, or held and delayed otherwise.
    pub fn mutated(&self, genes: &Genes, random: &mut Pcg64) -> Genes {
        let mut changed = genes.clone();
        for _ in 0..random.random_range(1..=3) {
            self.change(&mut changed, random);
        }
        changed
    }

    fn change(&self, genes: &mut Genes, random: &mut Pcg64) {
        let Some(new) = self.gene(random) else { return };
        let at = random.random_range(0..=genes.len());
        let kind = random.random_range(0..5);
        if at == genes.len() || kind == 4 {
            if genes.len() < MOST {
                genes.insert(at, new);
            }
        } else if kind == 3 {
            genes.remove(at);
        } else {
            let gene = &mut genes[at];
            match kind {
                0 => gene.input = new.input,
                1 => gene.hold = new.hold,
                _ => gene.gap = new.gap,
            }
        }
    }

    /// The scenario of a list: the flag, then its inputs, each with the ticks that it takes.
    pub fn scenario(&self, genes: &Genes, horizon: u64) -> Scenario {
        let (mut at, mut steps) = (BEGIN, vec![Step::Flag { at: 0 }]);
        for gene in genes {
            at += gene.gap;
            let held = put(gene, at, &mut steps);
            at += held;
        }
        let length = (at + AFTER).next_multiple_of(30).min(horizon);
        steps.retain(|step| step.at() < length);
        let (id, template) = ("search".to_owned(), "search".to_owned());
        Scenario { id, template, length, answers: self.answers.clone(), steps }
    }
}

/// Puts an input into steps, and says how many ticks it takes.
fn put(gene: &Gene, at: u64, steps: &mut Vec<Step>) -> u64 {
    match &gene.input {
        Input::Key(key) => steps.push(Step::Key { at, key: key.clone(), ticks: gene.hold }),
        Input::Click(sprite) => steps.push(Step::Click { at, sprite: sprite.clone() }),
        Input::ClickStage => steps.push(Step::ClickStage { at }),
        Input::Pointer(x, y) => steps.push(Step::Mouse { at, x: *x, y: *y }),
        Input::Button => {
            steps.extend([Step::Button { at, down: true }, Step::Button { at: at + gene.hold, down: false }]);
        }
        Input::Drag(sprite, to) => steps.push(Step::Drag { at, sprite: sprite.clone(), to: *to }),
        Input::Flag => steps.push(Step::Flag { at }),
    }
    if matches!(gene.input, Input::Key(_) | Input::Button) { gene.hold } else { 1 }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;

    fn alphabet() -> Alphabet {
        let facts = Facts {
            keys: vec!["space".to_owned()],
            clicked: vec!["Moth".to_owned()],
            asks_for_button: true,
            ..Facts::default()
        };
        Alphabet::of(&facts)
    }

    #[test]
    fn one_input_begins_after_the_one_before_has_ended() {
        let gene = |gap, input, hold| Gene { gap, input, hold };
        let genes = vec![
            gene(5, Input::Key("space".to_owned()), 20),
            gene(3, Input::Click("Moth".to_owned()), 90),
            gene(1, Input::Button, 7),
            gene(60, Input::Flag, 1),
        ];
        let scenario = alphabet().scenario(&genes, 2000);
        let at: Vec<u64> = scenario.steps.iter().map(Step::at).collect();
        assert_eq!(at, [0, 15, 38, 40, 47, 107]);
        assert_eq!(scenario.length, 270, "150 ticks after the last one, in whole seconds");
        assert_eq!(alphabet().scenario(&genes, 40).steps.len(), 3, "nothing comes after the end");
    }

    #[test]
    fn lists_are_drawn_from_what_the_project_notices_and_stay_within_bounds() {
        let (alphabet, mut random) = (alphabet(), Pcg64::seed_from_u64(1));
        let mut genes = alphabet.random(&mut random);
        for _ in 0..500 {
            genes = alphabet.mutated(&genes, &mut random);
            assert!(genes.len() <= MOST);
            assert!(
                genes.iter().all(|gene| (1..=MOST_GAP).contains(&gene.gap) && (1..=MOST_HOLD).contains(&gene.hold))
            );
        }
        assert!(genes.iter().all(|gene| alphabet.inputs.contains(&gene.input)));
        let again = alphabet.random(&mut Pcg64::seed_from_u64(1));
        assert_eq!(again, alphabet.random(&mut Pcg64::seed_from_u64(1)));
        assert!(Alphabet::of(&Facts::default()).is_empty());
    }
}
