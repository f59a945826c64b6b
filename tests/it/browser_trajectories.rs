//! Budgeted repair by the real program, with a scripted model: each trajectory ends in one layer, what is killed pays for nothing twice,
//! replays and regrades come out the same, and no request tells what is hidden.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use scratchbed::json_patch::{Operation, difference, wire_form};
use scratchbed::model::{AttemptRecord, Trajectory};
use scratchbed::project::Project;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;

use crate::forged::{bench, instance, report};
use crate::model_endpoint::Endpoint;
use crate::support::root;

/// What must be in no request: it is in gold, in the truth and in the suite.
const CANARY: &str = "yellow-canary-4711";

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scratchbed"));
    command.env("SCRATCHBED_ALLOW_ROOT", "1").args(args).args(["--json", "--root"]).arg(root()).kill_on_drop(true);
    command
}

async fn answered(args: &[&str]) -> Value {
    let done = command(args).output().await.unwrap();
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    serde_json::from_str(text.lines().last().unwrap_or_default()).unwrap_or_else(|_| panic!("{args:?}: {said}"))
}

/// The right patch: what gold has and the buggy project lacks.
fn right() -> Vec<Operation> {
    let one = instance("one", "one", None, report());
    let json = |sb3: &[u8]| Project::read(sb3).unwrap().json;
    difference(&json(&one.buggy), &json(&one.golden)).unwrap()
}

/// Cases with their answers, and the layer and code that each comes to.
fn script() -> Vec<(&'static str, String, &'static str, Option<&'static str>)> {
    let patch = |operations: &[Operation]| wire_form(operations).to_string();
    let one = |value: &Value| json!({"operations": [value]}).to_string();
    let wrong: Vec<Operation> =
        serde_json::from_str(&serde_json::to_string(&right()).unwrap().replace("\"0\"", "\"5\"")).unwrap();
    let many: Vec<Operation> = std::iter::repeat_with(right).take(9).flatten().collect();
    vec![
        ("a-right", format!("Here:\n```json\n{}\n```", patch(&right())), "strict_success", None),
        ("b-wrong", patch(&wrong), "verification.precheck", Some("assertion_failed")),
        ("c-prose", "I can't tell.".to_owned(), "extraction", Some("no_json")),
        ("d-many", patch(&many), "schema", Some("too_many_ops")),
        (
            "e-gone",
            one(&json!({"op": "remove", "path": "/targets/0/blocks/nowhere", "value": null})),
            "application",
            Some("no_such_path"),
        ),
        (
            "f-name",
            one(&json!({"op": "replace", "path": "/targets/1/name", "value": "\"Owl\""})),
            "application",
            Some("path_denied"),
        ),
        ("g-empty", patch(&[]), "application", Some("no_change")),
        ("h-silent", String::new(), "request", Some("no_answer")),
    ]
}

/// How the report about a case is told from the others.
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
        one.report.symptom = format!("{} So it is in {}.", one.report.symptom, told(name));
        one
    });
    bench(folder, &instances.collect::<Vec<_>>());
}

fn trajectories(run: &Path) -> Vec<Trajectory> {
    let mut found: Vec<Trajectory> = crate::support::files(run)
        .into_iter()
        .filter(|path| path.ends_with("attempt.json"))
        .map(|path| {
            let record: AttemptRecord<Option<Trajectory>> =
                serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
            record.detail.unwrap()
        })
        .collect();
    found.sort_by(|one, other| one.case.cmp(&other.case));
    found
}

