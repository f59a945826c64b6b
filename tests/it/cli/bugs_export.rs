//! `bugs export`: examples of one fold, with the question of evaluation and an answer that mends the project, or explains its fault; what
//! must not be exported is not. Benchmarks that instances are added to.

use std::path::Path;

use scratchbed::bugs::{Bench, BugReport, CANARY, Instance, RecordStatus, ReferenceRecord};
use scratchbed::explain::{Explained, bug_score, explain_question, goal_score, read_explanation};
use scratchbed::mend::{Asked, Manner, Message, question};
use scratchbed::model::sha256_hex;
use scratchbed::project::Project;
use scratchbed::project::edit::{Edit, apply, edit_distance, edit_set};
use serde_json::{Value, json};

use crate::support::forged::{bench, gold, id, instance, report};
use crate::support::program::{Scratchbed, lines_at};

/// What `bugs export` answers, or the error that it ends with.
fn exported(bench: &Path, args: &[&str]) -> Result<(Value, Vec<Value>), Value> {
    let out = bench.join("out.jsonl");
    let call = Scratchbed::new().call(&["bugs", "export"]).arg(bench).args(args).arg("--out").arg(&out);
    let answer = call.blocking_answer();
    if answer.code != 0 {
        assert!(!out.exists(), "nothing is written");
        return Err(answer.json);
    }
    Ok((answer.json, lines_at(&out)))
}

#[test]
fn examples_ask_what_is_asked_in_evaluation_and_answer_with_a_patch_that_mends() {
    let folder = tempfile::tempdir().unwrap();
    let all = [
        instance("one", "one", Some("MIT"), report()),
        instance("two", "two", Some("CC-BY-SA-4.0"), report()),
        instance("two-more", "two", Some("CC-BY-SA-4.0"), report()),
        instance("unknown", "unknown", None, report()),
    ];
    let folds = bench(folder.path(), &all).fold().unwrap();
    let (answer, lines) = exported(folder.path(), &["--fold", "all"]).unwrap();
    assert_eq!((answer["examples"].as_u64(), lines.len()), (Some(2), 2), "one of each project: {answer:#}");
    assert_eq!(answer["left_out"][0]["instance"], "unknown", "what has no licence is never exported");
    let (_, augmented) = exported(folder.path(), &["--fold", "all", "--augment"]).unwrap();
    assert_eq!(augmented.len(), 3);

    let first = &lines[0];
    let messages: Vec<&str> =
        first["messages"].as_array().unwrap().iter().map(|one| one["content"].as_str().unwrap()).collect();
    let buggy = Project::read(&all[0].buggy).unwrap().json;
    let asked = asked(&buggy, true);
    assert_eq!(messages[..2], [asked[0].content.as_str(), asked[1].content.as_str()]);
    let reply: Value = serde_json::from_str(messages[2]).unwrap();
    assert_eq!(reply["patch"][0]["block"]["id"], "new1");
    assert!(reply["explanation"].as_str().unwrap().ends_with("in a script of Stage."));
    let patch: Vec<Edit> = serde_json::from_value(reply["patch"].clone()).unwrap();
    let aim = edit_set(&buggy, &gold());
    assert_eq!(edit_distance(&aim, &edit_set(&buggy, &apply(&buggy, &patch).unwrap())), 0);
    assert_eq!((&first["meta"]["task"], &first["meta"]["summary"]), (&json!("repair"), &Value::Null));
    assert_eq!((&first["meta"]["canary"], &first["meta"]["licence"]["spdx"]), (&json!(CANARY), &json!("MIT")));
    let bytes: usize = messages.iter().map(|message| message.len()).sum();
    assert_eq!(first["meta"]["tokens_estimate"], json!(bytes.div_ceil(3)));

    for (name, ids) in [("A", &folds.a), ("B", &folds.b)] {
        let (_, lines) = exported(folder.path(), &["--fold", name, "--augment"]).unwrap();
        let own: Vec<&str> = lines.iter().map(|line| line["meta"]["instance"].as_str().unwrap()).collect();
        let expected: Vec<&str> = ids.iter().map(String::as_str).filter(|id| *id != "unknown").collect();
        assert_eq!(own, expected);
        assert!(lines.iter().all(|line| line["meta"]["fold"] == name));
    }
    let (answer, lines) = exported(folder.path(), &["--fold", "all", "--max-tokens", "200"]).unwrap();
    assert!(lines.is_empty());
    assert!(answer["left_out"][0]["reason"].as_str().unwrap().contains("at most 200"), "{answer:#}");
}

