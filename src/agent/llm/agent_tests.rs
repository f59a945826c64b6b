//! The agent against a model that answers from a list.

use std::collections::VecDeque;
use std::sync::Mutex;

use serde_json::json;

use super::*;
use crate::agent::llm::{AnswerStore, Answers, Protocol, Remembering};
use crate::agent::model::{ModelError, Usage};
use crate::model::{ActionReply, SettleReason, Timing};

/// Answers in turn, and keeps what it was asked.
#[derive(Default)]
struct Scripted {
    answers: Mutex<VecDeque<Result<Answer, ModelError>>>,
    asked: Mutex<Vec<Vec<Message>>>,
}

fn answer(text: &str) -> Answer {
    let usage = Usage { input_tokens: 10, output_tokens: 2, ..Usage::default() };
    Answer {
        text: text.to_owned(),
        reasoning: None,
        parts: Vec::new(),
        is_cut: false,
        is_filtered: false,
        model: "m".into(),
        usage,
        tries: 1,
        waited_s: 0.0,
        picture_differs: false,
    }
}

impl Scripted {
    fn of(answers: impl IntoIterator<Item = Result<Answer, ModelError>>) -> Arc<Self> {
        Arc::new(Self { answers: Mutex::new(answers.into_iter().collect()), asked: Mutex::default() })
    }

    fn saying(texts: &[&str]) -> Arc<Self> {
        Self::of(texts.iter().map(|text| Ok(answer(text))))
    }

    fn last_asked(&self) -> Vec<Message> {
        self.asked.lock().unwrap().last().unwrap().clone()
    }
}

#[async_trait]
impl Model for Scripted {
    async fn send(&self, request: &Request) -> Result<Answer, ModelError> {
        self.asked.lock().unwrap().push(request.messages.clone());
        self.answers.lock().unwrap().pop_front().unwrap_or(Err(ModelError::Empty))
    }
}

const CLICK: &str = "{\"api\": \"click\", \"args\": {\"x\": 500, \"y\": 500.9}}";

fn agent(model: &Arc<Scripted>, protocol: Protocol, mode: Mode) -> LlmAgent {
    let style = Style::of(protocol, Convention::Thousandths);
    LlmAgent::new(model.clone(), Prompts::bundled(), mode, style, "ferry.1".to_owned())
}

fn reply(error: Option<&str>) -> ActionReply {
    let call = ActionCall::new("click", Map::new());
    let timing = Timing { wait_ms: 0.0, action_ms: 0.0, settle_ms: 0.0, settle: SettleReason::Skipped };
    let error = error.map(|code| crate::model::ErrorBody {
        code: code.into(),
        message: "nothing there".into(),
        hint: Some("look again".into()),
        infrastructure: false,
    });
    ActionReply {
        success: error.is_none(),
        requested_action: call.clone(),
        executed_action: call,
        data: Value::Null,
        error,
        timing,
        steps_left: None,
    }
}

async fn decide(agent: &mut LlmAgent, step: u32, last: Option<&ActionReply>) -> Result<Decision, AgentError> {
    let seen = json!({"table": "0    button    Go    (1, 2) 3x4", "text": "#1 move 10 steps", "screenshot": "AQID"});
    agent.decide(View { instruction: "Go.", step, steps: 9, observation: Some(&seen), last }).await
}

#[tokio::test]
async fn a_call_is_read_and_its_points_are_put_into_pixels() {
    let model = Scripted::saying(&[CLICK]);
    let mut agent = agent(&model, Protocol::Paper1, Mode::Primitive);
    let decision = decide(&mut agent, 1, None).await.unwrap();
    let args = json!({"x": 640, "y": 360}).as_object().unwrap().clone();
    assert_eq!(decision, Decision::Act(ActionCall::new("click", args)));
    let asked = model.last_asked();
    assert_eq!((asked[0].role, asked[1].role, asked.len()), (Role::System, Role::User, 2));
    assert!(asked[1].text.contains("button    Go") && !asked[1].pictures.is_empty(), "{:?}", asked[1].text);
    let spent = agent.spent();
    assert_eq!((spent.calls, spent.usage.input_tokens, spent.usage.output_tokens), (1, 10, 2));
    assert_eq!(agent.take_turns().len(), 1);
}

