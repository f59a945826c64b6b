//! The loop with a session and agents made for the purpose.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::*;
use crate::agent::model::{Meter, NotAdmitted, Refusal, Usage, metered};
use crate::agent::{AgentError, Decision};
use crate::benchmarks::tasks::fakes::{FakeSession, ListAgent, task};

/// An agent whose model is down.
struct Broken;

#[async_trait]
impl Agent for Broken {
    fn look(&self) -> Option<Map<String, Value>> {
        None
    }

    async fn decide(&mut self, _: View<'_>) -> Result<Decision, AgentError> {
        Err(AgentError::Failed("no answer".into()))
    }
}

async fn played(names: &[&str], steps: u32, wall_s: u32) -> (Played, Vec<CallRecord>) {
    limited(names, &task("t", steps, wall_s), LimitOverrides::default()).await
}

async fn limited(names: &[&str], task: &Task, limits: LimitOverrides) -> (Played, Vec<CallRecord>) {
    let (mut session, mut agent) = (FakeSession::default(), ListAgent::new(names));
    let mut log = Vec::new();
    let played = play(&mut session, &mut agent, task, Mode::Composite, limits, &mut |noted| {
        if let Noted::Call(call) = noted {
            log.push(*call);
        }
    })
    .await;
    (played, log)
}

#[tokio::test]
async fn a_list_ends_with_done_and_every_call_is_logged() {
    let (played, log) = played(&["a", "b"], 9, 9).await;
    assert_eq!(played, Played { ending: Ending::Done, steps: 2, error: None, code: None });
    let names: Vec<_> = log.iter().map(|record| (record.step, record.call.api.as_str())).collect();
    assert_eq!(names, [(1, "observe"), (1, "a"), (2, "b"), (3, "done")]);
}

#[tokio::test]
async fn done_may_be_the_last_decision_and_none_is_asked_for_after_it() {
    assert_eq!(played(&["a"], 2, 9).await.0, Played { ending: Ending::Done, steps: 1, error: None, code: None });
    for names in [&["a", "b"][..], &["a", "b", "c"]] {
        let (limited, log) = played(names, 2, 9).await;
        assert_eq!(limited, Played { ending: Ending::StepLimit, steps: 2, error: None, code: None });
        let names: Vec<_> = log.iter().map(|record| record.call.api.as_str()).collect();
        assert_eq!(names, ["observe", "a", "b"]);
    }
}

#[tokio::test]
async fn each_mode_has_a_limit_of_its_own() {
    let (mut session, mut agent) = (FakeSession::default(), ListAgent::new(&["a"; 9]));
    let task = task("t", 2, 9);
    let limits = LimitOverrides::default();
    let played = play(&mut session, &mut agent, &task, Mode::Primitive, limits, &mut |_| {}).await;
    assert_eq!((played.ending, played.steps), (Ending::StepLimit, task.limits.steps.primitive));
}

#[tokio::test]
async fn a_run_may_have_limits_in_place_of_the_tasks() {
    let fewer = LimitOverrides { max_steps: Some(1), wall_s: None };
    assert_eq!(limited(&["a", "b"], &task("t", 9, 9), fewer).await.0.ending, Ending::StepLimit);
    let more = LimitOverrides { max_steps: Some(9), wall_s: None };
    assert_eq!(limited(&["a", "b"], &task("t", 1, 9), more).await.0.ending, Ending::Done);
    let shorter = LimitOverrides { max_steps: None, wall_s: Some(1) };
    assert_eq!(limited(&["hang"], &task("t", 9, 900), shorter).await.0.ending, Ending::WallLimit);
}

#[tokio::test]
async fn the_wall_limit_ends_an_attempt_in_the_middle_of_a_call() {
    let (limited, _) = played(&["a", "hang"], 9, 1).await;
    assert_eq!(limited, Played { ending: Ending::WallLimit, steps: 1, error: None, code: None });
}

#[tokio::test]
async fn an_agent_learns_of_a_refusal_and_may_give_up() {
    let (played, _) = played(&["refuse", "a"], 9, 9).await;
    assert_eq!((played.ending, played.steps), (Ending::GaveUp, 1));
}

#[tokio::test]
async fn trouble_of_the_testbed_is_never_the_agents() {
    for name in ["break", "vanish"] {
        let (played, _) = played(&[name], 9, 9).await;
        assert_eq!(played.ending, Ending::InfraError, "{name}");
        assert!(played.error.is_some() && played.code.is_some());
    }
}

