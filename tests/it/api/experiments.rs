//! Experiments over HTTP where nothing is attempted: a stream of changes that is cut off at any event misses nothing, orders are
//! answered with what was noted, and a server that runs none says so.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use futures::StreamExt as _;
use scratchbed::http::{Access, AppState, Scope, openapi_document};
use scratchbed::ledger::{Class, Gate, Ledger};
use scratchbed::model::sha256_hex;
use serde_json::{Value, json};

use crate::api::routes::{api_with, bytes, call, no_browser, post_json, problem, request};
use crate::server::browser_experiments_page::{begin, fill, finish};

/// How long what must come may take.
const PATIENCE: Duration = Duration::from_secs(20);

async fn served(folder: &Path) -> (AppState, Ledger) {
    let ledger = Ledger::open(&folder.join("ledger.sqlite")).await.unwrap();
    let access = Access::new("127.0.0.1:0".parse().unwrap(), None).unwrap().opening_runs();
    (api_with(no_browser(), access).showing_experiments(ledger.clone()).into(), ledger)
}

async fn get(state: &AppState, path: &str) -> Value {
    let reply = call(state.clone(), request("GET", path).body(Body::empty()).unwrap()).await;
    serde_json::from_slice(&bytes(reply).await).unwrap()
}

/// What somebody knows who follows a stream.
#[derive(Debug, Default)]
struct Known {
    cells: BTreeMap<String, Value>,
    status: Value,
    /// The id of the last event.
    last: String,
}

impl Known {
    async fn listed(state: &AppState) -> Self {
        let list = get(state, "/experiments/table-1/cells").await;
        let cells = list["cells"].as_array().unwrap().iter();
        let cells = cells.map(|cell| (cell["id"].as_str().unwrap().to_owned(), cell.clone())).collect();
        Self { cells, status: Value::Null, last: list["cursor"].as_str().unwrap().to_owned() }
    }

    fn learn(&mut self, event: &Event) {
        match event.kind.as_str() {
            "cells" => {
                for cell in event.data["cells"].as_array().unwrap() {
                    self.cells.insert(cell["id"].as_str().unwrap().to_owned(), cell.clone());
                }
            }
            "status" => self.status = event.data.clone(),
            other => panic!("{other}"),
        }
        self.last.clone_from(&event.id);
    }

    /// Whether it is what the ledger says.
    async fn is_true(&self, state: &AppState) -> bool {
        let truth = Self::listed(state).await;
        let now = get(state, "/experiments/table-1").await;
        self.cells == truth.cells
            && self.status["status"]["cells"] == now["status"]["cells"]
            && self.status["orders"] == now["orders"]
    }
}

#[derive(Debug)]
struct Event {
    kind: String,
    id: String,
    data: Value,
}

/// A connection to the stream.
struct Stream {
    body: BodyDataStream,
    text: String,
}

impl Stream {
    async fn after(state: &AppState, id: &str) -> Self {
        let asked = request("GET", "/experiments/table-1/events").header("last-event-id", id).body(Body::empty());
        let reply = call(state.clone(), asked.unwrap()).await;
        assert_eq!(reply.status(), 200);
        Self { body: reply.into_body().into_data_stream(), text: String::new() }
    }

    /// The next event; `None` at the end of the stream.
    async fn next(&mut self) -> Option<Event> {
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let part = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
                let found = part("event:").map(|kind| Event {
                    kind: kind.to_owned(),
                    id: part("id:").unwrap().to_owned(),
                    data: serde_json::from_str(part("data:").unwrap()).unwrap(),
                });
                let rest = rest.to_owned();
                self.text = rest;
                if found.is_some() {
                    return found;
                }
            }
            let more = tokio::time::timeout(PATIENCE, self.body.next()).await.expect("nothing comes any more")?;
            self.text.push_str(std::str::from_utf8(&more.unwrap()).unwrap());
        }
    }
}

