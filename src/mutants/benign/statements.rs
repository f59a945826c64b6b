//! Rewrites statements: a wait in two parts, `change` as `set`, the branches of a decision exchanged, the first
//! statement of a script under a hat of its own.

use serde_json::json;

use crate::mutants::edit::Step;
use crate::mutants::operators::{Candidate, candidate};
use crate::patches::effects::is_instant;
use crate::project::view::{Slot, TargetView};
use crate::project::walk::Statement;

/// Seconds that a wait must last to be done in two parts: shorter ones are a tick or two.
const SHORTEST: f64 = 0.2;

pub(super) fn candidates(target: TargetView<'_>, statement: &Statement<'_>) -> Vec<Candidate> {
    let found = [wait(statement), sum(target, statement), branches(statement)];
    found.into_iter().flatten().collect()
}

/// All candidates of a script as a whole.
pub(super) fn of_script(script: &[Statement<'_>]) -> Option<Candidate> {
    let [hat, first, _, ..] = script else { return None };
    // Other hats do not restart a running script, or do not start all scripts at the same time.
    let fits = hat.block.opcode == "event_whenflagclicked" && is_instant(first.block.opcode);
    (fits && first.block.next.is_some()).then(|| {
        let step = Step::SplitScript { hat: hat.block.id.to_owned() };
        candidate("benign:hats", &first.path, "two", hat.block.id.to_owned(), vec![step])
    })
}

/// Half of it, twice.
fn wait(statement: &Statement<'_>) -> Option<Candidate> {
    let block = &statement.block;
    if block.opcode != "control_wait" {
        return None;
    }
    let Slot::Primitive(written) = block.input("DURATION")?.value? else { return None };
    let seconds: f64 = written.value.trim().parse().ok().filter(|seconds| *seconds >= SHORTEST)?;
    let half = Step::Inline {
        block: block.id.to_owned(),
        input: "DURATION".to_owned(),
        value: json!([written.kind, (seconds / 2.0).to_string()]),
    };
    let steps = vec![half, Step::Double(block.id.to_owned())];
    Some(candidate("benign:wait", &statement.path, "halves", block.id.to_owned(), steps))
}

/// `change [score v] by (1)` is `set [score v] to ((score) + (1))`.
fn sum(target: TargetView<'_>, statement: &Statement<'_>) -> Option<Candidate> {
    let block = &statement.block;
    if block.opcode != "data_changevariableby" {
        return None;
    }
    let field = block.field("VARIABLE")?;
    let id = format!("{}.sum", block.id);
    if target.block(&id).is_some() {
        return None;
    }
    let sum = json!({"opcode": "operator_add", "next": null, "parent": block.id, "fields": {}, "shadow": false,
        "topLevel": false, "inputs": {"NUM1": [3, [12, field.value, field.id?], [4, ""]]}});
    let steps = vec![
        Step::Opcode { block: block.id.to_owned(), to: "data_setvariableto" },
        Step::Wrap { block: block.id.to_owned(), input: "VALUE".to_owned(), reporter: (id, sum), slot: "NUM2" },
    ];
    Some(candidate("benign:sum", &statement.path, "set", block.id.to_owned(), steps))
}

/// `if not` with the branches the other way round.
fn branches(statement: &Statement<'_>) -> Option<Candidate> {
    let block = &statement.block;
    let filled = |input: &str| matches!(block.input(input).and_then(|input| input.value), Some(Slot::Block(_)));
    let whole = ["CONDITION", "SUBSTACK", "SUBSTACK2"].into_iter().all(filled);
    if block.opcode != "control_if_else" || !whole {
        return None;
    }
    let steps = vec![
        Step::Negate { block: block.id.to_owned(), input: "CONDITION".to_owned() },
        Step::Swap { block: block.id.to_owned(), inputs: ["SUBSTACK".to_owned(), "SUBSTACK2".to_owned()] },
    ];
    Some(candidate("benign:branches", &statement.path, "swapped", block.id.to_owned(), steps))
}
