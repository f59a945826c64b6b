//! Explanations of a run, rated by a scripted judge that is killed and goes on, and by a person at the keyboard who closes the page;
//! then both are compared. Who wrote the explanations is told to nobody.

use std::path::Path;

use nix::sys::signal::Signal;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::forged::{bench, instance, report};
use crate::support::model_endpoint::Endpoint;
use crate::support::plain_browser::PlainBrowser;
use crate::support::program::{Answer, Begun, Scratchbed, lines_at};

/// Who explained: nobody who rates may know.
const WRITER: &str = "writer-4711";
const NAMES: [&str; 4] = ["a-told", "b-told", "c-told", "d-silent"];

fn story(name: &str) -> String {
    format!("In the story of {name} nobody sets the score back.")
}

/// A finished run of explanations of a benchmark made for it; the last answer can't be read.
async fn explained(scratchbed: &Scratchbed, folder: &Path) -> Answer {
    let instances = NAMES.map(|name| {
        let mut one = instance(name, name, Some("MIT"), report());
        one.report.symptom = format!("{} So it is in round {name}.", one.report.symptom);
        one
    });
    bench(folder, &instances);
    let answer = |name: &str| match name {
        "d-silent" => "I don't know.".to_owned(),
        name => {
            json!({"bug": {"trigger": "green_flag", "mechanism": "missing_initialization"}, "narrative": story(name)})
                .to_string()
        }
    };
    let (_endpoint, address) = Endpoint::serve_by(NAMES.map(|name| (format!("round {name}"), answer(name)))).await;
    let folder = folder.to_string_lossy();
    let asked = ["explain", "run", &folder, "--agent", "model", "--model", WRITER, "--endpoint", &address];
    let answer = scratchbed.answer(&asked).await;
    assert_eq!(answer["score"]["unreadable"], 1, "{answer:#}");
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn explanations_are_rated_by_a_judge_and_by_keys_and_both_are_compared() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("bench");
    let scratchbed = Scratchbed::new();
    let dir = explained(&scratchbed, &folder).await.run_arg();
    let bench = folder.to_string_lossy().into_owned();
    let refused = scratchbed.answer(&["explain", "agreement", &dir]).await;
    assert_eq!((refused.code, refused["error"]["code"].as_str()), (3, Some("nothing_to_compare")));
    judged(&scratchbed, &bench, &dir).await;
    rated(&scratchbed, &bench, &dir).await;
    let answer = scratchbed.answer(&["explain", "agreement", &dir]).await;
    let pair = &answer["pairs"][0];
    assert_eq!((answer.code, answer["pairs"].as_array().unwrap().len()), (0, 1), "{answer:#}");
    assert_eq!((&pair["one"], &pair["other"]), (&json!("ada"), &json!("judge-1 (judge)")));
    // The judge's second rating can't be read.
    assert_eq!(pair["agreement"]["n"], 2);
}

