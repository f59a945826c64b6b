//! The planner against models that answer from lists.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use super::*;
use crate::agent::llm::Model;
use crate::agent::model::{Answer, ModelError, Request, Usage};
use crate::perceive::Convention;

/// Answers in turn, and keeps what it was asked.
#[derive(Default)]
struct Scripted {
    answers: Mutex<VecDeque<String>>,
    asked: Mutex<Vec<Vec<Message>>>,
}

impl Scripted {
    fn saying(texts: &[&str]) -> Arc<Self> {
        let answers = texts.iter().map(|text| (*text).to_owned()).collect();
        Arc::new(Self { answers: Mutex::new(answers), asked: Mutex::default() })
    }

    fn asked(&self) -> Vec<Vec<Message>> {
        self.asked.lock().unwrap().clone()
    }

    /// The words of the newest request.
    fn last(&self) -> String {
        let asked = self.asked();
        asked.last().unwrap().iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n")
    }
}

#[async_trait]
impl Model for Scripted {
    async fn send(&self, request: &Request) -> Result<Answer, ModelError> {
        self.asked.lock().unwrap().push(request.messages.clone());
        let text = self.answers.lock().unwrap().pop_front().ok_or(ModelError::Empty)?;
        let usage = Usage { input_tokens: 10, output_tokens: 2, ..Usage::default() };
        Ok(Answer {
            text,
            reasoning: None,
            parts: Vec::new(),
            is_cut: false,
            is_filtered: false,
            model: "m".into(),
            usage,
            tries: 1,
            waited_s: 0.0,
            picture_differs: false,
        })
    }
}

struct Cast {
    main: Arc<Scripted>,
    reflect: Arc<Scripted>,
    ground: Arc<Scripted>,
    embed: Option<Arc<Scripted>>,
}

impl Cast {
    fn of(main: &[&str], reflect: &[&str], ground: &[&str]) -> Self {
        let [main, reflect, ground] = [main, reflect, ground].map(Scripted::saying);
        Self { main, reflect, ground, embed: None }
    }

    fn agent(&self, learns: bool) -> PlannerAgent {
        let embed = self.embed.clone().map(|model| ("vectors".to_owned(), model as Arc<dyn Model>));
        let models =
            Models { main: self.main.clone(), reflect: self.reflect.clone(), ground: self.ground.clone(), embed };
        let style = PlannerStyle {
            observing: Observing::Published,
            elements: true,
            convention: Convention::Pixels,
            ground_convention: Convention::Thousandths,
        };
        PlannerAgent::new(models, Prompts::bundled(), style, learns)
    }
}

async fn decide(agent: &mut PlannerAgent, step: u32) -> Result<Decision, AgentError> {
    let seen = json!({"table": "0    sprites    Ticket    (1, 2) 3x4", "screenshot": "AQID"});
    agent.decide(View { instruction: "Mend it.", step, steps: 9, observation: Some(&seen), last: None }).await
}

fn args(decision: &Decision) -> (String, Value) {
    let Decision::Act(call) = decision else { panic!("nothing was decided") };
    (call.api.clone(), Value::Object(call.args.clone()))
}

const PLAN: &str = "1. Open the sprite.\n2. Drag the block.";
const GRAPH: &str = r#"<json>{"dag": {"nodes": [{"name": "open", "info": "Click Ticket."}, {"name": "drag", "info": ""}],
    "edges": [["open", "drag"]]}}</json>"#;
const REST: &str = r#"<json>{"dag": {"nodes": [{"name": "drag", "info": ""}], "edges": []}}</json>"#;
const NOTHING: &str = r#"<json>{"dag": {"nodes": [], "edges": []}}</json>"#;
const CLICK: &str = "(Next Action)\nClick it.\n(Grounded Action)\n```json\n{\"api\": \"click\", \"args\": {\"description\": \"Ticket\"}}\n```";
const DONE: &str = "(Grounded Action)\n```json\n{\"api\": \"done\", \"args\": {}}\n```";
const FAILED: &str =
    "(Next Action)\nIt is locked.\n(Grounded Action)\n```json\n{\"api\": \"failed\", \"args\": {}}\n```";

