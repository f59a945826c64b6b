//! How far a condition was from being true, or false, at any checkpoint of a run: branch distances over what the trace shows
//! (ScratchEval, section 10.5; the measure is that of Korel 1990 and Tracey et al. 1998). What the trace does not show is as far as can be.

use crate::model::TraceRun;
use crate::project::reach::chosen;
use crate::project::view::{Block, Slot, TargetView};

/// The distance of what the trace says nothing about, just below 1.
pub const UNKNOWN: f64 = 0.99;
/// Ticks between two looks.
const EVERY: u64 = 10;
/// Steps across the stage and back, by which distances between sprites are divided.
const STAGE: f64 = 600.0;
/// Slots within slots that are followed.
const DEPTH: u32 = 12;

/// The least distance over all checkpoints, from 0 to below 1.
pub fn distance(target: TargetView<'_>, condition: &str, wanted: bool, run: &TraceRun) -> f64 {
    let checkpoints = (1..=run.ticks.div_ceil(EVERY)).map(|number| number * EVERY);
    let at = |after: u64| Look { target, run, after }.condition(condition, wanted, DEPTH);
    let least = checkpoints.filter_map(at).reduce(f64::min);
    least.map_or(UNKNOWN, |distance| (distance / (distance + 1.0)).min(UNKNOWN))
}

/// A run after so many ticks.
struct Look<'a> {
    target: TargetView<'a>,
    run: &'a TraceRun,
    after: u64,
}

impl<'a> Look<'a> {
    /// How far a condition is from what it must be; 0 where it is so, `None` where nothing is known.
    fn condition(&self, id: &str, wanted: bool, depth: u32) -> Option<f64> {
        let depth = depth.checked_sub(1)?;
        let block = self.target.block(id)?;
        let both = || {
            let side = |name: &str| match block.input(name)?.value? {
                Slot::Block(id) => self.condition(id, wanted, depth),
                Slot::Primitive(_) => None,
            };
            (side("OPERAND1"), side("OPERAND2"))
        };
        match block.opcode {
            "operator_not" => match block.input("OPERAND")?.value? {
                Slot::Block(id) => self.condition(id, !wanted, depth),
                Slot::Primitive(_) => None,
            },
            "operator_and" | "operator_or" => {
                let needs_both = (block.opcode == "operator_and") == wanted;
                match both() {
                    (Some(one), Some(other)) if needs_both => Some(one + other),
                    (Some(one), Some(other)) => Some(one.min(other)),
                    // An unknown half counts as 1.
                    (one, other) => one.or(other).map(|known| if needs_both { known + 1.0 } else { known }),
                }
            }
            "operator_gt" | "operator_lt" | "operator_equals" => {
                let (one, other) = (self.value(&block, "OPERAND1", depth)?, self.value(&block, "OPERAND2", depth)?);
                Some(compared(block.opcode, one, other, wanted))
            }
            "sensing_touchingobject" => self.touching(&block, wanted),
            _ => None,
        }
    }

    /// How far apart the two are, as a part of the stage.
    fn touching(&self, block: &Block<'_>, wanted: bool) -> Option<f64> {
        let what = chosen(self.target, block, "TOUCHINGOBJECTMENU")?;
        let own = self.place(self.target.sprite_id())?;
        let away = if what == "_edge_" {
            (240.0 - own.0.abs()).min(180.0 - own.1.abs()).max(0.0)
        } else {
            let other = self.place(&what)?;
            (own.0 - other.0).hypot(own.1 - other.1)
        };
        Some(if wanted { away / STAGE } else { 1.0 - (away / STAGE).min(1.0) })
    }

    fn place(&self, sprite: &str) -> Option<(f64, f64)> {
        Some((self.signal(&format!("{sprite}/x"))?, self.signal(&format!("{sprite}/y"))?))
    }

    /// The number that a signal shows.
    fn signal(&self, name: &str) -> Option<f64> {
        match self.run.signals.get(name)?.after(self.after)? {
            serde_json::Value::Number(number) => number.as_f64(),
            serde_json::Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    fn value(&self, block: &Block<'_>, input: &str, depth: u32) -> Option<f64> {
        match block.input(input)?.value? {
            Slot::Primitive(primitive) if primitive.kind == 12 => self.variable(&primitive.value),
            Slot::Primitive(primitive) => primitive.value.trim().parse().ok(),
            Slot::Block(id) => self.reporter(id, depth.checked_sub(1)?),
        }
    }

    /// The target's own variable, else the stage's.
    fn variable(&self, name: &str) -> Option<f64> {
        let owners = [self.target.sprite_id(), "Stage"];
        owners.into_iter().find_map(|owner| self.signal(&format!("{owner}/variable/{name}")))
    }

    fn reporter(&self, id: &'a str, depth: u32) -> Option<f64> {
        let block = self.target.block(id)?;
        let own = |signal: &str| self.signal(&format!("{}/{signal}", self.target.sprite_id()));
        let number = |input: &str| self.value(&block, input, depth);
        let two = || Some((number("NUM1")?, number("NUM2")?));
        match block.opcode {
            "data_variable" => self.variable(&block.field("VARIABLE")?.value),
            "motion_xposition" => own("x"),
            "motion_yposition" => own("y"),
            "motion_direction" => own("direction"),
            "looks_size" => own("size"),
            "operator_add" => two().map(|(one, other)| one + other),
            "operator_subtract" => two().map(|(one, other)| one - other),
            "operator_multiply" => two().map(|(one, other)| one * other),
            "operator_divide" => two().map(|(one, other)| one / other).filter(|value| value.is_finite()),
            "operator_mod" => two().map(|(one, other)| one.rem_euclid(other)).filter(|value| value.is_finite()),
            "operator_round" => number("NUM").map(f64::round),
            "sensing_distanceto" => {
                let (own, other) =
                    (self.place(self.target.sprite_id())?, chosen(self.target, &block, "DISTANCETOMENU")?);
                let other = self.place(&other)?;
                Some((own.0 - other.0).hypot(own.1 - other.1))
            }
            _ => None,
        }
    }
}

/// How far two numbers are from comparing as they must; steps of 1 where they only have to differ.
fn compared(opcode: &str, one: f64, other: f64, wanted: bool) -> f64 {
    let apart = (one - other).abs();
    let holds = match opcode {
        "operator_gt" => one > other,
        "operator_lt" => one < other,
        _ => apart < f64::EPSILON,
    };
    match (holds == wanted, opcode) {
        (true, _) => 0.0,
        (false, "operator_equals") if !wanted => 1.0,
        // Equal numbers are one step from being greater.
        (false, "operator_gt" | "operator_lt") if wanted => apart + 1.0,
        (false, _) => apart,
    }
}
