//! Which projects are the same, or nearly, and which of them stays (ScratchEval, section 2.5).

use serde::{Deserialize, Serialize};
use strum::Display;

use crate::model::sha256_hex;
use crate::project::shape::Shape;
use crate::project::{Fingerprint, Project};

/// Likeness from which a project is a copy of another, and from which the two share a group.
const NEAR: f64 = 0.80;
const GROUP: f64 = 0.60;

/// In what two projects are the same, the strictest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Likeness {
    /// To the byte, assets included.
    Exact,
    /// The program.
    Program,
    /// The program without names and values: a translation.
    Shape,
    /// At least four fifths of it: a remix.
    Near,
}

/// A project that may stay.
#[derive(Debug)]
pub(super) struct Candidate {
    pub id: String,
    /// See [`licence::rank`](super::licence::rank).
    pub licence: u8,
    pub live_blocks: u32,
    exact: String,
    program: String,
    shape: Shape,
}

/// What becomes of a candidate.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fate {
    /// The one that stays in its place, with how alike they are, from 0 to 1.
    pub copy_of: Option<(String, Likeness, f64)>,
    /// The name of its group: the smallest in it.
    pub group: String,
}

impl Candidate {
    pub(super) fn new(id: &str, licence: u8, live_blocks: u32, golden: &[u8], project: &Project) -> Self {
        Self {
            id: id.to_owned(),
            licence,
            live_blocks,
            exact: sha256_hex(golden),
            program: Fingerprint::of(project).digest(),
            shape: Shape::of(&project.json),
        }
    }

    fn like(&self, other: &Self) -> Option<(Likeness, f64)> {
        let likeness = self.shape.likeness(&other.shape);
        let kind = if self.exact == other.exact {
            Likeness::Exact
        } else if self.program == other.program {
            Likeness::Program
        } else if self.shape.digest == other.shape.digest {
            Likeness::Shape
        } else if likeness >= NEAR {
            Likeness::Near
        } else {
            return None;
        };
        Some((kind, likeness))
    }
}

/// Decides about all, in their order. The best licence, then the most live blocks, then the smallest name stays.
pub(super) fn decide(candidates: &[Candidate]) -> Vec<Fate> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|at| {
        let Candidate { licence, live_blocks, id, .. } = &candidates[*at];
        (*licence, std::cmp::Reverse(*live_blocks), id.clone())
    });
    let (mut stay, mut copies) = (Vec::<usize>::new(), vec![None; candidates.len()]);
    for at in order {
        let like = |other: &usize| candidates[at].like(&candidates[*other]).map(|like| (*other, like));
        match stay.iter().find_map(like) {
            Some((other, (kind, likeness))) => copies[at] = Some((candidates[other].id.clone(), kind, likeness)),
            None => stay.push(at),
        }
    }
    let groups = groups(candidates);
    copies.into_iter().zip(groups).map(|(copy_of, group)| Fate { copy_of, group }).collect()
}

/// The names of groups: who is alike to one of a group belongs to it.
fn groups(candidates: &[Candidate]) -> Vec<String> {
    let mut group: Vec<usize> = (0..candidates.len()).collect();
    for one in 0..candidates.len() {
        for other in 0..one {
            let are_apart = group[one] != group[other];
            if are_apart && candidates[one].shape.likeness(&candidates[other].shape) >= GROUP {
                let (from, to) = (group[one], group[other]);
                group.iter_mut().filter(|member| **member == from).for_each(|member| *member = to);
            }
        }
    }
    let smallest = |which: usize| {
        let members = group.iter().zip(candidates).filter(|(member, _)| **member == which);
        members.map(|(_, candidate)| candidate.id.clone()).min().unwrap_or_default()
    };
    group.iter().map(|which| smallest(*which)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    /// A project with one script of these opcodes on the stage.
    fn candidate(id: &str, licence: u8, opcodes: &[&str], value: &str) -> Candidate {
        let mut blocks = json!({});
        for (at, opcode) in opcodes.iter().enumerate() {
            let next = (at + 1 < opcodes.len()).then(|| format!("b{}", at + 1));
            blocks[format!("b{at}")] = json!({"opcode": opcode, "next": next, "shadow": false, "topLevel": at == 0,
                "inputs": {"X": [1, [10, value]]}, "fields": {}});
        }
        let json = json!({"targets": [{"isStage": true, "name": "Stage", "blocks": blocks}]});
        let project = Project { json, assets: BTreeMap::new() };
        Candidate::new(id, licence, u32::try_from(opcodes.len()).unwrap(), &project.write().unwrap(), &project)
    }

    #[test]
    fn the_best_licence_then_the_most_blocks_then_the_smallest_name_stays() {
        let long = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
        let all = [
            candidate("zebra", 1, &long, "1"),
            candidate("ant", 1, &long, "1"),
            candidate("translated", 0, &long[..11], "2"),
            candidate("other", 2, &["x", "y", "z", "w"], "1"),
        ];
        let fates = decide(&all);
        let of = |at: usize| fates[at].copy_of.as_ref().map(|(id, kind, _)| (id.as_str(), *kind));
        assert_eq!(of(2), None);
        // Eight of nine shingles are shared.
        assert_eq!((of(0), of(1)), (Some(("translated", Likeness::Near)), Some(("translated", Likeness::Near))));
        assert_eq!(of(3), None);
        assert_eq!(fates.iter().map(|fate| fate.group.as_str()).collect::<Vec<_>>(), ["ant", "ant", "ant", "other"]);
        let two = decide(&all[..2]);
        assert_eq!(two[0].copy_of.as_ref().map(|(id, kind, _)| (id.as_str(), *kind)), Some(("ant", Likeness::Exact)));
        assert_eq!(two[1].copy_of, None);
    }

    #[test]
    fn values_make_a_shape_of_the_same_and_a_smaller_likeness_a_group() {
        let five = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
        let fates = decide(&[candidate("one", 0, &five, "1"), candidate("two", 0, &five, "2")]);
        assert_eq!(fates[1].copy_of, Some(("one".to_owned(), Likeness::Shape, 1.0)));
        // Four of six.
        let fates = decide(&[candidate("one", 0, &five, "1"), candidate("two", 0, &five[..7], "1")]);
        assert_eq!((&fates[1].copy_of, fates[1].group.as_str()), (&None, "one"));
    }
}
