//! The threats of docs/SECURITY.md that can be shown without a browser.

use std::num::NonZeroU32;

use axum::body::Body;
use axum::http::Request;
use scratchbed::http::{Access, AppState, Scope, editor_app, openapi_document};
use tower::ServiceExt as _;

use crate::api::routes::{api_with, bytes, call, no_browser, problem};
use crate::support::root;

pub const AGENT: &str = "agent-agent-agent";
pub const RESEARCHER: &str = "judge-judge-judge";
pub const ADMIN: &str = "admin-admin-admin";

/// A server with a token for each scope.
pub fn guarded() -> AppState {
    let access = Access::new("127.0.0.1:1".parse().unwrap(), Some(AGENT)).unwrap();
    let access = access.judging(RESEARCHER).unwrap().admitting(Scope::Admin, ADMIN).unwrap();
    api_with(no_browser(), access).into()
}

fn ask(method: &str, path: &str, token: &str) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header("host", "localhost");
    request.header("authorization", format!("Bearer {token}")).body(Body::empty()).unwrap()
}

async fn status(method: &str, path: &str, token: &str) -> u16 {
    call(guarded(), ask(method, path, token)).await.status().as_u16()
}

/// Every described address of a method, with `id` for each name in it.
fn addresses(method: &str, id: &str) -> Vec<String> {
    let document = openapi_document();
    let paths = document["paths"].as_object().unwrap();
    let described = paths.iter().filter(|(_, operations)| operations.get(method).is_some());
    let fill = |path: &String| {
        let parts = path.split('/').map(|part| if part.starts_with('{') { id } else { part });
        parts.collect::<Vec<_>>().join("/")
    };
    described.map(|(path, _)| fill(path)).collect()
}

#[tokio::test]
async fn verdicts_figures_and_runs_are_for_researchers_and_above() {
    for path in ["/metrics", "/runs", "/runs/x", "/runs/x/attempts/y"] {
        let refused = problem(call(guarded(), ask("GET", path, AGENT)).await).await;
        assert_eq!((refused.status, refused.code.as_str()), (403, "judge_token_required"), "{path}");
        for token in [RESEARCHER, ADMIN] {
            assert_ne!(status("GET", path, token).await, 403, "{path}");
        }
    }
    assert_eq!(status("POST", "/tasks/stuck_ferry/verdict", AGENT).await, 403);
    assert_eq!(status("GET", "/metrics", "some-other-token-x").await, 401);
}

#[tokio::test]
async fn no_name_in_an_address_leads_to_a_file_of_the_server() {
    let names =
        ["..%2f..%2f..%2fetc%2fpasswd", "%2fetc%2fpasswd", "..%5c..%5cCargo.toml", "....%2f%2fCargo.toml", "%2e%2e"];
    let state = guarded();
    for name in names {
        for method in ["get", "delete"] {
            for path in addresses(method, name) {
                if !path.contains(name) {
                    continue;
                }
                let answer = call(state.clone(), ask(&method.to_uppercase(), &path, ADMIN)).await;
                let (status, body) = (answer.status(), String::from_utf8_lossy(&bytes(answer).await).into_owned());
                assert!(status.is_client_error(), "{method} {path}: {status}");
                assert!(!body.contains("root:") && !body.contains("[package]"), "{path}: {body}");
            }
        }
    }
    for path in ["/editor/..%2f..%2fCargo.toml", "/host/..%2f..%2fCargo.toml", "/live/..%2f..%2fCargo.toml"] {
        assert_eq!(status("GET", path, ADMIN).await, 404, "{path}");
        let of_editor = editor_app(guarded()).oneshot(ask("GET", path, ADMIN)).await.unwrap();
        assert_eq!(of_editor.status(), 404, "{path}");
    }
}

#[tokio::test]
async fn agents_see_nothing_of_a_tasks_answer() {
    let folder = root().join("tasks/debug/stuck_ferry");
    let text = std::fs::read_to_string(folder.join("golden.txt")).unwrap();
    let script = std::fs::read_to_string(root().join("eval-scripts/stuck_ferry.js")).unwrap();
    // A line that only the golden has, the oracle's call, a test's name, and the place of it all.
    let indented = "        broadcast (full v)";
    assert!(text.contains(indented) && script.contains("sells no fourth ticket"));
    let secrets = [indented.trim(), "statement_into", "sells no fourth ticket", "golden", "oracle", "eval-scripts"];
    let state = guarded();
    for path in addresses("get", "stuck_ferry") {
        let body = bytes(call(state.clone(), ask("GET", &path, AGENT)).await).await;
        let body = String::from_utf8_lossy(&body);
        for secret in secrets {
            assert!(!body.contains(secret), "{path} tells `{secret}`: {body}");
        }
    }
}

