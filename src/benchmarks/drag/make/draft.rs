//! Drafts one scene: set up in the editor, named, computed, and rejected if anything is wrong.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand_pcg::Pcg64;

use super::Spot;
use super::candidates::{Candidate, Displaced, Dragged};
use super::facts::{CanvasBlock, Facts};
use super::place::{Setting, head, lies_in, overlap, setting, visible};
use super::words::{instruction, name, palette_name};
use crate::benchmarks::drag::regions::Regions;
use crate::benchmarks::drag::scene::{BlockName, Relation, Removal, Rule, Scene, SceneProject, Source, View};
use crate::benchmarks::drag::stage::Stage;
use crate::benchmarks::drag::{DragError, Kind};
use crate::model::{ItemId, StageSize};
use crate::session::SessionHandle;

/// Fewest pixels of a start region and of the ends from one start.
const START_AREA: u32 = 200;
const END_AREA: u32 = 300;

/// A sprite from which scenes are made.
pub(super) struct Drafter<'a> {
    handle: &'a SessionHandle,
    sb3: Arc<Vec<u8>>,
    blank: Scene,
    facts: Facts,
}

impl<'a> Drafter<'a> {
    /// Opens the sprite and looks at it.
    pub(super) async fn begin(handle: &'a SessionHandle, spot: &Spot, sb3: Arc<Vec<u8>>) -> Result<Self, DragError> {
        let blank = blank(spot);
        let mut stage = Stage::new(handle, &blank, Arc::clone(&sb3));
        match stage.set_up().await {
            // Nothing is dragged here: any view does.
            Ok(()) | Err(DragError::View { .. }) => {}
            Err(error) => return Err(error),
        }
        let facts = stage.facts().await?;
        Ok(Self { handle, sb3, blank, facts })
    }

    pub(super) const fn facts(&self) -> &Facts {
        &self.facts
    }
}

/// The sprite as the project has it, with nothing to do.
fn blank(spot: &Spot) -> Scene {
    Scene {
        id: ItemId::plain(&spot.project.id),
        instruction: String::new(),
        project: SceneProject::Task(spot.project.clone()),
        stage: StageSize::Small,
        sprite: Some(spot.sprite.clone()),
        removal: None,
        actions: Vec::new(),
        palette: None,
        view: View { scale: super::place::SCALE, x: 0.0, y: 0.0, drawn: false },
        source: Source { block: BlockName::default(), palette: false },
        relation: Relation { kind: Kind::Below, target: BlockName::default(), input: None, rule: Rule::Links },
    }
}

/// Makes a scene of a drag; `None` if it would not be a good one.
pub(super) async fn draft(
    drafter: &Drafter<'_>,
    candidate: &Candidate,
    choices: &mut Pcg64,
) -> Result<Option<(Scene, Regions)>, DragError> {
    let Some(setting) = setting(&drafter.facts, candidate, choices) else { return Ok(None) };
    let Some(set) = with_setting(drafter, candidate, &setting) else { return Ok(None) };
    let mut stage = Stage::new(drafter.handle, &set, Arc::clone(&drafter.sb3));
    match stage.set_up_next().await {
        Err(DragError::View { .. }) => return Ok(None),
        other => other?,
    }
    let facts = stage.facts().await?;
    let Some(scene) = named(&facts, candidate, set.clone()) else { return Ok(None) };
    let mut stage = Stage::new(drafter.handle, &scene, Arc::clone(&drafter.sb3));
    if good_regions(&stage).await?.is_none() {
        return Ok(None);
    }
    // Opening the scene loads its project first, and it must be the same scene then.
    stage.set_up().await?;
    let regions = good_regions(&stage).await?;
    Ok(regions.map(|regions| (scene, regions)))
}

/// The regions of a scene; `None` if the relation exists already or they are hard to hit.
async fn good_regions(stage: &Stage<'_>) -> Result<Option<Regions>, DragError> {
    match stage.regions().await {
        Ok(computed) => {
            let before = stage.links().await?;
            let regions = computed.regions;
            let good = is_good(&regions) && !regions.made(&before, &before);
            Ok(good.then_some(regions))
        }
        // The editor has no such connection for these blocks.
        Err(DragError::EmptyRegion { .. } | DragError::Page(crate::page::PageError::Refused { .. })) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether the regions are large enough to hit.
fn is_good(regions: &Regions) -> bool {
    let middle = regions.start.pixels().nth(regions.start.area() as usize / 2);
    regions.start.area() >= START_AREA && middle.is_some_and(|start| regions.end_from(start).area() >= END_AREA)
}

fn with_setting(drafter: &Drafter<'_>, candidate: &Candidate, setting: &Setting) -> Option<Scene> {
    let removal = match &candidate.out {
        None => None,
        Some(Displaced { block, alone }) => {
            let block = drafter.facts.block(block)?;
            Some(Removal { block: numbered(&drafter.facts, block), alone: *alone, lay: setting.lay })
        }
    };
    let Setting { view, palette, .. } = setting.clone();
    Some(Scene { removal, view, palette: Some(palette), ..drafter.blank.clone() })
}

/// A block by its opcode and number.
fn numbered(facts: &Facts, block: &CanvasBlock) -> BlockName {
    BlockName { opcode: Some(block.opcode.clone()), nth: facts.nth(block), ..BlockName::default() }
}

/// With source, target and instruction; `None` if something is not clearly visible, or has no words of its own.
fn named(facts: &Facts, candidate: &Candidate, set: Scene) -> Option<Scene> {
    let target = facts.block(&candidate.target)?;
    let (kind, input) = (candidate.kind, candidate.input.as_deref());
    let (source, block, called) = match (&candidate.dragged, &candidate.out) {
        (Dragged::Palette(at), _) => {
            let other = facts.palette.get(*at)?;
            let nth = facts.palette[..=*at].iter().filter(|one| one.opcode == other.opcode).count();
            let block = BlockName {
                opcode: Some(other.opcode.clone()),
                nth: u32::try_from(nth).ok()?,
                fields: BTreeMap::new(),
                id: None,
            };
            (Source { block, palette: true }, None, palette_name(facts, *at)?)
        }
        (Dragged::Laid, Some(out)) => {
            let block = facts.block(&out.block)?;
            (Source { block: numbered(facts, block), palette: false }, Some(block), name(facts, block)?)
        }
        (Dragged::Laid, None) => return None,
    };
    let seen = visible(facts, set.view);
    let clear = [Some(target), block]
        .into_iter()
        .flatten()
        .all(|block| lies_in(head(block.own), seen) && !is_overlapped(facts, block));
    let instruction = instruction(facts, block, &called, kind, target, input)?;
    let relation =
        Relation { kind, target: numbered(facts, target), input: input.map(str::to_owned), rule: Rule::Links };
    clear.then(|| Scene { instruction, source, relation, ..set })
}

/// Whether another script lies over or under the head of a block.
fn is_overlapped(facts: &Facts, block: &CanvasBlock) -> bool {
    let root = &facts.root(block).id;
    let others = facts.blocks.iter().filter(|other| other.parent.is_none() && other.id != *root);
    others.into_iter().any(|other| overlap(other.stack, head(block.own)))
}
