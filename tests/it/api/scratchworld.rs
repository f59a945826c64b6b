//! The reference server's dialect as a client meets it; without a browser and without a port.

use axum::body::Body;
use axum::http::{Request, Response};
use scratchbed::scratchworld::{ScratchWorld, ScratchWorldOptions, app};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::api::routes::{JUDGE_TOKEN, api_over, no_browser};

async fn call(options: ScratchWorldOptions, request: Request<Body>) -> Response<Body> {
    app(ScratchWorld::new(api_over(no_browser()).into(), options)).oneshot(request).await.unwrap()
}

fn request(method: &str, path: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(path).header("host", "localhost")
}

fn bare(method: &str, path: &str) -> Request<Body> {
    request(method, path).body(Body::empty()).unwrap()
}

fn post(path: &str, body: &Value) -> Request<Body> {
    request("POST", path).header("content-type", "application/json").body(Body::from(body.to_string())).unwrap()
}

/// Status, content type and text of a reply.
async fn told(request: Request<Body>) -> (u16, Option<String>, String) {
    let response = call(ScratchWorldOptions::default(), request).await;
    assert!(response.headers().contains_key("x-request-id"));
    let kind = response.headers().get("content-type").map(|value| value.to_str().unwrap().to_owned());
    let status = response.status().as_u16();
    let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
    (status, kind, String::from_utf8(body.to_vec()).unwrap())
}

async fn json_of(request: Request<Body>) -> (u16, Value) {
    let (status, _, text) = told(request).await;
    (status, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}")))
}

#[tokio::test]
async fn errors_are_bare_text_and_an_unknown_session_is_told_in_quotation_marks() {
    let click = json!({"x": 1, "y": "2", "unknown": true});
    for unknown in [
        bare("GET", "/sessions/none"),
        bare("DELETE", "/sessions/none"),
        bare("GET", "/sessions/none/screenshot"),
        bare("GET", "/sessions/none/html"),
        bare("GET", "/sessions/none/viewport_size"),
        bare("GET", "/sessions/none/elements?selector=input"),
        bare("GET", "/sessions/none/elements_batch?selectors=a::b"),
        bare("POST", "/sessions/none/toggle_stage"),
        bare("POST", "/sessions/none/load_project?project_name=stuck_ferry.sb3"),
        bare("POST", "/sessions/none/export_project?output_name=x"),
        post("/sessions/none/click", &click),
        post("/sessions/none/composite/execute", &json!({"api": "run_project"})),
    ] {
        let at = format!("{} {}", unknown.method(), unknown.uri());
        let text = "'Session not found: none'".to_owned();
        assert_eq!(told(unknown).await, (404, None, text), "{at}");
    }
    let (status, kind, _) = told(bare("POST", "/sessions")).await;
    assert_eq!((status, kind), (429, None));
    assert_eq!(
        told(bare("POST", "/load_project?project_name=x")).await.0,
        404,
        "no session is made for what is not there"
    );
    let (status, _, text) = told(bare("POST", "/load_project?project_name=stuck_ferry.sb3")).await;
    assert_eq!(status, 429, "the page without a session counts as one: {text}");
}

