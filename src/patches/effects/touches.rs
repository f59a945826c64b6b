//! What a statement changes, and what it reads or shows: variables, lists, and what is seen of a target.

use std::collections::BTreeSet;

use super::program::Line;
use crate::project::reach::chosen;
use crate::project::view::{self, Block, Slot, TargetView};
use crate::project::walk::places;
use serde_json::Value;

/// A side of a target that is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    Place,
    Direction,
    Size,
    Costume,
    Visible,
    Effects,
    Layer,
    Speech,
}

use Aspect::{Costume, Direction, Effects, Layer, Place, Size, Speech, Visible};

/// What a statement can change and another one read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thing {
    /// A variable or list, by its id.
    Value(String),
    /// A side of the target of this name; the stage is `Stage`.
    Seen(String, Aspect),
}

/// What one statement changes and reads, that in its slots included and that in its mouths not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touches {
    /// What it changes.
    pub writes: BTreeSet<Thing>,
    /// What it depends on.
    pub reads: BTreeSet<Thing>,
    /// What a person sees by it: all sides of a target that it moves or makes look otherwise.
    pub shows: BTreeSet<Thing>,
}

/// Which sides of its target a statement changes, and whether they depend on what was there.
const SIDES: [(&str, &[Aspect], bool); 31] = [
    ("motion_movesteps", &[Place, Direction], true),
    ("motion_turnright", &[Direction], true),
    ("motion_turnleft", &[Direction], true),
    ("motion_goto", &[Place], false),
    ("motion_gotoxy", &[Place], false),
    ("motion_glideto", &[Place], true),
    ("motion_glidesecstoxy", &[Place], true),
    ("motion_pointindirection", &[Direction], false),
    ("motion_pointtowards", &[Place, Direction], true),
    ("motion_changexby", &[Place], true),
    ("motion_setx", &[Place], true),
    ("motion_changeyby", &[Place], true),
    ("motion_sety", &[Place], true),
    ("motion_ifonedgebounce", &[Place, Direction], true),
    ("motion_setrotationstyle", &[Direction], true),
    ("looks_sayforsecs", &[Speech], false),
    ("looks_say", &[Speech], false),
    ("looks_thinkforsecs", &[Speech], false),
    ("looks_think", &[Speech], false),
    ("looks_show", &[Visible], false),
    ("looks_hide", &[Visible], false),
    ("looks_switchcostumeto", &[Costume], false),
    ("looks_nextcostume", &[Costume], true),
    ("looks_changesizeby", &[Size], true),
    ("looks_setsizeto", &[Size], false),
    ("looks_changeeffectby", &[Effects], true),
    ("looks_seteffectto", &[Effects], true),
    ("looks_cleargraphiceffects", &[Effects], true),
    ("looks_gotofrontback", &[Layer], true),
    ("looks_goforwardbackwardlayers", &[Layer], true),
    ("pen_stamp", &[], true),
];
/// Statements that change the backdrop, and whether the next one depends on it.
const BACKDROPS: [(&str, bool); 3] =
    [("looks_switchbackdropto", false), ("looks_switchbackdroptoandwait", false), ("looks_nextbackdrop", true)];
/// All that is seen of a target by a move or another look.
const ALL: [Aspect; 7] = [Place, Direction, Size, Costume, Visible, Effects, Speech];

impl Touches {
    /// What a statement touches.
    pub fn of(json: &Value, line: &Line<'_>) -> Self {
        let mut touches = Self::default();
        touches.statement(line);
        touches.reporter(json, line, &line.statement.block);
        for place in places(line.target, &line.statement) {
            match place.value {
                Slot::Primitive(primitive) if primitive.is_reporter() => {
                    touches.reads.extend(primitive.id.map(|id| Thing::Value(id.to_owned())));
                }
                Slot::Block(id) => {
                    if let Some(block) = line.target.block(id).filter(|block| !block.shadow) {
                        touches.reporter(json, line, &block);
                    }
                }
                Slot::Primitive(_) => {}
            }
        }
        touches
    }

    /// Whether it reads or shows one of these.
    pub fn meets(&self, written: &BTreeSet<Thing>) -> bool {
        !self.reads.is_disjoint(written) || !self.shows.is_disjoint(written)
    }

