//! What a worker said at its subtask, and what of it is sent.

use std::collections::VecDeque;

use crate::agent::model::{Answer, Message, Role};

/// Rounds that are sent besides the one that goes on, as in the published agent.
const ROUNDS: usize = 8;
/// Bytes of an answer that are sent back to its model; a few hundred would do.
const ANSWER_BYTES: usize = 64 << 10;

/// A question and its answer.
#[derive(Debug)]
struct Round {
    /// The words of the question, without the list of elements and the picture.
    question: String,
    answer: Message,
    /// What those are told of it who did not see it.
    outline: String,
}

/// The rounds of one subtask.
#[derive(Debug)]
pub(super) struct Talk {
    system: Message,
    rounds: VecDeque<Round>,
    /// Rounds there were, those that are gone included.
    count: usize,
    /// The outlines of all rounds.
    outlines: Vec<String>,
}

impl Talk {
    pub(super) fn begin(system: String) -> Self {
        let system = Message::new(Role::System, system);
        Self { system, rounds: VecDeque::new(), count: 0, outlines: Vec::new() }
    }

    /// Whether nothing was said yet.
    pub(super) const fn is_new(&self) -> bool {
        self.count == 0
    }

    /// The messages of a request: of earlier rounds the words alone, and of this one everything.
    pub(super) fn sent(&self, now: Message) -> Vec<Message> {
        let earlier = self.rounds.iter();
        let earlier =
            earlier.flat_map(|round| [Message::new(Role::User, round.question.as_str()), round.answer.clone()]);
        std::iter::once(self.system.clone()).chain(earlier).chain([now]).collect()
    }

    /// Ends a round.
    pub(super) fn add(&mut self, question: String, answer: &Answer, outline: String) {
        self.count += 1;
        self.outlines.push(outline.clone());
        self.rounds.push_back(Round { question, answer: said(answer), outline });
        if self.rounds.len() > ROUNDS {
            self.rounds.pop_front();
        }
    }

    /// The last rounds in words, numbered.
    pub(super) fn recent(&self) -> String {
        let first = self.count - self.rounds.len() + 1;
        let rounds = self.rounds.iter().zip(first..);
        rounds.map(|(round, number)| format!("Round {number}:\n{}", round.outline)).collect::<Vec<_>>().join("\n\n")
    }

    /// All rounds in words, numbered.
    pub(super) fn outlines(&self) -> &[String] {
        &self.outlines
    }
}

/// An answer as its model gets it back.
fn said(answer: &Answer) -> Message {
    // Providers refuse messages without words.
    let text = if answer.text.trim().is_empty() { "(no answer)" } else { answer.text.as_str() };
    Message::new(Role::Assistant, &text[..text.floor_char_boundary(ANSWER_BYTES)])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agent::model::Usage;

    fn answer(text: &str) -> Answer {
        Answer {
            text: text.to_owned(),
            reasoning: None,
            parts: Vec::new(),
            is_cut: false,
            is_filtered: false,
            model: "m".into(),
            usage: Usage::default(),
            tries: 1,
            waited_s: 0.0,
            picture_differs: false,
        }
    }

    fn talked(rounds: usize) -> Talk {
        let mut talk = Talk::begin("s".into());
        for number in 1..=rounds {
            talk.add(format!("q{number}"), &answer(&format!("a{number}")), format!("o{number}"));
        }
        talk
    }

    fn now() -> Message {
        Message::new(Role::User, "now").showing(Arc::new(vec![1]))
    }

    #[test]
    fn eight_rounds_are_kept_and_the_picture_is_of_now() {
        for (rounds, first) in [(0, "now"), (1, "q1"), (8, "q1"), (9, "q2"), (30, "q23")] {
            let sent = talked(rounds).sent(now());
            assert_eq!(sent.len(), 2 + 2 * rounds.min(8), "{rounds}");
            assert_eq!((sent[0].text.as_str(), sent[1].text.as_str()), ("s", first));
            let pictures = sent.iter().filter(|message| !message.pictures.is_empty()).count();
            assert_eq!((pictures, sent.last().unwrap().text.as_str()), (1, "now"));
        }
    }

    #[test]
    fn recent_rounds_keep_their_numbers_and_outlines_are_all_there() {
        let talk = talked(10);
        assert!(talk.recent().starts_with("Round 3:\no3\n\nRound 4:\n"), "{}", talk.recent());
        assert_eq!((talk.outlines().len(), talk.outlines()[0].as_str()), (10, "o1"));
        assert!(talked(0).is_new() && talked(0).recent().is_empty() && !talk.is_new());
    }

    #[test]
    fn answers_that_are_empty_or_endless_can_be_sent_back() {
        let mut talk = Talk::begin("s".into());
        talk.add("q".into(), &answer(" \n"), String::new());
        talk.add("q".into(), &answer(&"ä".repeat(100_000)), String::new());
        let sent = talk.sent(now());
        assert_eq!(sent[2].text, "(no answer)");
        assert_eq!(sent[4].text.len(), ANSWER_BYTES);
    }
}
