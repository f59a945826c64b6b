//! Pattern 3, untriggered event: a message is sent that nobody hears, or waited for that nobody sends.

use super::edits::{Site, is_small, named};
use super::{Candidate, Pattern};
use crate::patches::effects::{Line, Program};
use crate::project::reach::{Start, chosen};

/// Names that a message can be mistaken for at one place.
const VARIANTS: usize = 4;

pub(super) fn candidates(program: &Program<'_>, found: &mut Vec<Candidate>) {
    for line in program.live().filter(|line| is_send(line)) {
        let site = Site { program, line, pattern: Pattern::UntriggeredEvent };
        let block = &line.statement.block;
        let Some(message) = chosen(line.target, block, "BROADCAST_INPUT") else { continue };
        if program.receivers(&message).is_empty() {
            continue;
        }
        for (variant, (id, name)) in others(program, line, &message) {
            let patch = vec![site.modify(block.id, "inputs/BROADCAST_INPUT", named((&id, &name)))];
            found.push(about(&[&message, &name], site.candidate("UE.send", block.id, &variant, patch)));
        }
        if !is_small(line.target, block) {
            continue;
        }
        found.push(about(&[&message], site.candidate("UE.drop", block.id, "", vec![site.remove(block.id)])));
    }
    for line in program.hats().filter(|line| matches!(program.start(line), Start::Message(_))) {
        let site = Site { program, line, pattern: Pattern::UntriggeredEvent };
        let hat = &line.statement.block;
        let message = hat.field("BROADCAST_OPTION").map(|field| field.value).unwrap_or_default();
        for (variant, (id, name)) in others(program, line, &message) {
            let patch = vec![site.modify(hat.id, "fields/BROADCAST_OPTION", named((&id, &name)))];
            found.push(about(&[&message, &name], site.candidate("UE.hear", hat.id, &variant, patch)));
        }
        if hat.next.is_some() && hat.comment.is_none() {
            found.push(about(&[&message], site.candidate("UE.unhook", hat.id, "", vec![site.remove(hat.id)])));
        }
    }
}

/// The repair at the other end names messages otherwise.
fn about(messages: &[&str], candidate: Candidate) -> Candidate {
    Candidate { messages: messages.iter().map(|message| message.to_lowercase()).collect(), ..candidate }
}

fn is_send(line: &Line<'_>) -> bool {
    matches!(line.statement.block.opcode, "event_broadcast" | "event_broadcastandwait")
}

/// Other messages, each with the name of the variant: a new one with the next free number, then those that there are.
fn others(program: &Program<'_>, line: &Line<'_>, message: &str) -> Vec<(String, (String, String))> {
    let known = program.in_scope(line.target, "broadcasts");
    let is_known = |name: &str| known.iter().any(|(_, other)| other.eq_ignore_ascii_case(name));
    let numbers = 2..=known.len() + 2;
    let new = numbers.map(|number| format!("{message}{number}")).find(|name| !is_known(name)).unwrap_or_default();
    let id = crate::project::normalise::new_id("message", "Stage", &new);
    let mut all = vec![("new".to_owned(), (id, new))];
    let there = known.iter().filter(|(_, name)| !name.eq_ignore_ascii_case(message));
    all.extend(there.map(|(id, name)| (format!("to {name}"), ((*id).to_owned(), (*name).to_owned()))));
    all.truncate(VARIANTS);
    all
}