#[tokio::test]
async fn a_place_in_words_becomes_a_point_and_turns_name_roles_and_purposes() {
    let cast = Cast::of(&["Which block?", PLAN, GRAPH, CLICK], &[], &["(500, 250)"]);
    let mut agent = cast.agent(false);
    let decision = decide(&mut agent, 1).await.unwrap();
    assert_eq!(args(&decision), ("click".to_owned(), json!({"x": 640, "y": 180})));
    let turns = agent.take_turns();
    let made: Vec<(Option<ModelRole>, &str)> = turns.iter().map(|turn| (turn.role, turn.purpose)).collect();
    let main = Some(ModelRole::Main);
    assert_eq!(
        made,
        [(main, "query"), (main, "plan"), (main, "graph"), (main, "act"), (Some(ModelRole::Ground), "ground")]
    );
    let spent = agent.spent();
    assert_eq!((spent.calls, spent.roles[&ModelRole::Main].calls, spent.roles[&ModelRole::Ground].calls), (5, 4, 1));
    assert_eq!(spent.usage.input_tokens, 50);
    let asked = cast.main.asked();
    let pictures: Vec<usize> =
        asked.iter().map(|sent| sent.iter().filter(|message| !message.pictures.is_empty()).count()).collect();
    assert_eq!(pictures, [1, 1, 0, 1], "the graph is made of words alone");
    assert!(cast.main.last().contains("Your subtask: open") && cast.main.last().contains("Ticket    (1, 2)"));
    assert!(cast.ground.last().contains("Find this: Ticket") && cast.ground.last().contains("1000 wide"));
}

#[tokio::test]
async fn the_worker_looks_back_from_the_second_round_on_and_old_lists_are_gone() {
    let cast = Cast::of(&["q", PLAN, GRAPH, CLICK, CLICK], &["Go on."], &["1 1", "2 2"]);
    let mut agent = cast.agent(false);
    decide(&mut agent, 1).await.unwrap();
    assert!(cast.reflect.asked().is_empty());
    decide(&mut agent, 2).await.unwrap();
    assert!(
        cast.reflect.last().contains("Round 1:\n(Next Action)\nClick it.\nAction: click"),
        "{}",
        cast.reflect.last()
    );
    let asked = cast.main.asked();
    let sent = asked.last().unwrap();
    assert_eq!(sent.len(), 4);
    assert!(!sent[1].text.contains("Ticket    (1, 2)") && sent[1].pictures.is_empty(), "{}", sent[1].text);
    assert!(sent[3].text.contains("says: Go on.") && sent[3].text.contains("Ticket    (1, 2)"));
    assert!(sent[1].text.contains("Carry out only") && !sent[3].text.contains("Carry out only"));
}

#[tokio::test]
async fn a_finished_subtask_is_followed_by_a_new_plan_and_the_last_one_ends_the_attempt() {
    let cast = Cast::of(&["q", PLAN, GRAPH, DONE, PLAN, REST, CLICK, DONE], &["Complete."], &["1 1"]);
    let mut agent = cast.agent(false);
    let decision = decide(&mut agent, 1).await.unwrap();
    assert_eq!(args(&decision).0, "click", "the next subtask is taken up in the same step");
    let asked = cast.main.asked();
    let replan = &asked[4][1].text;
    assert!(replan.contains("has just been finished") && replan.contains("Finished so far:\n- open"), "{replan}");
    assert!(replan.contains("Left of the plan before:\n- drag"), "{replan}");
    assert!(asked[6][0].text.contains("finished: open"));
    assert_eq!(args(&decide(&mut agent, 2).await.unwrap()).0, "done");
}

#[tokio::test]
async fn a_failed_subtask_is_planned_around_or_ends_the_attempt_if_it_was_the_last() {
    let cast = Cast::of(&["q", PLAN, GRAPH, FAILED, PLAN, REST, FAILED], &[], &[]);
    let mut agent = cast.agent(false);
    assert_eq!(args(&decide(&mut agent, 1).await.unwrap()).0, "failed");
    let replan = &cast.main.asked()[4][1].text;
    assert!(replan.contains("\"open\" can't be done") && replan.contains("It is locked."), "{replan}");
    let cast = Cast::of(&["q", PLAN, GRAPH, DONE, "Nothing is left.", NOTHING], &[], &[]);
    assert_eq!(args(&decide(&mut cast.agent(false), 1).await.unwrap()).0, "done", "nothing is left of the plan");
}

