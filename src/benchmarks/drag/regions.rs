//! Where a scene's drag must begin and end, as the editor reports it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::mask::{Mask, Pixel};
use super::scene::{Relation, Scene, Source};
use crate::action::primitive::{PATH_RULES, PathRules};
use crate::page::PageFn;
use crate::page_fn;

pub(super) const DRAG_REGIONS: PageFn<RegionsRequest, Computed> = page_fn!("drag", "drag-regions");
/// Which block hangs on which.
pub(super) const BLOCK_LINKS: PageFn<(), BlockLinks> = page_fn!("drag", "block-links").in_every_editor();

/// Name of the dragged block in links, where it has no id before it is dragged, and in files.
pub(super) const DRAGGED: &str = "@source";

/// Arguments of `drag-regions.js`.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RegionsRequest {
    source: Source,
    relation: Relation,
    path: PathRules,
}

impl RegionsRequest {
    pub(super) fn of(scene: &Scene) -> Self {
        Self { source: scene.source.clone(), relation: scene.relation.clone(), path: PATH_RULES }
    }
}

/// Result of `block-links.js`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockLinks {
    /// Ids of all blocks of the sprite.
    pub(super) blocks: Vec<String>,
    pub(super) links: Vec<Link>,
    /// Where scripts begin, in workspace units, by the id of their first block.
    pub(super) tops: BTreeMap<String, [f64; 2]>,
    /// Opcodes of all blocks.
    pub(super) opcodes: BTreeMap<String, String>,
    /// Names of the variables that blocks show.
    pub(super) variables: BTreeMap<String, String>,
}

/// One block hanging on another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Id of the upper or outer block.
    pub parent: String,
    /// The input that holds the other; `None` if that hangs below.
    pub input: Option<String>,
    /// Id of the other.
    pub child: String,
}

/// Where a drag must begin and end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regions {
    /// Id of the dragged block; `None` if it comes from the palette. In files it has no id: a reporter that was in a slot
    /// when the project was saved gets another one with each load.
    pub source: Option<String>,
    /// What must be there after the drag.
    pub links: Vec<Link>,
    /// Every pixel of the viewport where the mouse grasps the block.
    pub start: Mask,
    /// Every offset from the start at which letting go makes the links, if the place is one to drop at.
    pub ends: Mask,
    /// Where blocks may be let go.
    pub areas: DropAreas,
}

/// Regions with data about their computation.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Computed {
    pub regions: Regions,
    /// What a search by trial begins with.
    pub seeds: Seeds,
    /// How many previews were looked into.
    pub previews: u32,
    /// How long it took.
    pub timing: RegionTimes,
}

/// What geometry alone says, as appendix J of the paper has it: where a search by trial begins.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seeds {
    /// The middle of the dragged block.
    pub start: Pixel,
    /// The offset that brings the two ends together; `None` if there is nothing to bring together.
    pub offset: Option<Pixel>,
}

/// Where a block can be let go; boxes of left, top, right and bottom edge, all inclusive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DropAreas {
    /// The canvas with toolbox and palette; elsewhere the block goes back.
    pub inside: [f64; 4],
    /// Where it is thrown away.
    pub deletes: Vec<[f64; 4]>,
}

impl DropAreas {
    /// Whether a block that is let go there stays.
    pub fn keep(&self, (x, y): Pixel) -> bool {
        let (x, y) = (f64::from(x), f64::from(y));
        let within = |[left, top, right, bottom]: [f64; 4]| x >= left && x <= right && y >= top && y <= bottom;
        within(self.inside) && !self.deletes.iter().any(|area| within(*area))
    }
}

/// How long the page took, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegionTimes {
    pub start_ms: f64,
    pub end_ms: f64,
}

impl Regions {
    /// As they are kept in files.
    pub fn without_id(&self) -> Self {
        let own = |id: &String| if self.source.as_ref() == Some(id) { DRAGGED.to_owned() } else { id.clone() };
        let renamed =
            |link: &Link| Link { parent: own(&link.parent), input: link.input.clone(), child: own(&link.child) };
        Self { source: self.source.as_ref().map(own), links: self.links.iter().map(renamed).collect(), ..self.clone() }
    }

