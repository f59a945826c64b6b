//! The list of sessions against a model of it, over real pages: whatever is done in whatever order, as many sessions live as
//! were created and not ended, no caller has more than its share, and there are never more pages than places, at once as well as at rest.

use std::ops::Range;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use proptest::prelude::*;
use proptest::test_runner::Config;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use scratchbed::action::perform;
use scratchbed::model::{ActionCall, Mode};
use scratchbed::session::{SessionError, Sessions, Start};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::support::browsers::own_sessions;
use crate::support::everything;

/// Places in all, and of one caller.
const PLACES: usize = 3;
const SHARE: usize = 2;
const OWNERS: [&str; 2] = ["ann", "bob"];
/// The lease of sessions that are made to expire, and the time after which they have.
const LEASE: Duration = Duration::from_secs(15);
const EXPIRED: Duration = Duration::from_secs(18);
/// How long pages may take to be closed.
const REST_LIMIT: Duration = Duration::from_secs(30);

/// A living session.
#[derive(Debug, Clone, Copy)]
struct Living {
    owner: usize,
    expires: bool,
}

/// What may happen. Sessions are named by their place in the list.
#[derive(Debug, Clone)]
enum Step {
    Create {
        owner: usize,
        expires: bool,
    },
    /// The caller goes away so many milliseconds later, at most.
    CreateAndGo {
        owner: usize,
        after_ms: u64,
    },
    Act(usize),
    ActAndGo {
        session: usize,
        after_ms: u64,
    },
    Reset(usize),
    LoadNoProject(usize),
    Delete(usize),
    KillBrowser(usize),
    Expire,
}

#[derive(Debug)]
struct Model;

fn has_room(living: &[Living], owner: usize) -> bool {
    living.len() < PLACES && living.iter().filter(|one| one.owner == owner).count() < SHARE
}

impl ReferenceStateMachine for Model {
    type State = Vec<Living>;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Self::State> {
        Just(Vec::new()).boxed()
    }

    fn transitions(living: &Self::State) -> BoxedStrategy<Step> {
        let owner = 0..OWNERS.len();
        let create = (owner.clone(), prop::bool::weighted(0.2));
        let create = create.prop_map(|(owner, expires)| Step::Create { owner, expires });
        let and_go = (owner, 0_u64..600).prop_map(|(owner, after_ms)| Step::CreateAndGo { owner, after_ms });
        if living.is_empty() {
            return prop_oneof![4 => create, 1 => and_go].boxed();
        }
        let session = 0..living.len();
        prop_oneof![
            6 => create,
            2 => and_go,
            4 => session.clone().prop_map(Step::Act),
            2 => (session.clone(), 0_u64..100).prop_map(|(session, after_ms)| Step::ActAndGo { session, after_ms }),
            2 => session.clone().prop_map(Step::Reset),
            2 => session.clone().prop_map(Step::LoadNoProject),
            4 => session.clone().prop_map(Step::Delete),
            1 => session.prop_map(Step::KillBrowser),
            1 => Just(Step::Expire),
        ]
        .boxed()
    }

    fn apply(mut living: Self::State, step: &Step) -> Self::State {
        match *step {
            Step::Create { owner, expires } if has_room(&living, owner) => living.push(Living { owner, expires }),
            Step::Delete(session) => drop(living.remove(session)),
            Step::Expire => living.retain(|one| !one.expires),
            _ => {}
        }
        living
    }

    fn preconditions(living: &Self::State, step: &Step) -> bool {
        match step {
            Step::Act(session)
            | Step::ActAndGo { session, .. }
            | Step::Reset(session)
            | Step::LoadNoProject(session)
            | Step::Delete(session)
            | Step::KillBrowser(session) => *session < living.len(),
            Step::Expire => living.iter().any(|one| one.expires),
            Step::Create { .. } | Step::CreateAndGo { .. } => true,
        }
    }
}

/// The real thing, with the names of its living sessions.
struct Real {
    runtime: Runtime,
    sessions: Sessions,
    living: Vec<(String, Living)>,
}

impl Real {
    async fn create(sessions: &Sessions, owner: usize, expires: bool) -> Result<String, SessionError> {
        let lease = expires.then_some(LEASE);
        let start = Start { owner: Some(OWNERS[owner].to_owned()), lease, ..Start::default() };
        sessions.create(start).await.map(|info| info.id)
    }

    /// Looks at a session; after its browser was killed one call may be told of it.
    async fn act(sessions: &Sessions, id: &str) {
        let session = sessions.get(id).await.unwrap();
        for _ in 0..2 {
            let call = ActionCall::new("click", json!({"x": 900, "y": 492}).as_object().unwrap().clone());
            match perform(&session, Mode::Primitive, call).await {
                Ok(reply) if reply.success => return,
                Ok(reply) => assert!(reply.error.unwrap().infrastructure),
                Err(error) => assert!(matches!(error, SessionError::Page(_)), "{error}"),
            }
        }
        panic!("two calls in a row were told of a lost page");
    }

