//! The agent against a model that answers from a list.

use std::collections::VecDeque;
use std::sync::Mutex;

use serde_json::json;

use super::*;
use crate::agent::llm::Protocol;
use crate::agent::model::{Answer, ModelError, Usage};
use crate::perceive::Convention;

/// Answers in turn, and keeps what it was asked.
#[derive(Default)]
struct Scripted {
    answers: Mutex<VecDeque<&'static str>>,
    asked: Mutex<Vec<Vec<Message>>>,
}

#[async_trait]
impl Model for Scripted {
    async fn send(&self, request: &Request) -> Result<Answer, ModelError> {
        self.asked.lock().unwrap().push(request.messages.clone());
        let next = self.answers.lock().unwrap().pop_front();
        let text = next.ok_or(ModelError::Busy { status: 503, tries: 2, message: "busy".into() })?.to_owned();
        let usage = Usage { input_tokens: 10, output_tokens: 2, ..Usage::default() };
        let (model, reasoning, parts) = ("m".to_owned(), None, Vec::new());
        Ok(Answer {
            text,
            reasoning,
            parts,
            is_cut: false,
            is_filtered: false,
            model,
            usage,
            tries: 1,
            waited_s: 0.0,
            picture_differs: false,
        })
    }
}

const CLICK: &str =
    "<thinking>go on</thinking><memory>halfway</memory>\n```json\n{\"api\": \"click\", \"args\": {\"x\": 9}}\n```";
const DONE: &str = "<thinking>ready</thinking><memory>all</memory>\n```json\n{\"api\": \"done\"}\n```";
const YES: &str = "Thoughts: It is there.\nStatus: success";