#[tokio::test]
async fn who_calls_too_often_is_told_to_come_back_later() {
    let access = Access::new("127.0.0.1:1".parse().unwrap(), Some(AGENT)).unwrap();
    let state: AppState = api_with(no_browser(), access.limited(NonZeroU32::new(1).unwrap())).into();
    let mut last = None;
    for _ in 0..3 {
        last = Some(call(state.clone(), ask("GET", "/sessions", AGENT)).await);
    }
    let refused = last.unwrap();
    assert_eq!(refused.headers()["retry-after"], "1");
    assert_eq!(problem(refused).await.code, "rate_limited");
}

#[tokio::test]
async fn figures_are_those_of_the_requests_and_name_no_session() {
    let state = guarded();
    for _ in 0..2 {
        call(state.clone(), ask("GET", "/sessions/0123456789abcdef/events", AGENT)).await;
    }
    let answer = call(state, ask("GET", "/metrics", RESEARCHER)).await;
    assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("application/openmetrics-text"));
    let text = String::from_utf8(bytes(answer).await).unwrap();
    let counted = r#"scratchbed_http_requests_total{method="GET",route="/sessions/{id}/events",status="404"} 2"#;
    assert!(text.contains(counted) && !text.contains("0123456789abcdef"), "{text}");
    assert!(text.contains("scratchbed_session_limit 0") && text.ends_with("# EOF\n"), "{text}");
}

/// A server that keeps one attempt, with a token for each scope.
fn keeping_one(logs: &std::path::Path, access: Access) -> AppState {
    let session = logs.join("one");
    std::fs::create_dir_all(&session).unwrap();
    let log = concat!(
        r#"{"seq":1,"at_ms":0.0,"kind":"opened","format":1,"session":"one","task":"kite_gusts","stage":"large","started_at":5.5,"#,
        r#""version":"0","browser":"b","program":"p"}"#,
        "\n",
        r#"{"seq":2,"at_ms":9.0,"kind":"request","api":"click","mode":"primitive","caller":"http","waited_ms":0.0}"#,
        "\n",
        r#"{"seq":3,"at_ms":10.0,"request":2,"kind":"reply","code":"ok","duration_ms":1.0}"#,
        "\n",
    );
    std::fs::write(session.join("log.jsonl"), log).unwrap();
    let verdict = serde_json::json!({
        "task": "kite_gusts", "outcome": "failed", "passed_tests": 1, "total_tests": 2, "details": [], "seed": 1,
        "clock": "virtual", "hashes": scratchbed::model::Hashes::default(),
    });
    std::fs::write(session.join("verdict.json"), verdict.to_string()).unwrap();
    api_with(no_browser().logging_below(logs), access).into()
}

#[tokio::test]
async fn an_agent_sees_no_attempts_and_no_verdicts_on_them_even_where_runs_are_open() {
    let logs = tempfile::tempdir().unwrap();
    let access = || {
        let access = Access::new("127.0.0.1:1".parse().unwrap(), Some(AGENT)).unwrap();
        access.judging(RESEARCHER).unwrap()
    };
    let attempt = "/runs/sessions/attempts/one";
    let file = format!("{attempt}/file");
    let paths = ["/runs/sessions", attempt, &file];
    for access in [access(), access().opening_runs()] {
        for path in paths {
            let state = || keeping_one(logs.path(), access.clone());
            let refused = problem(call(state(), ask("GET", path, AGENT)).await).await;
            assert_eq!((refused.status, refused.code.as_str()), (403, "judge_token_required"), "{path}");
            let told = call(state(), ask("GET", path, RESEARCHER)).await;
            assert_eq!(told.status(), 200, "{path}");
            let text = String::from_utf8(bytes(told).await).unwrap();
            assert!(
                text.contains("kite_gusts") && text.contains("failed") && text.contains("broken_off"),
                "{path}: {text}"
            );
        }
        let state = keeping_one(logs.path(), access.clone());
        assert_eq!(call(state, ask("POST", &format!("{attempt}/verdict"), AGENT)).await.status(), 403);
    }
    let open = keeping_one(logs.path(), access().opening_runs());
    let listed = String::from_utf8(bytes(call(open, ask("GET", "/runs", AGENT)).await).await).unwrap();
    assert!(!listed.contains("sessions"), "{listed}");
    for name in ["..", "%2e%2e%2fone", "none"] {
        let state = keeping_one(logs.path(), access());
        let answer = call(state, ask("GET", &format!("/runs/sessions/attempts/{name}"), RESEARCHER)).await;
        assert_eq!(answer.status(), 404, "{name}");
    }
}

