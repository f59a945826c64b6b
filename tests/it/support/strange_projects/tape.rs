//! Numbers that decide what a strange project is. Everything is drawn from them in turn; where they end, the plainest
//! choice is made, so that there always is an end.
//!
//! They decide first which oddities a project may have at all: a text that can't say one of them is not built, and a
//! project that had all would never be. Four in ten have none, but for their names, three have one, three have several.

/// What a text may not be able to say, and real files have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oddity {
    /// Several things of one kind and name in one target.
    Twins,
    /// A sprite's variable or list of the name of one of the stage's.
    Shadowing,
    /// One id in two targets.
    SharedIds,
    /// References with another name than the thing of their id.
    StaleNames,
    MissingIds,
    UnknownIds,
    /// Slots without anything in them, not even a default.
    MissingSlots,
    /// A text or number where a predicate belongs.
    LiteralConditions,
    /// A reporter that is no predicate there.
    ReporterConditions,
    /// Values of another kind than the slot's default.
    OtherValues,
    /// Choices that no menu has.
    StrangeChoices,
    /// Choices that are numbers or truth values.
    JsonChoices,
    /// Calls with ids of their own.
    ForeignArguments,
    ExtraArguments,
    MissingArguments,
    UnknownCalls,
    /// Definitions with one label, or with labels that look alike.
    SameLabels,
    StrangeDefaults,
    /// Parameters outside of their definition.
    StrangeParameters,
    /// Comments on blocks that are not seen.
    CoveredComments,
    LostComments,
    CloudVariables,
}

/// All of them.
const ALL: &[Oddity] = &[
    Oddity::Twins,
    Oddity::Shadowing,
    Oddity::SharedIds,
    Oddity::StaleNames,
    Oddity::MissingIds,
    Oddity::UnknownIds,
    Oddity::MissingSlots,
    Oddity::LiteralConditions,
    Oddity::ReporterConditions,
    Oddity::OtherValues,
    Oddity::StrangeChoices,
    Oddity::JsonChoices,
    Oddity::ForeignArguments,
    Oddity::ExtraArguments,
    Oddity::MissingArguments,
    Oddity::UnknownCalls,
    Oddity::SameLabels,
    Oddity::StrangeDefaults,
    Oddity::StrangeParameters,
    Oddity::CoveredComments,
    Oddity::LostComments,
    Oddity::CloudVariables,
];

/// A list of random numbers that is read once.
#[derive(Debug)]
pub struct Tape {
    numbers: Vec<usize>,
    at: usize,
    oddities: Vec<Oddity>,
}

impl Tape {
    pub fn new(numbers: Vec<usize>) -> Self {
        let mut tape = Self { numbers, at: 0, oddities: Vec::new() };
        match tape.below(10) {
            0..=3 => {}
            4..=6 => {
                let only = *tape.pick(ALL);
                tape.oddities.push(only);
            }
            _ => tape.oddities = ALL.iter().copied().filter(|_| tape.chance(20)).collect(),
        }
        tape
    }

    /// A number below another one, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        let number = self.numbers.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        number % count
    }

    /// A number from the first to the last.
    pub fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }

    /// One of several things.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// True in so many of a hundred cases, and never at the end.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent
    }

    /// Returns true if the project may have an oddity.
    pub fn allows(&self, oddity: Oddity) -> bool {
        self.oddities.contains(&oddity)
    }

    /// True in so many of a hundred cases of a project that may have an oddity.
    pub fn odd(&mut self, oddity: Oddity, percent: usize) -> bool {
        self.chance(percent) && self.allows(oddity)
    }
}