/// Ends `number` attempts, one of them without counting, and gives an order.
async fn change(ledger: &Ledger, number: u64) {
    for (at, ticket) in ledger.release(None, number).await.unwrap().tickets.iter().enumerate() {
        let lease = begin(ledger, &ticket.cell).await;
        let end = if at == 0 { finish(Class::Infra, "infra_error", 0) } else { finish(Class::Counts, "passed", 5) };
        ledger.end(&lease, &end).await.unwrap();
    }
    let scope = scratchbed::ledger::Scope::Arm("noop-composite".to_owned());
    let gate = if number.is_multiple_of(2) { Gate::Paused } else { Gate::Open };
    ledger.set_gate("table-1", &scope, gate, "me", None).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_is_cut_off_at_any_event_misses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (state, ledger) = served(folder.path()).await;
    fill(&ledger).await;
    for cut in 0..5 {
        let mut known = Known::listed(&state).await;
        change(&ledger, 3).await;
        let mut stream = Stream::after(&state, &known.last).await;
        for number in 0..cut {
            // What comes after the first two events needs another change.
            if number >= 2 {
                change(&ledger, 2).await;
            }
            known.learn(&stream.next().await.unwrap());
        }
        // What happens meanwhile is told nobody.
        drop(stream);
        change(&ledger, 2).await;
        let mut stream = Stream::after(&state, &known.last).await;
        let caught_up = async {
            while !known.is_true(&state).await {
                known.learn(&stream.next().await.unwrap());
            }
        };
        tokio::time::timeout(PATIENCE, caught_up).await.unwrap_or_else(|_| panic!("cut off after {cut} events"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cells_come_before_the_status_and_the_stream_ends_when_the_experiment_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let (state, ledger) = served(folder.path()).await;
    fill(&ledger).await;
    let mut stream = Stream::after(&state, "0").await;
    let cells = stream.next().await.unwrap();
    let status = stream.next().await.unwrap();
    assert_eq!((cells.kind.as_str(), status.kind.as_str()), ("cells", "status"));
    assert_eq!(cells.data["cells"].as_array().unwrap().len(), 360, "all, for who has none");
    assert_eq!((&cells.data["cursor"], &cells.id), (&json!(status.id), &status.id));
    ledger.set_gate("table-1", &scratchbed::ledger::Scope::Experiment, Gate::Closed, "me", None).await.unwrap();
    let last = stream.next().await.unwrap();
    assert_eq!(last.data["status"]["state"], "closed");
    assert!(stream.next().await.is_none());
    let gone = call(state, request("GET", "/experiments/nobody/events").body(Body::empty()).unwrap()).await;
    assert_eq!(problem(gone).await.code, "unknown_experiment");
}

#[tokio::test]
async fn an_order_is_answered_with_what_was_noted() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(&folder.path().join("ledger.sqlite")).await.unwrap();
    fill(&ledger).await;
    let access = Access::new("127.0.0.1:0".parse().unwrap(), None).unwrap();
    let token = "the token of somebody with a name";
    let named = access.admitting_digest(Scope::Researcher, sha256_hex(token.as_bytes()), Some("ada".to_owned()));
    let access = named.unwrap().judging("the token of somebody without").unwrap();
    let state: AppState = api_with(no_browser(), access).showing_experiments(ledger.clone()).into();
    let give = async |token: &str, order: Value| {
        let mut asked = post_json("/experiments/table-1/orders", order.to_string());
        asked.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        call(state.clone(), asked).await
    };
    let given = async |token: &str, order: Value| -> Value {
        serde_json::from_slice(&bytes(give(token, order).await).await).unwrap()
    };
    let one = given(token, json!({"order": "pause", "arm": "noop-composite", "why": "w"})).await;
    assert_eq!(one["order"]["who"], "ada");
    assert_eq!(one["order"]["what"], json!({"gate": "paused", "scope": {"arm": "noop-composite"}, "why": "w"}));
    let two = given("the token of somebody without", json!({"order": "set", "limit": "usd", "value": 7.5})).await;
    assert_eq!(
        (&two["order"]["who"], &two["order"]["what"]["value"]),
        (&json!("researcher over HTTP"), &json!(7_500_000))
    );
    assert_eq!(two["order"]["seq"].as_u64().unwrap(), one["order"]["seq"].as_u64().unwrap() + 1);
    assert_eq!(json!(ledger.orders("table-1").await.unwrap()), json!([one["order"], two["order"]]));

    for (order, code) in [
        (json!({"order": "pause", "amr": "noop-composite"}), "invalid_body"),
        (json!({"order": "set", "limit": "usd", "value": 0}), "limit_invalid"),
        (json!({"order": "set", "limit": "rpm", "lane": "cloud", "value": 0}), "limit_invalid"),
        (json!({"order": "set", "limit": "in_flight", "lane": "cloud", "value": null}), "limit_invalid"),
        (json!({"order": "requeue"}), "invalid_order"),
    ] {
        let refused = problem(give(token, order.clone()).await).await;
        assert_eq!((refused.status, refused.code.as_str()), (422, code), "{order}");
    }
    assert_eq!(ledger.orders("table-1").await.unwrap().len(), 2, "nothing was noted");
}

#[test]
fn the_schema_of_orders_allows_what_is_read_and_no_more() {
    let document = openapi_document();
    let schemas = &document["components"]["schemas"];
    let kinds = schemas["OrderRequest"]["oneOf"].as_array().unwrap();
    assert_eq!(kinds.len(), 6);
    for kind in kinds {
        assert_eq!(kind["additionalProperties"], false, "{kind:#}");
        assert!(kind.get("$ref").is_none(), "what it refers to would refuse `order`: {kind:#}");
        let known = kind["properties"].as_object().unwrap();
        assert!(known.contains_key("order") && known.len() > 2, "{kind:#}");
    }
    let create = &document["paths"]["/experiments"]["post"];
    assert!(create["responses"]["201"].is_object() && create["responses"]["200"].is_object(), "{create:#}");
}

#[tokio::test]
async fn a_server_that_runs_no_experiments_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (state, _) = served(folder.path()).await;
    let body = json!({"file": "format = 1"}).to_string();
    let refused = problem(call(state, post_json("/experiments", body.clone())).await).await;
    assert_eq!((refused.status, refused.code.as_str()), (404, "experiments_not_hosted"));
    assert!(refused.hint.unwrap().contains("--experiments"));
    let nobody = Access::new("127.0.0.1:0".parse().unwrap(), None).unwrap();
    let refused = problem(call(api_with(no_browser(), nobody), post_json("/experiments", body)).await).await;
    assert_eq!(refused.code, "runs_not_offered", "who may not see runs creates none");
}
