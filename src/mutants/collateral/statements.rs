//! Damage to a statement that is not part of the solution: it is deleted, has other numbers, texts or choices, its loop
//! runs once, it ends the whole project, or hides its sprite.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::mutants::behaviour::{is_cap, is_loop};
use crate::mutants::edit::Step;
use crate::mutants::operators::{Candidate, Operators, candidate};
use crate::project::walk::{Statement, is_hat};

/// Which faults in single blocks are done to the rest too, and what they are called there.
const SHARED: [(&str, &str); 3] =
    [("delete", "collateral:delete"), ("operand", "collateral:value"), ("choice", "collateral:choice")];

/// All candidates of one statement that was not touched.
pub(super) fn candidates<'a>(
    operators: &Operators<'a>,
    script: &[Statement<'a>],
    statement: &Statement<'a>,
    touched: &BTreeSet<&str>,
) -> Vec<Candidate> {
    let holds_touched = script.iter().any(|other| is_inside(other, statement) && touched.contains(other.block.id));
    let mut found = Vec::new();
    for one in operators.candidates(statement) {
        let name = SHARED.iter().find(|(from, _)| *from == one.operator).map(|(_, to)| *to);
        // What takes the solution away is a fault of the solution.
        let takes_all = one.block == statement.block.id && one.operator == "delete";
        if let Some(operator) = name.filter(|_| !(takes_all && holds_touched)) {
            found.push(Candidate { operator, ..one });
        }
    }
    if !holds_touched {
        found.extend(once(script, statement));
        found.extend(stop(statement));
    }
    found.extend(hidden(operators, statement));
    found
}

/// Whether it lies in what another one holds, or, below a hat, in its script.
fn is_inside(inner: &Statement<'_>, outer: &Statement<'_>) -> bool {
    is_hat(outer.block.opcode)
        || inner.path.strip_prefix(&outer.path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A loop whose body runs once.
fn once(script: &[Statement<'_>], statement: &Statement<'_>) -> Option<Candidate> {
    let block = &statement.block;
    let inside = format!("{}.SUBSTACK.", statement.path);
    let mut body = script.iter().filter(|other| {
        other.path.strip_prefix(&inside).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
    });
    let fits = body.next_back().is_some_and(|last| block.next.is_none() || !is_cap(&last.block));
    (is_loop(block.opcode) && fits).then(|| {
        candidate(
            "collateral:loop",
            &statement.path,
            "once",
            block.id.to_owned(),
            vec![Step::Open(block.id.to_owned())],
        )
    })
}

/// `stop all` below what ends a stack, and in its place.
fn stop(statement: &Statement<'_>) -> Vec<Candidate> {
    let block = &statement.block;
    if block.next.is_some() || is_cap(block) {
        return Vec::new();
    }
    let below = Step::Insert { below: block.id.to_owned(), stack: vec![(format!("{}.stop", block.id), stop_all())] };
    let make = |variant, steps| candidate("collateral:stop", &statement.path, variant, block.id.to_owned(), steps);
    let mut found = vec![make("below", vec![below.clone()])];
    if !is_hat(block.opcode) {
        found.push(make("instead", vec![below, Step::RemoveStatement(block.id.to_owned())]));
    }
    found
}

pub(in crate::mutants) fn stop_all() -> Value {
    json!({"opcode": "control_stop", "next": null, "parent": null, "inputs": {},
        "fields": {"STOP_OPTION": ["all", null]}, "shadow": false, "topLevel": false,
        "mutation": {"tagName": "mutation", "children": [], "hasnext": "false"}})
}

/// A sprite that hides at the green flag.
fn hidden(operators: &Operators<'_>, statement: &Statement<'_>) -> Option<Candidate> {
    let block = &statement.block;
    let visible = operators.target.get("visible").and_then(Value::as_bool).unwrap_or_default();
    let starts = block.opcode == "event_whenflagclicked" && block.next.is_some();
    (starts && visible && !operators.target.is_stage()).then(|| {
        let hide = json!({"opcode": "looks_hide", "next": null, "parent": null, "inputs": {}, "fields": {},
            "shadow": false, "topLevel": false});
        let step = Step::Insert { below: block.id.to_owned(), stack: vec![(format!("{}.hide", block.id), hide)] };
        candidate("collateral:hidden", &statement.path, "flag", block.id.to_owned(), vec![step])
    })
}