/// What the game is, as a person wrote it.
fn record() -> ReferenceRecord {
    let record = json!({"format": 1, "project": "two", "status": "written", "tags": [], "goal": {"text": "Press space to count up the score.",
        "terms": [["score"], ["owl"]]}, "sprites": [{"name": "Moth", "role": "player", "primary": true}],
        "loop": ["green_flag", "key:space"], "hooks": [], "state_signals": []});
    serde_json::from_value(record).unwrap()
}

#[test]
fn a_record_that_was_confirmed_of_another_project_is_one_that_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let digest = sha256_hex(&instance("one", "one", Some("MIT"), report()).golden);
    for (sha256, status) in [
        (Some(digest), RecordStatus::Confirmed),
        (Some(sha256_hex(b"another project")), RecordStatus::Written),
        // As earlier versions wrote it.
        (None, RecordStatus::Written),
    ] {
        let mut one = instance("one", "one", Some("MIT"), report());
        let by = vec!["ada".to_owned()];
        one.record = Some(ReferenceRecord { status: RecordStatus::Confirmed, by, sha256, ..record() });
        let read = bench(folder.path(), &[one]).instance("one").unwrap().record.unwrap();
        assert_eq!((read.status, read.by.is_empty()), (status, status == RecordStatus::Written));
    }
}

#[test]
fn explanations_are_taught_with_the_answer_that_scores_fully() {
    let folder = tempfile::tempdir().unwrap();
    let mut all = [instance("one", "one", Some("MIT"), report()), instance("two", "two", Some("MIT"), report())];
    all[1].record = Some(record());
    let folds = bench(folder.path(), &all).fold().unwrap();
    let (_, lines) = exported(folder.path(), &["--fold", "all", "--task", "explain"]).unwrap();
    assert_eq!(lines.len(), 2);
    for (instance, line) in all.iter().zip(&lines) {
        let messages: Vec<&str> =
            line["messages"].as_array().unwrap().iter().map(|one| one["content"].as_str().unwrap()).collect();
        let buggy = Project::read(&instance.buggy).unwrap().json;
        let manner = Manner { is_slice: true, ..Manner::default() };
        let asked =
            explain_question(&Asked { id: "one", buggy: &buggy, report: &report(), sheet: None }, &manner).unwrap();
        assert_eq!(messages[..2], [asked[0].content.as_str(), asked[1].content.as_str()]);
        let truth = Explained::of(instance).unwrap();
        let read = read_explanation(messages[2]).unwrap();
        let score = bug_score(&read.bug, &truth);
        assert!(score.is_understood() && score.wrong + score.missed == 0, "{score:?}: {}", messages[2]);
        let goal = goal_score(&read, truth.record.as_ref());
        assert_eq!(goal.map(|goal| goal.is_right()), instance.record.as_ref().map(|_| true));
        assert_eq!(messages[2].contains("summary"), instance.record.is_some(), "no record, nothing to learn");
        let status = instance.record.as_ref().map(|_| RecordStatus::Written);
        assert_eq!(line["meta"]["summary"], json!(status));
        assert_eq!((&line["meta"]["task"], &line["meta"]["canary"]), (&json!("explain"), &json!(CANARY)));
    }
    let (_, half) = exported(folder.path(), &["--fold", "A", "--task", "explain"]).unwrap();
    let own: Vec<&str> = half.iter().map(|line| line["meta"]["instance"].as_str().unwrap()).collect();
    assert_eq!(own, folds.a);
}

fn asked(buggy: &Value, is_slice: bool) -> [Message; 2] {
    let manner = Manner { is_slice, ..Manner::default() };
    question(&Asked { id: "one", buggy, report: &report(), sheet: None }, &manner).unwrap()
}

