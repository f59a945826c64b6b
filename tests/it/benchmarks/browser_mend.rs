//! Both tracks of forged faults by the real program, with a scripted model: each answer ends in one outcome, a run that is killed pays for
//! nothing twice, and nothing hidden is asked or published.

use std::path::Path;

use scratchbed::project::Project;
use serde_json::{Value, json};

use crate::support::forged::{bench, id, instance, report};
use crate::support::model_endpoint::Endpoint;
use crate::support::plain_browser::PlainBrowser;
use crate::support::program::{Scratchbed, records};
use crate::support::{files, has_its_day};

/// What must not be seen by whoever mends: it is in gold, in the truth and in the suite.
const CANARY: &str = "yellow-canary-4711";

/// The block that is missing.
fn reset(new: &str, value: &str) -> Value {
    json!({"op": "add", "sprite_id": "Stage", "parent": id("Stage", "flag"), "block": {"id": new, "opcode": "data_setvariableto",
        "fields": {"VARIABLE": ["score", scratchbed::project::normalise::new_id("pool", "Stage", "score")]}, "inputs": {"VALUE": value}}})
}

fn patch(edits: &[Value]) -> String {
    json!({"explanation": "Nothing sets the score back.", "patch": edits}).to_string()
}

/// Instances with their answers, and the stage that each comes to.
fn script() -> Vec<(&'static str, String, &'static str)> {
    let unknown = json!({"op": "remove", "sprite_id": "Stage", "block_id": "nowhere"});
    let wait = |value: &str| json!({"op": "modify", "sprite_id": "Stage", "block_id": id("Stage", "wait"), "path": "inputs/DURATION", "value": value});
    let many: Vec<Value> = (0..1000).map(|_| wait("2")).collect();
    vec![
        ("a-right", format!("Here it is:\n```json\n{}\n```", patch(&[reset("n1", "0")])), "passed"),
        ("b-wrong", patch(&[reset("n1", "5")]), "assertion_failed"),
        ("c-broken", patch(&[reset("n1", "0")]).replace('}', ""), "unreadable"),
        ("d-conflict", patch(&[wait("2"), wait("3")]), "conflict"),
        ("e-unknown", patch(&[unknown]), "unresolved"),
        ("f-many", patch(&many), "unreadable"),
        ("g-empty", patch(&[]), "assertion_failed"),
        ("h-silent", String::new(), "none"),
    ]
}

/// How the report about an instance is told from the others.
fn told(name: &str) -> String {
    format!("round {name}")
}

fn forged(folder: &Path) {
    let instances = script().into_iter().map(|(name, ..)| {
        let mut one = instance(name, name, Some("MIT"), report());
        let mut golden = Project::read(&one.golden).unwrap();
        golden.json["meta"]["agent"] = json!(CANARY);
        one.golden = golden.pack().unwrap();
        CANARY.clone_into(&mut one.truth.operator);
        CANARY.clone_into(&mut one.suite.scenarios[0].template);
        one.forge = json!({"tried": [CANARY]});
        one.report.symptom = format!("{} So it is in {}.", one.report.symptom, told(name));
        one
    });
    bench(folder, &instances.collect::<Vec<_>>());
}

