//! Where ids stand in `project.json`: keys of blocks, variables, lists and broadcasts, and what refers to them. One walk rewrites them,
//! in a whole project or in a part of it. To what they are rewritten is `aliases`' business; ids of comments, monitors and arguments of
//! My Blocks are left alone.

use serde_json::Value;

/// What an id is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A block of a target.
    Block,
    /// A variable of a target, or one for all.
    Variable,
    /// A list, likewise.
    List,
    /// A message.
    Broadcast,
}

impl Kind {
    /// All of them.
    pub(super) const ALL: [Self; 4] = [Self::Block, Self::Variable, Self::List, Self::Broadcast];

    /// The member of a target that holds what has such ids.
    pub(super) const fn collection(self) -> &'static str {
        match self {
            Self::Block => "blocks",
            Self::Variable => "variables",
            Self::List => "lists",
            Self::Broadcast => "broadcasts",
        }
    }

    /// What a field of this name names, if it is something with an id (scratch-vm, `serialization/sb3.js`).
    pub(super) fn of_field(name: &str) -> Option<Self> {
        match name {
            "VARIABLE" => Some(Self::Variable),
            "LIST" => Some(Self::List),
            "BROADCAST_OPTION" => Some(Self::Broadcast),
            _ => None,
        }
    }

    /// What an inline value of this number names, if it is something with an id (scratch-vm, `serialization/sb3.js`).
    pub(super) const fn of_primitive(number: u64) -> Option<Self> {
        match number {
            11 => Some(Self::Broadcast),
            12 => Some(Self::Variable),
            13 => Some(Self::List),
            _ => None,
        }
    }
}

/// What stands at a place of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Project,
    Targets,
    Target,
    Collection(Kind),
    Block,
    Inputs,
    Input,
    /// What is seen in an input, or hidden there: the id of a block, or an inline value.
    Filling,
    Fields,
    Field(Kind),
    /// An id; without a kind, that of an inline value which is not in sight.
    Id(Option<Kind>),
    /// No id in it.
    Other,
}

impl Place {
    /// What stands at a member or item.
    pub(super) fn below(self, key: &str) -> Self {
        match (self, key) {
            (Self::Project, "targets") => Self::Targets,
            (Self::Targets, _) => Self::Target,
            (Self::Target, _) => {
                Kind::ALL.into_iter().find(|kind| kind.collection() == key).map_or(Self::Other, Self::Collection)
            }
            (Self::Collection(Kind::Block), _) => Self::Block,
            (Self::Block, "next" | "parent") => Self::Id(Some(Kind::Block)),
            (Self::Block, "inputs") => Self::Inputs,
            (Self::Block, "fields") => Self::Fields,
            (Self::Inputs, _) => Self::Input,
            (Self::Input, "1" | "2") => Self::Filling,
            // The id of an inline value, in a slot or alone in the script area.
            (Self::Filling | Self::Block, "2") => Self::Id(None),
            (Self::Fields, name) => Kind::of_field(name).map_or(Self::Other, Self::Field),
            (Self::Field(kind), "1") => Self::Id(Some(kind)),
            _ => Self::Other,
        }
    }
}

/// Gives the id that stands for another; without a kind, of an inline value that is not in sight.
pub(super) type Rewrite<'f> = dyn FnMut(Option<Kind>, &str) -> String + 'f;

/// Rewrites the ids in the keys of a pointer; returns what stands at its end.
pub(super) fn rewrite_keys(keys: &mut [String], rewrite: &mut Rewrite<'_>) -> Place {
    let mut place = Place::Project;
    for key in keys {
        let below = place.below(key);
        if let Place::Collection(kind) = place {
            *key = rewrite(Some(kind), key);
        }
        place = below;
    }
    place
}

/// Rewrites the ids in what stands at a place.
pub(super) fn rewrite_value(place: Place, value: &mut Value, rewrite: &mut Rewrite<'_>) {
    match (place, value) {
        (Place::Other, _) => {}
        (Place::Id(kind), Value::String(id)) => *id = rewrite(kind, id),
        (Place::Filling, Value::String(id)) => *id = rewrite(Some(Kind::Block), id),
        (Place::Filling | Place::Block, Value::Array(parts)) => {
            let kind = parts.first().and_then(Value::as_u64).and_then(Kind::of_primitive);
            if let (Some(kind), Some(Value::String(id))) = (kind, parts.get_mut(2)) {
                *id = rewrite(Some(kind), id);
            }
        }
        (_, Value::Object(members)) => {
            for (key, mut member) in std::mem::take(members) {
                rewrite_value(place.below(&key), &mut member, rewrite);
                let key = if let Place::Collection(kind) = place { rewrite(Some(kind), &key) } else { key };
                members.insert(key, member);
            }
        }
        (_, Value::Array(items)) => {
            for (at, item) in items.iter_mut().enumerate() {
                rewrite_value(place.below(&at.to_string()), item, rewrite);
            }
        }
        _ => {}
    }
}
