//! Faults that a server offers to agents of their own, by the real program: an agent sees report and project and hands a patch in, and who
//! has the right to verdicts learns what it is worth. Nothing hidden is in any reply.

use reqwest::{Method, StatusCode};
use scratchbed::project::Project;
use serde_json::{Value, json};

use crate::support::forged::{bench, id, instance, report};
use crate::support::mcp_client::result_in;
use crate::support::program::{Begun, Scratchbed};

const AGENT: &str = "agent-agent-agent";
const JUDGE: &str = "judge-judge-judge";
/// What must not be seen by agents: it is in gold, in the truth and in the suite.
const CANARY: &str = "green-canary-0815";

struct Server {
    scratchbed: Scratchbed,
    _process: Begun,
    url: String,
    client: reqwest::Client,
}

impl Server {
    async fn start(bench: &str) -> Self {
        let scratchbed = Scratchbed::new();
        let serve = ["serve", "--port", "0", "--warm", "0", "--token", AGENT, "--judge-token", JUDGE, "--bench", bench];
        let (process, answer) = scratchbed.call(&serve).announced().await;
        let url = answer["url"].as_str().unwrap_or_else(|| panic!("{answer:#}")).to_owned();
        assert_eq!(answer["bugs"], format!("{url}/bugs"));
        Self {
            scratchbed,
            _process: process,
            url,
            client: scratchbed::agent::http_client().no_proxy().build().unwrap(),
        }
    }

    async fn bytes(&self, token: &str, method: Method, path: &str, body: &Value) -> (StatusCode, Vec<u8>) {
        let asked = self.client.request(method, format!("{}{path}", self.url)).bearer_auth(token);
        let asked = asked.header("accept", "application/json, text/event-stream");
        let asked = if body.is_null() { asked } else { asked.json(body) };
        let reply = asked.send().await.unwrap();
        (reply.status(), reply.bytes().await.unwrap().to_vec())
    }

    async fn call(&self, token: &str, method: Method, path: &str, body: &Value) -> (StatusCode, Value) {
        let (status, bytes) = self.bytes(token, method, path, body).await;
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains(CANARY), "{path} tells what is hidden");
        (status, serde_json::from_str(&text).unwrap_or_else(|_| panic!("{path}: {text}")))
    }

    /// Calls a tool, as an agent on a connection that is not kept.
    async fn tool(&self, token: &str, name: &str, arguments: Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments,
            "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"}}}});
        let asked = self.client.post(format!("{}/mcp/composite", self.url)).bearer_auth(token);
        let asked = asked.header("accept", "application/json, text/event-stream").json(&message);
        let asked = asked.header("mcp-protocol-version", "2026-07-28").header("mcp-method", "tools/call");
        let text = asked.header("mcp-name", name).send().await.unwrap().text().await.unwrap();
        assert!(!text.contains(CANARY), "{name} tells what is hidden");
        result_in(&text).unwrap_or_else(|| panic!("{name}: {text}"))
    }
}

/// The block that is missing, with this value.
fn reset(value: &str) -> Value {
    json!([{"op": "add", "sprite_id": "Stage", "parent": id("Stage", "flag"), "block": {"id": "n1", "opcode": "data_setvariableto",
        "fields": {"VARIABLE": ["score", scratchbed::project::normalise::new_id("pool", "Stage", "score")]}, "inputs": {"VALUE": value}}}])
}