/// A whole attempt with these answers: each is asked for, the last of `decisions` ends it.
async fn attempt(
    mode: Mode,
    answers: &[&'static str],
    decisions: u32,
    memory: &MemoryState,
    learning: Learning,
) -> (AwmAgent, Arc<Scripted>, Result<(), AgentError>) {
    let model = Arc::new(Scripted { answers: Mutex::new(answers.iter().copied().collect()), ..Scripted::default() });
    let style = Style::of(Protocol::Paper1, Convention::Pixels);
    let mut agent = AwmAgent::new(model.clone(), AwmPrompts::bundled(), mode, style, learning);
    agent.recall(memory.clone());
    let seen = json!({"table": "0    button    Go    (1, 2) 3x4", "text": "#1 move 10 steps", "screenshot": "AQID"});
    let view = |step| View { instruction: "Go.", step, steps: 9, observation: Some(&seen), last: None };
    for step in 1..=decisions {
        agent.decide(view(step)).await.unwrap();
    }
    let learned = if agent.learns() { agent.learn(view(decisions)).await } else { Ok(()) };
    (agent, model, learned)
}

fn seeded() -> Learning {
    Learning::Seeded("1 go.1".to_owned())
}

fn requests(model: &Scripted) -> Vec<Vec<Message>> {
    model.asked.lock().unwrap().clone()
}

#[tokio::test]
async fn a_request_is_complete_in_itself_with_the_last_five_turns() {
    let answers = [CLICK, CLICK, "Hm.", CLICK, CLICK, CLICK, DONE];
    let (mut agent, model, _) = attempt(Mode::Primitive, &answers, 7, &MemoryState::default(), Learning::No).await;
    let asked = requests(&model);
    assert!(asked.iter().all(|sent| sent.len() == 2 && !sent[1].pictures.is_empty()));
    assert!(!asked[0][1].text.contains("Turn 1:"), "{}", asked[0][1].text);
    let last = &asked[6][1].text;
    let turns: Vec<&str> = last.lines().filter(|line| line.starts_with("Turn ")).collect();
    assert_eq!(turns, ["Turn 2:", "Turn 3:", "Turn 4:", "Turn 5:", "Turn 6:", "Turn number: 7"]);
    assert!(last.starts_with("## Current UI element information:\n0    button"), "{last}");
    assert!(last.contains("Turn 3:\nThought: \nMemory: \nAction: none that could be read\n\nTurn 4:"), "{last}");
    assert!(
        last.contains("Action: {\"api\":\"click\",\"args\":{\"x\":9}}\n\n## This turn\n\nTurn number: 7\n"),
        "{last}"
    );
    let turns = agent.take_turns();
    assert!(turns.iter().all(|turn| turn.purpose == ACT) && turns[2].read.as_ref().unwrap().is_err());
    assert_eq!((agent.spent().calls, agent.take_memory(), agent.take_notes().len()), (7, None, 0));
}

#[tokio::test]
async fn a_success_is_added_and_workflows_take_the_place_of_the_old_ones() {
    let old: MemoryState = [(WORKFLOWS.to_owned(), "#### Old".to_owned())].into_iter().collect();
    for mode in [Mode::Composite, Mode::Primitive] {
        let answers = [CLICK, DONE, YES, "#### New\n1. Click."];
        let (mut agent, model, learned) = attempt(mode, &answers, 2, &old, seeded()).await;
        assert_eq!(learned, Ok(()));
        let asked = requests(&model);
        assert!(asked[0][0].text.contains("## Workflow Memory") && asked[0][0].text.contains("#### Old"));
        let judged = &asked[2][0];
        assert!(judged.text.contains("1. {\"api\":\"click\",\"args\":{\"x\":9}}\n2. {\"api\":\"done\",\"args\":{}}\n"));
        let shown = if mode == Mode::Primitive { "button    Go" } else { "#1 move 10 steps" };
        assert!(judged.text.contains(shown) && judged.pictures.is_empty() != (mode == Mode::Primitive));
        assert!(asked[3][0].text.contains("### Task 1\n\nGo.\n\nthought: go on\naction: {"), "{}", asked[3][0].text);
        let memory = agent.take_memory().unwrap();
        assert_eq!(memory.get(WORKFLOWS), "#### New\n1. Click.\n");
        assert_eq!(memory.get(TRAJECTORIES).lines().count(), 1);
        let notes = agent.take_notes();
        assert_eq!((notes[0].name, &notes[0].value["status"]), ("autoeval.json", &json!("success")));
        let purposes: Vec<&str> = agent.take_turns().iter().map(|turn| turn.purpose).collect();
        assert_eq!(purposes, [ACT, ACT, JUDGE, INDUCE]);
        assert_eq!(agent.spent().calls, 4, "what learning costs counts");
    }
}

#[tokio::test]
async fn what_is_no_success_leaves_nothing() {
    for verdict in ["Thoughts: It is not.\nStatus: failure", "Status: unsuccessful", "I can't tell."] {
        let (mut agent, model, learned) =
            attempt(Mode::Composite, &[DONE, verdict, "#### New"], 1, &MemoryState::default(), seeded()).await;
        assert_eq!((learned, agent.take_memory(), requests(&model).len()), (Ok(()), None, 2), "{verdict}");
        assert_eq!(agent.take_notes().len(), 1);
    }
}

#[tokio::test]
async fn what_fails_on_the_way_keeps_what_is_known_already() {
    let none = MemoryState::default();
    let (mut agent, _, learned) = attempt(Mode::Composite, &[DONE], 1, &none, seeded()).await;
    assert!(matches!(learned, Err(AgentError::Provider(_))) && agent.take_memory().is_none());
    let old: MemoryState = [(WORKFLOWS.to_owned(), "#### Old\n".to_owned())].into_iter().collect();
    for answers in [&[DONE, YES][..], &[DONE, YES, " \n"]] {
        let (mut agent, _, learned) = attempt(Mode::Composite, answers, 1, &old, seeded()).await;
        assert!(learned.is_err(), "{answers:?}");
        let left = agent.take_memory().unwrap();
        assert_eq!((left.get(WORKFLOWS), left.get(TRAJECTORIES).lines().count()), ("#### Old\n", 1), "{answers:?}");
    }
}
