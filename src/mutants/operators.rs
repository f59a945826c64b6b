//! All candidate mutations of a statement of the golden project.
//!
//! A name that refers to a message, variable or list is changed together with its id, since the loader of the
//! editor restores one from the other (scratch-vm 15.1.1, `target.js`, `reconcileVariableReferences`).

use serde_json::{Value, json};

use super::benign::Rename;
use super::edit::Step;
use super::names::Names;
use super::values::{choice, literals};
use crate::project::view::{Block, Primitive, Slot, TargetView};
use crate::project::walk::{Place, Statement, is_hat, is_reporter, places};

/// Kinds of inline values that a person types.
const TYPED: std::ops::RangeInclusive<u64> = 4..=10;

/// Kind of an inline message.
const MESSAGE: u64 = 11;

#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// What is done, such as `delete`.
    pub(super) operator: &'static str,
    /// Where: the path of a statement, or of a slot inside of it.
    pub(super) path: String,
    /// Distinguishes the candidates of one place.
    pub(super) variant: String,
    /// The number of the target.
    pub(super) target: usize,
    /// Id of the block that is changed.
    pub(super) block: String,
    /// Whether it changes something that no trace records.
    pub(super) unrecorded: bool,
    /// The changes to the target.
    pub(super) steps: Vec<Step>,
    /// A message that must be declared: name and id.
    pub(super) declares: Option<(String, String)>,
    /// A variable, list or message that gets another name everywhere.
    pub(super) renames: Option<Rename>,
}

/// Blocks with the same slots and another operation.
const SWAPS: &[(&str, &str, &[&str])] = &[
    ("arithmetic", "operator_add", &["operator_subtract"]),
    ("arithmetic", "operator_subtract", &["operator_add"]),
    ("arithmetic", "operator_multiply", &["operator_divide"]),
    ("arithmetic", "operator_divide", &["operator_multiply"]),
    ("arithmetic", "operator_mod", &["operator_divide"]),
    ("comparison", "operator_lt", &["operator_gt", "operator_equals"]),
    ("comparison", "operator_gt", &["operator_lt", "operator_equals"]),
    ("comparison", "operator_equals", &["operator_lt", "operator_gt"]),
    ("logic", "operator_and", &["operator_or"]),
    ("logic", "operator_or", &["operator_and"]),
];

/// Blocks that wait, what they are without waiting, and the slot that this one lacks.
const WAITS: &[(&str, &str, Option<&str>)] = &[
    ("event_broadcastandwait", "event_broadcast", None),
    ("sound_playuntildone", "sound_play", None),
    ("looks_sayforsecs", "looks_say", Some("SECS")),
    ("looks_thinkforsecs", "looks_think", Some("SECS")),
];

/// Makes the candidates of one target's statements.
pub(super) struct Operators<'a> {
    pub(super) project: &'a Value,
    pub(super) target: TargetView<'a>,
    pub(super) index: usize,
    pub(super) names: Names,
}

impl<'a> Operators<'a> {
    pub(super) fn candidates(&self, statement: &Statement<'a>) -> Vec<Candidate> {
        let mut found = whole(statement);
        self.own(&statement.block, &statement.path, &mut found);
        for place in places(self.target, statement) {
            self.place(&place, &mut found);
        }
        for candidate in &mut found {
            candidate.target = self.index;
        }
        found
    }

    /// Another opcode and other choices of a statement or reporter.
    fn own(&self, block: &Block<'a>, path: &str, found: &mut Vec<Candidate>) {
        let id = || block.id.to_owned();
        for (operator, _, to) in SWAPS.iter().filter(|(_, from, _)| *from == block.opcode) {
            for to in *to {
                let steps = vec![Step::Opcode { block: id(), to }];
                found.push(candidate(operator, path, to.trim_start_matches("operator_"), id(), steps));
            }
        }
        self.fields(block, path, found);
    }

    fn fields(&self, block: &Block<'a>, path: &str, found: &mut Vec<Candidate>) {
        for field in block.fields() {
            let path = format!("{path}.{}", field.name);
            let set = |value| vec![Step::Field { block: block.id.to_owned(), field: field.name.to_owned(), value }];
            let id = block.id.to_owned();
            match field.name {
                "BROADCAST_OPTION" => {
                    let (to, declares) = self.names.other_message(&field.value);
                    let redirect = candidate("message", &path, "other", id, set(json!([to.0, to.1])));
                    found.push(Candidate { declares, ..redirect });
                }
                "VARIABLE" | "LIST" => {
                    if let Some((name, to)) = self.names.other(field.name == "LIST", field.id, &field.value) {
                        found.push(candidate("variable", &path, "other", id, set(json!([name, to]))));
                    }
                }
                "NUM" | "TEXT" | "COLOUR" if block.shadow => {
                    let kind = match field.name {
                        "NUM" => 4,
                        "TEXT" => 10,
                        _ => 9,
                    };
                    for (variant, value) in literals(kind, &field.value, block.opcode) {
                        found.push(candidate("operand", &path, variant, id.clone(), set(json!([value, null]))));
                    }
                }
                name => {
                    if let Some(other) = choice(self.project, self.target, name, &field.value) {
                        found.push(candidate("choice", &path, "other", id, set(json!([other, null]))));
                    }
                }
            }
        }
    }