/// As a program is told of it, which may go on.
#[tokio::test]
async fn trouble_that_an_agent_can_bring_about_is_told_and_voids_nothing() {
    for (name, code) in [("lose", "page_lost"), ("queue", "deadline_exceeded")] {
        let (played, log) = played(&[name, "a"], 9, 9).await;
        assert_eq!((played.ending, played.steps, played.code), (Ending::GaveUp, 1, None), "{name}");
        let told = log.iter().filter_map(|record| record.reply.error.as_ref()).map(|error| error.code.as_str());
        assert_eq!(told.collect::<Vec<_>>(), [code]);
    }
}

/// Answers each look as the action of this name is answered.
struct Blind(FakeSession, &'static str);

#[async_trait]
impl TaskSession for Blind {
    async fn call(&mut self, mode: Mode, _: &ActionCall) -> Result<ActionReply, TestbedError> {
        self.0.call(mode, &ActionCall::new(self.1, Map::new())).await
    }

    async fn export(&mut self) -> Result<Vec<u8>, TestbedError> {
        self.0.export().await
    }

    async fn close(self: Box<Self>) {
        Box::new(self.0).close().await;
    }
}

#[tokio::test]
async fn a_look_that_always_fails_is_the_agents_unless_the_testbed_is_shown_to_have_broken() {
    for (name, ending) in [
        ("break", Ending::InfraError),
        ("vanish", Ending::InfraError),
        ("lose", Ending::Crashed),
        ("queue", Ending::Crashed),
        ("refuse", Ending::Crashed),
    ] {
        let (mut session, mut agent) = (Blind(FakeSession::default(), name), ListAgent::new(&[]));
        let (task, limits) = (task("t", 9, 9), LimitOverrides::default());
        let played = play(&mut session, &mut agent, &task, Mode::Composite, limits, &mut |_| {}).await;
        assert_eq!((played.ending, played.code.is_some()), (ending, ending == Ending::InfraError), "{name}");
    }
}

#[tokio::test]
async fn an_agent_that_breaks_is_named_as_such() {
    let mut session = FakeSession::default();
    let played =
        play(&mut session, &mut Broken, &task("t", 9, 9), Mode::Composite, LimitOverrides::default(), &mut |_| {})
            .await;
    assert_eq!(played.ending, Ending::AgentError);
    assert_eq!(played.error.unwrap(), "the agent failed: no answer");
}

/// An agent that takes for ever.
struct Hanging;

#[async_trait]
impl Agent for Hanging {
    fn look(&self) -> Option<Map<String, Value>> {
        None
    }

    async fn decide(&mut self, _: View<'_>) -> Result<Decision, AgentError> {
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_waits_for_no_provider_has_no_more_than_the_limit_for_a_decision() {
    let (began, mut session) = (tokio::time::Instant::now(), FakeSession::default());
    let limits = LimitOverrides::default();
    let played = play(&mut session, &mut Hanging, &task("t", 9, 60), Mode::Composite, limits, &mut |_| {}).await;
    assert_eq!((played.ending, began.elapsed().as_secs()), (Ending::WallLimit, 60));
}

/// An agent whose requests are held before it says that it is done.
struct Held;

#[async_trait]
impl Agent for Held {
    fn look(&self) -> Option<Map<String, Value>> {
        None
    }

    fn waits_for_provider(&self) -> bool {
        true
    }

    async fn decide(&mut self, _: View<'_>) -> Result<Decision, AgentError> {
        tokio::time::sleep(Duration::from_secs(600)).await;
        Ok(ActionCall::new("done", Map::new()).into())
    }
}

/// Holds requests for this long, from when it is made.
struct Holding(tokio::time::Instant, Duration);

#[async_trait]
impl Meter for Holding {
    async fn admit(&self) -> Result<(), NotAdmitted> {
        Ok(())
    }

    fn held(&self) -> Duration {
        self.0.elapsed().min(self.1)
    }

    fn answered(&self, _: Usage) {}

    fn refused(&self, _: Refusal) {}
}

#[tokio::test(start_paused = true)]
async fn no_clock_runs_while_requests_are_held() {
    for (held, ending) in [(600, Ending::Done), (300, Ending::WallLimit)] {
        let meter = Arc::new(Holding(tokio::time::Instant::now(), Duration::from_secs(held)));
        let (mut session, limits) = (FakeSession::default(), LimitOverrides::default());
        let task = task("t", 9, 60);
        let (mut agent, mut on_note) = (Held, |_| {});
        let playing = play(&mut session, &mut agent, &task, Mode::Composite, limits, &mut on_note);
        let played = metered(meter, playing).await;
        assert_eq!(played.ending, ending, "held for {held} of 600 seconds, with 3 x 60 allowed");
    }
}