#[tokio::test]
async fn the_paper_says_nothing_of_mistakes_and_loses_the_turn() {
    let model = Scripted::saying(&["Hm.", CLICK, CLICK]);
    let mut agent = agent(&model, Protocol::Paper1, Mode::Composite);
    assert_eq!(decide(&mut agent, 1, None).await, Ok(Decision::Wasted));
    decide(&mut agent, 2, None).await.unwrap();
    decide(&mut agent, 3, Some(&reply(Some("nothing_there")))).await.unwrap();
    let asked = model.last_asked();
    assert_eq!(asked.len(), 6);
    assert!(asked.iter().all(|message| !message.text.contains("nothing_there")));
    assert_eq!(asked[5].text, "#1 move 10 steps");
}

#[tokio::test]
async fn ours_says_what_is_wrong_and_three_unreadable_answers_end_it() {
    let model = Scripted::saying(&["Hm.", CLICK, "Hm.", "", "Hm?"]);
    let mut agent = agent(&model, Protocol::Scratchbed1, Mode::Composite);
    assert!(matches!(decide(&mut agent, 1, None).await, Ok(Decision::Act(_))));
    assert!(model.last_asked()[3].text.contains("the answer has no JSON object"));
    let error = decide(&mut agent, 2, Some(&reply(Some("nothing_there")))).await.unwrap_err();
    assert!(matches!(error, AgentError::Malformed(_)), "{error}");
    let asked = model.last_asked();
    let told = |words: &str| asked.iter().any(|message| message.text.contains(words));
    assert!(told("failed: nothing_there: nothing there (look again)") && told("the answer is empty"));
    assert_eq!(agent.spent().calls, 5, "no answer is free");
}

#[tokio::test]
async fn failures_are_the_providers_or_the_agents() {
    let refused = |message: &str| Err(ModelError::Refused { status: 400, message: message.into() });
    let busy = Err(ModelError::Busy { status: 503, tries: 4, message: "busy".into() });
    let long = refused("This model's maximum context length is 8192 tokens");
    for (failure, is_providers, calls) in [(busy, true, 4), (refused("no such model"), true, 1), (long, false, 1)] {
        let model = Scripted::of([failure]);
        let mut agent = agent(&model, Protocol::Scratchbed1, Mode::Composite);
        let error = decide(&mut agent, 1, None).await.unwrap_err();
        assert_eq!(matches!(error, AgentError::Provider(_)), is_providers, "{error}");
        assert_eq!(agent.spent().calls, calls);
        assert!(agent.take_turns()[0].answer.is_err());
    }
    let filtered = || Ok(Answer { is_filtered: true, ..answer("") });
    let model = Scripted::of([filtered(), filtered(), filtered()]);
    let error = decide(&mut agent(&model, Protocol::Scratchbed1, Mode::Composite), 1, None).await.unwrap_err();
    assert!(matches!(error, AgentError::Refused(_)), "{error}");
}

#[tokio::test]
async fn answers_that_are_kept_are_not_asked_for_again() {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keep = kept.clone();
    let model = Scripted::saying(&[CLICK, CLICK]);
    let store = AnswerStore::new([], move |one| {
        keep.lock().unwrap().push(one.clone());
        Ok(())
    });
    let play = async |store, behind: Option<Arc<dyn Model>>, name: &str| {
        let model = Arc::new(Remembering::new(store, behind, name.to_owned()));
        let style = Style::of(Protocol::Paper1, Convention::Pixels);
        decide(&mut LlmAgent::new(model, Prompts::bundled(), Mode::Composite, style, name.to_owned()), 1, None).await
    };
    let first = play(store.clone(), Some(model.clone()), "ferry.1").await.unwrap();
    assert_eq!(play(store, Some(model.clone()), "ferry.1").await, Ok(first.clone()));
    assert_eq!(model.asked.lock().unwrap().len(), 1, "the second came from the store");
    let again = AnswerStore::new(kept.lock().unwrap().clone(), |_| Ok(()));
    assert_eq!(play(again.clone(), None, "ferry.1").await, Ok(first), "a run is played again without a model");
    assert!(matches!(play(again, None, "ferry.2").await, Err(AgentError::Provider(_))), "another attempt is another");
}

