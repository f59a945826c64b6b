//! The HTTP API on a real port, over the real editor.

use std::time::{Duration, Instant};

use reqwest::{Client, Method, RequestBuilder, StatusCode};
use scratchbed::action::registry;
use scratchbed::http::serve;
use scratchbed::session::{SessionOptions, Sessions};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::api::routes::{JUDGE_TOKEN, api_over};
use crate::support::browsers::{fleet, in_shared_browsers};

/// A running server with a client.
struct Server {
    base: String,
    client: Client,
    stop: Option<oneshot::Sender<()>>,
    ended: JoinHandle<std::io::Result<()>>,
}

impl Server {
    async fn start(limit: usize, idle: Duration) -> Self {
        let state = api_over(Sessions::new(fleet().await, SessionOptions { limit, idle })).into();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(serve(listener, state, async move {
            let _ = stopped.await;
        }));
        Self { base, client: scratchbed::agent::http_client().no_proxy().build().unwrap(), stop: Some(stop), ended }
    }

    async fn with_session(limit: usize) -> (Self, String) {
        let server = Self::start(limit, Duration::from_secs(600)).await;
        let info = server.json(Method::POST, "/sessions", &Value::Null, StatusCode::CREATED).await;
        let id = info["id"].as_str().unwrap().to_owned();
        (server, id)
    }

