//! What an experiment spends with many attempts in flight: perception, whose attempts are one call each, against an endpoint that
//! answers when it is let.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::routing::post;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::experiments::browser_experiment::{Place, unique};
use crate::support::program::{Answer, Scratchbed};

/// Micro-dollars of a call: a thousand tokens at ten dollars a million.
const CALL: u64 = 10_000;
/// Attempts at a time.
const IN_FLIGHT: u64 = 16;
/// Some more than two dollars are spent on.
const EPOCHS: u64 = 240;

/// An endpoint that gives so many answers as it has permits.
#[derive(Clone)]
struct Gate {
    permits: Arc<Semaphore>,
    asked: Arc<AtomicU64>,
    answered: Arc<AtomicU64>,
}

impl Gate {
    async fn serve(permits: usize) -> (Self, String) {
        let gate = Self { permits: Arc::new(Semaphore::new(permits)), asked: Arc::default(), answered: Arc::default() };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = axum::Router::new().route("/v1/chat/completions", post(reply)).with_state(gate.clone());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        (gate, format!("http://{address}/v1"))
    }

    async fn until(&self, what: &AtomicU64, count: u64) {
        let waiting = async {
            while what.load(Ordering::SeqCst) < count {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(120), waiting).await.expect("the experiment does not get on");
    }
}

async fn reply(State(gate): State<Gate>) -> Json<Value> {
    gate.asked.fetch_add(1, Ordering::SeqCst);
    gate.permits.acquire().await.unwrap().forget();
    gate.answered.fetch_add(1, Ordering::SeqCst);
    Json(json!({
        "id": "1", "object": "chat.completion", "model": "scripted-1",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "YES"}}],
        "usage": {"prompt_tokens": 999, "completion_tokens": 1, "total_tokens": 1000}
    }))
}

/// A set of one question in the published layout, imported.
async fn set(folder: &Path) -> String {
    let published = folder.join("published");
    for part in ["tasks", "screenshots_final"] {
        fs::create_dir_all(published.join(part)).unwrap();
    }
    let task = json!({
        "task_id": "1", "instruction": "Are the two blocks connected?", "screenshot": "a.png", "task_type": "connection",
        "tag": "connection_yes", "ground_truth": "YES"
    });
    fs::write(published.join("tasks/1.json"), task.to_string()).unwrap();
    image::RgbImage::new(1280, 720).save(published.join("screenshots_final/a.png")).unwrap();
    let out = folder.join("set").display().to_string();
    let import = ["perception", "import", published.to_str().unwrap(), "--out", &out];
    let imported = Scratchbed::new().answer(&import).await;
    assert_eq!(imported.code, 0, "{imported}");
    out
}

/// An experiment with one question, and what its file says of epochs and money.
fn file(name: &str, set: &str, endpoint: &str, limits: &str) -> String {
    format!(
        r#"
format = 1
name = "{name}"
benchmark = "perception"
items = {{ set = "{set}" }}
{limits}
[lanes.scripted]
endpoint = "{endpoint}"
in_flight = {IN_FLIGHT}
[models.scripted]
lane = "scripted"
name = "{name}"
price = {{ input = 10.0, output = 10.0, as_of = 2026-01-02 }}
[[arms]]
agent = "model"
model = "scripted"
"#
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_in_flight_spend_a_dollar_and_go_on_as_soon_as_there_is_another() {
    let (gate, endpoint) = Gate::serve(60).await;
    let (name, folder) = (unique("spend"), tempfile::tempdir().unwrap());
    let set = set(folder.path()).await;
    let limits = format!("epochs = {EPOCHS}\nbudget = {{ usd = 1.0 }}\nattempt = {{ usd = 0.02 }}");
    let place = Place::with(&file(&name, &set, &endpoint, &limits));
    let jobs = IN_FLIGHT.to_string();
    let file = place.file();

    // Sixty calls are answered, sixteen wait for their answers: then there is more money.
    let run = ["run", &file, "--jobs", &jobs];
    let running = place.run(&run);
    let raising = async {
        gate.until(&gate.asked, 60 + IN_FLIGHT).await;
        let told = place.run(&["set", &name, "budget.usd=2"]).await;
        assert_eq!(told.code, 0, "{told}");
        gate.permits.add_permits(1_000);
    };
    let (told, ()) = tokio::join!(running, raising);
    assert_eq!(told["stopped"], "budget", "{told}");
    let spent = |told: &Answer| told["status"]["spent"]["micro_usd"].as_u64().unwrap();
    let calls = gate.answered.load(Ordering::SeqCst);
    assert_eq!(spent(&told), calls * CALL, "{told}");
    assert!((1_000_000..=2_000_000).contains(&spent(&told)), "it goes on in the same process: {told}");
    assert!(spent(&told) >= 2_000_000 - 2 * CALL, "it stops where nothing fits any more: {told}");
    assert_eq!(told["status"]["cells"]["decided"], calls, "{told}");
    assert_eq!(told["status"]["failures"], json!([]), "what the budget keeps from beginning has not failed: {told}");

    // Without a limit all is decided.
    place.run(&["set", &name, "budget.usd=none"]).await;
    let told = place.run(&["run", &file, "--jobs", &jobs]).await;
    assert_eq!((told.code, &told["status"]["cells"]["decided"]), (0, &json!(EPOCHS)), "{told}");
    assert_eq!(
        (spent(&told), gate.answered.load(Ordering::SeqCst)),
        (EPOCHS * CALL, EPOCHS),
        "nothing is paid twice: {told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_budget_holds_and_when_it_is_raised_the_rest_is_made() {
    let (gate, endpoint) = Gate::serve(10).await;
    let (name, folder) = (unique("budget"), tempfile::tempdir().unwrap());
    let set = set(folder.path()).await;
    // One attempt at a time is reserved for, and the second one does not fit, however little the first one costs.
    let limits = "epochs = 2\nbudget = { usd = 1.005 }\nattempt = { usd = 1.0 }";
    let place = Place::with(&file(&name, &set, &endpoint, limits));
    let told = place.run(&["run", &place.file()]).await;
    assert_eq!((told.code, told["stopped"].as_str()), (1, Some("budget")), "{told}");
    let (cells, spent) = (&told["status"]["cells"], &told["status"]["spent"]["micro_usd"]);
    assert_eq!((&cells["decided"], spent), (&json!(1), &json!(CALL)), "{told}");
    assert_eq!(gate.answered.load(Ordering::SeqCst), 1);
    let report = place.run(&["report", &name, "--final"]).await;
    assert_eq!((report.code, report["error"]["code"].as_str()), (3, Some("not_final")), "{report}");
    let set = place.run(&["set", &name, "budget.usd=50"]).await;
    assert_eq!(set.code, 0, "{set}");
    let told = place.run(&["run", &place.file()]).await;
    assert_eq!((told.code, &told["status"]["cells"]["decided"]), (0, &json!(2)), "{told}");
    assert_eq!(gate.answered.load(Ordering::SeqCst), 2);
}
