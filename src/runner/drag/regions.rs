//! Where a scene's drag must begin and end, as the editor tells.

use serde::{Deserialize, Serialize};

use super::mask::{Mask, Pixel};
use super::scene::{Kind, Relation, Scene, Source, View};
use crate::action::primitive::{PATH_RULES, PathRules};
use crate::page::PageFn;
use crate::page_fn;

/// Brings sprite, palette and canvas to a scene's beginning.
pub(super) const PREPARE_SCENE: PageFn<PrepareScene, View> = page_fn!("prepare-scene");
/// Computes the regions.
pub(super) const DRAG_REGIONS: PageFn<RegionsRequest, Regions> = page_fn!("drag-regions");
/// Which block hangs on which.
pub(super) const BLOCK_LINKS: PageFn<(), BlockLinks> = page_fn!("block-links");

/// Name of the dragged block in links, where it has none before it is dragged.
const NEW_BLOCK: &str = "@source";

/// Arguments of `prepare-scene.js`.
#[derive(Debug, Clone, Serialize)]
pub(super) struct PrepareScene {
    sprite: String,
    category: String,
    view: View,
}

impl PrepareScene {
    pub(super) fn of(scene: &Scene) -> Self {
        Self { sprite: scene.sprite.clone(), category: scene.category.clone(), view: scene.view }
    }
}

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
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlockLinks {
    /// Ids of all blocks of the sprite.
    pub(super) blocks: Vec<String>,
    /// What hangs on what.
    pub(super) links: Vec<Link>,
}

/// One block hanging on another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Id of the upper or outer block.
    pub parent: String,
    /// The input that holds the other; none if that hangs below.
    pub input: Option<String>,
    /// Id of the other.
    pub child: String,
}

/// Where a drag must begin and end.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regions {
    /// Id of the dragged block; none if it comes from the palette.
    pub source: Option<String>,
    /// What must be there after the drag.
    pub links: Vec<Link>,
    /// Every pixel of the viewport where the mouse grasps the block.
    pub start: Mask,
    /// Every offset from the start at which letting go makes the links, if the place is one to drop at.
    pub ends: Mask,
    /// Where blocks may be let go.
    #[serde(flatten)]
    pub areas: DropAreas,
    /// How many previews were looked into.
    pub previews: u32,
    /// How long it took.
    pub timing: RegionTimes,
}

/// Where a block can be let go; boxes of left, top, right and bottom edge, all inclusive.
#[derive(Debug, Clone, Deserialize)]
pub struct DropAreas {
    /// The canvas with toolbox and palette; elsewhere the block goes back.
    pub inside: [f64; 4],
    /// Where it is thrown away.
    pub deletes: Vec<[f64; 4]>,
}

impl DropAreas {
    /// Whether a block that is let go there stays.
    #[must_use]
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
    /// For the start region.
    pub start_ms: f64,
    /// For the end region.
    pub end_ms: f64,
}

impl Regions {
    /// Every pixel where a drag that began at `start` must end.
    #[must_use]
    pub fn end_from(&self, start: Pixel) -> Mask {
        self.ends.shifted(start).filtered(|pixel| self.areas.keep(pixel))
    }

    /// Whether a drag makes the links.
    #[must_use]
    pub fn allow(&self, start: Pixel, end: Pixel) -> bool {
        self.start.contains(start) && self.ends.contains((end.0 - start.0, end.1 - start.1)) && self.areas.keep(end)
    }

    /// Whether the links are there, given those before and after a drag.
    pub(super) fn made(&self, before: &BlockLinks, after: &BlockLinks) -> bool {
        let is = |name: &str, id: &String| {
            if name == NEW_BLOCK { !before.blocks.contains(id) } else { name == id }
        };
        self.links.iter().all(|wanted| {
            after.links.iter().any(|link| {
                link.input == wanted.input && is(&wanted.parent, &link.parent) && is(&wanted.child, &link.child)
            })
        })
    }
}

impl Kind {
    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Below => "below",
            Self::Above => "above",
            Self::Between => "between",
            Self::Into => "into",
            Self::Around => "around",
        }
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
            previews: 0,
            timing: RegionTimes { start_ms: 0.0, end_ms: 0.0 },
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
    fn a_block_from_the_palette_is_known_by_being_new() {
        let regions = regions(&[("a", None, NEW_BLOCK)]);
        let before = BlockLinks { blocks: vec!["a".into(), "b".into()], links: vec![] };
        let after = |child: &str| BlockLinks {
            blocks: vec!["a".into(), "b".into(), "c".into()],
            links: links(&[("a", None, child)]),
        };
        assert!(regions.made(&before, &after("c")));
        assert!(!regions.made(&before, &after("b")));
    }
}