#[tokio::test]
async fn a_graph_that_cannot_be_read_is_answered_once_and_then_the_lines_are_taken() {
    let cast = Cast::of(&["q", PLAN, NOTHING, GRAPH, CLICK], &[], &["1 1"]);
    decide(&mut cast.agent(false), 1).await.unwrap();
    let again = cast.main.asked()[3].clone();
    assert!(again[3].text.contains("can't be used: there are no nodes"), "{}", again[3].text);
    let cast = Cast::of(&["q", PLAN, "", "None.", CLICK], &[], &["1 1"]);
    let mut agent = cast.agent(false);
    decide(&mut agent, 1).await.unwrap();
    let system = cast.main.asked()[4][0].text.clone();
    assert!(system.contains("Your subtask: Open the sprite.") && system.contains("not yours: Drag the block."));
    let faults: Vec<bool> = agent.take_turns().iter().map(|turn| matches!(turn.read, Some(Err(_)))).collect();
    assert_eq!(faults, [false, false, true, true, false, false]);
    let cast = Cast::of(&["", "", "", "", CLICK], &[], &["1 1"]);
    decide(&mut cast.agent(false), 1).await.unwrap();
    assert!(cast.main.last().contains("Your subtask: Mend it."), "a plan without lines is the task itself");
}

#[tokio::test]
async fn an_answer_that_cannot_be_used_is_a_lost_step() {
    let bad = "(Grounded Action)\n```json\n{\"api\": \"click\", \"args\": {\"description\": 7}}\n```";
    let cast = Cast::of(
        &["q", PLAN, GRAPH, "Hm.", "", bad, CLICK, CLICK],
        &["", "r", "r", "r"],
        &["?", "?", "nowhere", "3 4"],
    );
    let mut agent = cast.agent(false);
    for step in 1..=4 {
        assert_eq!(decide(&mut agent, step).await, Ok(Decision::Wasted), "{step}");
    }
    assert_eq!(cast.ground.asked().len(), 2, "a place is asked for twice");
    assert_eq!(args(&decide(&mut agent, 5).await.unwrap()).1, json!({"x": 3, "y": 2}));
    let faults = agent.take_turns().into_iter().filter_map(|turn| turn.read?.err()).collect::<Vec<_>>();
    assert_eq!(
        faults,
        [
            "the answer has no JSON object",
            "the answer is empty",
            "`description` is no description",
            "the answer names no point",
            "the answer names no point",
            "the answer names no point"
        ]
    );
}

#[tokio::test]
async fn notes_take_a_step_and_are_told_later() {
    let note =
        "(Grounded Action)\n```json\n{\"api\": \"save_to_knowledge\", \"args\": {\"text\": [\"12 apples\"]}}\n```";
    let cast = Cast::of(&["q", PLAN, GRAPH, note, CLICK], &["r"], &["1 1"]);
    let mut agent = cast.agent(false);
    assert_eq!(decide(&mut agent, 1).await, Ok(Decision::Wasted));
    decide(&mut agent, 2).await.unwrap();
    assert!(cast.main.last().contains("Notes so far: 12 apples"), "{}", cast.main.last());
}

#[tokio::test]
async fn requests_of_a_step_are_bounded() {
    let mut answers = vec!["q", PLAN, GRAPH];
    for _ in 0..30 {
        answers.extend([DONE, PLAN, GRAPH]);
    }
    let cast = Cast::of(&answers, &[], &[]);
    let mut agent = cast.agent(false);
    assert_eq!(decide(&mut agent, 1).await, Ok(Decision::Wasted));
    let first = cast.main.asked().len();
    assert!((16..=30).contains(&first), "{first}");
    assert_eq!(decide(&mut agent, 2).await, Ok(Decision::Wasted));
    assert!(cast.main.asked().len() - first <= 30);
}

async fn learn(agent: &mut PlannerAgent) -> Result<(), AgentError> {
    agent.learn(View { instruction: "Mend it.", step: 3, steps: 9, observation: None, last: None }).await
}