#[tokio::test]
async fn an_open_server_shows_runs_and_figures_only_when_it_is_told_to() {
    let paths = ["/metrics", "/runs", "/runs/x", "/runs/x/attempts/y", "/runs/x/attempts/y/program"];
    let open = || Access::new("127.0.0.1:1".parse().unwrap(), None).unwrap();
    for path in paths {
        let refused = problem(call(api_with(no_browser(), open()), ask("GET", path, AGENT)).await).await;
        assert_eq!((refused.status, refused.code.as_str()), (403, "runs_not_offered"), "{path}");
        assert!(refused.hint.unwrap().contains("--open-runs"));
        let told = call(api_with(no_browser(), open().opening_runs()), ask("GET", path, AGENT)).await;
        assert_ne!(told.status(), 403, "{path}");
    }
}

#[tokio::test]
async fn nothing_of_the_assets_folder_is_served() {
    let names = ["drag/D_001.json", "task-templates/debug/golden.txt", "prompts/ace.txt", "live/app.js"];
    for name in names {
        for path in [format!("/assets/{name}"), format!("/host/../assets/{name}"), format!("/gui/../assets/{name}")] {
            assert_eq!(status("GET", &path, ADMIN).await, 404, "{path}");
            let of_editor = editor_app(guarded()).oneshot(ask("GET", &path, ADMIN)).await.unwrap();
            assert_eq!(of_editor.status(), 404, "{path}");
        }
    }
}

#[tokio::test]
async fn pages_of_other_origins_get_no_answer_however_they_ask() {
    let fetch = |path: &str, site: &str, mode: &str, dest: &str| {
        let request = Request::get(path).header("host", "localhost").header("sec-fetch-site", site);
        request.header("sec-fetch-mode", mode).header("sec-fetch-dest", dest).body(Body::empty()).unwrap()
    };
    let open = || api_with(no_browser(), Access::new("127.0.0.1:1".parse().unwrap(), None).unwrap());
    for (path, site, mode, dest, allowed) in [
        ("/sessions", "cross-site", "no-cors", "image", false),
        ("/sessions", "same-site", "cors", "empty", false),
        ("/sessions", "cross-site", "navigate", "document", false),
        ("/health", "same-origin", "cors", "empty", true),
        ("/health", "none", "navigate", "document", true),
        ("/live", "cross-site", "navigate", "document", true),
        ("/live", "cross-site", "navigate", "iframe", false),
        ("/live/app.js", "same-site", "no-cors", "script", false),
    ] {
        let answer = call(open(), fetch(path, site, mode, dest)).await;
        assert_eq!(answer.headers()["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(answer.headers()["cross-origin-resource-policy"], "same-origin", "{path}");
        if allowed {
            assert_eq!(answer.status(), 200, "{path} {site} {mode}");
        } else {
            assert_eq!(problem(answer).await.code, "cross_origin", "{path} {site} {mode}");
        }
    }
    let editor = |dest: &str| editor_app(open().into()).oneshot(fetch("/editor", "same-site", "navigate", dest));
    assert_eq!(problem(editor("iframe").await.unwrap()).await.code, "cross_origin");
    let editor = editor("document").await.unwrap();
    assert!(editor.headers()["content-security-policy"].to_str().unwrap().contains("frame-ancestors 'none'"));
}

#[tokio::test]
async fn methods_that_callers_make_up_share_one_figure() {
    let state = guarded();
    for method in ["BREW", "X".repeat(3000).as_str()] {
        call(state.clone(), ask(method, "/sessions", "nobody's token")).await;
    }
    let text = String::from_utf8(bytes(call(state, ask("GET", "/metrics", RESEARCHER)).await).await).unwrap();
    let counted = r#"scratchbed_http_requests_total{method="OTHER",route="/sessions",status="401"} 2"#;
    assert!(text.contains(counted) && !text.contains("BREW") && !text.contains("XXX"), "{text}");
}