    /// Every pixel where a drag that began at `start` must end.
    pub fn end_from(&self, start: Pixel) -> Mask {
        self.ends.shifted(start).filtered(|pixel| self.areas.keep(pixel))
    }

    /// A drag that makes the links, far from all borders.
    pub fn example(&self) -> Option<(Pixel, Pixel)> {
        let start = self.start.innermost()?;
        Some((start, self.end_from(start).innermost()?))
    }

    /// Whether a drag makes the links.
    pub fn allow(&self, start: Pixel, end: Pixel) -> bool {
        self.start.contains(start) && self.ends.contains((end.0 - start.0, end.1 - start.1)) && self.areas.keep(end)
    }

    /// Whether the block was taken along, given the links before and after a drag: it begins a script where none
    /// began before, or is a new block from the palette.
    pub fn displaced(&self, before: &BlockLinks, after: &BlockLinks) -> bool {
        match &self.source {
            Some(id) => before.tops.get(id) != after.tops.get(id),
            None => after.blocks.iter().any(|id| !before.blocks.contains(id)),
        }
    }

    /// Whether a preview of the block that is dragged shows the first of the links. The others follow from it, and
    /// while a preview lies between the blocks they can't be known.
    pub fn shown(&self, preview: &[Link], dragged: &str) -> bool {
        let is = |name: &str, id: &str| if name == DRAGGED { dragged == id } else { name == id };
        self.links.first().is_some_and(|wanted| {
            preview.iter().any(|link| {
                link.input == wanted.input && is(&wanted.parent, &link.parent) && is(&wanted.child, &link.child)
            })
        })
    }

    /// Whether the links are there, given those before and after a drag.
    pub fn made(&self, before: &BlockLinks, after: &BlockLinks) -> bool {
        let is = |name: &str, id: &String| {
            if name == DRAGGED { !before.blocks.contains(id) } else { name == id }
        };
        self.links.iter().all(|wanted| {
            after.links.iter().any(|link| {
                link.input == wanted.input && is(&wanted.parent, &link.parent) && is(&wanted.child, &link.child)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(links: &[(&str, Option<&str>, &str)]) -> Vec<Link> {
        let own = |text: &str| text.to_owned();
        links
            .iter()
            .map(|(parent, input, child)| Link { parent: own(parent), input: input.map(own), child: own(child) })
            .collect()
    }

    fn regions(wanted: &[(&str, Option<&str>, &str)]) -> Regions {
        Regions {
            source: None,
            links: links(wanted),
            start: Mask::new(vec![(100, 20, 29)]),
            ends: Mask::new(vec![(50, 300, 320)]),
            areas: DropAreas { inside: [0.0, 0.0, 780.0, 720.0], deletes: vec![[-1e9, -1e9, 313.0, 1e9]] },
        }
    }

    #[test]
    fn a_drop_over_the_palette_is_none() {
        let regions = regions(&[]);
        assert!(regions.allow((25, 100), (325, 150)));
        assert!(!regions.allow((25, 100), (324, 150)), "too short");
        assert!(!regions.allow((30, 100), (330, 150)), "beside the block");
        assert_eq!(regions.end_from((10, 100)), Mask::new(vec![(150, 314, 330)]));
    }

    #[test]
    fn files_do_not_depend_on_ids_that_change() {
        let with = |id: &str| Regions { source: Some(id.to_owned()), ..regions(&[("a", Some("NUM1"), id)]) };
        assert_eq!(with("x1").without_id(), with("x2").without_id());
        assert_ne!(with("x1").without_id(), regions(&[("a", Some("NUM1"), DRAGGED)]), "that one is in the palette");
        assert_eq!(regions(&[]).without_id(), regions(&[]));
    }

    #[test]
    fn a_block_from_the_palette_is_known_by_being_new() {
        let regions = regions(&[("a", None, DRAGGED)]);
        let before = BlockLinks { blocks: vec!["a".into(), "b".into()], ..BlockLinks::default() };
        let after = |child: &str| BlockLinks {
            blocks: vec!["a".into(), "b".into(), "c".into()],
            links: links(&[("a", None, child)]),
            ..BlockLinks::default()
        };
        assert!(regions.made(&before, &after("c")));
        assert!(!regions.made(&before, &after("b")));
    }
}