/// Whether any file below a folder has the canary in it; project files are opened.
fn tells(folder: &Path) -> bool {
    files(folder).into_iter().any(|path| {
        let bytes = std::fs::read(&path).unwrap();
        let text = if path.extension().is_some_and(|extension| extension == "sb3") {
            Project::read(&bytes).unwrap().json.to_string()
        } else {
            String::from_utf8_lossy(&bytes).into_owned()
        };
        text.contains(CANARY)
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn each_answer_ends_in_one_stage_and_a_killed_run_pays_for_nothing_twice() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("bench");
    forged(&folder);
    let bench = folder.to_string_lossy().into_owned();
    let script = script();
    // Nothing is known of the last one: the endpoint refuses.
    let answers = script.iter().filter(|(_, answer, _)| !answer.is_empty());
    let answers: Vec<_> = answers.map(|(name, answer, _)| (told(name), answer.clone())).collect();
    let (endpoint, address) = Endpoint::serve_by(answers).await;
    let asked =
        ["repair", "run", &bench, "--agent", "model", "--model", "scripted", "--endpoint", &address, "--jobs", "1"];

    let scratchbed = Scratchbed::new();
    let killed = scratchbed.call(&asked).killed_at_line(|line| line.contains("b-wrong")).await;
    let run = killed.run();
    let resumed = scratchbed.call(&asked).resuming(run).answer().await;

    let stages: Vec<(String, String)> = records::<Value>(run)
        .into_iter()
        .map(|record| (record.item.to_string(), record.detail["stage"].as_str().unwrap_or("none").to_owned()))
        .collect();
    // What was asked when the process was killed was asked in vain: its answer went to nobody.
    let asked = endpoint.asked().len();
    assert!((script.len()..=script.len() + 1).contains(&asked), "{asked} requests");
    let wanted: Vec<(String, String)> =
        script.iter().map(|(name, _, stage)| ((*name).to_owned(), (*stage).to_owned())).collect();
    assert_eq!(stages, wanted, "{resumed:#}");
    let score = &resumed["score"];
    let count = |stage: &str| {
        let all = score["stages"].as_array().unwrap();
        all.iter().find(|one| one["kind"] == stage).unwrap()["count"].as_u64().unwrap()
    };
    let all = [
        "unreadable",
        "unresolved",
        "conflict",
        "unsupported",
        "invalid",
        "unloadable",
        "hung",
        "console_error",
        "assertion_failed",
        "guard_failed",
        "passed",
    ];
    assert_eq!(all.iter().map(|stage| count(stage)).sum::<u64>(), 7, "each ends in one stage");
    assert_eq!((score["unanswered"].as_u64(), score["all"]["repaired"]["n"].as_u64()), (Some(1), Some(8)));
    assert_eq!((score["all"]["repaired"]["hits"].as_u64(), score["all"]["exact"]["hits"].as_u64()), (Some(1), Some(1)));
    assert_eq!(score["all"]["distance"]["passed"]["mean"], 0.0);

    let bodies = json!(endpoint.asked()).to_string();
    assert!(!bodies.contains(CANARY), "a question tells what is hidden");
    assert!(bodies.contains("second green flag"), "it has the report");
    assert!(!tells(&folder.join("public")) && tells(&folder.join("truth")), "the canary is where it should be alone");
    let kept = files(run).into_iter().filter(|path| path.ends_with("asked.json"));
    assert!(kept.map(|path| std::fs::read_to_string(path).unwrap()).all(|text| !text.contains(CANARY)));

    let more = ["explained", "scored"];
    if has_its_day("explained", &more) {
        explained(&bench, &folder).await;
    }
    if has_its_day("scored", &more) {
        scored(&bench, place.path()).await;
    }
}

/// The same instances, explained: the right words, other ones, and none.
async fn explained(bench: &str, folder: &Path) {
    let said = |trigger: &str, mechanism: &str| {
        json!({"summary": {"goal": "Count.", "sprites": [], "loop": []}, "bug": {"trigger": trigger, "triggers": [trigger],
            "mechanism": mechanism, "outcome": {"signal": "variable:score", "deviation": "not_reset"}}, "narrative": ""})
        .to_string()
    };
    let answers = [
        ("a-right", said("green_flag", "missing_initialization")),
        ("b-wrong", said("green_flag", "desynchronization")),
        ("c-broken", "I don't know.".to_owned()),
    ];
    let (endpoint, address) = Endpoint::serve_by(answers.map(|(name, answer)| (told(name), answer))).await;
    let call = Scratchbed::new().call(&["explain", "run", bench, "--ids", "a-right,b-wrong,c-broken", "--pictures"]);
    let call = call.args(["--agent", "model", "--model", "scripted", "--endpoint", &address, "--jobs", "1"]);
    let answer = call.answer().await;
    let all = &answer["score"]["all"];
    let hits = |name: &str| (all[name]["hits"].as_u64().unwrap(), all[name]["n"].as_u64().unwrap());
    assert_eq!(
        (hits("understood"), hits("mechanism"), hits("trigger"), hits("outcome")),
        ((1, 3), (1, 3), (2, 3), (2, 3)),
        "{answer:#}"
    );
    assert_eq!(answer["score"]["unreadable"], 1);
    let bodies = endpoint.asked();
    assert!(!json!(bodies).to_string().contains(CANARY), "a question tells what is hidden");
    let said = bodies[0]["messages"][1]["content"].as_array().unwrap();
    assert!(said[0]["text"].as_str().unwrap().contains("\n1: Stage, backdrop"), "{:#}", said[0]);
    assert!(said[1]["image_url"]["url"].as_str().unwrap().starts_with("data:image/png;base64,"));
    assert!(tells(&folder.join("truth")));
}

/// Answers from elsewhere; the oracle, and nothing at all.
async fn scored(bench: &str, folder: &Path) {
    let file = folder.join("answers.jsonl");
    let lines = [
        json!({"id": "a-right", "response": patch(&[reset("other", "0")])}),
        json!({"id": "b-wrong", "error": "no credit"}),
        json!({"id": "c-broken", "response": patch(&[reset("other", "5")])}),
    ];
    std::fs::write(&file, lines.map(|line| line.to_string()).join("\n")).unwrap();
    let scratchbed = Scratchbed::new();
    let score = ["repair", "score", bench, "--answers", &file.to_string_lossy(), "--jobs", "1"];
    let answer = scratchbed.answer(&score).await;
    let repaired = &answer["score"]["all"]["repaired"];
    assert_eq!((&repaired["n"], &repaired["hits"]), (&json!(8), &json!(1)), "{answer:#}");
    assert_eq!(answer["score"]["unanswered"], 6, "five have no line");
    shown(bench, &answer.run_arg()).await;
    for (agent, hits, distance, drift) in [("oracle", 1, 0.0, true), ("none", 0, 1.0, false)] {
        let run = ["repair", "run", bench, "--agent", agent, "--ids", "a-right"];
        let answer = scratchbed.answer(&run).await;
        let all = &answer["score"]["all"];
        assert_eq!(all["repaired"]["hits"], hits, "{agent}: {answer:#}");
        assert_eq!(all["distance"]["applied"]["mean"], distance);
        assert_eq!(all["drift"]["applied"]["mean"] == 0.0, drift);
    }
}

/// The page of a run as a person meets it, with the scripts of the buggy project, the patched one and gold, and the stages where a patch
/// failed.
async fn shown(bench: &str, run: &str) {
    let answer = Scratchbed::new().answer(&["repair", "report", bench, run, "--pictures"]).await;
    let file = answer["report"].as_str().unwrap_or_else(|| panic!("{answer:#}"));
    let page = std::fs::read_to_string(file).unwrap();
    assert_eq!(page.matches("data:image/svg+xml;base64,").count(), 6, "a script each, of two patches");
    assert!(page.contains("no credit") && page.contains("Gold's repair"));
    let (right, wrong) = page.split_at(page.find("id=\"c-broken-1\"").unwrap());
    assert!(!right.contains("Where it failed"), "a patch that passes has no film");
    assert!(wrong.contains("Where it failed") && wrong.contains("first difference"));
    assert!(wrong.contains("<span class=\"good\">gold 0</span>, <span class=\"bad\">patched 5</span>"));
    let stages = wrong.matches("data:image/png;base64,").count();
    assert!(stages >= 4 && stages.is_multiple_of(2), "{stages} pictures, gold's beside the patched project's");
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    let browser = PlainBrowser::start().await;
    browser.open(&format!("file://{file}")).await;
    browser.assert_accessible("the page of a run of repairs").await;
    assert_eq!(*browser.complaints.lock().unwrap(), Vec::<String>::new());
    browser.close().await;
}
