//! A project file that is none is refused before it has the session's turn, and is in the session's log all the same.

use std::time::Duration;

use scratchbed::model::Coded as _;
use scratchbed::session::Start;
use tokio::sync::oneshot;

use crate::support::browsers::{in_shared_browsers, sessions};

const LIMIT: Duration = Duration::from_secs(60);

#[test]
fn what_is_no_project_waits_for_no_turn_and_its_refusal_is_in_the_log() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let id = sessions.create(Start::default()).await.unwrap().id;
        let handle = sessions.get(&id).await.unwrap();
        let (begun, begins) = oneshot::channel();
        let (free, held) = oneshot::channel::<()>();
        let busy = handle.clone();
        let busy = tokio::spawn(async move {
            let job = busy.run(LIMIT, move |_| {
                Box::pin(async move {
                    let _ = begun.send(());
                    let _ = held.await;
                })
            });
            job.await
        });
        begins.await.unwrap();
        let refused = sessions.load(&id, b"no project".to_vec()).await.unwrap_err();
        assert_eq!(refused.code(), "broken_archive", "while another call goes on");
        free.send(()).unwrap();
        busy.await.unwrap().unwrap();

        // What is asked next comes after it.
        handle.run(LIMIT, |_| Box::pin(async {})).await.unwrap();
        let lines = sessions.log(&id).await.unwrap().after(0, 1000, Duration::ZERO).await.lines;
        let at = |part: &str| lines.iter().position(|line| line.json.contains(part));
        let (asked, answered) = (at("\"load_project\"").unwrap(), at("\"broken_archive\"").unwrap());
        let between = lines.get(asked + 1..answered).unwrap();
        assert!(!between.iter().any(|line| line.json.contains("\"kind\":\"request\"")), "{between:?}");
        drop(handle);
        sessions.shutdown().await;
    });
}
