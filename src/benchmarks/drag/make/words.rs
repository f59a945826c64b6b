//! Instructions with one meaning: every block is named by what is written on it, with as much of its surroundings as
//! it takes until no other block fits.

use super::facts::{CanvasBlock, Facts, Slot};
use crate::benchmarks::drag::Kind;

/// Longest text that names a block.
const LONGEST: usize = 56;

/// A phrase that narrows down which block is meant.
struct Qualifier<'a> {
    /// Whether it is true of a block. Where the words are open to a wider reading, it is true of more blocks.
    holds: Box<dyn Fn(&CanvasBlock) -> bool + 'a>,
    /// The words, behind the name.
    words: String,
}

/// Words for a block on the canvas that fit no other, if there are any.
pub(super) fn name(facts: &Facts, block: &CanvasBlock) -> Option<String> {
    let text = quoted(&block.text)?;
    let twins: Vec<&CanvasBlock> =
        facts.blocks.iter().filter(|other| other.text == block.text && other.id != block.id).collect();
    let place = if facts.palette.iter().any(|other| other.text == block.text) { " on the canvas" } else { "" };
    let unique =
        |chosen: &[&Qualifier<'_>]| !twins.iter().any(|twin| chosen.iter().all(|qualifier| (qualifier.holds)(twin)));
    let say = |chosen: &[&Qualifier<'_>]| {
        let words: Vec<&str> = chosen.iter().map(|qualifier| qualifier.words.as_str()).collect();
        let place = if words.is_empty() { place } else { "" };
        format!("the {text} block{place}{}", words.concat())
    };
    let qualifiers = qualifiers(facts, block);
    let mut choices: Vec<Vec<&Qualifier<'_>>> = vec![Vec::new()];
    choices.extend(qualifiers.iter().map(|qualifier| vec![qualifier]));
    for (at, first) in qualifiers.iter().enumerate() {
        choices.extend(qualifiers[at + 1..].iter().map(|second| vec![first, second]));
    }
    choices.into_iter().find(|chosen| unique(chosen)).map(|chosen| say(&chosen))
}

/// A text in quotes, if it can name a block.
fn quoted(text: &str) -> Option<String> {
    (!text.is_empty() && text.len() <= LONGEST && !text.contains('\'')).then(|| format!("'{text}'"))
}

fn qualifiers<'a>(facts: &'a Facts, block: &'a CanvasBlock) -> Vec<Qualifier<'a>> {
    let mut qualifiers = Vec::new();
    let mut say =
        |words: String, holds: Box<dyn Fn(&CanvasBlock) -> bool + 'a>| qualifiers.push(Qualifier { holds, words });
    if block.parent.is_none() && !block.hat {
        let apart = if block.next.is_some() { " that no block is above" } else { " that lies apart" };
        say(apart.to_owned(), Box::new(|one| one.parent.is_none() && !one.hat));
    }
    if let Some((parent, text)) = facts.parent(block).and_then(with_name) {
        let of_parent = move |one: &CanvasBlock| facts.parent(one).is_some_and(|other| other.text == parent.text);
        match (&block.input, block.output) {
            (None, _) => say(format!(" directly below the {text} block"), Box::new(of_parent)),
            (Some(_), true) => say(format!(" in the {text} block"), Box::new(of_parent)),
            (Some(_), false) => {}
        }
    }
    if let Some((next, text)) = facts.next(block).and_then(with_name) {
        let above = move |one: &CanvasBlock| facts.next(one).is_some_and(|other| other.text == next.text);
        say(format!(" directly above the {text} block"), Box::new(above));
    }
    let around = facts.ancestors(block).into_iter().find(|(outer, input)| input.is_some() && !outer.output);
    if let Some((outer, text)) = around.and_then(|(outer, _)| with_name(outer)) {
        let holds = move |(other, input): &(&CanvasBlock, Option<&str>)| input.is_some() && other.text == outer.text;
        say(format!(" inside the {text} block"), Box::new(move |one| facts.ancestors(one).iter().any(holds)));
    }
    let root = Some(facts.root(block)).filter(|root| root.hat && root.id != block.id);
    if let Some((root, text)) = root.and_then(with_name) {
        say(format!(" under the {text} block"), Box::new(move |one| facts.root(one).text == root.text));
    }
    qualifiers
}

/// A block with its text in quotes, if that can name it.
fn with_name(block: &CanvasBlock) -> Option<(&CanvasBlock, String)> {
    quoted(&block.text).map(|text| (block, text))
}

/// Words for the block of a palette at a place, if no other there has its text.
pub(super) fn palette_name(facts: &Facts, at: usize) -> Option<String> {
    let block = facts.palette.get(at)?;
    let alike = facts.palette.iter().filter(|other| other.text == block.text).count();
    let text = quoted(&block.text)?;
    (alike == 1).then(|| format!("the {text} block from the palette"))
}

/// What hangs below a dragged block, in words.
fn tail(facts: &Facts, source: Option<&CanvasBlock>) -> &'static str {
    let next = source.and_then(|block| facts.next(block));
    match next {
        None => "",
        Some(next) if next.next.is_none() => ", with the block below it,",
        Some(_) => ", with all blocks below it,",
    }
}

