//! The conversation with a model, and what of it is sent.

use super::style::{History, Style};
use crate::agent::model::{Message, Role};

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
        let summary = (self.folded > 0).then(|| Message::new(Role::User, self.summary()));
        let kept = self.messages[from..].iter();
        std::iter::once(&self.system).chain(&summary).chain(kept).map(shown).collect()
    }

    fn summary(&self) -> String {
        let lines = self.lines[..self.folded].join("\n");
        format!("What you did before, and what came of it:\n{lines}")
    }

    fn tokens(&self) -> usize {
        let of =
            |message: &Message| message.text.len() / CHARACTERS + if message.picture.is_some() { PICTURE } else { 0 };
        std::iter::once(&self.system).chain(&self.messages).map(of).sum()
    }

    /// Only the newest turns keep their pictures; as long as few more have one, all stay, so that the beginning of the
    /// conversation is the same from one request to the next.
    fn drop_pictures(&mut self) {
        let with: Vec<usize> =
            (0..self.messages.len()).filter(|place| self.messages[*place].picture.is_some()).collect();
        if with.len() > self.style.pictures + self.style.picture_slack {
            for place in &with[..with.len() - self.style.pictures] {
                self.messages[*place].picture = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agent::llm::Protocol;
    use crate::perceive::Convention;

    fn style(protocol: Protocol) -> Style {
        Style::of(protocol, Convention::Pixels)
    }

    fn talked(style: Style, turns: usize) -> Conversation {
        let mut talk = Conversation::begin(style, Message::new(Role::System, "s"));
        for turn in 1..=turns {
            let picture = Arc::new(vec![1, 2, 3]);
            talk.ask(Message::new(Role::User, format!("q{turn}")).showing(picture));
            talk.add(Message { reasoning: Some("r".into()), ..Message::new(Role::Assistant, format!("a{turn}")) });
            talk.end_turn(format!("{turn}. click: ok"));
        }
        talk
    }

    fn texts(sent: &[Message]) -> Vec<&str> {
        sent.iter().map(|message| message.text.as_str()).collect()
    }

    #[test]
    fn the_papers_window_is_the_system_message_and_the_last_21() {
        let mut talk = talked(style(Protocol::Paper1), 30);
        talk.ask(Message::new(Role::User, "q31"));
        let sent = talk.sent();
        assert_eq!(sent.len(), 22);
        assert_eq!((&texts(&sent)[..2], texts(&sent)[21]), (&["s", "q21"][..], "q31"));
        assert!(sent[2].reasoning.is_some(), "what a model thought is sent back");
        assert_eq!(talked(style(Protocol::Paper1), 10).sent().len(), 21, "nothing is cut before there are 23");
    }

    #[test]
    fn the_papers_pictures_are_those_of_the_newest_turn() {
        let sent = talked(style(Protocol::Paper1), 5).sent();
        let with: Vec<&str> = sent.iter().filter(|one| one.picture.is_some()).map(|one| one.text.as_str()).collect();
        assert_eq!(with, ["q5"]);
    }

    #[test]
    fn ours_keeps_its_beginning_as_long_as_it_can() {
        let requests: Vec<Vec<Message>> =
            (1..=9).map(|turns| talked(style(Protocol::Scratchbed1), turns).sent()).collect();
        let stable = requests.windows(2).filter(|two| two[1].starts_with(&two[0])).count();
        assert_eq!(stable, 6, "pictures are dropped at the fifth and the ninth turn only");
        assert!(requests[8].iter().all(|message| message.reasoning.is_none()));
    }

    #[test]
    fn lines_take_the_place_of_the_older_half() {
        let history = History::Growing { tokens: 40 };
        let mut talk =
            Conversation::begin(Style { history, ..style(Protocol::Scratchbed1) }, Message::new(Role::System, "s"));
        let mut full = Vec::new();
        for turn in 1..=30 {
            full.extend(talk.wants_all().then_some(turn));
            talk.ask(Message::new(Role::User, format!("question {turn}")));
            talk.add(Message::new(Role::Assistant, format!("answer {turn}")));
            talk.make_room();
            talk.end_turn(format!("{turn}. click: ok"));
        }
        assert_eq!(full[0], 1);
        let sent = talk.sent();
        assert_eq!(sent[1].text.lines().nth(1), Some("1. click: ok"));
        let folded = sent[1].text.lines().count() - 1;
        assert_eq!(sent[2].text, format!("question {}", folded + 1), "the rest begins with a question");
        assert_eq!(folded + (sent.len() - 2) / 2, 30, "each turn is there, or a line of it");
        assert!(talk.tokens() <= 40, "{}", talk.tokens());
        assert!(
            full.len() > 2 && full.contains(&(folded + 2)),
            "full lists follow the turns that go: {full:?}, {folded}"
        );
    }
}
