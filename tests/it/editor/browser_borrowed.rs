//! What is borrowed comes back by itself: places, pages and browsers, when callers go away, sessions end in the middle of
//! their work, and browsers or renderers hang instead of dying.

use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use scratchbed::judge::{Conditions, Judges};
use scratchbed::meter::process_tree;
use scratchbed::session::{Fleet, SessionError, Sessions, Start};
use scratchbed::taskset::TaskSet;

use crate::judging::browser_judge::projects;
use crate::support::browsers::{fleet, in_shared_browsers, own_sessions, sessions};
use crate::support::{day, everything, root};

/// How long pages may take to come back.
const BACK_LIMIT: Duration = Duration::from_secs(30);
/// How long a hung browser or page may keep a call: a command's own limit, and the questions whether it still answers.
const HUNG_LIMIT: Duration = Duration::from_secs(90);
/// The limit of a call to a page that hangs.
const CALL_LIMIT: Duration = Duration::from_secs(2);

/// Waits until no page is lent.
async fn all_back(fleet: &Fleet) {
    let deadline = Instant::now() + BACK_LIMIT;
    while fleet.status().lent > 0 {
        assert!(Instant::now() < deadline, "{} pages did not come back", fleet.status().lent);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn create(sessions: &Sessions) -> scratchbed::session::SessionHandle {
    let info = sessions.create(Start::default()).await.unwrap();
    sessions.get(&info.id).await.unwrap()
}

#[test]
fn creations_that_are_cut_off_at_any_moment_leave_nothing_taken() {
    in_shared_browsers(async {
        let sessions = sessions(2).await;
        // The first starts the browser, so that the cuts fall into all that comes after it.
        let first = create(&sessions).await;
        sessions.delete(first.id()).await.unwrap();
        // Every fourth moment, from another one each day.
        let (first, step) = if everything() { (0, 1) } else { (day() % 4, 4) };
        for patience_ms in [0, 1, 3, 10, 30, 100, 200, 300, 500, 700, 1000].into_iter().skip(first).step_by(step) {
            let patience = Duration::from_millis(patience_ms);
            let both = futures::future::join(sessions.create(Start::default()), sessions.create(Start::default()));
            if let Ok((one, two)) = tokio::time::timeout(patience, both).await {
                for created in [one, two] {
                    sessions.delete(&created.unwrap().id).await.unwrap();
                }
            }
            all_back(sessions.fleet()).await;
        }
        assert_eq!(sessions.count().await, 0, "a session lives on that nobody knows");
        let (one, two) = (create(&sessions).await, create(&sessions).await);
        assert_eq!(sessions.fleet().status().lent, 2);
        assert!(matches!(sessions.create(Start::default()).await, Err(SessionError::Full { limit: 2 })));
        drop((one, two));
        sessions.shutdown().await;
    });
}

#[test]
fn a_deleted_session_stops_working_and_its_place_is_free_when_its_page_is_gone() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let session = create(&sessions).await;
        let long = |session: scratchbed::session::SessionHandle| async move {
            let limit = Duration::from_secs(60);
            session.run(limit, |_| Box::pin(tokio::time::sleep(Duration::from_secs(50)))).await
        };
        let running = tokio::spawn(long(session.clone()));
        while !session.activity().borrow().busy {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let waiting = tokio::spawn(long(session.clone()));
        tokio::task::yield_now().await;
        let started = Instant::now();
        sessions.delete(session.id()).await.unwrap();
        assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
        assert!(matches!(running.await.unwrap(), Err(SessionError::Ended(_))));
        assert!(matches!(waiting.await.unwrap(), Err(SessionError::Ended(_))));
        assert_eq!(sessions.fleet().status().lent, 0, "the page is still lent");
        assert_eq!(sessions.fleet().turns().status().waiting, 0);
        // A handle that is still held keeps nothing.
        assert!(matches!(long(session).await, Err(SessionError::Ended(_))));
        let next = create(&sessions).await;
        drop(next);
        sessions.shutdown().await;
    });
}

#[test]
fn a_judgement_that_is_cut_off_gives_its_page_back() {
    in_shared_browsers(async {
        let judges = Judges::new(fleet().await, 1);
        let tasks = TaskSet::read(root()).unwrap();
        let entry = tasks.find("kite_gusts").unwrap();
        let sb3 = projects(judges.fleet(), entry).await.initial;
        let how = Conditions::seeded(1);
        // As its page opens, and as it judges.
        for patience_ms in [400, 1500] {
            let judging = judges.judge(entry, &sb3, &how);
            let _ = tokio::time::timeout(Duration::from_millis(patience_ms), judging).await;
            judges.close().await;
            all_back(judges.fleet()).await;
        }
        let judgement = judges.judge(entry, &sb3, &how).await.unwrap();
        assert!(judgement.verdict.error.is_none(), "{:?}", judgement.verdict.error);
        judges.close().await;
        judges.fleet().shutdown().await;
    });
}

/// Stops a process of the session's browser as a debugger or a machine without memory would.
fn stop(browser: u32, wanted: impl Fn(&str) -> bool) {
    let tree = process_tree::tree(browser);
    let line = |id| std::fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default();
    let found: Vec<u32> = tree.iter().map(|process| process.id).filter(|id| wanted(&line(*id))).collect();
    assert!(!found.is_empty(), "there is no such process");
    for id in found {
        kill(Pid::from_raw(i32::try_from(id).unwrap()), Signal::SIGSTOP).unwrap();
    }
}

async fn goes_on_when_it_hangs(wanted: fn(&str) -> bool, call_limit: Duration) {
    let sessions = own_sessions(1).await;
    let session = create(&sessions).await;
    let limit = HUNG_LIMIT;
    let browser = session.run(limit, |live| Box::pin(async move { live.browser_process_id() })).await.unwrap();
    // The answer comes before the session has tidied up.
    session.activity().wait_for(|activity| activity.calls == 1).await.unwrap();
    stop(browser, wanted);
    let started = Instant::now();
    let look = |limit| session.run(limit, |live| Box::pin(async move { live.page().screenshot().await.is_ok() }));
    let picture = look(call_limit).await;
    assert!(!picture.unwrap_or_default(), "the page answered although it was stopped, after {:?}", started.elapsed());
    // The next call finds a new page.
    let picture = look(limit).await;
    assert!(picture.unwrap(), "no new page");
    assert!(started.elapsed() < HUNG_LIMIT, "{:?}", started.elapsed());
    let info = sessions.inspect(session.id()).await.unwrap();
    assert_eq!((info.page_lost, info.recovered), (1, 1));
    sessions.shutdown().await;
}

/// Most of the time goes by while nobody works: both are waited for at once, each in a browser of its own.
#[tokio::test(flavor = "multi_thread")]
async fn what_hangs_is_as_good_as_dead() {
    tokio::join!(a_browser_that_hangs_is_as_good_as_dead(), a_renderer_that_hangs_is_as_good_as_dead());
}

async fn a_browser_that_hangs_is_as_good_as_dead() {
    goes_on_when_it_hangs(|line| !line.contains("--type="), HUNG_LIMIT).await;
}

async fn a_renderer_that_hangs_is_as_good_as_dead() {
    // A caller's limit puts a page in doubt as the command's own does, which `own_browser_proxied` waits for.
    goes_on_when_it_hangs(|line| line.contains("--type=renderer"), CALL_LIMIT).await;
}