    fn to(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    async fn json(&self, method: Method, path: &str, body: &Value, status: StatusCode) -> Value {
        let request = self.to(method, path);
        let request = if body.is_null() { request } else { request.json(body) };
        let response = request.send().await.unwrap();
        let (given, text) = (response.status(), response.text().await.unwrap());
        assert_eq!(given, status, "{path}: {text}");
        if text.is_empty() { Value::Null } else { serde_json::from_str(&text).unwrap() }
    }

    async fn bytes(&self, path: &str) -> Vec<u8> {
        let response = self.to(Method::GET, path).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        response.bytes().await.unwrap().to_vec()
    }

    async fn stop(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        self.ended.await.unwrap().unwrap();
    }
}

#[test]
fn verdicts_are_for_the_holder_of_the_judges_token() {
    in_shared_browsers(async {
        let (server, id) = Server::with_session(1).await;
        let sb3 = server.bytes(&format!("/sessions/{id}/project")).await;
        let judge = |path: &'static str, token: Option<&'static str>, body: &[u8]| {
            let request = server.to(Method::POST, path).header("content-type", "application/x.scratch.sb3");
            let request = token.into_iter().fold(request, RequestBuilder::bearer_auth);
            let sent = request.body(body.to_vec()).send();
            async move {
                let reply = sent.await.unwrap();
                (reply.status().as_u16(), reply.json::<Value>().await.unwrap())
            }
        };
        let path = "/tasks/kite_gusts/verdict?seed=7";
        for wrong in [None, Some("another token of 16")] {
            let (status, problem) = judge(path, wrong, &sb3).await;
            assert_eq!((status, &problem["code"]), (403, &json!("judge_token_required")));
        }
        let (status, verdict) = judge(path, Some(JUDGE_TOKEN), &sb3).await;
        assert_eq!((status, &verdict["outcome"], &verdict["seed"]), (200, &json!("failed"), &json!(7)), "{verdict:#}");
        let details = verdict["details"].as_array().unwrap();
        assert!(details.len() >= 3, "{verdict:#}");
        assert_eq!((&verdict["clock"], &verdict["total_tests"]), (&json!("virtual"), &json!(details.len())));
        assert!(verdict["trace_hash"].is_string());
        let (status, problem) = judge(path, Some(JUDGE_TOKEN), b"nonsense").await;
        assert_eq!((status, &problem["code"]), (422, &json!("project_invalid")));
        let (status, _) = judge("/tasks/unheard_of/verdict", Some(JUDGE_TOKEN), &sb3).await;
        assert_eq!(status, 404);
        let (status, _) = judge("/tasks/kite_gusts/verdict?speed=9", Some(JUDGE_TOKEN), &sb3).await;
        assert_eq!(status, 400);
        server.stop().await;
    });
}

#[test]
fn a_session_lives_from_creation_to_deletion() {
    in_shared_browsers(async {
        let (server, id) = Server::with_session(1).await;
        let at = |rest: &str| format!("/sessions/{id}{rest}");
        let list = server.json(Method::GET, "/sessions", &Value::Null, StatusCode::OK).await;
        assert_eq!(list["sessions"][0]["id"], id.as_str());
        assert_eq!(&server.bytes(&at("/screenshot")).await[1..4], b"PNG");

        let sb3 = server.bytes(&at("/project")).await;
        let put = |body: Vec<u8>| {
            let request = server.to(Method::PUT, &at("/project")).header("content-type", "application/x.scratch.sb3");
            request.body(body).send()
        };
        let loaded = put(sb3.clone()).await.unwrap();
        assert_eq!(loaded.status(), StatusCode::OK);
        assert_eq!(loaded.json::<Value>().await.unwrap()["targets"], json!(["Stage", "Sprite1"]));
        let broken = put(b"no project".to_vec()).await.unwrap();
        assert_eq!(broken.status(), StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(broken.json::<Value>().await.unwrap()["code"], "broken_archive");
        assert!(!server.bytes(&at("/project")).await.is_empty(), "the project is still there");

        let full = server.to(Method::POST, "/sessions").send().await.unwrap();
        assert_eq!(full.status(), StatusCode::TOO_MANY_REQUESTS);
        assert!(full.headers().contains_key("retry-after"));
        server.json(Method::DELETE, &at(""), &Value::Null, StatusCode::NO_CONTENT).await;
        let gone = server.json(Method::GET, &at(""), &Value::Null, StatusCode::NOT_FOUND).await;
        assert_eq!(gone["code"], "unknown_session");

        let upload = server.to(Method::POST, "/sessions").header("content-type", "application/octet-stream").body(sb3);
        let created = upload.send().await.unwrap();
        assert_eq!(created.status(), StatusCode::CREATED);
        let location = created.headers()["location"].to_str().unwrap().to_owned();
        server.json(Method::POST, &format!("{location}/reset"), &Value::Null, StatusCode::OK).await;
        server.stop().await;
    });
}

/// Calls that succeed one after another in a new session; every entry of the registry is among them.
fn every_call() -> Vec<(&'static str, &'static str, Value)> {
    let drag = json!({"start_x": 100, "start_y": 200, "end_x": 400, "end_y": 300, "duration": 0});
    vec![
        ("primitive", "observe", json!({"ocr": "off"})),
        ("primitive", "click", json!({"index": 0})),
        ("primitive", "double_click", json!({"x": 400, "y": 500})),
        ("primitive", "scroll", json!({"x": 150, "y": 400, "direction": "down", "amount": 100})),
        ("primitive", "type", json!({"text": "hello"})),
        ("primitive", "key", json!({"key": "Escape"})),
        ("primitive", "hotkey", json!({"keys": ["ctrl", "a"]})),
        ("primitive", "drag_and_drop", drag),
        ("primitive", "done", json!({"reason": "all calls made"})),
        ("primitive", "failed", json!({})),
        ("composite", "observe", json!({})),
        ("composite", "block_catalogue", json!({})),
        ("composite", "select_stage", json!({})),
        ("composite", "select_sprite", json!({"name": "Sprite1"})),
        ("composite", "add_variable", json!({"name": "height", "scope": "all"})),
        ("composite", "add_list", json!({"name": "steps", "scope": "sprite"})),
        ("composite", "add_block", json!({"blockType": "event_whenflagclicked"})),
        ("composite", "add_block", json!({"blockType": "motion_movesteps"})),
        (
            "composite",
            "connect_blocks",
            json!({"sourceBlockIndex": 2, "targetBlockIndex": 1, "placement": {"kind": "stack_after"}}),
        ),
        ("composite", "set_block_field", json!({"blockIndex": 2, "fieldName": "STEPS", "value": 7})),
        ("composite", "detach_blocks", json!({"blockIndex": 2})),
        ("composite", "delete_block", json!({"blockIndex": 2})),
        ("composite", "add_script", json!({"script": "when green flag clicked\nhide"})),
        ("composite", "green_flag", json!({"seconds": 0})),
        ("composite", "stop", json!({})),
        ("composite", "done", json!({})),
        ("composite", "failed", json!({"reason": "to see it"})),
    ]
}

#[test]
fn every_entry_of_the_registry_succeeds_on_the_real_editor() {
    in_shared_browsers(async {
        let server = Server::start(1, Duration::from_secs(600)).await;
        let info = server.json(Method::POST, "/sessions", &json!({"extended": true}), StatusCode::CREATED).await;
        let id = info["id"].as_str().unwrap();
        let empty = server.bytes(&format!("/sessions/{id}/project")).await;
        let calls = every_call();
        for entry in registry() {
            assert!(
                calls.iter().any(|(mode, name, _)| *mode == entry.mode.to_string() && *name == entry.name),
                "{entry:?}"
            );
        }
        for (mode, name, args) in &calls {
            // Composite calls number the blocks of an empty sprite.
            if (*mode, *name) == ("composite", "observe") {
                let put = server.to(Method::PUT, &format!("/sessions/{id}/project"));
                let put = put.header("content-type", "application/x.scratch.sb3").body(empty.clone());
                assert_eq!(put.send().await.unwrap().status(), StatusCode::OK);
            }
            let path = format!("/sessions/{id}/{mode}/{name}");
            let reply = server.json(Method::POST, &path, args, StatusCode::OK).await;
            assert_eq!(reply["success"], true, "{name}: {reply}");
            assert_eq!(reply["executed_action"]["api"], *name);
            assert!(reply["requested_action"].is_null(), "whoever asked knows what was asked");
        }
        let act = format!("/sessions/{id}/act/composite");
        let call = json!({"api": "add_block", "args": {"blockType": "no_such_block"}});
        let refused = server.json(Method::POST, &act, &call, StatusCode::OK).await;
        assert_eq!(refused["success"], false);
        assert_eq!(refused["error"]["code"], "unknown_block_type", "{refused}");
        let seen = format!("/sessions/{id}/observation/primitive?elements=off&ocr=off");
        let seen = server.json(Method::GET, &seen, &Value::Null, StatusCode::OK).await;
        assert!(seen["data"]["screenshot"].is_string() && seen["data"].get("elements").is_none());
        let catalogue = format!("/sessions/{id}/observation/composite/block_catalogue?extensions=pen");
        let catalogue = server.json(Method::GET, &catalogue, &Value::Null, StatusCode::OK).await;
        assert!(catalogue["data"].to_string().contains("pen_clear"));
        let odd = format!("/sessions/{id}/observation/primitive?elephants=off");
        let odd = server.json(Method::GET, &odd, &Value::Null, StatusCode::OK).await;
        assert_eq!(odd["error"]["code"], "invalid_arguments");
        server.stop().await;
    });
}

#[test]
fn calls_on_one_session_are_carried_out_one_after_another() {
    in_shared_browsers(async {
        let (server, id) = Server::with_session(1).await;
        let path = format!("/sessions/{id}/primitive/drag_and_drop");
        let drag = json!({"start_x": 400, "start_y": 200, "end_x": 500, "end_y": 400, "duration": 0.4});
        let started = Instant::now();
        let calls = (0..4).map(|_| server.json(Method::POST, &path, &drag, StatusCode::OK));
        let replies = futures::future::join_all(calls).await;
        let together = started.elapsed().as_secs_f64() * 1000.0;
        let each: Vec<f64> = replies.iter().map(|reply| reply["timing"]["action_ms"].as_f64().unwrap()).collect();
        assert!(replies.iter().all(|reply| reply["success"] == true));
        assert!(each.iter().all(|ms| *ms >= 400.0), "{each:?}");
        assert!(together >= each.iter().sum(), "{together} ms for {each:?}");
        server.stop().await;
    });
}

#[test]
fn an_idle_session_expires_and_says_so() {
    in_shared_browsers(async {
        let server = Server::start(1, Duration::from_secs(2)).await;
        let info = server.json(Method::POST, "/sessions", &Value::Null, StatusCode::CREATED).await;
        let path = format!("/sessions/{}", info["id"].as_str().unwrap());
        let deadline = Instant::now() + Duration::from_secs(20);
        // Looking at a session does not keep it alive.
        while server.to(Method::GET, &path).send().await.unwrap().status() == StatusCode::OK {
            assert!(Instant::now() < deadline, "the session did not expire");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let act = format!("{path}/primitive/key");
        let gone = server.json(Method::POST, &act, &json!({"key": "a"}), StatusCode::GONE).await;
        assert_eq!(gone["code"], "session_expired");
        server.json(Method::POST, "/sessions", &Value::Null, StatusCode::CREATED).await;
        server.stop().await;
    });
}

#[test]
fn a_call_in_flight_finishes_when_the_server_stops_and_a_new_one_is_refused() {
    in_shared_browsers(async {
        let (mut server, id) = Server::with_session(1).await;
        let drag = json!({"start_x": 400, "start_y": 200, "end_x": 500, "end_y": 400, "duration": 5});
        let path = format!("/sessions/{id}/primitive/drag_and_drop");
        let in_flight = tokio::spawn(server.to(Method::POST, &path).json(&drag).send());
        // The drag has begun once another call has to wait.
        let other = format!("/sessions/{id}/primitive/key");
        let deadline = Instant::now() + Duration::from_secs(20);
        let waits = || {
            let key = server.to(Method::POST, &other).json(&json!({"key": "a"}));
            async { key.timeout(Duration::from_millis(1500)).send().await.is_err() }
        };
        while !waits().await {
            assert!(Instant::now() < deadline, "the drag does not keep the session busy");
        }
        server.stop.take().unwrap().send(()).unwrap();
        let deadline = Instant::now() + Duration::from_secs(5);
        let refused = loop {
            let response = server.to(Method::GET, "/sessions").send().await.unwrap();
            if response.status() != StatusCode::OK {
                break response;
            }
            assert!(Instant::now() < deadline, "calls are still taken");
        };
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(refused.json::<Value>().await.unwrap()["code"], "shutting_down");
        let reply: Value = in_flight.await.unwrap().unwrap().json().await.unwrap();
        assert_eq!(reply["success"], true, "{reply}");
        server.ended.await.unwrap().unwrap();
    });
}