#[tokio::test]
async fn a_replay_answers_the_same_words_with_another_picture_and_says_so() {
    let request = |words: &str, png: &[u8]| {
        let message = Message::new(Role::User, words).showing(Arc::new(png.to_vec()));
        Request::from(&[message][..])
    };
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keep = kept.clone();
    let store = AnswerStore::new([], move |one| {
        keep.lock().unwrap().push(one.clone());
        Ok(())
    });
    let model: Arc<dyn Model> = Scripted::saying(&["one", "two", "three"]);
    let first = Remembering::new(store, Some(model.clone()), "ferry.1".to_owned());
    first.send(&request("look", b"here")).await.unwrap();
    first.send(&request("look", b"there")).await.unwrap();
    let again = || AnswerStore::new(kept.lock().unwrap().clone(), |_| Ok(()));
    let replay = Remembering::new(again(), None, "ferry.1".to_owned());
    let same = replay.send(&request("look", b"here")).await.unwrap();
    let moved = replay.send(&request("look", b"elsewhere")).await.unwrap();
    assert_eq!((same.text.as_str(), same.picture_differs), ("one", false));
    assert_eq!((moved.text.as_str(), moved.picture_differs), ("two", true), "the same turn, not any with these words");
    let other = Remembering::new(again(), None, "ferry.1".to_owned());
    let refused = other.send(&request("other words", b"here")).await;
    assert!(matches!(refused, Err(ModelError::NotRecorded { .. })), "{refused:?}");
    // A model that is there is asked what it makes of the other picture.
    let resumed = Remembering::new(again(), Some(model), "ferry.1".to_owned());
    assert_eq!(resumed.send(&request("look", b"elsewhere")).await.unwrap().text, "three");
}

fn calling(name: &str, args: Value) -> Answer {
    let call =
        |id: &str, name: &str, args| ToolCall { id: id.into(), name: name.into(), args, signatures: vec!["s".into()] };
    let parts = vec![
        Part::Signature("s".to_owned()),
        Part::Thought("t".to_owned()),
        Part::Call(call("a", name, args)),
        Part::Call(call("b", "done", json!({}))),
    ];
    Answer { parts, ..answer("So.") }
}

fn with_tools(model: &Arc<Scripted>, protocol: Protocol, mode: Mode) -> LlmAgent {
    let style = Style { answers: Answers::Tools, ..Style::of(protocol, Convention::Thousandths) };
    LlmAgent::new(model.clone(), Prompts::bundled(), mode, style, "ferry.1".to_owned())
}

fn told(message: &Message) -> Vec<(&str, &str)> {
    message.results.iter().map(|result| (result.id.as_str(), result.text.as_str())).collect()
}

#[tokio::test]
async fn a_called_tool_is_an_action_and_its_result_goes_back_under_its_id() {
    let click = || Ok(calling("click", json!({"x": 500, "y": 500.9})));
    let model = Scripted::of([click(), click(), click()]);
    let mut agent = with_tools(&model, Protocol::Scratchbed1, Mode::Primitive);
    let decision = decide(&mut agent, 1, None).await.unwrap();
    let args = json!({"x": 640, "y": 360}).as_object().unwrap().clone();
    assert_eq!(decision, Decision::Act(ActionCall::new("click", args)), "points are put into pixels");
    decide(&mut agent, 2, Some(&reply(None))).await.unwrap();
    let asked = model.last_asked();
    assert_eq!(told(&asked[3])[0], ("a", "Carried out."));
    assert!(told(&asked[3])[1].0 == "b" && told(&asked[3])[1].1.starts_with("not_done"), "{asked:?}");
    assert!(asked[3].text.starts_with("Action 2 of at most 9.") && !asked[3].text.contains("last action"));
    assert_eq!(asked[2].parts, calling("click", json!({"x": 500, "y": 500.9})).parts, "thoughts go back unchanged");
    decide(&mut agent, 3, Some(&reply(Some("nothing_there")))).await.unwrap();
    assert_eq!(told(&model.last_asked()[5])[0].1, "Failed: nothing_there: nothing there (look again)");
}

