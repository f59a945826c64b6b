//! Changes of values: numbers slightly off, narrower random ranges and fewer draws, "that many" as "at least" or "at
//! most", texts with other letters.

use serde_json::{Value, json};

use super::Scene;
use super::blocks::{self, DRAWN};
use crate::mutants::edit::Step;
use crate::mutants::operators::{Candidate, candidate};
use crate::project::view::{Block, Primitive, Slot, targets};
use crate::project::walk::{Place, Statement, places};

/// Kinds of inline values that are numbers.
const NUMBERS: std::ops::RangeInclusive<u64> = 4..=8;
const TEXT: u64 = 10;
/// Numbers from here on shrink by a tenth; smaller ones by one.
const LARGE: f64 = 20.0;
/// The share of a range that a narrower one has; a judge that looks at a few draws of each part sees no difference.
const NARROWER: f64 = 0.6;

/// Statements and reporters whose texts are shown or kept letter by letter; comparisons take no notice of case.
const KEEPS_LETTERS: [&str; 9] = [
    "looks_say",
    "looks_sayforsecs",
    "sensing_askandwait",
    "data_setvariableto",
    "data_addtolist",
    "data_insertatlist",
    "data_replaceitemoflist",
    "operator_join",
    "operator_letter_of",
];

/// All candidates of the values in one statement.
pub(super) fn candidates(scene: &Scene<'_>, statement: &Statement<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for place in places(scene.target, statement) {
        match &place.value {
            Slot::Primitive(primitive) => {
                found.extend(number(&place, primitive));
                found.extend(letters(&place, primitive));
            }
            Slot::Block(id) => {
                let Some(inner) = scene.target.block(id) else { continue };
                match inner.opcode {
                    "operator_random" => found.extend(draws(scene, &place, &inner)),
                    "operator_equals" => found.extend(bounds(&place, &inner)),
                    _ => {}
                }
            }
        }
    }
    found
}

fn put(block: &Block<'_>, input: &str, value: Value) -> Step {
    Step::Inline { block: block.id.to_owned(), input: input.to_owned(), value }
}

fn at(operator: &'static str, place: &Place<'_>, variant: &str, steps: Vec<Step>) -> Candidate {
    candidate(operator, &place.path, variant, place.holder.id.to_owned(), steps)
}

/// A number as a person would type it, without rounding noise.
fn typed(number: f64) -> String {
    ((number * 1e6).round() / 1e6).to_string()
}

fn parsed(primitive: &Primitive<'_>) -> Option<f64> {
    let is_typed = NUMBERS.contains(&primitive.kind) || primitive.kind == TEXT;
    primitive.value.trim().parse::<f64>().ok().filter(|number| is_typed && number.is_finite())
}

/// A tenth less, or one less, or one more. Ranges of chance have a kind of their own.
fn number(place: &Place<'_>, primitive: &Primitive<'_>) -> Vec<Candidate> {
    let Some(number) = parsed(primitive).filter(|_| place.holder.opcode != "operator_random") else {
        return Vec::new();
    };
    let whole = number.fract() == 0.0;
    let mut others = Vec::new();
    if !whole {
        others.push(("less", number * 0.9));
    } else if number.abs() >= LARGE {
        others.push(("less", (number * 0.9).round()));
    } else if number != 0.0 {
        others.push(("less", number - number.signum()));
    }
    if whole {
        others.push(("more", number + 1.0));
    }
    let make = |(variant, other): (&str, f64)| {
        let step = put(&place.holder, place.input, json!([primitive.kind, typed(other)]));
        at("behaviour:number", place, variant, vec![step])
    };
    others.into_iter().map(make).collect()
}

/// Upper for lower case, and lower for upper.
fn letters(place: &Place<'_>, primitive: &Primitive<'_>) -> Option<Candidate> {
    let is_shown = primitive.kind == TEXT && KEEPS_LETTERS.contains(&place.holder.opcode);
    let text = Some(primitive.value.as_str()).filter(|_| is_shown)?;
    let lower = text.to_lowercase();
    let other = if lower == text { text.to_uppercase() } else { lower };
    (other != text).then(|| {
        let step = put(&place.holder, place.input, json!([TEXT, other]));
        at("behaviour:letters", place, "case", vec![step])
    })
}