    /// What is in a slot.
    fn place(&self, place: &Place<'a>, found: &mut Vec<Candidate>) {
        let (block, input) = (place.holder.id.to_owned(), place.input.to_owned());
        match &place.value {
            Slot::Primitive(primitive) => self.primitive(place, primitive, found),
            Slot::Block(id) => {
                let Some(inner) = self.target.block(id) else { return };
                if is_reporter(&inner) {
                    let steps = vec![Step::Empty { block: block.clone(), input: input.clone() }];
                    found.push(candidate("delete", &place.path, "reporter", inner.id.to_owned(), steps));
                }
                if place.input == "CONDITION" {
                    let step = if inner.opcode == "operator_not" {
                        Step::Unwrap { block: block.clone(), input }
                    } else {
                        Step::Negate { block: block.clone(), input }
                    };
                    found.push(candidate("negate", &place.path, "not", block, vec![step]));
                }
                if inner.opcode != "procedures_prototype" {
                    self.own(&inner, &place.path, found);
                }
            }
        }
    }

    fn primitive(&self, place: &Place<'a>, primitive: &Primitive<'_>, found: &mut Vec<Candidate>) {
        let (block, input) = (place.holder.id.to_owned(), place.input.to_owned());
        let put = |value| vec![Step::Inline { block: block.clone(), input: input.clone(), value }];
        let make = |operator, variant: &str, steps| candidate(operator, &place.path, variant, block.clone(), steps);
        match primitive.kind {
            kind if TYPED.contains(&kind) => {
                // Without its seconds a glide is a wait removed, which has a name of its own.
                let waits = |variant: &str| variant == "zero" && matches!(place.input, "SECS" | "DURATION");
                let others = literals(kind, &primitive.value, place.holder.opcode);
                for (variant, value) in others.into_iter().filter(|(variant, _)| !waits(variant)) {
                    found.push(make("operand", variant, put(json!([kind, value]))));
                }
            }
            MESSAGE => {
                let ((name, id), declares) = self.names.other_message(&primitive.value);
                found.push(Candidate { declares, ..make("message", "other", put(json!([MESSAGE, name, id]))) });
            }
            kind => {
                let steps = vec![Step::Empty { block: block.clone(), input: input.clone() }];
                found.push(make("delete", "reporter", steps));
                if let Some((name, id)) = self.names.other(kind == 13, primitive.id, &primitive.value) {
                    found.push(make("variable", "other", put(json!([kind, name, id]))));
                }
            }
        }
    }
}

/// The statement is deleted, or does not wait.
fn whole(statement: &Statement<'_>) -> Vec<Candidate> {
    let id = || statement.block.id.to_owned();
    let make = |operator, variant: &str, steps| candidate(operator, &statement.path, variant, id(), steps);
    let opcode = statement.block.opcode;
    let mut found = vec![match opcode {
        _ if is_hat(opcode) => make("delete", "script", vec![Step::RemoveScript(id())]),
        "control_wait" | "control_wait_until" => make("wait", "delete", vec![Step::RemoveStatement(id())]),
        _ => make("delete", "block", vec![Step::RemoveStatement(id())]),
    }];
    for (_, to, lacks) in WAITS.iter().filter(|(from, ..)| *from == opcode) {
        let drop = lacks.map(|input| Step::DropInput { block: id(), input });
        let steps = std::iter::once(Step::Opcode { block: id(), to }).chain(drop).collect();
        found.push(make("wait", "without", steps));
    }
    if opcode.starts_with("motion_glide")
        && let Some(Slot::Primitive(_)) = statement.block.input("SECS").and_then(|input| input.value)
    {
        let step = Step::Inline { block: id(), input: "SECS".to_owned(), value: json!([4, "0"]) };
        found.push(make("wait", "zero", vec![step]));
    }
    found
}

pub(super) fn candidate(
    operator: &'static str,
    path: &str,
    variant: &str,
    block: String,
    steps: Vec<Step>,
) -> Candidate {
    Candidate {
        operator,
        path: path.to_owned(),
        variant: variant.to_owned(),
        target: 0,
        block,
        unrecorded: false,
        steps,
        declares: None,
        renames: None,
    }
}
