//! Pattern 4, non-terminating loop: the condition that ends a loop, or the game, never holds.

use super::edits::{Site, adopted, block, number, shown, text};
use super::{Candidate, Pattern};
use crate::patches::effects::{Line, Program, condition};
use crate::project::reach::chosen;
use crate::project::view::Block;

/// How far a threshold is moved: by one, as people miscount. What counts to the old one and no further never meets the new one.
const MISCOUNT: f64 = 1.0;

pub(super) fn candidates(program: &Program<'_>, found: &mut Vec<Candidate>) {
    for line in program.live().filter(|line| is_site(program, line)) {
        let site = Site { program, line, pattern: Pattern::NonTerminatingLoop };
        let holder = &line.statement.block;
        let Some(condition) = condition(line) else { continue };
        if let Some(flipped) = flipped(&condition) {
            let patch = vec![site.modify(condition.id, "opcode", text(flipped))];
            found.push(site.candidate("NT.flip", condition.id, "", patch));
        }
        for (input, value) in threshold(&condition) {
            let patch = vec![site.modify(condition.id, &format!("inputs/{input}"), text(&shown(value)))];
            found.push(site.candidate("NT.threshold", condition.id, input, patch));
        }
        let patch = if condition.opcode == "operator_not" && condition.input("OPERAND").is_some() {
            vec![site.splice(condition.id)]
        } else {
            let not = block(site.id("not"), "operator_not", &[("OPERAND", adopted(condition.id))]);
            vec![site.inside(holder.id, "CONDITION", not)]
        };
        found.push(site.candidate("NT.negate", condition.id, "", patch));
    }
}

/// Whether a condition here ends something: that of `repeat until`, of `wait until` before an end, of an `if` around one.
pub(super) fn is_site(program: &Program<'_>, line: &Line<'_>) -> bool {
    match line.statement.block.opcode {
        "control_repeat_until" => true,
        "control_wait_until" => program.below(line).first().is_some_and(|below| ends_something(program, below)),
        "control_if" | "control_if_else" => inside(program, line).any(|inner| ends_something(program, inner)),
        _ => false,
    }
}

/// Statements in the mouths of one.
fn inside<'p, 'a>(program: &'p Program<'a>, line: &'p Line<'a>) -> impl Iterator<Item = &'p Line<'a>> {
    let path = format!("{}.", line.statement.path);
    program.body(line.script).filter(move |inner| inner.statement.path.starts_with(&path))
}

/// Whether a statement ends the program, its script, or a scene: itself or by who hears it.
fn ends_something(program: &Program<'_>, line: &Line<'_>) -> bool {
    let ends = |line: &Line<'_>| {
        let block = &line.statement.block;
        let stops = block.field("STOP_OPTION").is_some_and(|field| matches!(&*field.value, "all" | "this script"));
        stops
            || matches!(block.opcode, "looks_switchbackdropto" | "looks_switchbackdroptoandwait" | "looks_nextbackdrop")
    };
    let heard = || {
        let is_send = matches!(line.statement.block.opcode, "event_broadcast" | "event_broadcastandwait");
        let message = chosen(line.target, &line.statement.block, "BROADCAST_INPUT").filter(|_| is_send);
        message
            .is_some_and(|message| program.receivers(&message).into_iter().any(|script| program.body(script).any(ends)))
    };
    ends(line) || heard()
}

/// The comparison that is its opposite.
pub(super) fn flipped(condition: &Block<'_>) -> Option<&'static str> {
    match condition.opcode {
        "operator_lt" => Some("operator_gt"),
        "operator_gt" => Some("operator_lt"),
        _ => None,
    }
}

/// A number of the comparison, one further away.
fn threshold(condition: &Block<'_>) -> Vec<(&'static str, f64)> {
    let sign = match condition.opcode {
        "operator_gt" | "operator_equals" => 1.0,
        "operator_lt" => -1.0,
        _ => return Vec::new(),
    };
    let far = |value: f64, sign: f64| value + sign * MISCOUNT;
    // Of `10 > x` the threshold lies on the left, and moves the other way.
    let right = number(condition, "OPERAND2").map(|value| ("OPERAND2", far(value, sign)));
    let left = number(condition, "OPERAND1")
        .map(|value| ("OPERAND1", far(value, if condition.opcode == "operator_equals" { sign } else { -sign })));
    right.or(left).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::project::view::targets;

    fn moved(opcode: &str, operands: [&str; 2]) -> Vec<(&'static str, f64)> {
        let inputs = json!({"OPERAND1": [1, [10, operands[0]]], "OPERAND2": [1, [10, operands[1]]]});
        let block = json!({"opcode": opcode, "next": null, "parent": null, "inputs": inputs, "fields": {}, "shadow": false,
            "topLevel": true, "x": 0, "y": 0});
        let project = json!({"targets": [{"isStage": true, "name": "Stage", "blocks": {"one": block}}]});
        let stage = targets(&project).next().unwrap();
        threshold(&stage.block("one").unwrap())
    }

    #[test]
    fn a_threshold_is_miscounted_by_one_and_not_ten_times_as_large() {
        assert_eq!(moved("operator_gt", ["score", "20"]), [("OPERAND2", 21.0)]);
        assert_eq!(moved("operator_lt", ["lives", "1"]), [("OPERAND2", 0.0)]);
        assert_eq!(moved("operator_lt", ["10", "x"]), [("OPERAND1", 11.0)], "it lies on the left");
        assert_eq!(moved("operator_and", ["1", "2"]), []);
    }
}