async fn judged(scratchbed: &Scratchbed, bench: &str, dir: &str) {
    let script = [
        (story("a-told"), r#"{"score": 4, "evidence": "all three"}"#.to_owned()),
        (story("b-told"), "It is good.".to_owned()),
        (story("c-told"), r#"{"score": 2, "evidence": "vague"}"#.to_owned()),
    ];
    let (endpoint, address) = Endpoint::serve_by(script).await;
    let asked = ["explain", "judge", bench, dir, "--model", "judge-1", "--endpoint", &address];
    // An answer has 18 tokens.
    let refused = scratchbed.answer(&[&asked[..], &["--max-run-tokens", "10"]].concat()).await;
    assert_eq!((refused.code, refused["error"]["code"].as_str()), (3, Some("budget_exhausted")), "{refused:#}");
    assert!(refused["error"]["message"].as_str().unwrap().ends_with("1 of 3 explanations are rated"), "{refused:#}");
    scratchbed.call(&asked).killed_at_line(|line| line.contains("b-told")).await;
    let answer = scratchbed.answer(&asked).await;
    assert_eq!((answer.code, &answer["scores"]["counts"]), (0, &json!([0, 1, 0, 1, 0])), "{answer:#}");
    assert_eq!((&answer["scores"]["mean"], &answer["unreadable"]), (&json!(3.0), &json!(1)));
    assert_eq!(answer["not_rated"]["unreadable"], 1);
    assert_eq!((&answer["costs"]["calls"], &answer["costs"]["input_tokens"]), (&json!(3), &json!(33)));
    // What was asked when the process was killed was asked in vain.
    let bodies = endpoint.asked();
    let asks = |name: &str| bodies.iter().filter(|body| body.to_string().contains(&story(name))).count();
    assert!(asks("a-told") == 1 && asks("b-told") == 1 && (3..=4).contains(&bodies.len()), "{} requests", bodies.len());
    assert!(bodies.iter().all(|body| body["temperature"] == 0.0 && !body.to_string().contains(WRITER)));
    let written = lines_at(&Path::new(dir).join("judges/judge-1.jsonl"));
    assert_eq!(written.iter().map(|line| &line["score"]).collect::<Vec<_>>(), [&json!(4), &json!(null), &json!(2)]);
    assert_eq!(written[1]["answer"], "It is good.");

    let again = scratchbed.answer(&asked).await;
    assert_eq!((&again["asked"], endpoint.asked().len()), (&json!(0), bodies.len()), "all is rated");
    let refused = scratchbed.answer(&[&asked[..], &["--temperature", "1"]].concat()).await;
    assert_eq!((refused.code, refused["error"]["code"].as_str()), (3, Some("judged_otherwise")));
    let refused = scratchbed.answer(&asked[..4]).await;
    assert_eq!((refused.code, refused["error"]["code"].as_str()), (2, Some("no_judge")));
    let five = ["explain", "judge", bench, dir, "--command", "echo '{\"score\": 5}'", "--name", "five"];
    let program = scratchbed.answer(&five).await;
    assert_eq!(program["scores"]["counts"], json!([0, 0, 0, 0, 3]), "{program:#}");
    for file in ["judges/five.json", "judges/five.jsonl"] {
        std::fs::remove_file(Path::new(dir).join(file)).unwrap();
    }
}

/// Opens the page of a call.
async fn opened(browser: &PlainBrowser, rating: &mut Begun) -> String {
    let line = rating.line(|line| line.contains("http://")).await;
    let address = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned();
    browser.open(&address).await;
    address
}

async fn told(browser: &PlainBrowser, words: &str) {
    browser.until(words, |state| state["told"].as_str().is_some_and(|told| told.contains(words))).await;
}

async fn rated(scratchbed: &Scratchbed, bench: &str, dir: &str) {
    let call = ["explain", "rate", bench, dir, "--rater", "ada"];
    let browser = PlainBrowser::start().await;
    let mut rating = scratchbed.call(&call).begin();
    let address = opened(&browser, &mut rating).await;
    told(&browser, "Explanation 1 of 3").await;
    browser.press("4").await;
    told(&browser, "Explanation 2 of 3").await;
    browser.press("e").await;
    browser.type_text("vague 5").await;
    browser.press("Escape").await;
    browser.press("2").await;
    told(&browser, "2 rated by ada").await;
    browser.press("u").await;
    told(&browser, "Explanation 2 of 3").await;
    browser.press("3").await;
    told(&browser, "Explanation 3 of 3").await;
    for (key, place) in [("k", 2), ("ArrowLeft", 1), ("j", 2), ("ArrowRight", 3), ("j", 3)] {
        browser.press(key).await;
        told(&browser, &format!("Explanation {place} of 3")).await;
    }
    browser.press("q").await;
    browser.assert_accessible("the rating page").await;
    browser.press("?").await;
    browser.until("the help", |state| state["dialog"].as_str().unwrap().contains("undo")).await;
    browser.assert_accessible("help on the rating page").await;
    browser.press("Escape").await;
    browser.open(&address).await;
    told(&browser, "Explanation 3 of 3").await;
    told(&browser, "2 rated by ada").await;
    guarded(&address).await;
    browser.assert_quiet(&address);
    let refused = scratchbed.answer(&call).await;
    assert_eq!((refused.code, refused["error"]["code"].as_str()), (5, Some("run_in_use")));

    rating.signal(Signal::SIGINT);
    let answer = rating.answer().await;
    assert_eq!((answer.code, &answer["left"], &answer["sample"]), (1, &json!(1), &json!(3)), "{answer:#}");
    let mut rating = scratchbed.call(&call).begin();
    opened(&browser, &mut rating).await;
    told(&browser, "Explanation 3 of 3").await;
    browser.press("5").await;
    told(&browser, "All are rated").await;
    browser.press("q").await;
    told(&browser, "You can close this page").await;
    let answer = rating.answer().await;
    assert_eq!((answer.code, &answer["scores"]["counts"]), (0, &json!([0, 0, 1, 1, 1])), "{answer:#}");
    let written = lines_at(&Path::new(dir).join("ratings/ada.jsonl"));
    let scores: Vec<&Value> = written.iter().map(|line| &line["score"]).collect();
    assert_eq!(json!(scores), json!([4, null, 2, null, 3, 5]), "{written:#?}");
    assert_eq!(written[4]["evidence"], "vague 5");
    browser.close().await;
}

/// The page is for whoever knows its address, by this machine's own name.
async fn guarded(address: &str) {
    let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let sheet = fetched(host, host, &format!("{path}sheet")).await;
    assert!(sheet.starts_with("HTTP/1.1 200") && sheet.contains("story of") && !sheet.contains(WRITER), "{sheet}");
    assert!(fetched(host, host, "sheet").await.starts_with("HTTP/1.1 404"));
    assert!(fetched(host, "rebound.example", &format!("{path}sheet")).await.starts_with("HTTP/1.1 403"));
}

/// The reply to a request that comes by this name.
async fn fetched(address: &str, host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.unwrap();
    reply
}
