//! Input by the dialect of the reference server: mouse and keyboard reach the page, and calls without a session are refused.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::reference_client::Reference;

/// Held keys stay down from call to call, moves are as many as the reference's, and pictures can be read.
pub async fn input_reaches_the_page(client: &Reference) {
    let listen = "() => { globalThis.seen = []; \
        addEventListener('keydown', e => seen.push([e.key, e.shiftKey]), true); \
        addEventListener('mousemove', () => seen.push('move'), true); }";
    client.composite("custom_js", json!({"function": listen})).await;
    client.acted("click", json!({"x": 700, "y": 690})).await;
    client.acted("hold_key", json!({"key": "SHIFT"})).await;
    client.acted("key", json!({"key": "x"})).await;
    let released = client.acted("release_key", json!({"key": "shift"})).await;
    assert_eq!(released["executed_action"]["args"], json!({"key": "Shift"}));
    client.acted("key", json!({"key": "x"})).await;
    let seen = client.composite("custom_js", json!({"code": "() => seen.filter(one => one !== 'move')"})).await;
    assert_eq!(seen["value"], json!([["Shift", true], ["x", true], ["x", false]]));
    client.composite("custom_js", json!({"fn": "() => { seen.length = 0; }"})).await;
    client.acted("move_to", json!({"x": 400, "y": 500})).await;
    let seen = client.composite("custom_js", json!({"fn": "() => seen.length"})).await;
    assert_eq!(seen["value"], 15);
    client.acted("double_click", json!({"x": 500, "y": 30, "button": "left"})).await;
    client.acted("hotkey", json!({"keys": ["ctrl", "a"]})).await;
    client.acted("type", json!({"text": "Ab c"})).await;
    client.acted("scroll", json!({"direction": "down", "x": 150, "y": 400})).await;
    let title = client.json(Method::GET, "elements", &[("selector", "input")], None).await;
    assert_eq!(title["elements"][0]["text"], "value: Ab c placeholder: Project title here");
    let html = client.json(Method::GET, "html", &[], None).await["html"].as_str().unwrap().to_owned();
    assert!(html.contains("blocklyToolbox"));
    let outside = client.act("click", json!({"x": 5000, "y": 1})).await;
    assert_eq!((&outside["success"], &outside["error"]["code"]), (&json!(false), &json!("INVALID_ARG")));
    let shot = client.json(Method::GET, "screenshot", &[("format", "base64"), ("full_page", "false")], None).await;
    let png = STANDARD.decode(shot["screenshot"].as_str().unwrap()).unwrap();
    assert_eq!(client.send(Method::GET, "screenshot", &[("format", "file")], None).await.0, 410);
    let file = reqwest::multipart::Part::bytes(png).file_name("a.png").mime_str("image/png").unwrap();
    let form = reqwest::multipart::Form::new().part("file", file).text("confidence", "0.5");
    let read = client.http.post(format!("{}/ocr/detect", client.base)).multipart(form).send().await.unwrap();
    let read: Value = read.json().await.unwrap();
    let words = read["elements"].as_array().unwrap();
    assert_eq!((&read["success"], &read["total_elements"]), (&json!(true), &json!(words.len())));
    assert!(words.iter().any(|word| word["text"] == "Motion" && word["element_type"] == "text"), "{words:#?}");
    assert_eq!(client.send(Method::POST, "load_project", &[("project_name", "party.sb3")], None).await.0, 404);
    let (status, _) = client.send(Method::POST, "evaluate", &[], Some(json!({"task_name": "stuck_ferry"}))).await;
    assert_eq!(status, 403);
}

/// The page that all callers without a session share.
pub async fn without_a_session(client: &Reference) {
    let size = client.json(Method::GET, "/viewport_size", &[], None).await;
    assert_eq!(size, json!({"width": 1280, "height": 720, "viewport_size": {"width": 1280, "height": 720}}));
    client.acted("/click", json!({"x": 700, "y": 690})).await;
    client.acted("/composite/execute", json!({"api": "select_stage"})).await;
    assert_eq!(client.json(Method::GET, "/sessions/count", &[], None).await["active_sessions"], 1);
    assert_eq!(client.json(Method::POST, "/reset_environment", &[], None).await["status"], "success");
    assert!(client.json(Method::GET, "/html", &[], None).await["html"].as_str().unwrap().contains("blocklyToolbox"));
    assert_eq!(client.json(Method::DELETE, "/sessions", &[], None).await["closed"], 1);
    // It is made anew when it is needed.
    assert_eq!(client.json(Method::GET, "/viewport_size", &[], None).await["width"], 1280);
    assert_eq!(client.json(Method::POST, "/shutdown", &[], None).await["status"], "success");
}
