//! Describes a mutant to people: what the changed block became, and its line in the golden project's text.

use std::collections::BTreeSet;

use super::operators::Candidate;
use super::{Mutant, edit::Step};
use crate::notation::{block_lines, line_of, parse};
use crate::project::Project;
use crate::project::view::{Block, Slot, TargetView, targets};
use crate::project::walk::{Statement, is_hat, scripts};

/// What was changed, as it was: a block as notation, or a property of a target.
pub(super) fn was(before: TargetView<'_>, candidate: &Candidate) -> String {
    if let Some(rename) = &candidate.renames {
        return rename.from.clone();
    }
    property(candidate)
        .and_then(|key| Some(format!("{key}: {}", before.get(key)?)))
        .unwrap_or_else(|| line_of(before, &candidate.block))
}

pub(super) fn became(before: TargetView<'_>, after: TargetView<'_>, candidate: &Candidate) -> String {
    if let Some(rename) = &candidate.renames {
        return rename.to.clone();
    }
    if let Some(described) = property(candidate).and_then(|key| Some(format!("{key}: {}", after.get(key)?))) {
        return described;
    }
    let known: BTreeSet<&str> = before.blocks().map(|block| block.id).collect();
    let new: Vec<String> = after
        .blocks()
        .filter(|block| !known.contains(block.id) && is_line(after, block.id))
        .map(|block| line_of(after, block.id))
        .collect();
    let (old, line) = (line_of(before, &candidate.block), line_of(after, &candidate.block));
    match (line.as_str(), new.is_empty()) {
        ("", true) if candidate.steps.iter().any(|step| matches!(step, Step::Open(_))) => "what it holds".to_owned(),
        ("", true) => "nothing".to_owned(),
        ("", false) => new.join(" / "),
        (line, true) if line == old => "the same elsewhere".to_owned(),
        (line, true) => line.to_owned(),
        (line, false) => format!("{line}, with: {}", new.join(" / ")),
    }
}

fn property(candidate: &Candidate) -> Option<&'static str> {
    candidate.steps.iter().find_map(|step| match step {
        Step::Property { key, .. } => Some(*key),
        _ => None,
    })
}

/// Whether a block is printed on a line of its own: a statement or a hat.
fn is_line(target: TargetView<'_>, id: &str) -> bool {
    let Some(block) = target.block(id) else { return false };
    let is_in_slot = |holder: &Block<'_>| {
        holder.inputs().any(|input| !crate::project::walk::is_mouth(input.name) && input.value == Some(Slot::Block(id)))
    };
    !block.shadow && !target.holder(id).as_ref().is_some_and(is_in_slot)
}

/// The line of the golden project's text, from 1, on which a mutant's changed block stands; `None` if it is not a block, or if the text is
/// not that of the project.
pub fn line_in(text: &str, golden: &Project, mutant: &Mutant) -> Option<usize> {
    let document = parse(text).ok()?;
    let view = targets(&golden.json).find(|view| view.name() == mutant.target)?;
    let written = document.targets.iter().find(|target| target.name == mutant.target)?;
    let (script, place) = scripts(view).into_iter().find_map(|script| {
        let place = place(&script, &mutant.path)?;
        Some((script.first()?.block.id.to_owned(), place))
    })?;
    let number = view.scripts().iter().position(|start| *start == Slot::Block(&script))?;
    let script = written.scripts.get(number)?;
    block_lines(text, *script.lines.first()?).get(place).copied()
}

/// Which statement of a script a path leads into: the one with the longest path that is a part of it.
fn place(script: &[Statement<'_>], path: &str) -> Option<usize> {
    let leads = |own: &str| path.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let first = script.first().filter(|first| is_hat(first.block.opcode))?;
    let number = first.path.split('.').next()?;
    if path.split('.').next() != Some(number) {
        return None;
    }
    let fitting = script.iter().enumerate().filter(|(_, statement)| leads(&statement.path));
    fitting.max_by_key(|(_, statement)| statement.path.len()).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::mutants::mutants;
    use crate::mutants::tests::{few, find, flag, node, project, scripts, step};
    use crate::notation::{from_project, render};

    fn text_of(project: &Project) -> String {
        render(&from_project(project).document)
    }

    fn line(text: &str, number: usize) -> &str {
        text.lines().nth(number - 1).unwrap().trim()
    }

    #[test]
    fn empty_lines_remarks_and_stacks_without_a_hat_are_passed_over() {
        let condition = node("sensing_mousedown");
        let check = node("control_if").slot("CONDITION", condition).mouth(vec![step("3")]);
        let golden = project(&[vec![step("9")], vec![flag(), check, step("4")]]);
        let text = text_of(&golden).replace("    end", "\n    end // of it").replace("    move (4)", "\n    move (4)");
        let sample = mutants(&golden, None, usize::MAX, 1);
        for (id, wanted) in [
            ("delete:A: cat?:0.1.SUBSTACK.0:block", "move (3) steps"),
            ("operand:A: cat?:0.2.STEPS:more", "move (4) steps"),
            ("negate:A: cat?:0.1.CONDITION:not", "if <mouse down?> then"),
            ("delete:A: cat?:0.0:script", "when green flag clicked"),
        ] {
            let found = line_in(&text, &golden, find(&sample, id)).unwrap();
            assert_eq!(line(&text, found), wanted, "{id}\n{text}");
        }
        assert_eq!(line_in("another text", &golden, &sample.mutants[0]), None);
    }

    #[test]
    fn what_a_block_became_is_given_in_notation() {
        let golden = project(&[vec![
            flag(),
            node("control_wait_until").slot("CONDITION", node("sensing_mousedown")),
            node("control_repeat").input("TIMES", json!([6, "4"])).mouth(vec![step("1")]),
        ]]);
        let sample = mutants(&golden, None, usize::MAX, 1);
        let became = |id: &str| find(&sample, id).became.clone();
        assert_eq!(became("negate:A: cat?:0.1.CONDITION:not"), "wait until <not <mouse down?>>");
        assert_eq!(became("operand:A: cat?:0.2.TIMES:more"), "repeat (6)");
        assert_eq!(became("delete:A: cat?:0.2:block"), "nothing");
    }

    /// Of each project; the text is read anew for each of them.
    const MUTANTS: usize = 30;

    proptest! {
        #![proptest_config(few())]

        #[test]
        fn a_statement_stands_on_its_line(scripts in scripts()) {
            let golden = project(&scripts);
            let text = text_of(&golden);
            for mutant in mutants(&golden, None, MUTANTS, 1).mutants {
                let is_statement = mutant.operator == "delete" && !mutant.id.ends_with(":reporter");
                if is_statement {
                    let found = line_in(&text, &golden, &mutant).unwrap();
                    prop_assert_eq!(line(&text, found), mutant.block.as_str());
                }
            }
        }
    }
}