fn said(result: &Value) -> Value {
    serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap_or_else(|_| panic!("{result:#}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_mends_what_a_server_offers_and_only_a_researcher_learns_what_it_is_worth() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("bench");
    let mut one = instance("moth-1", "moth", Some("MIT"), report());
    let mut golden = Project::read(&one.golden).unwrap();
    golden.json["meta"]["agent"] = json!(CANARY);
    one.golden = golden.pack().unwrap();
    CANARY.clone_into(&mut one.truth.operator);
    CANARY.clone_into(&mut one.suite.scenarios[0].template);
    one.forge = json!({"tried": [CANARY]});
    bench(&folder, &[one]);
    let server = Server::start(&folder.to_string_lossy()).await;

    looked_at(&server).await;
    let (_, none) = server.call(AGENT, Method::POST, "/bugs/moth-2/patch", &json!({"patch": []})).await;
    assert_eq!((none["code"].as_str(), none["status"].as_u64()), (Some("unknown_instance"), Some(404)), "{none:#}");
    assert!(!none.to_string().contains(&*place.path().to_string_lossy()), "{none:#}");
    let hand_in = async |token, patch: Value| {
        let (status, answer) = server
            .call(token, Method::POST, "/bugs/moth-1/patch", &json!({"patch": patch, "explanation": "Not reset."}))
            .await;
        assert_eq!(status, StatusCode::OK, "{answer:#}");
        answer
    };
    let nowhere = json!([{"op": "remove", "sprite_id": "Stage", "block_id": "nowhere"}]);
    let refused = hand_in(AGENT, nowhere).await;
    assert_eq!((&refused["applied"], &refused["stage"]), (&json!(false), &json!("unresolved")), "{refused:#}");
    let wrong = hand_in(AGENT, reset("5")).await;
    assert!(wrong["applied"] == true && wrong["repair"].is_null() && wrong["not_told"].is_string(), "{wrong:#}");
    let judged = hand_in(JUDGE, reset("5")).await;
    assert_eq!(
        (&judged["repair"]["stage"], &judged["repair"]["distance"]),
        (&json!("assertion_failed"), &json!(2)),
        "{judged:#}"
    );
    over_mcp(&server).await;
    too_long(&server).await;
    kept(&server.scratchbed, &folder).await;
}

/// What an agent sees of an instance.
async fn looked_at(server: &Server) {
    let get = async |path: &str| server.call(AGENT, Method::GET, path, &Value::Null).await;
    let (_, list) = get("/bugs").await;
    assert_eq!(list["instances"], json!(["moth-1"]), "{list:#}");
    for (representation, sign) in
        [("ir", "\"scripts\":["), ("text", "// event_whenflagclicked #"), ("raw", "\"targets\":[")]
    {
        let (status, view) = get(&format!("/bugs/moth-1?representation={representation}")).await;
        assert_eq!(status, StatusCode::OK, "{view:#}");
        assert!(view["project"].as_str().unwrap().contains(sign), "{view:#}");
        assert!(view["report"]["symptom"].is_string());
    }
    let (_, unknown) = get("/bugs/moth-1?representation=pixels").await;
    assert_eq!(unknown["code"], "bad_query", "{unknown:#}");
    let (_, sb3) = server.bytes(AGENT, Method::GET, "/bugs/moth-1/project", &Value::Null).await;
    assert!(!Project::read(&sb3).unwrap().json.to_string().contains(CANARY));
}

async fn over_mcp(server: &Server) {
    assert_eq!(said(&server.tool(AGENT, "list_bugs", json!({})).await)["instances"], json!(["moth-1"]));
    let view = server.tool(AGENT, "inspect_bug", json!({"instance": "moth-1", "representation": "text"})).await;
    assert!(view["content"][0]["text"].as_str().unwrap().contains("// event_whenflagclicked #"), "{view:#}");
    let patch = |value| json!({"instance": "moth-1", "patch": reset(value)});
    let mended = said(&server.tool(AGENT, "submit_patch", patch("0")).await);
    assert!(mended["applied"] == true && mended["repair"].is_null(), "{mended:#}");
    let judged = said(&server.tool(JUDGE, "submit_patch", patch("0")).await);
    assert_eq!(
        (&judged["repair"]["stage"], &judged["repair"]["exact"]),
        (&json!("passed"), &json!(true)),
        "{judged:#}"
    );
    let unknown = server.tool(AGENT, "submit_patch", json!({"instance": "moth-2", "patch": []})).await;
    assert!(unknown["isError"] == true && said(&unknown)["code"] == "unknown_instance", "{unknown:#}");
}

/// An explanation that is too long is refused over both transports, and its patch takes the place of none.
async fn too_long(server: &Server) {
    let explanation = "x".repeat(9 << 10);
    let wrong = json!({"patch": reset("5"), "explanation": explanation});
    let (status, refused) = server.call(AGENT, Method::POST, "/bugs/moth-1/patch", &wrong).await;
    assert_eq!((status, &refused["code"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("explanation_too_long")));
    assert!(refused["hint"].is_string(), "{refused:#}");
    let wrong = json!({"instance": "moth-1", "patch": reset("5"), "explanation": explanation});
    let refused = server.tool(AGENT, "submit_patch", wrong).await;
    assert!(refused["isError"] == true && said(&refused)["code"] == "explanation_too_long", "{refused:#}");
}

/// The agent's last patch is kept for `repair score`, its refused one and the researcher's are not.
async fn kept(scratchbed: &Scratchbed, folder: &std::path::Path) {
    let version = scratchbed::bugs::Bench::open(folder).unwrap().version().to_owned();
    let below = scratchbed.runs().join("repair-handed-in").join(version);
    let files: Vec<_> = std::fs::read_dir(below).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [file] = &files[..] else { panic!("{files:?}") };
    let [bench, file] = [folder, file].map(|path| path.to_string_lossy().into_owned());
    let answer = scratchbed.answer(&["repair", "score", &bench, "--answers", &file]).await;
    assert_eq!(answer["score"]["all"]["repaired"]["hits"], 1, "{answer:#}");
}
