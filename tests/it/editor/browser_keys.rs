//! Keys and scrolling that belong to the browser: none of it reaches it, and a page that is left all the same comes back.

use scratchbed::action::perform;
use scratchbed::model::{ActionCall, ActionReply, Mode};
use scratchbed::page::scripts::PageFn;
use scratchbed::session::{SessionError, SessionHandle, Start};
use serde_json::{Value, json};

use crate::support::browsers::{in_shared_browsers, sessions};

const LEAVE_PAGE: PageFn<(), ()> = PageFn::new("leave-page", include_str!("../support/js/leave-page.js"));

async fn act(session: &SessionHandle, api: &str, args: Value) -> Result<ActionReply, SessionError> {
    let Value::Object(args) = args else { panic!("arguments are an object") };
    perform(session, Mode::Primitive, ActionCall::new(api, args)).await
}

#[test]
fn a_key_of_the_browser_is_the_agents_mistake_and_costs_it_nothing() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let info = sessions.create(Start::default()).await.unwrap();
        let session = sessions.get(&info.id).await.unwrap();
        for (api, args) in [
            ("key", json!({"key": "F5"})),
            ("key", json!({"key": "F1"})),
            ("hotkey", json!({"keys": ["ctrl", "r"]})),
            ("hotkey", json!({"keys": ["ctrl", "shift", "r"]})),
            ("hotkey", json!({"keys": ["alt", "Home"]})),
            ("hotkey", json!({"keys": ["ctrl", "t"]})),
            ("hotkey", json!({"keys": ["ctrl", "w"]})),
            ("hotkey", json!({"keys": ["alt", "F4"]})),
            ("hotkey", json!({"keys": ["ctrl", "+"]})),
        ] {
            let error = act(&session, api, args.clone()).await.unwrap().error.unwrap();
            assert_eq!((error.code.as_str(), error.infrastructure), ("key_not_allowed", false), "{args}");
            assert!(error.hint.is_some(), "{args}");
            let next = act(&session, "click", json!({"x": 900, "y": 650})).await.unwrap();
            assert!(next.success, "after {args}: {:?}", next.error);
        }
        let info = sessions.inspect(&info.id).await.unwrap();
        assert_eq!((info.page_lost, info.recovered), (0, 0));
        sessions.shutdown().await;
    });
}

#[test]
fn scrolling_where_nothing_scrolls_does_not_go_back_in_the_history() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let info = sessions.create(Start::default()).await.unwrap();
        let session = sessions.get(&info.id).await.unwrap();
        for (x, y) in [(963, 328), (640, 20), (20, 400), (1000, 650)] {
            for direction in ["left", "left", "left", "right", "right", "up", "down"] {
                let args = json!({"direction": direction, "amount": 1400, "x": x, "y": y});
                let reply = act(&session, "scroll", args).await.unwrap();
                assert!(reply.success, "{direction} at {x}, {y}: {:?}", reply.error);
            }
        }
        let info = sessions.inspect(&info.id).await.unwrap();
        assert_eq!((info.page_lost, info.recovered), (0, 0));
        sessions.shutdown().await;
    });
}

#[test]
fn a_page_that_is_left_comes_back_with_its_project_and_one_call_is_told() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let info = sessions.create(Start::default()).await.unwrap();
        let session = sessions.get(&info.id).await.unwrap();
        let add = json!({"blockType": "motion_movesteps", "creation": {}}).as_object().unwrap().clone();
        let added = perform(&session, Mode::Composite, ActionCall::new("add_block", add)).await.unwrap();
        assert!(added.success, "{:?}", added.error);
        let limit = std::time::Duration::from_secs(20);
        let left = session.run(limit, |live| {
            Box::pin(async move {
                let left = live.page().call(&LEAVE_PAGE, &()).await.map_err(SessionError::from);
                live.recorder.answer_result(&left);
                // The call succeeds although the page is gone by then.
                while live.page().loss().is_none() {
                    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                }
                left
            })
        });
        left.await.unwrap().unwrap();
        let mut told = 0;
        for _ in 0..4 {
            match act(&session, "click", json!({"x": 900, "y": 650})).await {
                Ok(reply) if reply.success => {}
                Ok(reply) => {
                    let error = reply.error.unwrap();
                    assert_eq!((error.code.as_str(), error.infrastructure), ("page_lost", true), "{error:?}");
                    told += 1;
                }
                Err(SessionError::Page(error)) if error.is_lost() => told += 1,
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(told, 1, "calls that were told");
        let info = sessions.inspect(&info.id).await.unwrap();
        assert_eq!((info.page_lost, info.recovered), (1, 1));
        let project = session.run(limit, |live| Box::pin(live.export())).await.unwrap().unwrap();
        let blocks = project.json["targets"][1]["blocks"].as_object().unwrap();
        assert_eq!(blocks.values().filter(|block| block["opcode"] == "motion_movesteps").count(), 1);
        sessions.shutdown().await;
    });
}