#[test]
fn a_question_shows_all_that_a_patch_may_name_and_only_what_the_report_is_about() {
    let forward: Vec<Edit> =
        serde_json::from_value(json!([{"op": "remove", "sprite_id": "Stage", "block_id": id("Stage", "reset")}]))
            .unwrap();
    let buggy = apply(&gold(), &forward).unwrap();
    let [_, whole] = asked(&buggy, false);
    let [_, slice] = asked(&buggy, true);
    let shows = |text: &str, target: &str, block: &str| text.contains(&id(target, block));
    for (target, block) in [("Stage", "flag"), ("Stage", "loop"), ("Stage", "wait"), ("Moth", "count"), ("Moth", "say")]
    {
        assert!(shows(&whole.content, target, block), "{block}");
        assert_eq!(shows(&slice.content, target, block), block != "say", "{block}: the report names no key a");
    }
    assert!(slice.content.contains("only other inputs start") && !whole.content.contains("only other inputs start"));
    assert!(!whole.content.contains("hidden default") && !whole.content.contains("\"x\""));
    let project: Value = serde_json::from_str(whole.content.split_once("The project:\n").unwrap().1).unwrap();
    let stage = &project["targets"][0];
    assert_eq!(stage["sounds"], json!([{"name": "pop", "seconds": 1.5}]));
    assert_eq!(stage["scripts"][0][1]["inputs"]["SUBSTACK"][0]["inputs"], json!({"DURATION": "1"}));
    assert_eq!(project["targets"][1]["scripts"][0][1]["fields"]["VARIABLE"][0], "score");
}

#[test]
fn an_export_that_would_tell_too_much_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |instances: &[Instance], prepare: &dyn Fn(&Path)| {
        let folder = tempfile::tempdir_in(folder.path()).unwrap();
        bench(folder.path(), instances);
        prepare(folder.path());
        let code = |task: &str| {
            let error = exported(folder.path(), &["--fold", "A", "--task", task]).unwrap_err();
            error["error"]["code"].as_str().unwrap_or_else(|| panic!("{error:#}")).to_owned()
        };
        let codes = ["repair", "explain"].map(code);
        assert_eq!(codes[0], codes[1], "both tasks are refused alike");
        codes[0].clone()
    };
    let fold = |folder: &Path| {
        Bench::open(folder).unwrap().fold().unwrap();
    };
    let one = || instance("one", "one", Some("MIT"), report());
    assert_eq!(refused(&[one()], &|_| ()), "no_folds");
    let grown = |folder: &Path| {
        fold(folder);
        Bench::open(folder).unwrap().add(&instance("two", "two", Some("MIT"), report())).unwrap();
    };
    assert_eq!(refused(&[one()], &grown), "folds_outdated");
    let parted = |folder: &Path| {
        fold(folder);
        let file = folder.join("folds.json");
        let mut folds: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        (folds["a"], folds["b"]) = (json!(["one"]), json!(["two"]));
        std::fs::write(&file, folds.to_string()).unwrap();
    };
    assert_eq!(refused(&[one(), instance("two", "one", Some("MIT"), report())], &parted), "folds_share_group");
    for told in ["MI.delete".to_owned(), "missing_initialization".to_owned(), format!("\"{}\"", id("Stage", "reset"))] {
        let telling = BugReport { symptom: format!("It is {told}."), ..report() };
        let both = ["one", "two"].map(|name| instance(name, name, Some("MIT"), telling.clone()));
        assert_eq!(refused(&both, &fold), "example_leaks", "{told}");
    }
}

#[test]
fn an_instance_that_is_added_again_has_nothing_of_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let with_record = Instance { record: Some(record()), ..instance("one", "one", Some("MIT"), report()) };
    let mut bench = bench(folder.path(), &[with_record]);
    let has_record = |bench: &Bench| bench.instance("one").unwrap().record.is_some();
    assert!(has_record(&bench));
    bench.add(&instance("one", "one", Some("MIT"), report())).unwrap();
    assert!(!has_record(&bench));
}

#[test]
fn a_project_keeps_the_instances_that_it_still_has() {
    let folder = tempfile::tempdir().unwrap();
    let all = [("one", "one"), ("one-more", "one"), ("two", "two")].map(|(id, of)| instance(id, of, None, report()));
    bench(folder.path(), &all).keep_of("one", &["one"]).unwrap();
    let left = Bench::open(folder.path()).unwrap();
    assert_eq!(left.entries().iter().map(|entry| entry.id.as_str()).collect::<Vec<_>>(), ["one", "two"]);
}
