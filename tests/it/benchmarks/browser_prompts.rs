//! Questions by the published layout and by the user's own prompts: what is sent, what is recorded, and the tables that come
//! out of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::everything;
use crate::support::model_endpoint::{Act, Endpoint};
use crate::support::program::{Answer, Scratchbed, json_at};
use crate::support::shown_requests::question;

/// Two bundled scenes, in the order in which they are asked.
const SCENES: [&str; 2] = ["and_into_condition", "below_say"];
/// What help the agent may get, in the paper's order: as it is asked for, and as tables name it.
const SETTINGS: [(&str, &str); 4] = [
    ("baseline", "baseline"),
    ("gt-start", "gt_start"),
    ("knowledge", "knowledge"),
    ("gt-start+knowledge", "gt_start+knowledge"),
];
/// The requests of both scenes in all settings.
const REQUESTS: &str = include_str!("snapshots/it__benchmarks__browser_prompts__drags_paper.snap");

/// Without help, and with all there is, whose words are those of the others; `SCRATCHBED_TESTS=all` takes all settings.
fn settings() -> Vec<(&'static str, &'static str)> {
    if everything() { SETTINGS.to_vec() } else { vec![SETTINGS[0], SETTINGS[3]] }
}

fn requests(endpoint: &Endpoint) -> String {
    endpoint.asked().iter().map(question).collect()
}

