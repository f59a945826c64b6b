//! Budgeted repair by the real program, with a scripted model: each trajectory ends in one layer, what is killed pays for nothing twice,
//! replays and regrades come out the same, and no request tells what is hidden.

use std::path::Path;
use std::sync::LazyLock;

use scratchbed::json_patch::{Operation, difference, wire_form};
use scratchbed::model::Trajectory;
use scratchbed::project::Project;
use serde_json::{Value, json};

use crate::support::forged::{bench, instance, report};
use crate::support::model_endpoint::Endpoint;
use crate::support::program::{Answer, Scratchbed, records};
use crate::support::trajectory_pages::assert_pages;
use crate::support::{everything, files, has_its_day, of_the_day};

/// What must be in no request: it is in gold, in the truth and in the suite.
const CANARY: &str = "yellow-canary-4711";

/// The scripted model.
const MODEL: &str = "scripted";

/// The right patch: what gold has and the buggy project lacks.
fn right() -> Vec<Operation> {
    let one = instance("one", "one", None, report());
    let json = |sb3: &[u8]| Project::read(sb3).unwrap().json;
    difference(&json(&one.buggy), &json(&one.golden)).unwrap()
}

/// A case with its answer, and the layer and code that it comes to.
type Scripted = (String, String, &'static str, Option<&'static str>);

/// The kind of patch that can't be applied, of today: each comes to the same layer, and has a code of its own.
static UNAPPLIED: LazyLock<&str> = LazyLock::new(|| *of_the_day(&["gone", "name", "empty"], 1)[0]);

/// As many cases as are wanted: the kinds of answers, over and over, or each layer's of today.
fn script() -> Vec<Scripted> {
    let kinds = kinds();
    let count = if everything() { 20 } else { kinds.len() };
    let named = |(at, (name, answer, layer, code)): (usize, &(&str, String, &'static str, Option<&'static str>))| {
        let letter = char::from(b'a' + u8::try_from(at).unwrap());
        (format!("{letter}-{name}"), answer.clone(), *layer, *code)
    };
    let is_wanted =
        |(name, _, layer, _): &Scripted| everything() || *layer != "application" || name.ends_with(*UNAPPLIED);
    kinds.iter().cycle().take(count).enumerate().map(named).filter(is_wanted).collect()
}

/// Kinds of answers.
fn kinds() -> Vec<(&'static str, String, &'static str, Option<&'static str>)> {
    let patch = |operations: &[Operation]| wire_form(operations).to_string();
    let one = |value: &Value| json!({"operations": [value]}).to_string();
    let wrong: Vec<Operation> =
        serde_json::from_str(&serde_json::to_string(&right()).unwrap().replace("\"0\"", "\"5\"")).unwrap();
    let many: Vec<Operation> = std::iter::repeat_with(right).take(9).flatten().collect();
    let mut more = right();
    let unused = json!({"op": "add", "path": "/targets/0/variables/unused", "value": ["unused", 0]});
    more.insert(0, serde_json::from_value(unused).unwrap());
    vec![
        ("right", format!("Here:\n```json\n{}\n```", patch(&right())), "strict_success", None),
        ("wrong", patch(&wrong), "verification.precheck", Some("assertion_failed")),
        ("prose", "I can't tell.".to_owned(), "extraction", Some("no_json")),
        ("many", patch(&many), "schema", Some("too_many_ops")),
        (
            "gone",
            one(&json!({"op": "remove", "path": "/targets/0/blocks/nowhere", "value": null})),
            "application",
            Some("no_such_path"),
        ),
        (
            "name",
            one(&json!({"op": "replace", "path": "/targets/1/name", "value": "\"Owl\""})),
            "application",
            Some("path_denied"),
        ),
        ("empty", patch(&[]), "application", Some("no_change")),
        ("silent", String::new(), "request", Some("no_answer")),
        ("more", patch(&more), "strict_success", None),
    ]
}

/// How the report about a case is told from the others.
fn told(name: &str) -> String {
    format!("round {name}")
}

