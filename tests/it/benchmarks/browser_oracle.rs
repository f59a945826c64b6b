//! The oracle against the real editor: its lists solve the tasks, and no step of them is idle.
//!
//! One step of some lists is left out, and projects differ in one target: the date says which.
//! `SCRATCHBED_TESTS=all` leaves out every step, and changes every target.

use std::time::Duration;

use scratchbed::action::perform;
use scratchbed::certify::solution;
use scratchbed::compile::{Source, Workbench, compile};
use scratchbed::files::Checkout;
use scratchbed::judge::{Conditions, Judges};
use scratchbed::model::{ActionCall, Coded, Mode, Outcome};
use scratchbed::notation::diff::diff;
use scratchbed::project::Project;
use scratchbed::session::{Fleet, SessionHandle, SessionOptions, Sessions, Start};
use scratchbed::solver::{Mouse, MousePlan, Oracle};
use scratchbed::taskset::{TaskEntry, TaskSet};
use tokio::sync::OnceCell;

use crate::support::browsers::{fleet, fleet_with_spare_pages, in_shared_browsers};
use crate::support::{MODEL_TASKS, everything, of_the_day, root};

/// Tasks of whose lists a step is left out, and how many in turn.
const SHORTENED: usize = 2;
const LEFT_OUT: usize = 1;
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

/// Solves every model task that has a list for this mode: whole, and some with steps left out in turn.
async fn every_attempt(mode: Mode) {
    let set = TaskSet::read(root()).unwrap();
    let fleet = fleet().await;
    let workbench = Workbench::new(fleet.clone(), Checkout::at(root()).projects());
    let options = SessionOptions { limit: 1, idle: Duration::from_secs(600) };
    let judges = Judges::new(fleet.clone(), 1);
    let bench = Bench { sessions: Sessions::new(fleet.clone(), options), judges, fleet };
    let mut open = None;
    let listed = MODEL_TASKS.map(|id| set.find(id).unwrap());
    let listed: Vec<_> = listed.iter().filter_map(|entry| Some((*entry, Oracle::new(entry, mode).ok()?))).collect();
    assert!(!listed.is_empty(), "no task has a list for {mode} mode");
    let shortened = of_the_day(&listed, SHORTENED);
    let shortened: Vec<&str> = shortened.into_iter().map(|(entry, _)| entry.task.id.as_str()).collect();
    for (entry, whole) in &listed {
        let entry = *entry;
        let initial = workbench.build(&entry.initial()).await.unwrap();
        let steps: Vec<usize> = (1..=whole.steps()).collect();
        let is_shortened = shortened.contains(&entry.task.id.as_str());
        let left_out = of_the_day(&steps, LEFT_OUT).into_iter().filter(|_| is_shortened);
        for skip in std::iter::once(None).chain(left_out.copied().map(Some)) {
            let oracle = skip.map_or_else(|| whole.clone(), |step| whole.clone().without(step).unwrap());
            let id = match open.take() {
                Some(id) => id,
                None => bench.sessions.create(Start::default()).await.unwrap().id,
            };
            let (solved, told) = solves(&bench, &id, entry, mode, &initial, oracle).await;
            assert_eq!(solved, skip.is_none(), "{} without step {skip:?}: {told}", entry.task.id);
            // A session serves many attempts, since opening the editor takes longer than one. The mouse begins with what the
            // editor looks like when it opens.
            if mode == Mode::Composite {
                open = Some(id);
            } else {
                bench.sessions.delete(&id).await.unwrap();
            }
        }
    }
    workbench.clear().await;
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

/// What parts the targets of a text, and the scripts of a target from what it declares.
const SPRITE: &str = "\n\nsprite ";
const SCRIPT: &str = "\n\n  script";

/// The text `after` with all targets but one as they are in `before`. The stage has its list, since any target may
/// use it.
fn with_one_changed(changed: usize, before: &str, after: &str) -> String {
    let targets = before.split(SPRITE).zip(after.split(SPRITE)).enumerate();
    let targets = targets.map(|(at, (old, new))| match (old.split_once(SCRIPT), new.split_once(SCRIPT)) {
        _ if at == changed => new.to_owned(),
        (Some((_, scripts)), Some((declared, _))) if at == 0 => format!("{declared}{SCRIPT}{scripts}"),
        _ => old.to_owned(),
    });
    targets.collect::<Vec<_>>().join(SPRITE)
}

/// The target that differs today; none where all of them do.
fn changed_today() -> Option<usize> {
    (!everything()).then(|| *of_the_day(&[0, 1, 2], 1)[0])
}

/// A text without the moth, which nothing but its own scripts needs.
fn without_moth(text: &str) -> String {
    let others = text.split(SPRITE).filter(|target| !target.starts_with("\"Moth\""));
    others.collect::<Vec<_>>().join(SPRITE)
}

/// The texts of two projects that differ in all kinds of things, in one target or in all of them.
fn before_and_after(changed: Option<usize>) -> [Source; 2] {
    let read = |name: &str| Source::read(&root().join(format!("tests/fixtures/oracle/{name}.txt"))).unwrap();
    let (mut before, mut after) = (read("before"), read("after"));
    if let Some(changed) = changed {
        after.text = with_one_changed(changed, &before.text, &after.text);
        if changed != 1 {
            (before.text, after.text) = (without_moth(&before.text), without_moth(&after.text));
        }
    }
    [before, after]
}

/// Two projects that differ in what differs today, and two that differ in the stage alone, without the moth; all of them built in one
/// page, for all tests that need them.
async fn built(fleet: &Fleet) -> &'static [Vec<u8>; 4] {
    static BUILT: OnceCell<[Vec<u8>; 4]> = OnceCell::const_new();
    let make = || async {
        let lease = fleet.acquire().await.unwrap();
        let mut built = Vec::new();
        for text in [before_and_after(changed_today()), before_and_after(Some(0))].concat() {
            let project = compile(&lease.page, &text).await.unwrap();
            built.push(project.write().unwrap());
        }
        fleet.release(lease).await;
        <[Vec<u8>; 4]>::try_from(built).unwrap()
    };
    BUILT.get_or_init(make).await
}

/// The mouse sees nothing but element lists: the blocks must be those of the second project in the end.
#[test]
fn the_mouse_leads_from_one_project_to_another() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let [initial, golden, ..] = built(&fleet).await;
        let golden = Project::read(golden).unwrap();
        let plan = MousePlan::new(&Project::read(initial).unwrap(), &golden).unwrap();
        let sessions = Sessions::new(fleet.clone(), SessionOptions { limit: 1, idle: Duration::from_secs(600) });
        let start = Start { project: Some(initial.clone()), ..Start::default() };
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
        let fleet = fleet_with_spare_pages(1).await;
        // What leads nowhere is shown without the moth: each attempt looks at the palettes of all targets.
        let [before, after, stage_before, stage_after] = built(&fleet).await;
        let options = SessionOptions { limit: 1, idle: Duration::from_secs(600) };
        let sessions = Sessions::new(fleet.clone(), options);
        let back = solution(&sessions, stage_after, stage_before).await.unwrap_err();
        assert_eq!(back.code(), "not_the_golden", "a list can't be taken away: {back}");
        // No one comes after this one, so that no page is opened ahead.
        fleet.keep_spare(0);
        let there = solution(&sessions, before, after).await.unwrap();
        assert!(there.iter().any(|call| call.api == "add_list"), "{there:#?}");
        assert!(there.len() < 100, "{} calls", there.len());
        assert_eq!(fleet.status().warm, 0);
        sessions.shutdown().await;
    });
}