#[tokio::test]
async fn calls_that_cannot_be_read_are_answered_and_three_in_a_row_end_the_attempt() {
    let bad = || Ok(calling("click", json!([1, 2])));
    let model = Scripted::of([bad(), Ok(answer("Hm.")), Ok(calling("observe", json!({})))]);
    let mut agent = with_tools(&model, Protocol::Scratchbed1, Mode::Primitive);
    let error = decide(&mut agent, 1, None).await.unwrap_err();
    assert!(matches!(error, AgentError::Malformed(_)) && error.to_string().contains("no tool `observe`"), "{error}");
    let asked = model.last_asked();
    assert_eq!(told(&asked[3])[0], ("a", "not_done: the arguments of the call of `click` are not a JSON object"));
    assert!(asked[3].text.starts_with("Your answer can't be used: the arguments") && !asked[3].text.contains("```"));
    assert!(asked[5].results.is_empty() && asked[5].text.contains("calls no tool"), "{asked:?}");
}

#[tokio::test]
async fn the_paper_says_nothing_of_calls_either() {
    let model =
        Scripted::of([Ok(calling("nothing", json!({}))), Ok(calling("click", json!({"index": 1}))), Ok(answer(""))]);
    let mut agent = with_tools(&model, Protocol::Paper1, Mode::Primitive);
    assert_eq!(decide(&mut agent, 1, None).await, Ok(Decision::Wasted));
    assert!(matches!(decide(&mut agent, 2, None).await, Ok(Decision::Act(_))));
    assert_eq!(decide(&mut agent, 3, Some(&reply(Some("nothing_there")))).await, Ok(Decision::Wasted));
    let asked = model.last_asked();
    assert_eq!((told(&asked[3])[0].1, told(&asked[5])[0].1), ("received", "received"));
    assert!(asked.iter().all(|message| !format!("{message:?}").contains("nothing_there")));
}

#[tokio::test]
async fn a_huge_call_is_recorded_whole_and_sent_back_short() {
    let huge = json!({"text": "x".repeat(ANSWER_BYTES + 1)});
    let model = Scripted::of([Ok(calling("type", huge.clone())), Ok(calling("done", json!({})))]);
    let mut agent = with_tools(&model, Protocol::Scratchbed1, Mode::Primitive);
    decide(&mut agent, 1, None).await.unwrap();
    decide(&mut agent, 2, Some(&reply(None))).await.unwrap();
    let back = model.last_asked()[2].parts.iter().find_map(Part::call).unwrap().args.clone();
    assert_eq!(back, json!({}));
    let recorded = agent.take_turns()[0].answer.clone().unwrap();
    assert_eq!(recorded.calls().next().unwrap().args, huge);
}

#[test]
fn answers_of_earlier_runs_are_still_read() {
    let usage = json!({"input_tokens": 1, "output_tokens": 1});
    let answer = json!({"text": "So.", "is_cut": false, "model": "m", "usage": usage, "tries": 1});
    let kept = json!({"request": "ferry.1 1 abc", "answer": answer});
    let read: crate::agent::llm::Answered = serde_json::from_value(kept).unwrap();
    assert!(read.answer.parts.is_empty() && read.answer.text == "So.");
    let call = crate::agent::llm::Answered { answer: calling("click", json!({"x": 1})), ..read };
    let text = serde_json::to_string(&call).unwrap();
    assert_eq!(serde_json::from_str::<crate::agent::llm::Answered>(&text).unwrap(), call);
}