fn other_task() -> MemoryState {
    let mut knowledge = Knowledge::default();
    knowledge.add(Kind::Narrative, "Mend a boat.", "Task: Mend a boat.".into(), "Look at the mast.".into());
    knowledge.add(Kind::Episodic, "Mend a boat.", "Subtask: open".into(), "Use the tab.".into());
    let mut memory = MemoryState::default();
    knowledge.write(&mut memory);
    memory
}

#[tokio::test]
async fn what_was_learned_is_told_where_it_is_near_and_added_to() {
    let cast = Cast::of(&["How?", PLAN, GRAPH, DONE, "Click first.", PLAN, REST, CLICK, "It went so."], &[], &["1 1"]);
    let mut agent = cast.agent(true);
    agent.recall(other_task());
    decide(&mut agent, 1).await.unwrap();
    let asked = cast.main.asked();
    assert!(asked[1][1].text.contains("Look at the mast."), "{}", asked[1][1].text);
    assert!(asked[3][0].text.contains("Use the tab."), "{}", asked[3][0].text);
    assert!(asked[4][1].text.contains("The subtask: open"), "{}", asked[4][1].text);
    learn(&mut agent).await.unwrap();
    let told = cast.main.last();
    assert!(told.contains("\"open\", which finished") && told.contains("\"drag\", which was not ended"), "{told}");
    let memory = agent.take_memory().unwrap();
    assert_ne!(memory.digest(), other_task().digest());
    assert!(
        memory.get("episodic.json").contains("Click first.") && memory.get("episodic.json").contains("Use the tab.")
    );
    assert!(memory.get("narrative.json").contains("Task: Mend it.\\nHow?"));
    assert!(memory.get("narrative.json").contains("It went so."));
    // Another attempt at the same task is not told of this one.
    let cast = Cast::of(&["How?", PLAN, GRAPH, CLICK], &[], &["1 1"]);
    let mut agent = cast.agent(true);
    agent.recall(memory);
    decide(&mut agent, 1).await.unwrap();
    let all: String = cast.main.asked().concat().iter().map(|message| message.text.as_str()).collect();
    assert!(all.contains("Look at the mast.") && !all.contains("It went so.") && !all.contains("Click first."));
}

#[tokio::test]
async fn a_memory_that_is_frozen_is_told_and_not_added_to() {
    let cast = Cast::of(&["How?", PLAN, GRAPH, DONE, PLAN, REST, CLICK], &[], &["1 1"]);
    let mut agent = cast.agent(false);
    agent.recall(other_task());
    decide(&mut agent, 1).await.unwrap();
    assert!(cast.main.asked()[1][1].text.contains("Look at the mast."));
    assert!(!agent.learns() && agent.take_memory().is_none());
    let mut agent = cast.agent(true);
    let mut broken = MemoryState::default();
    broken.put("narrative.json", "nonsense");
    agent.recall(broken);
    assert!(
        matches!(decide(&mut agent, 1).await, Err(AgentError::Failed(reason)) if reason.contains("narrative.json"))
    );
}

#[tokio::test]
async fn vectors_are_asked_for_once_and_kept() {
    let mut cast = Cast::of(&["How?", PLAN, GRAPH, CLICK, "So."], &[], &["1 1"]);
    let vectors = Scripted::saying(&["[1, 0]", "[1, 0.1]", "[0, 1]", "[0, 1]"]);
    cast.embed = Some(vectors.clone());
    let mut agent = cast.agent(true);
    agent.recall(other_task());
    decide(&mut agent, 1).await.unwrap();
    let texts: Vec<String> = vectors.asked().iter().map(|sent| sent[0].text.clone()).collect();
    assert_eq!(texts[..3], ["Task: Mend a boat.", "Task: Mend it.\nHow?", "Subtask: open"]);
    assert_eq!(agent.spent().roles[&ModelRole::Embed].calls, 4);
    learn(&mut agent).await.unwrap();
    assert!(agent.take_memory().unwrap().get("narrative.json").contains("\"model\": \"vectors\""));
    for bad in ["[]", "none", "{}", "[\"a\"]"] {
        let mut cast = Cast::of(&["How?"], &[], &[]);
        cast.embed = Some(Scripted::saying(&[bad]));
        let mut agent = cast.agent(true);
        agent.recall(other_task());
        assert!(matches!(decide(&mut agent, 1).await, Err(AgentError::Provider(_))), "{bad}");
    }
}