#[tokio::test]
async fn faulty_parameters_are_listed() {
    let faults = |request| async {
        let (status, body) = json_of(request).await;
        assert_eq!(status, 422);
        body["detail"].as_array().unwrap().iter().map(|fault| fault["loc"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(faults(post("/click", &json!({"x": 12.5}))).await, [json!(["body", "x"]), json!(["body", "y"])]);
    assert_eq!(faults(post("/sessions/a/hotkey", &json!({"keys": "ctrl"}))).await, [json!(["body", "keys"])]);
    assert_eq!(faults(bare("POST", "/sessions/a/click")).await, [json!(["body"])]);
    assert_eq!(faults(post("/sessions/a/click", &json!([]))).await, [json!(["body"])]);
    let form = request("POST", "/click").header("content-type", "text/plain").body(Body::from("{\"x\":1,\"y\":1}"));
    assert_eq!(faults(form.unwrap()).await, [json!(["body"])], "a foreign page can send plain text unasked");
    assert_eq!(faults(bare("GET", "/elements")).await, [json!(["query", "selector"])]);
    assert_eq!(faults(bare("POST", "/sessions/a/load_project")).await, [json!(["query", "project_name"])]);
    assert_eq!(faults(bare("POST", "/sessions?record=perhaps")).await, [json!(["query", "record"])]);
    assert_eq!(faults(post("/composite/execute", &json!({"args": 5}))).await.len(), 2);
}

#[tokio::test]
async fn sessions_are_counted_and_listed_by_name() {
    let (status, counts) = json_of(bare("GET", "/sessions/count")).await;
    assert_eq!((status, counts), (200, json!({"active_sessions": 0, "max_sessions": 0, "available_sessions": 0})));
    let response = call(ScratchWorldOptions::default(), bare("GET", "/sessions")).await;
    for name in ["x-max-sessions", "x-active-sessions", "x-available-sessions"] {
        assert_eq!(response.headers()[name], "0");
    }
    assert_eq!(json_of(bare("GET", "/sessions")).await.1, json!({}));
    assert_eq!(json_of(bare("DELETE", "/sessions")).await.1, json!({"closed": 0, "errors": {}}));
    assert_eq!(json_of(bare("POST", "/shutdown")).await.1["status"], "success");
}

#[tokio::test]
async fn nothing_reaches_the_servers_files_and_foreign_addresses_are_told_apart() {
    for gone in [
        bare("GET", "/check_file?file_path=/etc/passwd"),
        bare("POST", "/copy_file?source=/etc/passwd&target=/tmp/x"),
        bare("POST", "/start_recording"),
        bare("POST", "/end_recording"),
    ] {
        assert_eq!(told(gone).await.0, 410);
    }
    assert_eq!(json_of(bare("GET", "/nowhere")).await, (404, json!({"detail": "Not Found"})));
    assert_eq!(json_of(bare("POST", "/sessions/a/wait")).await, (404, json!({"detail": "Not Found"})));
    assert_eq!(json_of(bare("PUT", "/sessions")).await, (405, json!({"detail": "Method Not Allowed"})));
    assert_eq!(json_of(bare("GET", "/")).await.0, 200);
    let rebound = Request::get("/sessions").header("host", "rebound.example").body(Body::empty()).unwrap();
    assert_eq!(told(rebound).await.0, 403);
}

#[tokio::test]
async fn verdicts_are_for_the_judges_token_unless_the_operator_gives_them_to_all() {
    let ask = || post("/sessions/none/evaluate", &json!({"task_name": "stuck_ferry", "evaluation_method": "browser"}));
    assert_eq!(told(ask()).await.0, 403);
    let open = ScratchWorldOptions { evaluate: true, ..ScratchWorldOptions::default() };
    assert_eq!(call(open, ask()).await.status(), 404);
    let mut judge = ask();
    judge.headers_mut().insert("authorization", format!("Bearer {JUDGE_TOKEN}").parse().unwrap());
    assert_eq!(told(judge).await.0, 404);
}

#[tokio::test]
async fn the_text_service_says_when_there_is_none() {
    assert_eq!(json_of(bare("GET", "/health")).await.1["ocr_ready"], false);
    assert_eq!(json_of(bare("GET", "/info")).await.1["language"], "en");
    let form = |kind: &str| {
        let part = format!(
            "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.png\"\r\ncontent-type: {kind}\r\n\r\nx\r\n--b--\r\n"
        );
        request("POST", "/ocr/detect")
            .header("content-type", "multipart/form-data; boundary=b")
            .body(Body::from(part))
            .unwrap()
    };
    let (status, reply) = json_of(form("image/png")).await;
    assert_eq!((status, &reply["success"], &reply["total_elements"]), (200, &json!(false), &json!(0)));
    assert_eq!(told(form("text/plain")).await.0, 400);
    assert_eq!(told(bare("POST", "/ocr/detect")).await.0, 422);
}