/// The ends of a range, if both are typed.
fn range(random: &Block<'_>) -> Option<(f64, f64)> {
    let end = |input: &str| match random.input(input)?.value? {
        Slot::Primitive(primitive) => parsed(&primitive),
        Slot::Block(_) => None,
    };
    Some((end("FROM")?, end("TO")?)).filter(|(from, to)| from < to)
}

/// The middle of the range only; and one draw for each flag and key instead of one whenever it is needed.
fn draws(scene: &Scene<'_>, place: &Place<'_>, random: &Block<'_>) -> Vec<Candidate> {
    let Some((from, to)) = range(random) else { return Vec::new() };
    let (middle, half) = (f64::midpoint(from, to), (to - from) * NARROWER / 2.0);
    let whole = from.fract() == 0.0 && to.fract() == 0.0;
    let (low, high) = if !whole {
        (middle - half, middle + half)
    } else if to - from < 4.0 {
        (from, to - 1.0)
    } else {
        ((middle - half).round(), (middle + half).round())
    };
    let narrower = vec![put(random, "FROM", json!([4, typed(low)])), put(random, "TO", json!([4, typed(high)]))];
    vec![
        at("behaviour:range", place, "narrower", narrower),
        at("behaviour:draw", place, "once", once(scene, place, random)),
    ]
}

/// Draws when the flag or a key that the program answers to starts something, keeps the number, and uses that.
fn once(scene: &Scene<'_>, place: &Place<'_>, random: &Block<'_>) -> Vec<Step> {
    let mut hats: Vec<(&str, Option<String>)> = Vec::new();
    for block in targets(scene.project).flat_map(|target| target.blocks().collect::<Vec<_>>()) {
        let key = block.field("KEY_OPTION").map(|field| field.value);
        let hat = (block.opcode, key);
        if matches!(block.opcode, "event_whenflagclicked" | "event_whenkeypressed") && !hats.contains(&hat) {
            hats.push(hat);
        }
    }
    let value = |input: &str| match random.input(input).and_then(|input| input.value) {
        Some(Slot::Primitive(primitive)) => json!([1, [4, primitive.value]]),
        _ => Value::Null,
    };
    let mut steps = vec![Step::Variable { id: DRAWN.0.to_owned(), name: DRAWN.1.to_owned() }];
    for (number, (opcode, key)) in hats.into_iter().enumerate() {
        let named = |part: &str| format!("{}.{part}{number}", random.id);
        let fields = key.map_or_else(|| json!({}), |key| json!({"KEY_OPTION": [key, null]}));
        let reporter =
            blocks::reporter("operator_random", &named("set"), &json!({"FROM": value("FROM"), "TO": value("TO")}));
        let set = blocks::statement(
            "data_setvariableto",
            &json!({"VALUE": [3, named("draw"), [10, "0"]]}),
            &blocks::variable_field(DRAWN),
        );
        let script = vec![(named("hat"), blocks::statement(opcode, &json!({}), &fields)), (named("set"), set)];
        steps.extend([Step::AddReporter { id: named("draw"), block: reporter }, Step::AddScript(script)]);
    }
    let (block, input) = (place.holder.id.to_owned(), place.input.to_owned());
    steps.push(Step::Replace { block, input, value: blocks::variable(DRAWN) });
    steps
}

/// "That many" becomes "at least" and "at most".
fn bounds(place: &Place<'_>, equals: &Block<'_>) -> Vec<Candidate> {
    let of = |input: &str| match equals.input(input)?.value? {
        Slot::Primitive(primitive) => parsed(&primitive).filter(|number| number.fract() == 0.0),
        Slot::Block(_) => None,
    };
    let (input, number, first) = match (of("OPERAND1"), of("OPERAND2")) {
        (None, Some(number)) => ("OPERAND2", number, false),
        (Some(number), None) => ("OPERAND1", number, true),
        _ => return Vec::new(),
    };
    let make = |(variant, above, other): (&str, bool, f64)| {
        let to = if above == first { "operator_lt" } else { "operator_gt" };
        let steps =
            vec![Step::Opcode { block: equals.id.to_owned(), to }, put(equals, input, json!([TEXT, typed(other)]))];
        at("behaviour:bound", place, variant, steps)
    };
    [("at_least", true, number - 1.0), ("at_most", false, number + 1.0)].map(make).into()
}
