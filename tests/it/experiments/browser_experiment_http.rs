//! Experiments that are created over HTTP, with the real program: from the file to the last attempt, with orders on the way; a
//! server that is killed goes on when it comes back; and what a file from the network may not name.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use reqwest::{Client, Method, StatusCode};
use scratchbed::model::sha256_hex;
use serde_json::{Value, json};

use crate::experiments::browser_experiment::{runs_of, unique};
use crate::support::program::{Begun, Scratchbed, until};

const TOKEN: &str = "a researcher's token of this test";
/// The key that servers lend, with its host.
const LENT: &str = "A_MODEL_KEY=http://127.0.0.1:9";
/// How long a condition may take to come true.
const PATIENCE: Duration = Duration::from_secs(90);

/// Two arms that differ by a setting, without a model.
fn file(name: &str, more: &str) -> String {
    format!(
        "format = 1\nname = \"{name}\"\nitems = {{ task = [\"stuck_ferry\"] }}\n{more}\n\
         [[arms]]\nagent = \"noop\"\nmode = \"composite\"\nextended = [true, false]\n"
    )
}

/// A folder with a ledger, and the program whose servers share it.
struct Place {
    folder: tempfile::TempDir,
    scratchbed: Scratchbed,
}

impl Place {
    fn new() -> Self {
        let scratchbed = Scratchbed::new();
        Self { folder: tempfile::tempdir().unwrap(), scratchbed }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn runs_of(&self, experiment: &str) -> PathBuf {
        runs_of(&self.scratchbed, experiment)
    }
}

/// A server in a process of its own.
struct Server {
    process: Begun,
    scratchbed: Scratchbed,
    base: String,
    client: Client,
}

impl Server {
    async fn start(place: &Place, more: &[&str]) -> Self {
        let tokens = place.path().join("tokens.toml");
        let digest = sha256_hex(TOKEN.as_bytes());
        let entry = format!("[[token]]\nscope = \"researcher\"\nsha256 = \"{digest}\"\nname = \"ada\"\n");
        std::fs::write(&tokens, entry).unwrap();
        let call = place.scratchbed.call(&["serve", "--port", "0", "--warm", "0"]).arg("--tokens").arg(tokens);
        let call = call.arg("--ledger").arg(place.path().join("ledger.sqlite")).args(more);
        let call = call.env("A_SECRET_OF_THE_SERVER", "hidden").env("A_MODEL_KEY", "lent");
        let (process, answer) = call.announced().await;
        let base = answer["url"].as_str().unwrap_or_else(|| panic!("{answer:#}")).to_owned();
        let scratchbed = place.scratchbed.clone();
        Self { process, scratchbed, base, client: scratchbed::agent::http_client().no_proxy().build().unwrap() }
    }

    async fn call(&self, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
        let asked = self.client.request(method, format!("{}{path}", self.base)).bearer_auth(TOKEN);
        let asked = if body.is_null() { asked } else { asked.json(&body) };
        let reply = asked.timeout(PATIENCE).send().await.unwrap();
        (reply.status(), reply.json().await.unwrap())
    }

    async fn get(&self, path: &str) -> Value {
        let (status, found) = self.call(Method::GET, path, Value::Null).await;
        assert!(status.is_success(), "{path}: {found:#}");
        found
    }

    async fn create(&self, file: &str) -> (StatusCode, Value) {
        self.call(Method::POST, "/experiments", json!({"file": file})).await
    }

    async fn order(&self, name: &str, order: Value) -> Value {
        let (status, noted) = self.call(Method::POST, &format!("/experiments/{name}/orders"), order).await;
        assert!(status.is_success(), "{noted:#}");
        noted["order"].clone()
    }

