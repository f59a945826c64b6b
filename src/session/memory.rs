//! What a session remembers between calls: the numbering that actions refer to.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::model::{Element, Mode, Point, Rect};

/// The element list of the last primitive observation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observed {
    /// Number of the observation within its session, from 1.
    pub number: u64,
    /// All elements of the page, also those that the agent was not shown. An element's index is not its place
    /// in this list: a list of changes keeps the numbers of what was there before.
    pub elements: Vec<Element>,
    /// For each element, in the same order, the point that its index stands for.
    pub points: Vec<Point>,
    /// Indexes of the elements that the agent was shown, in this observation or in those that it continues.
    pub shown: BTreeSet<usize>,
    /// The first index not used since the list was last renumbered.
    pub next: usize,
}

impl Observed {
    /// The point that an index stands for.
    pub fn point(&self, index: usize) -> Option<Point> {
        let row = self.elements.iter().position(|element| element.index == index)?;
        self.points.get(row).copied()
    }
}

/// The block numbering of the last composite observation or action.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockIndex {
    /// Identifier of the editing target that the numbers belong to.
    pub target: String,
    /// Block ids in the order of their numbers; the first has number 1.
    pub blocks: Vec<String>,
}

/// Whether an observation that a call names can still be acted on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It is the newest of its mode, and nothing has taken its place.
    Newest,
    /// It was made, but is superseded: the id of the newest one, if that is still valid.
    Outdated(Option<String>),
    /// No such observation was made in this session.
    Unknown,
}

/// What one session remembers. All of it is forgotten when a project is loaded or the page is replaced.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// Observations made so far, of either mode; never reset, so that numbers stay unique.
    pub observations: u64,
    /// The last element list, if it is still valid.
    pub observed: Option<Observed>,
    /// The last block numbering, if it is still valid.
    pub blocks: Option<BlockIndex>,
    /// The newest observation of each mode, if it is still valid.
    newest: [Option<u64>; 2],
    /// The last block numbering as the reference server numbers them, if it is still valid.
    pub reference_blocks: Option<BlockIndex>,
    /// The boxes of the last element list as the reference's clients make it, if one was made.
    pub reference_boxes: Option<Vec<Rect>>,
}

impl Memory {
    pub fn forget(&mut self) {
        self.observed = None;
        self.blocks = None;
        self.reference_blocks = None;
        self.reference_boxes = None;
        self.newest = [None; 2];
    }

    /// Counts a new observation, the newest of its mode from now on, and returns its number.
    pub const fn begin_observation(&mut self, mode: Mode) -> u64 {
        self.observations += 1;
        self.newest[mode as usize] = Some(self.observations);
        self.observations
    }

    /// Notes that something other than an observation has renumbered a mode's indexes.
    pub const fn renumbered(&mut self, mode: Mode) {
        self.newest[mode as usize] = None;
    }

    /// Whether an observation can still be acted on.
    pub fn standing(&self, mode: Mode, id: &str) -> Standing {
        let newest = self.newest[mode as usize];
        match number_of(id) {
            Some(number) if newest == Some(number) => Standing::Newest,
            Some(number) if (1..=self.observations).contains(&number) => Standing::Outdated(newest.map(observation_id)),
            _ => Standing::Unknown,
        }
    }
}

/// The name of an observation, unique in its session.
pub fn observation_id(number: u64) -> String {
    format!("o{number}")
}

fn number_of(id: &str) -> Option<u64> {
    id.strip_prefix('o')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ElementType;

    #[test]
    fn only_the_newest_observation_of_a_mode_can_be_acted_on() {
        let mut memory = Memory::default();
        assert_eq!(memory.standing(Mode::Primitive, "o1"), Standing::Unknown);
        assert_eq!(memory.begin_observation(Mode::Primitive), 1);
        assert_eq!(memory.begin_observation(Mode::Composite), 2);
        assert_eq!(memory.standing(Mode::Primitive, "o1"), Standing::Newest);
        assert_eq!(memory.begin_observation(Mode::Primitive), 3);
        assert_eq!(memory.standing(Mode::Primitive, "o1"), Standing::Outdated(Some("o3".into())));
        assert_eq!(memory.standing(Mode::Composite, "o2"), Standing::Newest);
        memory.renumbered(Mode::Composite);
        assert_eq!(memory.standing(Mode::Composite, "o2"), Standing::Outdated(None));
        memory.forget();
        assert_eq!(memory.standing(Mode::Primitive, "o3"), Standing::Outdated(None));
        for unknown in ["o4", "o0", "3", "", "oo"] {
            assert_eq!(memory.standing(Mode::Primitive, unknown), Standing::Unknown, "{unknown}");
        }
    }

    #[test]
    fn an_index_is_a_name_and_not_a_place() {
        let element =
            |index| Element { index, kind: ElementType::Buttons, text: String::new(), position: Rect::new(0, 0, 1, 1) };
        let points = vec![Point::new(1.0, 1.0), Point::new(2.0, 2.0)];
        let observed = Observed { elements: vec![element(0), element(7)], points, ..Observed::default() };
        assert_eq!((observed.point(7), observed.point(1)), (Some(Point::new(2.0, 2.0)), None));
    }
}
