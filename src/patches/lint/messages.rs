//! Messages with only one end.

use std::collections::BTreeMap;

use super::Code;
use super::change::Mark;
use crate::patches::effects::{Line, Program};
use crate::project::reach::{Start, chosen};

/// Who sends and hears the messages of a project, by their names in capitals.
pub(super) struct Messages<'p, 'a> {
    sent: BTreeMap<String, &'p Line<'a>>,
    heard: BTreeMap<String, &'p Line<'a>>,
    /// Whether a name is made while the program runs: any message may be sent then.
    computed: bool,
}

pub(super) fn marks(program: &Program<'_>) -> Vec<Mark> {
    let messages = Messages::of(program);
    let mut marks = messages.unheard(Code::MessageNeverReceived);
    marks.extend(messages.unsent(Code::MessageNeverSent));
    marks.into_iter().map(|(_, mark)| mark).collect()
}

impl<'p, 'a> Messages<'p, 'a> {
    pub(super) fn of(program: &'p Program<'a>) -> Self {
        let mut all = Self { sent: BTreeMap::new(), heard: BTreeMap::new(), computed: false };
        for line in &program.lines {
            let block = &line.statement.block;
            match (block.opcode, program.start(line)) {
                ("event_broadcast" | "event_broadcastandwait", _) => {
                    match chosen(line.target, block, "BROADCAST_INPUT") {
                        Some(message) => drop(all.sent.entry(message.to_uppercase()).or_insert(line)),
                        None => all.computed = true,
                    }
                }
                ("event_whenbroadcastreceived", Start::Message(message)) => {
                    all.heard.entry(message.clone()).or_insert(line);
                }
                _ => {}
            }
        }
        all
    }

    pub(super) fn has(&self, message: &str) -> bool {
        self.sent.contains_key(message) || self.heard.contains_key(message)
    }

    /// Messages that are sent and that no script waits for.
    pub(super) fn unheard(&self, code: Code) -> Vec<(String, Mark)> {
        let lost = self.sent.iter().filter(|(message, _)| !self.heard.contains_key(*message));
        lost.map(|(message, line)| (message.clone(), mark(code, message, line, "is sent, and nobody hears it")))
            .collect()
    }

    /// Messages that a script waits for and that nobody sends.
    pub(super) fn unsent(&self, code: Code) -> Vec<(String, Mark)> {
        let lost = self.heard.iter().filter(|(message, _)| !self.computed && !self.sent.contains_key(*message));
        lost.map(|(message, line)| (message.clone(), mark(code, message, line, "is waited for, and nobody sends it")))
            .collect()
    }
}

fn mark(code: Code, message: &str, line: &Line<'_>, what: &str) -> Mark {
    Mark::of_line(code, line, &format!("the message `{message}` {what}")).about(message)
}