/// The instruction, in one sentence. `source` is the dragged block if it lies on the canvas, `called` its name.
pub(super) fn instruction(
    facts: &Facts,
    source: Option<&CanvasBlock>,
    called: &str,
    kind: Kind,
    target: &CanvasBlock,
    input: Option<&str>,
) -> Option<String> {
    let goal = name(facts, target)?;
    let start = format!("Drag {called}{}", tail(facts, source));
    Some(match kind {
        Kind::Below => format!("{start} and place it directly below {goal}."),
        Kind::Above => format!("{start} and place it directly above {goal}, so that they connect."),
        Kind::Between => {
            let next = quoted(&facts.next(target)?.text)?;
            format!("{start} and insert it between {goal} and the {next} block right below that.")
        }
        Kind::Around => {
            let rest = if target.next.is_some() { " and all blocks below that" } else { "" };
            format!("{start} and place it so that it encloses {goal}{rest}.")
        }
        Kind::Into | Kind::Atop => {
            let slot = target.slot(input?)?;
            if slot.value {
                format!("{start} and {}.", into_slot(facts, target, slot, &goal)?)
            } else {
                format!("{start} and place it inside {}.", into_mouth(facts, target, slot, &goal)?)
            }
        }
    })
}

fn into_mouth(facts: &Facts, target: &CanvasBlock, mouth: &Slot, goal: &str) -> Option<String> {
    let mouths = target.slots.iter().filter(|slot| !slot.value).count();
    let which = match (mouths, mouth.name.as_str()) {
        (1, _) => String::new(),
        (_, "SUBSTACK2") => "the else branch of ".to_owned(),
        _ => "the first branch of ".to_owned(),
    };
    let above = match &mouth.holds {
        None => String::new(),
        Some(id) => format!(", above the {} block that is there", quoted(&facts.block(id)?.text)?),
    };
    Some(format!("{which}{goal}{above}"))
}

fn into_slot(facts: &Facts, target: &CanvasBlock, slot: &Slot, goal: &str) -> Option<String> {
    let slots: Vec<&Slot> = target.slots.iter().filter(|slot| slot.value).collect();
    let place = slots.iter().position(|other| other.name == slot.name)?;
    let ordinal = match (slots.len(), place) {
        (1, _) => "",
        (_, 0) => "first ",
        (_, 1) => "second ",
        (_, 2) => "third ",
        _ => return None,
    };
    Some(match &slot.holds {
        Some(id) => {
            let old = quoted(&facts.block(id)?.text)?;
            format!("put it in the place of the {old} block, which is in the {ordinal}slot of {goal}")
        }
        None if slot.shown.is_empty() => format!("put it into the {ordinal}slot of {goal}"),
        None => format!("put it into the {ordinal}slot of {goal}, which shows {}", quoted(&slot.shown)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmarks::drag::make::facts::PaletteBlock;

    fn block(id: &str, text: &str, parent: Option<&str>, input: Option<&str>, next: Option<&str>) -> CanvasBlock {
        let own = |text: &str| text.to_owned();
        CanvasBlock {
            id: own(id),
            opcode: own("any"),
            text: own(text),
            parent: parent.map(own),
            input: input.map(own),
            next: next.map(own),
            hat: text.starts_with("when"),
            output: false,
            own: [0.0; 4],
            stack: [0.0; 4],
            slots: Vec::new(),
        }
    }

    /// Two scripts with the same two blocks, and a third of those blocks apart.
    fn facts() -> Facts {
        Facts {
            blocks: vec![
                block("h1", "when flag clicked", None, None, Some("a1")),
                block("a1", "hide", Some("h1"), None, Some("b1")),
                block("b1", "wait 1 seconds", Some("a1"), None, None),
                block("h2", "when space key pressed", None, None, Some("a2")),
                block("a2", "hide", Some("h2"), None, None),
                block("a3", "hide", None, None, None),
                block("h3", "when flag clicked", None, None, Some("b3")),
                block("b3", "wait 1 seconds", Some("h3"), None, None),
            ],
            palette: vec![PaletteBlock {
                opcode: "any".to_owned(),
                text: "when space key pressed".to_owned(),
                category: "events".to_owned(),
                down: 0.0,
                height: 20.0,
            }],
            canvas: [0.0; 4],
            origin: [0.0; 2],
        }
    }

    fn named(id: &str) -> Option<String> {
        let facts = facts();
        name(&facts, facts.block(id).unwrap())
    }

    #[test]
    fn a_description_is_as_short_as_identifies_the_block() {
        assert_eq!(named("a3").unwrap(), "the 'hide' block that lies apart");
        assert_eq!(named("a1").unwrap(), "the 'hide' block directly below the 'when flag clicked' block");
        assert_eq!(named("b1").unwrap(), "the 'wait 1 seconds' block directly below the 'hide' block");
        assert_eq!(named("h2").unwrap(), "the 'when space key pressed' block on the canvas");
    }

    #[test]
    fn a_block_that_no_words_distinguish_has_no_name() {
        let mut facts = facts();
        facts.blocks[0].next = Some("b1".to_owned());
        facts.blocks[2].parent = Some("h1".to_owned());
        let block = facts.blocks[2].clone();
        assert_eq!(name(&facts, &block), None);
    }

    #[test]
    fn an_instruction_says_what_comes_along_and_both_sides_of_the_drop() {
        let facts = facts();
        let (source, target) = (facts.block("a1").unwrap(), facts.block("h2").unwrap());
        let called = name(&facts, source).unwrap();
        let said = instruction(&facts, Some(source), &called, Kind::Between, target, None).unwrap();
        assert_eq!(
            said,
            "Drag the 'hide' block directly below the 'when flag clicked' block, with the block below it, and insert it \
             between the 'when space key pressed' block on the canvas and the 'hide' block right below that."
        );
    }
}
