//! The oracle against the real editor: its lists solve the tasks, and no step of them is idle.

use std::time::Duration;

use futures::future::join_all;
use scratchbed::action::perform;
use scratchbed::certify::solution;
use scratchbed::compile::build_file;
use scratchbed::compile::{Source, compile};
use scratchbed::judge::{Conditions, Judges};
use scratchbed::model::{ActionCall, Coded, Mode, Outcome};
use scratchbed::project::Project;
use scratchbed::project::diff::diff;
use scratchbed::session::{Fleet, SessionHandle, SessionOptions, Sessions, Start};
use scratchbed::solver::{Mouse, MousePlan, Oracle};
use scratchbed::taskset::{TaskEntry, TaskSet};

use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::{MODEL_TASKS, root};

/// Sessions at work at the same time; the tests' machine has two cores.
const AT_ONCE: usize = 3;
/// How long one look at a session may take.
const LIMIT: Duration = Duration::from_secs(30);

/// Plays an oracle to its end: `None` when it says `done`, the reason when it gives up.
async fn play(session: &SessionHandle, mode: Mode, mut oracle: Oracle) -> Option<String> {
    let mut call = oracle.next(None);
    while call.api != "done" && call.api != "failed" {
        let reply = perform(session, mode, call).await.unwrap();
        call = oracle.next(Some(&reply));
    }
    call.args.get("reason").map(ToString::to_string)
}

/// Where attempts are made.
struct Bench {
    judges: Judges,
    fleet: Fleet,
    sessions: Sessions,
}

/// Whether the oracle solves the task in a session, from the initial project on, and how that showed.
async fn solves(
    bench: &Bench,
    id: &str,
    entry: &TaskEntry,
    mode: Mode,
    initial: &[u8],
    oracle: Oracle,
) -> (bool, String) {
    let session = bench.sessions.get(id).await.unwrap();
    bench.sessions.load(id, initial.to_vec()).await.unwrap();
    let given_up = play(&session, mode, oracle).await;
    let project = session.run(LIMIT, |live| Box::pin(live.export())).await.unwrap().unwrap();
    if let Some(reason) = given_up {
        return (false, reason);
    }
    let judgement = bench.judges.judge(entry, &project.write().unwrap(), &Conditions::seeded(1)).await;
    let verdict = judgement.unwrap().verdict;
    assert!(matches!(verdict.outcome, Outcome::Passed | Outcome::Failed), "{verdict:#?}");
    (verdict.outcome == Outcome::Passed, format!("{verdict:#?}"))
}

/// Solves every model task that has a list for this mode: whole, and with each step left out in turn.
async fn every_attempt(mode: Mode) {
    let set = TaskSet::read(root()).unwrap();
    let fleet = fleet().await;
    let options = SessionOptions { limit: AT_ONCE, idle: Duration::from_secs(600) };
    let judges = Judges::new(fleet.clone(), AT_ONCE);
    let bench = Bench { sessions: Sessions::new(fleet.clone(), options), judges, fleet };
    let mut lists = 0;
    for entry in MODEL_TASKS.map(|id| set.find(id).unwrap()) {
        let Ok(whole) = Oracle::new(entry, mode) else { continue };
        lists += 1;
        let initial = build_file(&bench.fleet, &entry.initial()).await.unwrap();
        let skips: Vec<_> = std::iter::once(None).chain((1..=whole.steps()).map(Some)).collect();
        // A session serves many attempts, since opening the editor takes longer than an attempt.
        let lanes = (0..AT_ONCE).map(|lane| {
            let (bench, initial, whole, skips) = (&bench, &initial, &whole, &skips);
            async move {
                let info = bench.sessions.create(Start::default()).await.unwrap();
                let mut ends = Vec::new();
                for &skip in skips.iter().skip(lane).step_by(AT_ONCE) {
                    let oracle = skip.map_or_else(|| whole.clone(), |step| whole.clone().without(step).unwrap());
                    ends.push((skip, solves(bench, &info.id, entry, mode, initial, oracle).await));
                }
                bench.sessions.delete(&info.id).await.unwrap();
                ends
            }
        });
        let ends = join_all(lanes).await.into_iter().flatten();
        for (skip, (solved, told)) in ends {
            assert_eq!(solved, skip.is_none(), "{} without step {skip:?}: {told}", entry.task.id);
        }
    }
    assert!(lists > 0, "no task has a list for {mode} mode");
    bench.judges.close().await;
    bench.sessions.shutdown().await;
    bench.fleet.shutdown().await;
}