    async fn kill_browser(sessions: &Sessions, id: &str) {
        let session = sessions.get(id).await.unwrap();
        let asked = session.run(LEASE, |live| Box::pin(async move { live.browser_process_id() })).await.unwrap();
        kill(Pid::from_raw(i32::try_from(asked).unwrap()), Signal::SIGKILL).unwrap();
    }
}

#[derive(Debug)]
struct SessionsTest;

impl StateMachineTest for SessionsTest {
    type SystemUnderTest = Real;
    type Reference = Model;

    fn init_test(_: &Vec<Living>) -> Real {
        let runtime = Runtime::new().unwrap();
        let sessions = runtime.block_on(async { own_sessions(PLACES).await.sharing(SHARE) });
        Real { runtime, sessions, living: Vec::new() }
    }

    fn apply(mut real: Real, _: &Vec<Living>, step: Step) -> Real {
        let Real { runtime, sessions, living } = &mut real;
        let name = |session: usize| living[session].0.clone();
        let patience = Duration::from_millis;
        match step {
            Step::Create { owner, expires } => {
                let kinds: Vec<Living> = living.iter().map(|(_, kind)| *kind).collect();
                let created = runtime.block_on(Real::create(sessions, owner, expires));
                assert_eq!(created.is_ok(), has_room(&kinds, owner), "{created:?} beside {kinds:?}");
                living.extend(created.ok().map(|id| (id, Living { owner, expires })));
            }
            Step::CreateAndGo { owner, after_ms } => runtime.block_on(async {
                let created = tokio::time::timeout(patience(after_ms), Real::create(sessions, owner, false)).await;
                if let Ok(Ok(id)) = created {
                    sessions.delete(&id).await.unwrap();
                }
            }),
            Step::Act(session) => runtime.block_on(Real::act(sessions, &name(session))),
            Step::ActAndGo { session, after_ms } => runtime.block_on(async {
                let _ = tokio::time::timeout(patience(after_ms), Real::act(sessions, &name(session))).await;
            }),
            Step::Reset(session) => {
                let _ = runtime.block_on(sessions.reset(&name(session)));
            }
            Step::LoadNoProject(session) => {
                runtime.block_on(sessions.load(&name(session), b"no project".to_vec())).unwrap_err();
            }
            Step::Delete(session) => {
                let id = name(session);
                runtime.block_on(sessions.delete(&id)).unwrap();
                assert!(runtime.block_on(sessions.get(&id)).is_err());
                living.remove(session);
            }
            Step::KillBrowser(session) => runtime.block_on(Real::kill_browser(sessions, &name(session))),
            Step::Expire => runtime.block_on(async {
                let until = Instant::now() + EXPIRED;
                // Those that are not to expire are used.
                while Instant::now() < until {
                    for (id, _) in living.iter().filter(|(_, kind)| !kind.expires) {
                        sessions.get(id).await.unwrap();
                    }
                    tokio::time::sleep(Duration::from_millis(500)).await;
                }
                living.retain(|(_, kind)| !kind.expires);
            }),
        }
        // A session that expires does so by being left alone, and not before the step that waits for it.
        for (id, _) in living.iter() {
            runtime.block_on(async { drop(sessions.get(id).await.unwrap()) });
        }
        real
    }

    fn check_invariants(real: &Real, living: &Vec<Living>) {
        let Real { runtime, sessions, .. } = real;
        let pages = sessions.fleet().status().lent;
        assert!(pages <= PLACES, "{pages} pages for {PLACES} places");
        runtime.block_on(async {
            let deadline = Instant::now() + REST_LIMIT;
            let waiting = || sessions.fleet().turns().status().waiting;
            let lent = || sessions.fleet().status().lent;
            // Creations and calls that nobody waits for end a moment later, and so do their pages.
            while sessions.count().await != living.len() || waiting() > 0 || lent() > living.len() {
                let found = (sessions.count().await, waiting(), lent());
                assert!(
                    Instant::now() < deadline,
                    "(sessions, calls in the queue, pages): {found:?}, wanted {}",
                    living.len()
                );
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
    }

    fn teardown(real: Real, _: Vec<Living>) {
        real.runtime.block_on(async {
            for (id, _) in &real.living {
                real.sessions.delete(id).await.unwrap();
            }
            let deadline = Instant::now() + REST_LIMIT;
            while real.sessions.fleet().status().lent > 0 {
                assert!(Instant::now() < deadline, "{:?}", real.sessions.fleet().status());
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            real.sessions.shutdown().await;
        });
    }
}

/// How many steps a test takes. Each time they are others, so that many short tests see as much as a long one.
fn steps() -> Range<usize> {
    if everything() { 15..25 } else { 5..8 }
}

prop_state_machine! {
    // Each step takes a part of a second, and a failure is read from its steps: shrinking would take an hour.
    #![proptest_config(Config { cases: 1, max_shrink_iters: 0, failure_persistence: None, ..Config::default() })]

    #[test]
    fn sessions_live_as_the_model_says(sequential steps() => SessionsTest);
}