/// The runs that were begun whose record has these words.
fn runs_of(words: &str) -> Vec<PathBuf> {
    let runs = std::fs::read_dir(root().join("runs/repair")).unwrap().map(|entry| entry.unwrap().path());
    let is_of =
        |path: &PathBuf| std::fs::read_to_string(path.join("run.json")).is_ok_and(|record| record.contains(words));
    runs.filter(is_of).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_trajectory_ends_in_one_layer_and_a_killed_run_pays_for_nothing_twice() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("bench");
    forged(&folder);
    let bench = folder.to_string_lossy().into_owned();
    // Answers are kept beyond runs: another name is another model.
    let model = format!("scripted-{}", place.path().file_name().unwrap().to_string_lossy());
    let script = script();
    let answers = script.iter().filter(|(_, answer, ..)| !answer.is_empty());
    let answers: Vec<_> = answers.map(|(name, answer, ..)| (told(name), answer.clone())).collect();
    let (endpoint, address) = Endpoint::serve_by(answers).await;
    let asked = ["repair", "run", &bench, "--agent", "model", "--model", &model, "--endpoint", &address];
    let heuristic = [&asked[..], &["--mode", "heuristic", "--request-retries", "0"]].concat();

    let mut child = command(&heuristic).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    while let Some(line) = lines.next_line().await.unwrap() {
        if line.contains("b-wrong") {
            break;
        }
    }
    kill(Pid::from_raw(i32::try_from(child.id().unwrap()).unwrap()), Signal::SIGKILL).unwrap();
    child.wait().await.unwrap();
    let run = runs_of(&model).remove(0);
    let resumed = answered(&[&heuristic[..], &["--resume", &run.to_string_lossy()]].concat()).await;
    let made = trajectories(&run);
    ended(&made, &resumed["runs"][0]["score"]);
    // Each has two attempts but the first; what was asked when the process was killed may have been asked in vain.
    let paid = endpoint.asked().len();
    assert!((15..=16).contains(&paid), "{paid} requests");
    hidden(&endpoint, &run, &made);

    let run = run.to_string_lossy().into_owned();
    let replayed = answered(&["repair", "replay", &run, "--bench", &bench]).await;
    let differing = replayed["trajectories"].as_array().unwrap().iter().filter(|one| !one["differs"].is_null()).count();
    // The one that nobody answered has no answer to be taken from the store, which it says in other words.
    assert_eq!((replayed["trajectories"].as_array().unwrap().len(), differing), (8, 1), "{replayed:#}");
    let regraded = answered(&["repair", "regrade", &run, "--bench", &bench]).await;
    let candidates = regraded["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 3, "{regraded:#}");
    assert!(candidates.iter().all(|one| one["is_same"] == true), "{regraded:#}");
    assert_eq!(endpoint.asked().len(), paid, "nobody was asked again");
    deeper(&asked, &model).await;
    built_in(&bench).await;
    for run in runs_of(scratchbed::bugs::Bench::open(&folder).unwrap().version()) {
        std::fs::remove_dir_all(run).unwrap();
    }
}

/// Every trajectory in one layer; the layers add up.
fn ended(made: &[Trajectory], score: &Value) {
    for ((name, _, layer, code), one) in script().iter().zip(made) {
        assert_eq!(one.case, *name);
        let Some(last) = one.attempts.last() else { panic!("{one:#?}") };
        assert_eq!((one.layer.to_string().as_str(), last.code.as_deref()), (*layer, *code), "{name}: {last:#?}");
        assert!(one.generation_success || !one.strict_verify_success);
        assert_eq!(one.stop, if *layer == "strict_success" { "strict_success" } else { "exhausted" });
        assert_eq!(one.totals.attempts, if *layer == "strict_success" { 1 } else { 2 });
        assert!(one.probe.signals.gap > 0.9 && one.probe.signals.differing == ["Stage/variable/score"], "{one:#?}");
    }
    assert_eq!(made[0].distance.unwrap().d_edit, Some(0));
    assert_eq!(made[0].size.unwrap().targets, 2);
    let layers = score["layers"].as_array().unwrap();
    assert_eq!(layers.iter().map(|layer| layer["count"].as_u64().unwrap()).sum::<u64>(), 8);
    let hits = |name: &str| (score[name]["hits"].as_u64().unwrap(), score[name]["n"].as_u64().unwrap());
    assert_eq!((hits("generated"), hits("strict"), hits("conversion")), ((2, 8), (1, 8), (1, 2)));
}

/// No request tells of gold; each has the report, an excerpt with pointers, and frames where the plan shows some.
fn hidden(endpoint: &Endpoint, run: &Path, made: &[Trajectory]) {
    let bodies = endpoint.asked();
    let all = json!(bodies).to_string();
    assert!(!all.contains(CANARY), "a request tells what is hidden");
    assert!(all.contains("second green flag") && all.contains("/targets/0/blocks/"));
    for body in &bodies {
        assert_eq!(body["response_format"]["type"], "json_schema", "{body:#}");
    }
    let kept = crate::support::files(run).into_iter();
    let requests: Vec<String> = kept
        .filter(|path| path.to_string_lossy().ends_with(".request.json"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    assert_eq!(requests.len(), 15);
    assert!(requests.iter().all(|text| !text.contains(CANARY)));
    let pictured = made.iter().flat_map(|one| &one.attempts).filter(|attempt| attempt.images.inserted > 0);
    let shown = bodies.iter().filter(|body| body.to_string().contains("image_url")).count();
    assert!(pictured.count() <= shown && shown > 0, "{shown} requests with pictures");
    assert_eq!(made[1].attempts[1].leak, 2, "a precheck tells no expected value");
    assert!(made[1].attempts[0].verification.as_ref().unwrap().full.is_none());
}

/// Without a precheck the whole suite is run, and what was wanted may be told.
async fn deeper(asked: &[&str], model: &str) {
    let before = runs_of(model);
    let of_one = [asked, &["--mode", "text_only", "--ids", "b-wrong"]].concat();
    answered(&of_one).await;
    let run = runs_of(model).into_iter().find(|run| !before.contains(run)).unwrap();
    let made = trajectories(&run).remove(0);
    assert_eq!(made.layer.to_string(), "verification.full");
    assert_eq!(made.attempts.iter().map(|attempt| attempt.leak).collect::<Vec<_>>(), [1, 3]);
    assert!(made.probe.cached, "one probe serves all modes");
    let second = crate::support::files(&run).into_iter().find(|path| path.ends_with("a1.request.json")).unwrap();
    let second = std::fs::read_to_string(second).unwrap();
    assert!(second.contains("wanted: 1.0 s after the second green flag") && !second.contains(CANARY), "{second}");
    let mute = [&of_one[..], &["--max-leak", "0"]].concat();
    let before = runs_of(model);
    answered(&mute).await;
    let run = runs_of(model).into_iter().find(|run| !before.contains(run)).unwrap();
    assert!(trajectories(&run).remove(0).attempts.iter().all(|attempt| attempt.leak == 0));
}

/// The floors and the oracle, in two modes at once.
async fn built_in(bench: &str) {
    let of = async |agent: &str| {
        let modes = "text_only,fixed";
        answered(&["repair", "run", bench, "--agent", agent, "--mode", modes, "--ids", "a-right,b-wrong"]).await
    };
    for (agent, hits) in [("oracle", 2), ("none", 0)] {
        let answer = of(agent).await;
        let runs = answer["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 2, "{answer:#}");
        for run in runs {
            assert_eq!(
                (&run["score"]["strict"]["hits"], &run["score"]["strict"]["n"]),
                (&json!(hits), &json!(2)),
                "{agent}: {run:#}"
            );
        }
    }
}