    /// Waits until an experiment is as it should be, while its cells get on.
    async fn until(&self, name: &str, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        // On a busy machine attempts take long: what counts is that something goes on.
        let (mut last, mut deadline) = (Value::Null, Instant::now() + PATIENCE);
        let in_time = loop {
            let status = self.get(&format!("/experiments/{name}")).await["status"].clone();
            if status["cells"] != last["cells"] || status["state"] != last["state"] {
                deadline = Instant::now() + PATIENCE;
            }
            last = status;
            if is_so(&last) || Instant::now() > deadline {
                break is_so(&last);
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        };
        // The messages of the experiment's process.
        let log = std::fs::read_to_string(runs_of(&self.scratchbed, name).join("host.log")).unwrap_or_default();
        assert!(in_time, "{what}: {last:#}\n{log}");
        last
    }

    /// Asks it to end, and waits until it has.
    async fn stop(self) {
        tokio::time::timeout(PATIENCE, self.process.stop()).await.expect("it does not end");
    }
}

fn is_closed(status: &Value) -> bool {
    status["state"] == "closed"
}

/// The ids of processes that work on an experiment, with their environments.
fn workers_on(name: &str) -> Vec<(i32, Vec<String>)> {
    let all = procfs::process::all_processes().unwrap().flatten();
    let ours = all.filter(|process| {
        let line = process.cmdline().unwrap_or_default();
        line.iter().any(|word| word == "--hosted-for") && line.iter().any(|word| word.contains(name))
    });
    ours.map(|process| {
        let names = process.environ().unwrap_or_default();
        (process.pid, names.keys().map(|name| name.to_string_lossy().into_owned()).collect())
    })
    .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_experiment_is_created_watched_ordered_and_made_again() {
    let place = Place::new();
    let server = Server::start(&place, &["--experiments", "1", "--key-env", LENT]).await;
    let name = unique("posted");
    let text = file(&name, "");
    let (status, plan) = server.call(Method::POST, "/experiments", json!({"file": text, "dry_run": true})).await;
    assert_eq!((status, &plan["name"], &plan["cells"]), (StatusCode::OK, &json!(name), &json!(2)), "{plan:#}");
    assert_eq!(plan["arms"][0]["lane"], "local");
    assert!(
        !place.runs_of(&name).exists() && server.get("/experiments").await["experiments"] == json!([]),
        "nothing is begun"
    );

    let asked = server.client.post(format!("{}/experiments", server.base)).bearer_auth(TOKEN);
    let reply = asked.header("content-type", "application/toml").body(text.clone()).send().await.unwrap();
    assert_eq!(reply.status(), StatusCode::CREATED);
    assert_eq!(reply.headers()["location"], format!("/experiments/{name}"));
    let created: Value = reply.json().await.unwrap();
    assert_eq!((&created["id"], &created["plan"]), (&json!(name), &plan));

    // Its process has what it needs of the server's environment, and no more.
    until("a process works on the experiment", || workers_on(&name).len() == 1).await;
    let workers = workers_on(&name);
    let has = |variable: &str| workers[0].1.iter().any(|name| name == variable);
    assert!(has("PATH") && has("A_MODEL_KEY") && !has("A_SECRET_OF_THE_SERVER"), "{workers:?}");

    let (status, refused) = server.create(&text).await;
    assert_eq!((status, &refused["code"]), (StatusCode::CONFLICT, &json!("experiment_exists")), "{refused:#}");
    let (status, refused) = server.create(&file(&unique("second"), "")).await;
    assert_eq!((status, &refused["code"]), (StatusCode::TOO_MANY_REQUESTS, &json!("too_many_experiments")));

    let events = created["links"]["events"].as_str().unwrap();
    let asked = server.client.get(format!("{}{events}", server.base)).bearer_auth(TOKEN).timeout(PATIENCE);
    let stream = asked.send().await.unwrap().text().await.unwrap();
    let last = stream.lines().rev().find_map(|line| line.strip_prefix("data: ")).unwrap();
    let last: Value = serde_json::from_str(last).unwrap();
    assert_eq!((&last["status"]["state"], &last["status"]["cells"]["decided"]), (&json!("closed"), &json!(2)));
    let first = &last["orders"][0];
    assert_eq!((&first["who"], &first["what"]), (&json!("ada"), &json!({"created": "over HTTP"})));

    // Arms that differ by a setting have links that lead to their attempts.
    let cells = server.get(created["links"]["cells"].as_str().unwrap()).await;
    assert!(cells["arms"].to_string().contains("extended=true"), "{cells:#}");
    for cell in cells["cells"].as_array().unwrap() {
        let (run, attempt) = (cell["run"].as_str().unwrap(), cell["attempt"].as_str().unwrap());
        let found = server.get(&format!("/runs/{}/attempts/{attempt}", run.replace('=', "%3D"))).await;
        assert_eq!(found["record"]["task"], "stuck_ferry", "{found:#}");
    }

    // A verdict that is taken back makes work, for which a process is started again.
    let cell = cells["cells"][0]["id"].as_str().unwrap();
    let noted = server.order(&name, json!({"order": "requeue", "void": cell, "reason": "to see it made again"})).await;
    assert_eq!((&noted["who"], &noted["what"]["void"]), (&json!("ada"), &json!(cell)));
    server.until(&name, "it is made again", |status| is_closed(status) && status["cells"]["decided"] == 2).await;
    let cells = server.get(created["links"]["cells"].as_str().unwrap()).await;
    assert_eq!(cells["cells"][0]["tries"], 2, "{cells:#}");

    // So does one that the command line gives.
    until("its process has ended", || workers_on(&name).is_empty()).await;
    let requeue = ["experiment", "requeue", &name, "--void", cell, "--reason", "once more"];
    let call = place.scratchbed.call(&requeue).arg("--ledger").arg(place.path().join("ledger.sqlite"));
    let done = call.answer().await;
    assert_eq!(done.code, 0, "{done:?}");
    until("a process works on the experiment again", || workers_on(&name).len() == 1).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_goes_on_with_its_experiments() {
    let place = Place::new();
    let server = Server::start(&place, &["--experiments", "1"]).await;
    let name = unique("hosted");
    // More than end while servers come and go: each lets the attempt end that it has begun.
    let cells = 8;
    let (status, created) = server.create(&file(&name, &format!("epochs = {}", cells / 2))).await;
    assert_eq!(status, StatusCode::CREATED, "{created:#}");
    let decided = |status: &Value| status["cells"]["decided"].as_u64().unwrap();
    server.until(&name, "an attempt has ended", |status| decided(status) > 0).await;
    server.process.kill().await;

    // Its process lets its attempt end, and ends with it; what it leaves is taken up.
    until("its process ends with it", || workers_on(&name).is_empty()).await;
    let server = Server::start(&place, &["--experiments", "1"]).await;
    let before = decided(&server.get(&format!("/experiments/{name}")).await["status"]);
    server.until(&name, "it goes on by itself", |status| decided(status) > before).await;

    // Paused while the server is away, it stays so; when it is resumed, it goes on.
    server.order(&name, json!({"order": "pause", "why": "the night"})).await;
    server.stop().await;
    assert_eq!(workers_on(&name), [], "processes end with their server");
    let server = Server::start(&place, &["--experiments", "1"]).await;
    let status = server.get(&format!("/experiments/{name}")).await["status"].clone();
    assert_eq!((&status["state"], &status["why"]), (&json!("paused"), &json!("the night")));
    assert!(decided(&status) < cells, "{status:#}");
    assert_eq!(workers_on(&name), []);
    server.order(&name, json!({"order": "resume"})).await;
    server.until(&name, "it goes on when it is resumed", is_closed).await;
    let listed = server.get(&format!("/experiments/{name}/cells")).await;
    let listed = listed["cells"].as_array().unwrap();
    let all_decided = listed.iter().all(|cell| cell["state"] == "decided");
    assert!(listed.len() as u64 == cells && all_decided, "{listed:#?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_file_from_the_network_must_not_name_is_refused_and_nothing_is_begun() {
    let place = Place::new();
    let server = Server::start(&place, &["--experiments", "1", "--key-env", LENT]).await;
    let name = unique("refused");
    let lane = "[lanes.cloud]\nendpoint = \"http://127.0.0.1:9/v1\"\nin_flight = 1\nkey_env = \"KEY\"\n[models.m]\nlane = \"cloud\"\n";
    let with_model = |key: &str| {
        let text = file(&name, &lane.replace("KEY", key));
        text.replace("agent = \"noop\"", "agent = \"llm\"\nmodel = \"m\"")
    };
    let canary = place.path().join("canary");
    let program = format!("agent = \"command\"\ncommand = \"touch {}\"\nisolation = \"none\"", canary.display());
    let right = file(&name, "");
    let changed = |from: &str, to: &str| right.replace(from, to);
    let elsewhere = |from: &str, to: &str| with_model("A_MODEL_KEY").replace(from, to);
    let ten = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
    let million = ('a'..='f').map(|key| format!("{key} = {ten}\n")).collect::<Vec<_>>().concat();
    for (text, code, part) in [
        (changed("items", "[items"), "experiment_invalid", ""),
        (changed("extended", "extnded"), "experiment_invalid", "did you mean `extended`?"),
        (changed("stuck_ferry", "stuck_fery"), "unknown_task", "stuck_ferry"),
        (changed("{ task", "{ pack = \"/etc\", task"), "path_in_posted_file", "`pack`"),
        (changed("extended", "prompts = \"/etc\"\nextended"), "path_in_posted_file", "`prompts`"),
        (changed("agent = \"noop\"", &program), "program_in_posted_file", "`"),
        (
            changed("extended", "command_env = \"A_SECRET_OF_THE_SERVER\"\nextended"),
            "program_in_posted_file",
            "`command_env`",
        ),
        (with_model("A_SECRET_OF_THE_SERVER"), "key_env_not_allowed", "A_MODEL_KEY"),
        (with_model("SCRATCHBED_LEDGER"), "key_env_not_allowed", "--key-env"),
        (elsewhere("http://127.0.0.1:9/v1", "http://127.0.0.1:9999/v1"), "key_env_not_allowed", LENT),
        (elsewhere("http://127.0.0.1:9/v1", "http://127.0.0.1:9@evil.test/v1"), "secret_in_file", "endpoint"),
        (
            elsewhere("lane = \"cloud\"", "lane = \"cloud\"\nendpoint = \"https://evil.test/v1\""),
            "key_env_not_allowed",
            "https://evil.test/v1",
        ),
        (changed("extended", &format!("{million}extended")), "experiment_invalid", "2000000 arms; 1000 are the most"),
        (file(&name, "epochs = 1000000000"), "experiment_invalid", "1000000000"),
        (format!("name = \"{}\u{7}", "x".repeat(100_000)), "experiment_invalid", "line 1, column"),
        (changed("agent = \"noop\"", "agent = \"llm\"\nreplay = \"runs/x\""), "path_in_posted_file", "`replay`"),
    ] {
        for dry_run in [true, false] {
            let (status, refused) =
                server.call(Method::POST, "/experiments", json!({"file": text, "dry_run": dry_run})).await;
            let said = refused.to_string();
            assert_eq!((status.as_u16(), refused["code"].as_str()), (422, Some(code)), "{text}\n{refused:#}");
            assert!(said.contains(part), "{part}: {refused:#}");
            let detail = refused["detail"].as_str().unwrap();
            assert!(detail.matches('x').count() <= 100 && !detail.contains(char::is_control), "{detail}");
        }
    }
    // An allowed key is lent: the file is right, and its model has no price.
    let (status, plan) =
        server.call(Method::POST, "/experiments", json!({"file": with_model("A_MODEL_KEY"), "dry_run": true})).await;
    assert_eq!((status, &plan["unpriced"]), (StatusCode::OK, &json!(["m"])), "{plan:#}");
    let (status, refused) = server.create(&"#".repeat(600 << 10)).await;
    assert_eq!((status, &refused["code"]), (StatusCode::PAYLOAD_TOO_LARGE, &json!("body_too_large")));
    let asked = server.client.post(format!("{}/experiments", server.base)).bearer_auth(TOKEN);
    let reply = asked.header("content-type", "text/plain").body(right.clone()).send().await.unwrap();
    assert_eq!(reply.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let asked = server.client.post(format!("{}/experiments", server.base)).json(&json!({"file": right}));
    assert_eq!(asked.send().await.unwrap().status(), StatusCode::FORBIDDEN, "without a token");
    assert_eq!(server.get("/experiments").await["experiments"], json!([]));
    assert!(!place.runs_of(&name).exists() && !canary.exists());
    server.stop().await;
}

#[tokio::test]
async fn flags_that_make_no_sense_keep_the_server_from_starting() {
    let place = Place::new();
    let refused = async |more: &[&str]| {
        let call = place.scratchbed.call(&["serve", "--port", "0"]).args(more);
        let call = call.arg("--ledger").arg(place.path().join("ledger.sqlite"));
        let answer = call.env("SCRATCHBED_QUEUE", "postgres://x").answer().await;
        answer["error"]["code"].as_str().unwrap_or_default().to_owned()
    };
    let hosting = ["--experiments", "1", "--open-runs"];
    assert_eq!(refused(&hosting[..2]).await, "experiments_for_nobody");
    let agents = ["--token", "an agents' token of this test"];
    assert_eq!(refused(&[&hosting[..], &agents].concat()).await, "experiments_for_nobody", "agents create none");
    for (key, code) in [
        ("SCRATCHBED_TOKENS=https://models.example", "key_is_servers"),
        ("NO_SUCH_KEY_AT_ALL=https://models.example", "variable_not_set"),
        ("NO_SUCH_KEY_AT_ALL", "key_without_host"),
        ("NO_SUCH_KEY_AT_ALL=https://models.example/v1", "key_host_invalid"),
    ] {
        assert_eq!(refused(&[&hosting[..], &["--key-env", key]].concat()).await, code, "{key}");
    }
    assert_eq!(refused(&[&hosting[..], &["--bind", "0.0.0.0"]].concat()).await, "token_required");
    assert!(!place.path().join("ledger.sqlite").exists());
}