/// The rows of a table in CSV by the beginning of its title, each by the names of its columns.
fn rows(csv: &str, title: &str) -> Vec<BTreeMap<String, String>> {
    let lines = csv.lines().skip_while(|line| !line.starts_with(&format!("# {title}")));
    let lines: Vec<&str> = lines.skip_while(|line| line.starts_with('#')).take_while(|line| !line.is_empty()).collect();
    let text = lines.join("\n");
    csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn drags_in_the_published_layout_in_all_settings_and_their_tables() {
    let (scratchbed, settings) = (Scratchbed::new(), settings());
    let oracle = scratchbed.answer(&["drag", "run", SCENES[0], "--agent", "oracle"]).await;
    let oracle_run = oracle.run_arg();
    let said = oracle.file(SCENES[0], "attempt.json")["detail"]["said"].clone();
    let at = |end: &str, axis: &str| said[end]["point"][axis].as_f64().unwrap();
    let right = format!(
        "drag(start_point='<point>{} {}</point>', end_point='<point>{} {}</point>')",
        at("start", "x"),
        at("start", "y"),
        at("end", "x"),
        at("end", "y")
    );
    // The first scene is done right in each setting, the second never: its block is missed, or nothing is said.
    let wrong = "drag(start_point='<point>700 600</point>', end_point='<point>720 600</point>')";
    let mut acts = Vec::new();
    for setting in 0..settings.len() {
        acts.push(Act::Say(right.clone()));
        acts.push(Act::Say(if setting == 0 { "I see no such block.".to_owned() } else { wrong.to_owned() }));
    }
    let (endpoint, address) = Endpoint::serve(acts).await;
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("scenes.txt");
    fs::write(&list, format!("{} # the second\n", SCENES[1])).unwrap();
    let ids = format!("{},@{}", SCENES[0], list.display());
    let asked: Vec<&str> = settings.iter().map(|(asked, _)| *asked).collect();
    let common = ["drag", "run", "--ids", &ids, "--agent", "model", "--endpoint", &address, "--model", "scripted"];
    let call = scratchbed.call(&common).args(["--prompt", "paper", "--setting", &asked.join(","), "--jobs", "1"]);
    let told = call.answer().await;
    assert_eq!(told.code, 1, "one answer was unreadable: {}", told.stderr);
    if everything() {
        insta::assert_snapshot!("drags_paper", requests(&endpoint));
    }
    let shown: Vec<String> = endpoint.asked().iter().map(question).collect();
    assert_eq!(shown.len(), 2 * settings.len());
    let whole = |request: &str| request.trim_start_matches("==== request\n").trim_end().to_owned();
    let kept: Vec<String> = REQUESTS.split("==== request\n").skip(1).map(whole).collect();
    // Two scenes are asked about in each setting, in this order.
    let places = settings.iter().flat_map(|setting| {
        let at = SETTINGS.iter().position(|known| known == setting).unwrap();
        [2 * at, 2 * at + 1]
    });
    let expected: Vec<String> = places.map(|at| kept[at].clone()).collect();
    assert_eq!(shown.iter().map(|one| whole(one)).collect::<Vec<_>>(), expected);

    let runs: Vec<&str> = told["runs"].as_array().unwrap().iter().map(|run| run["run"].as_str().unwrap()).collect();
    let record = json_at(&Path::new(runs[0]).join("run.json"));
    assert_eq!(
        (&record["options"]["prompt"]["wording"], &record["options"]["prompt"]["own"]),
        (&json!("paper"), &json!(false))
    );
    assert_eq!(record["items"], json!(SCENES));
    let differs = scratchbed.call(&common).resuming(Path::new(runs[0])).answer().await["error"].clone();
    assert_eq!(differs["code"], "run_differs", "{differs}");
    assert!(differs["message"].as_str().unwrap().contains("`prompt` was"), "{differs}");

    // Named in another order, they come in the paper's.
    let named: Vec<&str> = runs.iter().rev().copied().chain([oracle_run.as_str()]).collect();
    let call = scratchbed.call(&["report", "--format", "csv", "--count", "reference"]).args(named);
    let text = call.plain().answer().await.stdout;
    let table = rows(&text, "Single drags: Pass@k");
    let of = |column: &str| table.iter().take(settings.len()).map(|row| row[column].as_str()).collect::<Vec<_>>();
    let named: Vec<&str> = settings.iter().map(|(_, named)| *named).collect();
    let all = |cell: &'static str| vec![cell; settings.len()];
    assert_eq!(of("setting"), named, "{text}");
    assert_eq!((of("prompt"), of("@1")), (all("paper"), all("50.00")), "{text}");
    assert_eq!((of("start"), of("end")), (all("50.00"), all("100.00")), "{text}");
    assert!(of("start px")[0] == "–" && of("start px")[1].parse::<f64>().unwrap() > 0.0, "{text}");
    let failed = rows(&text, "Single drags: how trials failed");
    assert_eq!((failed[0]["unknown"].as_str(), failed[0]["unreadable"].as_str()), ("1", "1"), "{text}");
    let start = failed.iter().find(|row| row["setting"] == named[1] && row["split"] == "ALL").unwrap();
    assert_eq!((start["failed"].as_str(), start["start"].as_str()), ("1", "1"), "{text}");
    // The unreadable answer has no result file there.
    let theirs = text.split("as the reference counts").nth(1).unwrap();
    assert!(theirs.lines().any(|line| line.contains(",paper,baseline,100.00,")), "{theirs}");
}

/// A set of two questions with a picture.
fn set(folder: &Path) -> String {
    fs::create_dir_all(folder.join("screenshots")).unwrap();
    image::RgbImage::new(8, 8).save(folder.join("screenshots/001.png")).unwrap();
    let item = |id: &str, kind: &str, tag: &str, instruction: &str, truth: &str| {
        json!({"id": id, "task_type": kind, "tag": tag, "instruction": instruction, "screenshot": "001.png",
            "ground_truth": truth})
    };
    let items = [
        item(
            "seen",
            "existence",
            "existence_yes_clear",
            "Is there any `hide` block that is visible in the canvas?",
            "YES",
        ),
        item(
            "seen_too",
            "existence",
            "existence_yes_clear",
            "Is there any `show` block that is visible in the canvas?",
            "YES",
        ),
        item("read", "field", "exact_match_numeric", "What does the field of the `wait seconds` block show?", "7"),
    ];
    let lines: Vec<String> = items.iter().map(Value::to_string).collect();
    fs::write(folder.join("items.jsonl"), lines.join("\n")).unwrap();
    fs::write(folder.join("set.json"), json!({"format": 1, "origin": {"built": {"seed": 1}}, "items": 3}).to_string())
        .unwrap();
    folder.display().to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn questions_in_both_layouts_and_in_the_users_words() {
    let folder = tempfile::tempdir().unwrap();
    let set = set(&folder.path().join("set"));
    let own = folder.path().join("own");
    fs::create_dir(&own).unwrap();
    fs::write(own.join("perception-user.md"), "Mine: {{ instruction }}\n").unwrap();
    let own = own.display().to_string();
    let acts = ["YES", "7", "NO", "7", "YES", "7"].map(|text| Act::Say(text.to_owned()));
    let (endpoint, address) = Endpoint::serve(acts).await;
    let scratchbed = Scratchbed::new();
    let common =
        ["perception", "run", "--set", &set, "--agent", "model", "--endpoint", &address, "--model", "scripted"];
    let run = async |more: &[&str]| scratchbed.call(&common).args(more).args(["--jobs", "1"]).answer().await;
    // Of each kind the first; then the same by name.
    let paper = run(&["--prompt", "paper", "--small"]).await;
    let ours = run(&["--ids", "read,seen"]).await;
    let mine = run(&["--ids", "seen,read", "--prompt", "paper", "--prompts", &own]).await;
    insta::assert_snapshot!("questions", requests(&endpoint));
    for (told, hits) in [(&paper, 2), (&ours, 1), (&mine, 2)] {
        assert_eq!((&told["score"]["all"]["hits"], &told["score"]["all"]["n"]), (&json!(hits), &json!(2)), "{told}");
    }
    for (more, code) in [
        (&["--ids", "seen,unseen"][..], "unknown_item"),
        (&["--ids", "@/no/such/file"], "unreadable_ids"),
        (&["--prompts", &set], "prompts_missing"),
    ] {
        let told = run(more).await;
        assert_eq!(told["error"]["code"], code, "{told}");
    }
    let runs = [&mine, &ours, &paper].map(Answer::run);
    let text = scratchbed.call(&["report", "--format", "csv"]).args(runs).plain().answer().await.stdout;
    let table = rows(&text, "Perception: accuracy");
    let of = |column: &str| table.iter().map(|row| row[column].as_str()).collect::<Vec<_>>();
    let prompts = of("prompt");
    assert!(prompts[0].starts_with("paper, own ") && prompts[1..] == ["scratchbed", "paper"], "{text}");
    assert_eq!(
        (of("existence"), of("overall"), of("N")),
        (vec!["100.00", "0.00", "100.00"], vec!["100.00", "50.00", "100.00"], vec!["2"; 3]),
        "{text}"
    );
    assert!(!table[0].contains_key("set"), "the same items of the same set: {text}");
    let kinds = rows(&text, "Perception: right answers by kind");
    assert_eq!(
        kinds.iter().map(|row| row["kind"].as_str()).collect::<Vec<_>>(),
        ["existence_yes_clear", "exact_match_numeric"]
    );
}