    fn statement(&mut self, line: &Line<'_>) {
        let block = &line.statement.block;
        let value = block.field("VARIABLE").or_else(|| block.field("LIST")).and_then(|field| field.id);
        if let Some(id) = value.filter(|_| block.opcode.starts_with("data_") && !is_about_monitor(block.opcode)) {
            self.writes.insert(Thing::Value(id.to_owned()));
            if !matches!(block.opcode, "data_setvariableto" | "data_deletealloflist") {
                self.reads.insert(Thing::Value(id.to_owned()));
            }
        }
        let seen = |aspect: &Aspect| Thing::Seen(line.sprite.clone(), *aspect);
        if let Some((_, sides, depends)) = SIDES.iter().find(|(opcode, ..)| *opcode == block.opcode) {
            self.writes.extend(sides.iter().map(seen));
            self.reads.extend(sides.iter().filter(|_| *depends).map(seen));
            self.shows.extend(ALL.iter().map(seen));
        }
        if let Some((_, depends)) = BACKDROPS.iter().find(|(opcode, _)| *opcode == block.opcode) {
            let backdrop = Thing::Seen("Stage".to_owned(), Costume);
            self.writes.insert(backdrop.clone());
            self.reads.extend(depends.then(|| backdrop.clone()));
            self.shows.insert(backdrop);
        }
    }

    /// What a block asks for: one in a slot, or a statement that names another sprite.
    fn reporter(&mut self, json: &Value, line: &Line<'_>, block: &Block<'_>) {
        let own = |aspect| Thing::Seen(line.sprite.clone(), aspect);
        let of = |input: &str, aspect: Aspect| Some(Thing::Seen(named(line.target, block, input)?, aspect));
        match block.opcode {
            "motion_xposition" | "motion_yposition" | "sensing_touchingcolor" => self.reads.extend([own(Place)]),
            "motion_direction" => self.reads.extend([own(Direction)]),
            "looks_size" => self.reads.extend([own(Size)]),
            "looks_costumenumbername" => self.reads.extend([own(Costume)]),
            "looks_backdropnumbername" => self.reads.extend([Thing::Seen("Stage".to_owned(), Costume)]),
            "sensing_touchingobject" => {
                self.reads.extend([own(Place), own(Visible)]);
                let menu = "TOUCHINGOBJECTMENU";
                self.reads.extend([of(menu, Place), of(menu, Visible)].into_iter().flatten());
            }
            "sensing_distanceto" => {
                self.reads.extend([Some(own(Place)), of("DISTANCETOMENU", Place)].into_iter().flatten());
            }
            "motion_goto" | "motion_glideto" => self.reads.extend(of("TO", Place)),
            "motion_pointtowards" => self.reads.extend(of("TOWARDS", Place)),
            "sensing_of" => self.reads.extend(property(json, line.target, block)),
            opcode if opcode.starts_with("data_") && block.id != line.statement.block.id => {
                self.reads.extend(block.field("LIST").and_then(|field| Some(Thing::Value(field.id?.to_owned()))));
            }
            _ => {}
        }
    }
}

/// Whether it shows or hides the monitor of a variable or list.
fn is_about_monitor(opcode: &str) -> bool {
    matches!(opcode, "data_showvariable" | "data_hidevariable" | "data_showlist" | "data_hidelist")
}

/// The sprite that is chosen in a menu.
fn named(target: TargetView<'_>, block: &Block<'_>, input: &str) -> Option<String> {
    chosen(target, block, input).filter(|name| !name.starts_with('_')).or_else(|| {
        let is_stage = chosen(target, block, input).is_some_and(|name| name == "_stage_");
        is_stage.then(|| "Stage".to_owned())
    })
}

/// What `[x position v] of (Moth v)` or `[score v] of (Stage v)` is about.
fn property(json: &Value, target: TargetView<'_>, block: &Block<'_>) -> Option<Thing> {
    let (of, property) = (named(target, block, "OBJECT")?, block.field("PROPERTY")?.value);
    let aspect = match &*property {
        "x position" | "y position" => Place,
        "direction" => Direction,
        "size" => Size,
        "costume #" | "costume name" | "backdrop #" | "backdrop name" => Costume,
        name => {
            let holder = view::target(json, &of)?;
            let (id, _) =
                holder.entries("variables").find(|(_, value)| value.get(0).and_then(Value::as_str) == Some(name))?;
            return Some(Thing::Value(id.to_owned()));
        }
    };
    Some(Thing::Seen(of, aspect))
}

/// All statements that the tables here name.
#[cfg(test)]
pub(super) fn opcodes() -> impl Iterator<Item = &'static str> {
    SIDES.iter().map(|(opcode, ..)| *opcode).chain(BACKDROPS.iter().map(|(opcode, _)| *opcode))
}
