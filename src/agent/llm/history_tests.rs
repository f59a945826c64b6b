//! Conversations as they grow.

use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::agent::llm::Protocol;
use crate::agent::model::{ToolCall, ToolResult};
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
    let with: Vec<&str> = sent.iter().filter(|one| !one.pictures.is_empty()).map(|one| one.text.as_str()).collect();
    assert_eq!(with, ["q5"]);
}

#[test]
fn ours_keeps_its_beginning_as_long_as_it_can() {
    let requests: Vec<Vec<Message>> = (1..=9).map(|turns| talked(style(Protocol::Scratchbed1), turns).sent()).collect();
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
    assert!(full.len() > 2 && full.contains(&(folded + 2)), "full lists follow the turns that go: {full:?}, {folded}");
}

/// Turns in which a tool is called.
fn called(style: Style, turns: usize) -> Conversation {
    let call =
        |turn: usize| ToolCall { id: format!("c{turn}"), name: "click".into(), args: json!({}), signatures: vec![] };
    let mut talk = Conversation::begin(style, Message::new(Role::System, "s"));
    for turn in 1..=turns {
        let results = (turn > 1).then(|| ToolResult::of(&call(turn - 1), "Carried out."));
        talk.ask(Message { results: results.into_iter().collect(), ..Message::new(Role::User, format!("q{turn}")) });
        talk.add(Message { parts: vec![Part::Call(call(turn))], ..Message::new(Role::Assistant, "") });
        talk.make_room();
        talk.end_turn(format!("{turn}. click: ok"));
    }
    talk
}

/// Whether each result stands behind the answer with its call, and each answer but the last has its results.
fn is_paired(sent: &[Message]) -> bool {
    sent.windows(2).all(|two| {
        let calls = two[0].parts.iter().filter_map(Part::call).map(|call| call.id.as_str());
        calls.eq(two[1].results.iter().map(|result| result.id.as_str()))
    }) && sent[0].results.is_empty()
}

#[test]
fn no_window_splits_a_call_from_its_result() {
    for messages in 1..=25 {
        let style = Style { history: History::Last { messages }, ..style(Protocol::Paper1) };
        for turns in 1..=14 {
            let sent = called(style, turns).sent();
            assert!(is_paired(&sent), "{messages} messages, {turns} turns: {sent:#?}");
            assert_eq!(sent.len(), 1 + messages.min(2 * turns), "a window is as long as without tools");
        }
    }
    let history = History::Growing { tokens: 20 };
    let talk = called(Style { history, ..style(Protocol::Scratchbed1) }, 30);
    assert!(talk.folded > 0 && is_paired(&talk.sent()), "{:#?}", talk.sent());
}

#[test]
fn what_stays_is_marked_and_what_slides_is_not() {
    let paper = |turns| {
        let talk = talked(style(Protocol::Paper1), turns);
        talk.ends(&talk.sent())
    };
    assert_eq!((paper(12), paper(3)), (vec![0], vec![0, 4, 6]));
    let mut last: Option<(Vec<Message>, Vec<usize>)> = None;
    for turns in 1..=12 {
        let mut talk = talked(style(Protocol::Scratchbed1), turns);
        talk.ask(Message::new(Role::User, "now").showing(Arc::new(vec![1])));
        let sent = talk.sent();
        let ends = talk.ends(&sent);
        assert!(ends[0] == 0 && ends.len() <= 4 && ends.is_sorted(), "{ends:?}");
        // Only the last mark may be in vain: when pictures are dropped.
        if let Some((before, marks)) = &last {
            let is_same = |end: &&usize| sent.starts_with(&before[..=**end]);
            assert!(marks.iter().filter(is_same).count() + 1 >= marks.len(), "{marks:?}");
        }
        last = Some((sent, ends));
    }
    let talk = called(style(Protocol::Scratchbed1), 3);
    assert_eq!(talk.ends(&talk.sent()), [0, 6], "without pictures two are enough");
}
