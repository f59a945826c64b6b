//! Repairs under a budget that are asked for over HTTP, by the real program: one at a time, followed line by line, ended at once, and
//! nothing but what the operator offers.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::forged::{bench, instance, report};
use crate::support::program::{Begun, Scratchbed};

const AGENT: &str = "agent-agent-agent";
const RESEARCHER: &str = "judge-judge-judge";

struct Server {
    _process: Begun,
    url: String,
    client: reqwest::Client,
}

impl Server {
    /// A server that makes one repair at a time, of the benchmarks in a folder.
    async fn start(benches: &str) -> Self {
        let serve = ["serve", "--port", "0", "--warm", "0", "--token", AGENT, "--researcher-token", RESEARCHER];
        let call = Scratchbed::new().call(&serve).args(["--repairs", "1", "--benches", benches]);
        let (process, answer) = call.announced().await;
        let url = answer["url"].as_str().unwrap_or_else(|| panic!("{answer:#}")).to_owned();
        Self { _process: process, url, client: scratchbed::agent::http_client().no_proxy().build().unwrap() }
    }

    async fn call(&self, token: &str, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
        let asked = self.client.request(method, format!("{}{path}", self.url)).bearer_auth(token);
        let asked = if body.is_null() { asked } else { asked.json(&body) };
        let reply = asked.send().await.unwrap();
        let (status, location) = (reply.status(), reply.headers().get("location").cloned());
        let answer: Value = reply.json().await.unwrap();
        if status == StatusCode::ACCEPTED {
            assert_eq!(location.unwrap(), address(&answer).as_str());
        }
        (status, answer)
    }

    /// Asks for a repair that makes sense.
    async fn repair(&self, agent: &str, mode: &str) -> Value {
        let asked = json!({"case": "moth-1", "mode": mode, "agent": agent, "budgets": {"attempts": 1}});
        let (status, answer) = self.call(RESEARCHER, Method::POST, "/repairs", asked).await;
        assert_eq!((status, &answer["state"]), (StatusCode::ACCEPTED, &json!("running")), "{answer:#}");
        answer
    }

    /// Events to the last one: ids, kinds and data.
    async fn events(&self, repair: &Value, after: u64) -> Vec<(u64, String, Value)> {
        let asked =
            self.client.get(format!("{}{}/events?after={after}", self.url, address(repair))).bearer_auth(RESEARCHER);
        let text = asked.send().await.unwrap().text().await.unwrap();
        let part = |block: &str, name: &str| {
            block.lines().find_map(|line| Some(line.strip_prefix(name)?.trim_start().to_owned()))
        };
        let event = |block: &str| {
            let data = serde_json::from_str(&part(block, "data:")?).unwrap();
            Some((part(block, "id:")?.parse().unwrap(), part(block, "event:")?, data))
        };
        text.split("\n\n").filter_map(event).collect()
    }
}

fn address(repair: &Value) -> String {
    format!("/repairs/{}", repair["id"].as_str().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_researcher_has_a_case_repaired_follows_it_and_ends_another() {
    let place = tempfile::tempdir().unwrap();
    bench(&place.path().join("moths"), &[instance("moth-1", "moth", Some("MIT"), report())]);
    let server = Server::start(&place.path().to_string_lossy()).await;
    let (status, _) = server.call(AGENT, Method::GET, "/repairs", Value::Null).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    refused(&server, &place.path().to_string_lossy()).await;

    let cut_off = server.repair("oracle", "fixed").await;
    let asked = json!({"case": "moth-1", "mode": "fixed", "agent": "none"});
    let (status, full) = server.call(RESEARCHER, Method::POST, "/repairs", asked).await;
    assert_eq!((status, &full["code"]), (StatusCode::TOO_MANY_REQUESTS, &json!("too_many_repairs")), "{full:#}");
    let address = &address(&cut_off);
    let (status, cancelled) = server.call(RESEARCHER, Method::DELETE, address, Value::Null).await;
    assert_eq!((status, &cancelled["state"]), (StatusCode::OK, &json!("cancelled")), "{cancelled:#}");
    let (status, over) = server.call(RESEARCHER, Method::DELETE, address, Value::Null).await;
    assert_eq!((status, &over["code"]), (StatusCode::CONFLICT, &json!("repair_over")), "{over:#}");

    let repaired = server.repair("oracle", "heuristic").await;
    let events = server.events(&repaired, 0).await;
    let steps: Vec<&str> = events.iter().filter_map(|(_, _, data)| data["event"].as_str()).collect();
    assert_eq!(steps, ["probe", "signals", "plan", "applied", "verified", "stop"], "{events:#?}");
    let (last, kind, end) = events.last().unwrap();
    assert_eq!((kind.as_str(), &end["state"], &end["outcome"]), ("end", &json!("ended"), &json!("passed")), "{end:#}");
    assert_eq!(end["trajectory"]["layer"], "strict_success");
    assert_eq!(end["trajectory"]["energy"]["method"], "vcpu");
    let again = server.events(&repaired, last - 1).await;
    assert_eq!(again.iter().map(|(id, kind, _)| (*id, kind.as_str())).collect::<Vec<_>>(), [(*last, "end")]);

    let unrepaired = server.repair("none", "text_only").await;
    let (_, _, end) = server.events(&unrepaired, 0).await.pop().unwrap();
    assert_eq!((&end["outcome"], &end["trajectory"]["layer"]), (&json!("failed"), &json!("application")), "{end:#}");
    let (_, list) = server.call(RESEARCHER, Method::GET, "/repairs", Value::Null).await;
    let states = list["repairs"].as_array().unwrap().iter().map(|one| one["id"] == unrepaired["id"]);
    assert_eq!(states.clone().next(), Some(true), "the newest first: {list:#}");
}

/// Names that are not offered, and what only the operator may say. No reply has a path of the server.
async fn refused(server: &Server, place: &str) {
    let (_, list) = server.call(RESEARCHER, Method::GET, "/repairs", Value::Null).await;
    assert_eq!(list["offer"]["benchmarks"][0]["name"], "moths", "{list:#}");
    assert_eq!(list["offer"]["benchmarks"][0]["cases"], json!(["moth-1"]));
    assert!(!list.to_string().contains(place), "{list:#}");
    for (name, value, code) in [
        ("case", json!("moth-2"), "unknown_case"),
        ("bench", json!(place), "unknown_benchmark"),
        ("agent", json!("model"), "name_required"),
        ("model", json!("m"), "model_not_asked"),
        ("max_leak", json!(4), "bad_repair"),
        ("endpoint", json!("http://127.0.0.1:1"), "invalid_body"),
        ("agent", json!("command"), "invalid_body"),
    ] {
        let mut asked = json!({"case": "moth-1", "mode": "fixed", "agent": "oracle"});
        asked[name] = value;
        let (status, problem) = server.call(RESEARCHER, Method::POST, "/repairs", asked).await;
        assert_eq!((status.is_client_error(), &problem["code"]), (true, &json!(code)), "{name}: {problem:#}");
    }
    let (status, unknown) = server.call(RESEARCHER, Method::GET, "/repairs/nothing", Value::Null).await;
    assert_eq!((status, &unknown["code"]), (StatusCode::NOT_FOUND, &json!("unknown_repair")));
}
