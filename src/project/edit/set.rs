//! Sets of normalised atomic edits, by which patches are compared (ScratchEval, section 5.4): what differs between two projects, whatever
//! the edits that led from one to the other were, in whichever order, under whichever ids.
//!
//! What is here is their form and their distance; `difference` reads them from projects, `placing` finds which blocks moved.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

/// A value as edits are compared by it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Canonical {
    /// A plain value or the choice of a menu; numbers in their shortest form.
    Text(String),
    /// A variable or list, by its id.
    Variable(String),
    /// A message, in capitals.
    Message(String),
    /// Old blocks that a new one has taken into a slot or mouth, in their order.
    Blocks(Vec<String>),
    /// An empty slot.
    Nothing,
}

/// What a new block is: all of it but its id and what other new blocks are in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Content {
    pub opcode: String,
    pub fields: BTreeMap<String, Canonical>,
    /// Slots that show a value, and slots and mouths with old blocks.
    pub inputs: BTreeMap<String, Canonical>,
}

/// Where a new block hangs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Anchor {
    /// The nearest old block above, around or, at the start of a script, below.
    pub at: At,
    /// New blocks from there down to the block above this one.
    pub through: Vec<Step>,
}

/// A place next to an old block.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// Below it.
    After(String),
    /// In this slot or mouth of it.
    In(String, String),
    /// At the start of a script, above its first old block, if it has one.
    Start(Option<String>),
}

/// A new block above another, and the slot or mouth of it that the other is in; none for one below it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Step {
    pub block: Content,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
}

/// A normalised edit of one block.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum NormalEdit {
    /// The block is gone, or is elsewhere.
    Remove { sprite_id: String, block_id: String },
    /// There is a block that was not there.
    Add { sprite_id: String, anchor: Anchor, block: Content },
    /// An opcode, a field or a value in a slot is another; `path` as in an [`super::Edit`].
    Modify { sprite_id: String, block_id: String, path: String, value: Canonical },
}

/// The normalised edits that lead from one project to another. Two new scripts may be the same, so each edit has a number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditSet(BTreeMap<NormalEdit, usize>);

impl EditSet {
    /// How many edits there are.
    pub fn len(&self) -> usize {
        self.0.values().sum()
    }

    /// Whether both projects have the same program.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The edits, sorted; one that is there twice comes twice.
    pub fn iter(&self) -> impl Iterator<Item = &NormalEdit> {
        self.0.iter().flat_map(|(edit, times)| std::iter::repeat_n(edit, *times))
    }

    fn times(&self, edit: &NormalEdit) -> usize {
        self.0.get(edit).copied().unwrap_or_default()
    }
}

impl FromIterator<NormalEdit> for EditSet {
    fn from_iter<I: IntoIterator<Item = NormalEdit>>(edits: I) -> Self {
        let mut set = BTreeMap::new();
        for edit in edits {
            *set.entry(edit).or_default() += 1;
        }
        Self(set)
    }
}

/// A list of its edits.
impl Serialize for EditSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// Edits that only one of two sets has: the size of their symmetric difference. Both sets begin at the same project.
pub fn edit_distance(gold: &EditSet, model: &EditSet) -> usize {
    let only_model = model.0.keys().filter(|edit| !gold.0.contains_key(edit));
    gold.0.keys().chain(only_model).map(|edit| gold.times(edit).abs_diff(model.times(edit))).sum()
}

impl fmt::Display for Canonical {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(formatter, "{text:?}"),
            Self::Variable(id) => write!(formatter, "variable {id}"),
            Self::Message(name) => write!(formatter, "message {name:?}"),
            Self::Blocks(ids) => write!(formatter, "[{}]", ids.join(" ")),
            Self::Nothing => formatter.write_str("nothing"),
        }
    }
}

impl fmt::Display for Content {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.opcode)?;
        let parts = self.fields.iter().chain(&self.inputs);
        parts.into_iter().try_for_each(|(name, value)| write!(formatter, " {name}={value}"))
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            At::After(id) => write!(formatter, "after {id}"),
            At::In(id, input) => write!(formatter, "in {id}.{input}"),
            At::Start(Some(id)) => write!(formatter, "start above {id}"),
            At::Start(None) => formatter.write_str("start"),
        }?;
        self.through.iter().try_for_each(|step| match &step.input {
            Some(input) => write!(formatter, " / {} in {input}", step.block),
            None => write!(formatter, " / {}", step.block),
        })
    }
}

/// Such as `R(Moth, b12)`, `A(Moth, after b12, control_wait DURATION="1")` or `M(Moth, b12, opcode, "event_broadcast")`.
impl fmt::Display for NormalEdit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Remove { sprite_id, block_id } => write!(formatter, "R({sprite_id}, {block_id})"),
            Self::Add { sprite_id, anchor, block } => write!(formatter, "A({sprite_id}, {anchor}, {block})"),
            Self::Modify { sprite_id, block_id, path, value } => {
                write!(formatter, "M({sprite_id}, {block_id}, {path}, {value})")
            }
        }
    }
}
