//! The session room against the real Chromium and editor.

use std::time::Duration;

use scratchbed::page::results::Readiness;
use scratchbed::page::scripts;
use scratchbed::project::Project;
use scratchbed::session::{SessionError, Start};

use crate::support::browsers::{fleet_with_spare_pages, in_shared_browsers, own_sessions, sessions};

fn targets(project: &Project) -> &Vec<serde_json::Value> {
    project.json["targets"].as_array().unwrap()
}

const LIMIT: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread")]
async fn a_session_keeps_its_project_when_its_browser_is_killed() {
    let sessions = own_sessions(2).await;
    let info = sessions.create(Start::default()).await.unwrap();
    let handle = sessions.get(&info.id).await.unwrap();
    let before = handle.run(LIMIT, |live| Box::pin(live.export())).await.unwrap().unwrap();
    let id = handle.run(LIMIT, |live| Box::pin(async move { live.browser_process_id() })).await.unwrap();
    let browser = nix::unistd::Pid::from_raw(i32::try_from(id).unwrap());
    nix::sys::signal::kill(browser, nix::sys::signal::Signal::SIGKILL).unwrap();
    // The very next call may still meet the dying page; it then says so, and the one after it works.
    let first = handle.run(LIMIT, |live| Box::pin(live.export())).await.unwrap();
    let after = match first {
        Ok(project) => project,
        Err(SessionError::Page(error)) if error.is_lost() => {
            handle.run(LIMIT, |live| Box::pin(live.export())).await.unwrap().unwrap()
        }
        Err(error) => panic!("{error}"),
    };
    // The editor sanitises SVG on loading, so digests may change once; names and numbers may not.
    assert_eq!(before.assets.len(), after.assets.len());
    for (old, new) in targets(&before).iter().zip(targets(&after)) {
        assert_eq!(old["name"], new["name"]);
        assert_eq!(old["blocks"], new["blocks"]);
        assert_eq!(old["variables"], new["variables"]);
    }
    sessions.shutdown().await;
}

#[test]
fn a_full_house_refuses_and_a_deleted_session_makes_room() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let info = sessions.create(Start::default()).await.unwrap();
        assert!(matches!(sessions.create(Start::default()).await, Err(SessionError::Full { limit: 1 })));
        sessions.delete(&info.id).await.unwrap();
        assert!(matches!(sessions.get(&info.id).await, Err(SessionError::Unknown(_))));
        sessions.create(Start::default()).await.unwrap();
        sessions.shutdown().await;
    });
}

/// Goes through the page functions `snapshot` and `load-project`.
#[test]
fn an_exported_project_loads_again_and_the_page_is_ready() {
    in_shared_browsers(async {
        let sessions = sessions(2).await;
        let info = sessions.create(Start::default()).await.unwrap();
        let handle = sessions.get(&info.id).await.unwrap();
        let project = handle.run(LIMIT, |live| Box::pin(live.export())).await.unwrap().unwrap();
        let report = sessions.load(&info.id, project.write().unwrap()).await.unwrap();
        assert_eq!(report.targets, ["Stage", "Sprite1"]);
        assert!(report.missing_assets.is_empty(), "{report:?}");
        assert!(sessions.load(&info.id, b"nonsense".to_vec()).await.is_err());
        let ready = handle.run(LIMIT, |live| Box::pin(async move { live.page().call(&scripts::READY, &()).await }));
        assert_eq!(ready.await.unwrap().unwrap(), Readiness::Ready);
        sessions.reset(&info.id).await.unwrap();
        sessions.shutdown().await;
    });
}

#[test]
fn a_load_that_breaks_costs_the_page_and_not_the_session() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let id = sessions.create(Start::default()).await.unwrap().id;
        let handle = sessions.get(&id).await.unwrap();
        let project = handle.run(LIMIT, |live| Box::pin(live.export())).await.unwrap().unwrap();
        let mut sound = project.clone();
        sound.json["targets"][1]["name"] = "Otter".into();
        sessions.load(&id, sound.write().unwrap()).await.unwrap();
        // The editor's machine wants a number, and refuses after we have let the file pass.
        let mut broken = project.clone();
        broken.json["targets"][1]["volume"] = "loud".into();
        for _ in 0..2 {
            let error = sessions.load(&id, broken.write().unwrap()).await.unwrap_err();
            assert!(matches!(error, SessionError::LoadFailed { .. }), "{error}");
        }
        let kept = handle.run(LIMIT, |live| Box::pin(live.export())).await.unwrap().unwrap();
        assert_eq!(targets(&kept)[1]["name"], "Otter");
        assert_eq!(sessions.inspect(&id).await.unwrap().page_lost, 2, "each broken load is followed by a new page");
        let report = sessions.load(&id, project.write().unwrap()).await.unwrap();
        assert_eq!(report.targets, ["Stage", "Sprite1"]);
        sessions.shutdown().await;
    });
}

#[test]
fn a_session_that_comes_before_the_spare_page_is_ready_gets_it_and_no_second_one_is_opened() {
    in_shared_browsers(async {
        let fleet = fleet_with_spare_pages(1).await;
        // The pool has begun to open its page as soon as the fleet counts one.
        while fleet.status().lent == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let lease = fleet.acquire().await.unwrap();
        assert_eq!((fleet.status().lent, fleet.status().warm), (1, 0), "a second page was opened");
        fleet.release(lease).await;
        let filled = async {
            while fleet.status().warm == 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), filled).await.expect("the pool is filled after that");
    });
}