#[test]
fn composite_lists_solve_their_tasks_and_need_every_step() {
    in_shared_browsers(async {
        every_attempt(Mode::Composite).await;
    });
}

#[test]
fn primitive_lists_solve_their_tasks_and_need_every_step() {
    in_shared_browsers(async {
        every_attempt(Mode::Primitive).await;
    });
}

/// Two projects that differ in all kinds of things.
async fn before_and_after(fleet: &Fleet) -> [Vec<u8>; 2] {
    let lease = fleet.acquire().await.unwrap();
    let mut built = Vec::new();
    for name in ["before", "after"] {
        let text = root().join(format!("tests/fixtures/oracle/{name}.txt"));
        let project = compile(&lease.page, &Source::read(&text).unwrap()).await.unwrap();
        built.push(project.write().unwrap());
    }
    fleet.release(lease).await;
    built.try_into().unwrap()
}

/// The mouse sees nothing but element lists: the blocks must be those of the second project in the end.
#[test]
fn the_mouse_leads_from_one_project_to_another() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let [initial, golden] = before_and_after(&fleet).await;
        let golden = Project::read(&golden).unwrap();
        let plan = MousePlan::new(&Project::read(&initial).unwrap(), &golden).unwrap();
        let sessions = Sessions::new(fleet.clone(), SessionOptions { limit: 1, idle: Duration::from_secs(600) });
        let start = Start { project: Some(initial), ..Start::default() };
        let session = sessions.get(&sessions.create(start).await.unwrap().id).await.unwrap();
        let look = || {
            ActionCall::new(
                "observe",
                [("picture", "off"), ("ocr", "off")].map(|(k, v)| (k.into(), v.into())).into_iter().collect(),
            )
        };
        let (mut mouse, mut last) = (Mouse::begin(&plan), None);
        let end = loop {
            let seen = perform(&session, Mode::Primitive, look()).await.unwrap();
            let call = mouse.next(&seen.data, last.as_ref());
            if matches!(call.api.as_str(), "done" | "failed") {
                break call;
            }
            last = Some(perform(&session, Mode::Primitive, call).await.unwrap());
        };
        assert_eq!(end.api, "done", "{end:?} after {} misses", mouse.misses());
        let result = session.run(LIMIT, |live| Box::pin(live.export())).await.unwrap().unwrap();
        assert_eq!(diff(&result, &golden), []);
        sessions.shutdown().await;
        fleet.shutdown().await;
    });
}

/// `solution` itself tries the calls and compares what they lead to with the second project.
#[test]
fn calls_are_derived_that_lead_from_one_project_to_another() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let built = before_and_after(&fleet).await;
        let options = SessionOptions { limit: 1, idle: Duration::from_secs(600) };
        let sessions = Sessions::new(fleet.clone(), options);
        let there = solution(&sessions, &built[0], &built[1]).await.unwrap();
        assert!(there.iter().any(|call| call.api == "add_list"), "{there:#?}");
        assert!(there.len() < 100, "{} calls", there.len());
        let back = solution(&sessions, &built[1], &built[0]).await.unwrap_err();
        assert_eq!(back.code(), "not_the_golden", "a list can't be taken away: {back}");
        let none = solution(&sessions, &built[0], &built[0]).await.unwrap_err();
        assert_eq!(none.code(), "nothing_to_do");
        sessions.shutdown().await;
    });
}