fn forged(folder: &Path) {
    let instances = script().into_iter().map(|(name, ..)| {
        let mut one = instance(&name, &name, Some("MIT"), report());
        let mut golden = Project::read(&one.golden).unwrap();
        golden.json["meta"]["agent"] = json!(CANARY);
        one.golden = golden.pack().unwrap();
        CANARY.clone_into(&mut one.truth.operator);
        CANARY.clone_into(&mut one.suite.scenarios[0].template);
        one.report.symptom = format!("{} So it is in {}.", one.report.symptom, told(&name));
        one
    });
    bench(folder, &instances.collect::<Vec<_>>());
}

fn trajectories(run: &Path) -> Vec<Trajectory> {
    records::<Option<Trajectory>>(run).into_iter().map(|record| record.detail.unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_trajectory_ends_in_one_layer_and_a_killed_run_pays_for_nothing_twice() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("bench");
    forged(&folder);
    let bench = folder.to_string_lossy().into_owned();
    let script = script();
    let answers = script.iter().filter(|(_, answer, ..)| !answer.is_empty());
    let answers: Vec<_> = answers.map(|(name, answer, ..)| (told(name), answer.clone())).collect();
    let (endpoint, address) = Endpoint::serve_by(answers).await;
    let asked = ["repair", "run", &bench, "--agent", "model", "--model", MODEL, "--endpoint", &address];
    let heuristic = [&asked[..], &["--mode", "heuristic", "--request-retries", "0", "--minimise", "--drift"]].concat();

    let scratchbed = Scratchbed::new();
    let killed = scratchbed.call(&heuristic).killed_at_line(|line| line.contains("b-wrong")).await;
    let run = killed.run();
    let resumed = scratchbed.call(&heuristic).resuming(run).answer().await;
    let made = trajectories(run);
    ended(&made, &resumed["runs"][0]["score"], "verification.precheck");
    // Each has two attempts but those that pass; what was asked when the process was killed may have been asked in vain.
    let (paid, wanted) = (endpoint.asked().len(), asked_for());
    assert!((wanted..=wanted + 1).contains(&paid), "{paid} requests");
    compared(&made);
    hidden(&endpoint, run, &made);
    let pages = scratchbed.answer(&["repair", "report", &bench, &run.to_string_lossy(), "--pictures"]).await;
    assert_pages(&pages.json, ["a-right", "b-wrong", "h-silent"]).await;

    let run = run.to_string_lossy().into_owned();
    let again = ["replayed", "regraded"];
    if has_its_day("replayed", &again) {
        let replayed = scratchbed.answer(&["repair", "replay", &run, "--bench", &bench]).await;
        let all = replayed["trajectories"].as_array().unwrap();
        let differing = all.iter().filter(|one| !one["differs"].is_null()).count();
        assert_eq!((all.len(), differing), (script.len(), 0), "{replayed:#}");
    }
    if has_its_day("regraded", &again) {
        let regraded = scratchbed.answer(&["repair", "regrade", &run, "--bench", &bench]).await;
        let candidates = regraded["candidates"].as_array().unwrap();
        let built = made.iter().flat_map(|one| &one.attempts).filter(|attempt| attempt.candidate.is_some()).count();
        assert_eq!(candidates.len(), built, "{regraded:#}");
        assert!(candidates.iter().all(|one| one["is_same"] == true), "{regraded:#}");
    }
    assert_eq!(endpoint.asked().len(), paid, "nobody was asked again");
    deeper_and_weighed(&scratchbed, &asked, &run).await;
    if everything() {
        built_in(&scratchbed, &bench).await;
        other_modes(&scratchbed, &asked).await;
        simulated(&scratchbed, &asked).await;
    }
}

/// Every trajectory in one layer; the layers add up.
fn ended(made: &[Trajectory], score: &Value, of_wrong: &str) {
    let script = script();
    assert_eq!(made.len(), script.len());
    for ((name, _, layer, code), one) in script.iter().zip(made) {
        assert_eq!(one.case, *name);
        let Some(last) = one.attempts.last() else { panic!("{one:#?}") };
        let layer = if layer.starts_with("verification") { &of_wrong } else { layer };
        assert_eq!((one.layer.to_string().as_str(), last.code.as_deref()), (*layer, *code), "{name}: {last:#?}");
        assert!(one.generation_success || !one.strict_verify_success);
        assert_eq!(one.stop, if *layer == "strict_success" { "strict_success" } else { "exhausted" });
        assert_eq!(one.totals.attempts, if *layer == "strict_success" { 1 } else { 2 });
        assert!(one.probe.signals.gap > 0.9 && one.probe.signals.differing == ["Stage/variable/score"], "{one:#?}");
    }
    let layers = score["layers"].as_array().unwrap();
    assert_eq!(layers.iter().map(|layer| layer["count"].as_u64().unwrap()).sum::<u64>(), made.len() as u64);
    let hits = |name: &str| (score[name]["hits"].as_u64().unwrap(), score[name]["n"].as_u64().unwrap());
    let count = |is: &dyn Fn(&Scripted) -> bool| script.iter().filter(|one| is(one)).count() as u64;
    let (all, strict) = (made.len() as u64, count(&|(.., layer, _)| *layer == "strict_success"));
    let generated = strict + count(&|(.., layer, _)| layer.starts_with("verification"));
    assert_eq!(
        (hits("generated"), hits("strict"), hits("conversion")),
        ((generated, all), (strict, all), (strict, generated))
    );
}

/// What is found out about candidates afterwards: distances, and what of a patch is needed.
fn compared(made: &[Trajectory]) {
    let of = |name: &str| made.iter().find(|one| one.case == name).unwrap();
    let (right, wrong, more) = (of("a-right"), of("b-wrong"), of("i-more"));
    let distance = right.distance.unwrap();
    assert_eq!((distance.d_edit, distance.drift), (Some(0), Some(0.0)));
    assert_eq!((right.size.unwrap().targets, &wrong.minimal), (2, &None));
    assert!(wrong.distance.unwrap().drift.unwrap() > 0.0, "{wrong:#?}");
    let needed = right.attempts[0].patch.as_ref().unwrap().ops;
    let (patch, minimal) = (more.attempts[0].patch.as_ref().unwrap(), more.minimal.as_ref().unwrap());
    assert_eq!((patch.ops, minimal.ops, minimal.is_complete), (needed + 1, needed, true));
    assert_eq!((minimal.distance.d_edit, minimal.distance.drift), (Some(0), Some(0.0)));
}

/// Requests of a run: two a trajectory, and one where the first answer passes.
fn asked_for() -> usize {
    script().iter().map(|(.., layer, _)| if *layer == "strict_success" { 1 } else { 2 }).sum()
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
    let kept = files(run).into_iter();
    let requests: Vec<String> = kept
        .filter(|path| path.to_string_lossy().ends_with(".request.json"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    assert_eq!(requests.len(), asked_for());
    assert!(requests.iter().all(|text| !text.contains(CANARY)));
    let pictured = made.iter().flat_map(|one| &one.attempts).filter(|attempt| attempt.images.inserted > 0);
    let shown = bodies.iter().filter(|body| body.to_string().contains("image_url")).count();
    assert!(pictured.count() <= shown && shown > 0, "{shown} requests with pictures");
    assert_eq!(made[1].attempts[1].leak, 2, "a precheck tells no expected value");
    assert!(made[1].attempts[0].verification.as_ref().unwrap().full.is_none());
}

/// In the mode `value` another attempt is made only where it is worth its price. In `text_only` there is no precheck:
/// the whole suite is run, and what was wanted may be told.
async fn deeper_and_weighed(scratchbed: &Scratchbed, asked: &[&str], learned: &str) {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("prices.toml");
    let price = format!("[[model]]\nnames = ['{MODEL}']\ninput = 1_000_000\noutput = 1_000_000\n");
    std::fs::write(&file, format!("date = '2026-01-02'\nsource = 'this test'\n{price}")).unwrap();
    let file = file.to_string_lossy().into_owned();
    let common = [asked, &["--ids", "b-wrong", "--learn-from", learned, "--prices", &file]].concat();
    let call = |modes: &str, usd: &str| scratchbed.call(&common).args(["--mode", modes, "--value-usd", usd]);

    let answer = call("text_only,value", "1000").answer().await;
    let run = answer.run();
    let made = trajectories(&run).remove(0);
    assert_eq!(made.layer.to_string(), "verification.full");
    assert_eq!(made.attempts.iter().map(|attempt| attempt.leak).collect::<Vec<_>>(), [1, 3]);
    assert!(made.probe.cached, "one probe serves all modes");
    let second = files(&run).into_iter().find(|path| path.ends_with("a1.request.json")).unwrap();
    let second = std::fs::read_to_string(second).unwrap();
    assert!(second.contains("wanted: 1.0 s after the second green flag") && !second.contains(CANARY), "{second}");
    valued(&answer, 2, "exhausted");

    let answer = call("value", "0.0000001").args(["--max-leak", "0"]).answer().await;
    let made = trajectories(&answer.run()).remove(0);
    assert!(!made.attempts.is_empty() && made.attempts.iter().all(|attempt| attempt.leak == 0), "{made:#?}");
    valued(&answer, 1, "not_worth_it");
}

/// How the trajectory of the last run ended, which is in the mode `value`.
fn valued(answer: &Answer, attempts: u32, stop: &str) {
    let run = answer["runs"].as_array().and_then(|runs| runs.last()?["run"].as_str());
    let run = run.unwrap_or_else(|| panic!("{answer:#}\n{}", answer.stderr));
    let made = trajectories(Path::new(run)).remove(0);
    assert_eq!((made.totals.attempts, made.stop.as_str()), (attempts, stop), "{made:#?}");
}

/// The modes that have not run yet: the same layers, but that the smallest plan has no precheck.
async fn other_modes(scratchbed: &Scratchbed, asked: &[&str]) {
    for mode in ["text_only", "always_on", "fixed"] {
        let answer = scratchbed.call(asked).args(["--mode", mode, "--request-retries", "0"]).answer().await;
        let of_wrong = if mode == "text_only" { "verification.full" } else { "verification.precheck" };
        ended(&trajectories(&answer.run()), &answer["runs"][0]["score"], of_wrong);
        eprintln!("{mode}: {}", answer["runs"][0]["score"]);
    }
}

/// What the heuristic does is what is simulated of it from runs of all plans.
async fn simulated(scratchbed: &Scratchbed, asked: &[&str]) {
    let once = ["--mode", "heuristic", "--max-attempts", "1", "--share-answers", "--request-retries", "0"];
    let mut runs = Vec::new();
    for plan in ["T1", "T2", "M1", "M2"] {
        runs.push(scratchbed.call(asked).args(once).args(["--force-plan", plan]).answer().await.run());
    }
    runs.push(scratchbed.call(asked).args(once).answer().await.run());
    let told = scratchbed.call(&["repair", "simulate"]).args(runs).answer().await;
    eprintln!("{told:#}");
    assert_eq!((&told["compared"], &told["differing"]), (&json!(script().len()), &json!([])), "{told:#}");
}

/// The floor and the oracle, which `server::browser_repairs_served` has mend and not mend a case each day.
async fn built_in(scratchbed: &Scratchbed, bench: &str) {
    let (modes, ids) = (["text_only", "fixed"], ["a-right", "b-wrong"]);
    let (count, asked) = (modes.len(), modes.join(","));
    for (agent, share) in [("oracle", 1), ("none", 0)] {
        let ids = ids.join(",");
        let call = scratchbed.call(&["repair", "run", bench, "--agent", agent, "--ids", &ids, "--mode", &asked]);
        let answer = call.answer().await;
        let runs = answer["runs"].as_array().unwrap();
        assert_eq!(runs.len(), count, "{answer:#}");
        for run in runs {
            let strict = &run["score"]["strict"];
            assert_eq!((&strict["hits"], &strict["n"]), (&json!(share * count), &json!(count)), "{agent}: {run:#}");
        }
    }
}
