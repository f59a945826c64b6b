//! The conversation with a model, and what of it is sent.

use super::style::{History, Style};
use crate::agent::model::{Message, Part, Role};

/// Characters of a token, roughly; what is counted exactly the provider tells afterwards.
const CHARACTERS: usize = 4;
/// Tokens of a picture of the whole viewport, roughly.
const PICTURE: usize = 1_100;

/// A conversation.
#[derive(Debug)]
pub(super) struct Conversation {
    style: Style,
    system: Message,
    /// Questions and answers after it, in turn.
    messages: Vec<Message>,
    /// How each turn ended, in a line: what takes the place of turns that are no longer sent.
    lines: Vec<String>,
    /// Turns whose lines stand at the beginning of the first message.
    folded: usize,
    /// Messages of each turn that is still there, in order.
    turns: Vec<usize>,
    wants_all: bool,
}

impl Conversation {
    pub(super) fn begin(style: Style, system: Message) -> Self {
        Self { style, system, messages: Vec::new(), lines: Vec::new(), folded: 0, turns: Vec::new(), wants_all: true }
    }

    /// Whether no full observation is among what is sent, so that changes alone would not do.
    pub(super) const fn wants_all(&self) -> bool {
        self.wants_all
    }

    /// Begins a turn with what is asked.
    pub(super) fn ask(&mut self, question: Message) {
        self.turns.push(0);
        self.wants_all = false;
        self.add(question);
    }

    /// Adds to the turn that is going on.
    pub(super) fn add(&mut self, message: Message) {
        self.messages.push(message);
        if let Some(turn) = self.turns.last_mut() {
            *turn += 1;
        }
        self.drop_pictures();
    }

    /// Says how a turn ended, in a line.
    pub(super) fn end_turn(&mut self, line: String) {
        self.lines.push(line);
    }

    /// Has lines take the place of the older half of the turns if the conversation has become too long. The first
    /// observation goes with them, so this is called before the next one is made, which is a full one then.
    pub(super) fn make_room(&mut self) {
        let History::Growing { tokens } = self.style.history else { return };
        // The turn that is going on has no line yet.
        let turns = (self.turns.len() / 2).min(self.lines.len().saturating_sub(self.folded));
        if turns > 0 && self.tokens() > tokens {
            let messages: usize = self.turns.drain(..turns).sum();
            self.messages.drain(..messages);
            self.folded += turns;
            self.wants_all = true;
        }
    }

    /// What is sent now.
    pub(super) fn sent(&self) -> Vec<Message> {
        let from = match self.style.history {
            History::Last { messages } => self.messages.len().saturating_sub(messages),
            History::Growing { .. } => 0,
        };
        let shown = |message: &Message| Message {
            reasoning: message.reasoning.clone().filter(|_| self.style.sends_reasoning),
            ..message.clone()
        };
        // Providers refuse the result of a call that is not sent.
        let first = self.messages.get(from).map(|message| Message { results: Vec::new(), ..message.clone() });
        let summary = (self.folded > 0).then(|| Message::new(Role::User, self.summary()));
        let kept = first.iter().chain(self.messages.iter().skip(from + 1));
        std::iter::once(&self.system).chain(&summary).chain(kept).map(shown).collect()
    }

    /// Up to which of the messages that are sent now the next request will be the same: the system message; what comes before
    /// the first picture, which stays when pictures are dropped; and all, which stays until then.
    pub(super) fn ends(&self, sent: &[Message]) -> Vec<usize> {
        // An answer and a question come before the next request, and a window that is full moves on by them.
        let slides = matches!(self.style.history, History::Last { messages } if self.messages.len() + 2 > messages);
        if slides {
            return vec![0];
        }
        let before_pictures =
            sent.iter().position(|message| !message.pictures.is_empty()).map(|place| place.saturating_sub(1));
        let mut ends: Vec<usize> = std::iter::once(0).chain(before_pictures).chain([sent.len() - 1]).collect();
        ends.dedup();
        ends
    }

    fn summary(&self) -> String {
        let lines = self.lines[..self.folded].join("\n");
        format!("What you did before, and what came of it:\n{lines}")
    }

    fn tokens(&self) -> usize {
        std::iter::once(&self.system).chain(&self.messages).map(tokens).sum()
    }

    /// Only the newest turns keep their pictures; as long as few more have one, all stay, so that the beginning of the
    /// conversation is the same from one request to the next.
    fn drop_pictures(&mut self) {
        let with: Vec<usize> =
            (0..self.messages.len()).filter(|place| !self.messages[*place].pictures.is_empty()).collect();
        if with.len() > self.style.pictures + self.style.picture_slack {
            for place in &with[..with.len() - self.style.pictures] {
                self.messages[*place].pictures.clear();
            }
        }
    }
}

/// Tokens of a message, roughly.
fn tokens(message: &Message) -> usize {
    let parts = message.parts.iter().map(|part| match part {
        Part::Text(text) | Part::Thought(text) | Part::Signature(text) => text.len(),
        Part::Call(call) => call.name.len() + call.args.to_string().len(),
        Part::Other(value) => value.to_string().len(),
    });
    // Parts are sent instead of the text.
    let said = if message.parts.is_empty() { message.text.len() } else { parts.sum() };
    let results: usize = message.results.iter().map(|result| result.text.len()).sum();
    (said + results) / CHARACTERS + message.pictures.len() * PICTURE
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
