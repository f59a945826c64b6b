//! The command line as a program sees it: one object on the last line, everything else on standard error, and
//! exit codes that mean something. What needs Chromium is in `browser_cli.rs`.

use serde_json::Value;

use crate::support::program::{ALLOW_ROOT, Answer, Scratchbed, json_at};
use crate::support::root;

fn json(args: &[&str]) -> Answer {
    Scratchbed::new().blocking_answer(args)
}

fn plain(args: &[&str]) -> Answer {
    Scratchbed::new().call(args).plain().blocking_answer()
}

#[test]
fn tasks_are_listed_one_of_each_category_at_least() {
    let answer = json(&["task", "list"]);
    assert_eq!(answer.code, 0);
    assert_eq!(answer.stdout.lines().count(), 1, "only the answer is on standard output");
    let tasks = answer["tasks"].as_array().unwrap();
    for category in ["create", "debug", "extend", "compute"] {
        assert!(tasks.iter().any(|task| task["category"] == category && task["id"].is_string()), "{category}");
    }
}

#[test]
fn an_unknown_task_is_named_with_a_hint_and_its_own_exit_code() {
    let answer = json(&["task", "show", "stuck_fery"]);
    assert_eq!(answer.code, 3);
    let error = &answer["error"];
    assert_eq!(error["code"], "unknown_task");
    let hint = error["hint"].as_str().unwrap();
    assert!(hint.contains("names are stuck_ferry, ") && hint.contains("`scratchbed task list`"), "{error}");
    assert!(hint.len() < 160, "the nearest names, not all: {hint}");
    assert!(answer.stderr.contains("error[unknown_task]"));
}

#[test]
fn a_draft_with_faults_is_told_once_and_checking_nothing_else_is_no_success() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    write("scratch-gui/package.json", "{}");
    write("tasks/drafts/debug/dry_well/task.json", "{\n  \"id\": ,\n}");
    let scratchbed = Scratchbed::at(folder.path());
    let told = "debug/dry_well/task.json: expected value at line 2";
    for (arguments, status, code) in [
        (&["task", "list", "--drafts"][..], 0, None),
        (&["check", "--drafts"][..], 3, Some("drafts_unfinished")),
        (&["check", "--drafts", "--task", "dry_well"][..], 3, Some("tasks_invalid")),
        (&["task", "show", "--drafts", "dry_well"][..], 3, Some("tasks_invalid")),
    ] {
        let answer = scratchbed.blocking_answer(arguments);
        assert_eq!(answer.code, status, "{arguments:?}: {answer:?}");
        assert_eq!(answer["error"]["code"].as_str(), code, "{arguments:?}");
        assert_eq!(answer.stderr.matches(told).count(), 1, "{arguments:?}: {}", answer.stderr);
    }
}

#[test]
fn a_folder_without_a_run_and_a_scene_that_is_none_are_mistakes_of_the_caller() {
    let resumed = ["run", "--agent", "oracle", "--mode", "composite", "--task", "stuck_ferry", "--resume", "/nowhere"];
    let scene = ["drag", "run", "D_999", "--agent", "oracle"];
    for (arguments, code, way_out) in [
        (&resumed[..], "no_run", "below runs/"),
        (&scene[..], "unknown_scene", "D_0"),
        (&scene[..], "unknown_scene", "`scratchbed drag list`"),
    ] {
        let answer = json(arguments);
        let error = &answer["error"];
        assert_eq!((answer.code, error["code"].as_str()), (3, Some(code)));
        assert!(error["hint"].as_str().unwrap().contains(way_out), "{error}");
    }
}

#[test]
fn scenes_are_listed_with_what_they_ask_for() {
    let told = json(&["drag", "list"]);
    let scenes = told["scenes"].as_array().unwrap();
    assert_eq!((told.code, scenes.len()), (0, 60));
    let count = |name: &str, value: &str| scenes.iter().filter(|scene| scene[name] == value).count();
    assert_eq!((count("type", "T1"), count("type", "T2")), (30, 30));
    assert_eq!(count("from", "palette") + count("from", "canvas"), 60);
    assert!(["below", "between", "slot", "mouth"].iter().all(|kind| count("kind", kind) > 0), "{told}");
    assert!(scenes.iter().all(|scene| scene["instruction"].as_str().is_some_and(|text| text.starts_with("Drag"))));
}

/// Makes a set of two questions by hand: one of YES or NO, one of a number.
fn two_questions(folder: &std::path::Path) -> String {
    let set = folder.join("set");
    std::fs::create_dir_all(set.join("screenshots")).unwrap();
    std::fs::write(set.join("screenshots/001.png"), "a picture").unwrap();
    let item = |id: &str, kind: &str, tag: &str, truth: &str| {
        serde_json::json!({
            "id": id, "task_type": kind, "tag": tag, "instruction": "What is there?", "screenshot": "001.png",
            "ground_truth": truth,
        })
    };
    let items = [item("1", "connection", "connection_yes", "YES"), item("2", "field", "exact_match_numeric", "8")];
    std::fs::write(set.join("items.jsonl"), items.map(|item| item.to_string()).join("\n")).unwrap();
    std::fs::write(set.join("set.json"), r#"{"format": 1, "origin": "imported", "items": 2}"#).unwrap();
    set.display().to_string()
}

#[test]
fn scored_answers_are_a_run_with_its_report() {
    let folder = tempfile::tempdir().unwrap();
    let set = two_questions(folder.path());
    let answers = folder.path().join("theirs.jsonl");
    std::fs::write(&answers, "{\"id\": \"1\", \"response\": \"yes\"}\n{\"id\": \"2\", \"error\": \"no credit\"}")
        .unwrap();
    let told = json(&["perception", "score", "--set", &set, answers.to_str().unwrap()]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    assert_eq!(told["score"]["yes_no"]["said_yes"]["percent"], 100.0, "{told}");
    let attempt = json_at(&told.run().join("attempts/2.1/attempt.json"));
    assert_eq!((&attempt["outcome"], &attempt["error"]), (&"call_failed".into(), &"no credit".into()));
    let page = std::fs::read_to_string(told.run().join("report.html")).unwrap();
    assert!(page.contains("theirs") && page.contains("1 attempt each") && page.contains("balanced"), "{page}");
}

#[test]
fn predictions_that_are_none_are_told_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list.jsonl");
    std::fs::write(&list, "no JSON\n{\"task\": \"stuck_ferry\", \"project\": \"gone.sb3\"}\n").unwrap();
    let list = list.to_str().unwrap();
    let answer = json(&["judge", "--predictions", list]);
    assert_eq!((answer.code, &answer["error"]["code"]), (3, &"no_usable_prediction".into()));
    let lines = &answer.stderr;
    assert!(
        lines.contains("not judged  line 1: ") && lines.contains("not judged  line 2: there is no file"),
        "{lines}"
    );
    assert_eq!(plain(&["judge", "--predictions", list, "--task", "stuck_ferry"]).code, 2);
    assert_eq!(plain(&["judge", "--predictions", list, "--golden"]).code, 2);
    assert_eq!(plain(&["judge", "--task", "stuck_ferry", "--golden", "--jobs", "2"]).code, 2);
}

#[test]
fn a_checkout_without_scripts_leaves_no_pack_behind() {
    let folder = tempfile::tempdir().unwrap();
    let checkout = folder.path().join("checkout");
    std::fs::create_dir_all(checkout.join("tasks")).unwrap();
    std::fs::create_dir_all(checkout.join("scratch-gui/static")).unwrap();
    let pack = folder.path().join("pack");
    let (from, to) = (checkout.to_str().unwrap(), pack.to_str().unwrap());
    let answer = json(&["task", "import", "scratchworld", from, "--out", to]);
    assert_eq!((answer.code, &answer["pack"]), (1, &Value::Null));
    assert!(answer.stderr.contains("No pack was written"));
    assert!(!pack.exists());
    assert_eq!(plain(&["task", "list", "--pack", to]).code, 3);
}

#[test]
fn arguments_that_make_no_sense_end_with_2() {
    assert_eq!(plain(&["judge", "--task", "stuck_ferry"]).code, 2);
    assert_eq!(plain(&["nonsense"]).code, 2);
}

#[test]
fn serve_does_not_run_as_root_unless_told() {
    let code = |arguments: &[&str]| {
        let call = Scratchbed::new().call(&["serve", "--port", "0", "--runs", "."]).args(arguments);
        let answer = call.without_env(ALLOW_ROOT).blocking_answer();
        assert_eq!(answer.code, 2);
        answer["error"]["code"].as_str().unwrap().to_owned()
    };
    let allowed = "runs_for_nobody";
    assert_eq!(code(&["--allow-root"]), allowed);
    let told = if nix::unistd::geteuid().is_root() { "runs_as_root" } else { allowed };
    assert_eq!(code(&[]), told);
}

#[test]
fn a_missing_chromium_is_said_and_nothing_is_skipped() {
    let answer = json(&["judge", "--task", "stuck_ferry", "--golden", "--chromium", "/no/such/chromium"]);
    assert_eq!((answer.code, &answer["error"]["code"]), (4, &"chromium_missing".into()));
}

#[test]
fn the_help_names_exit_codes_and_variables() {
    let text = plain(&["--help"]).stdout;
    for part in ["Exit codes:", "the machine is not set up", "SCRATCHBED_CHROMIUM"] {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn two_traces_are_compared_up_to_the_first_tick_and_signal() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, x: u32| {
        let signals = serde_json::json!({"Cat/x": {"t": [0, 7], "v": [0, x]}});
        let trace =
            serde_json::json!({"format": 1, "clock": {}, "seed": 1, "runs": [{"ticks": 9, "signals": signals}]});
        let path = folder.path().join(name);
        std::fs::write(&path, trace.to_string()).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (left, right) = (write("left.json", 5), write("right.json", 6));
    let answer = json(&["trace", "diff", &left, &right]);
    assert_eq!(answer.code, 1);
    let difference = serde_json::json!({"run": 0, "tick": 7, "signal": "Cat/x", "left": 5, "right": 6});
    assert_eq!(answer.json, serde_json::json!({"equal": false, "difference": difference}));
    assert_eq!(plain(&["trace", "diff", &left, &left]).code, 0);
    assert_eq!(plain(&["trace", "diff", &left, "no-such-file"]).code, 3);
}

#[test]
fn a_check_wants_to_know_which_tasks_and_scores_between_0_and_1() {
    assert_eq!(plain(&["check"]).code, 2);
    assert_eq!(plain(&["check", "--all", "--task", "stuck_ferry"]).code, 2);
    assert_eq!(plain(&["check", "--all", "--min-mutation", "1.5"]).code, 2);
    assert_eq!(plain(&["check", "--all", "--no-mutants", "--mean-mutation", "0.7"]).code, 2);
    assert_eq!(plain(&["check", "--task", "no_such_task"]).code, 3);
}

#[test]
fn a_task_is_printed_as_text_and_as_markdown() {
    let text = |arguments: &[&str]| {
        let answer = plain(&[&["task", "text"], arguments].concat());
        assert_eq!(answer.code, 0, "{arguments:?}: {answer:?}");
        answer.stdout
    };
    assert!(text(&["stuck_ferry"]).starts_with("scratchbed project 1\n\nstage\n"));
    let initial = text(&["stuck_ferry", "--format", "markdown"]);
    assert!(initial.starts_with("## Stage (Stage)\n### Scripts: ") && initial.contains(" (Sprite)\n"), "{initial}");
    assert_ne!(initial, text(&["stuck_ferry", "--golden", "--format", "markdown"]));
    let base = root().join("tasks/bases/pearl_sub/project.txt");
    assert!(text(&[base.to_str().unwrap(), "--format", "markdown"]).contains("## Crab (Sprite)\n### Scripts:\n```\n"));
    let base = base.to_str().unwrap();
    for (arguments, status, code) in [
        (&["stuck_fery"][..], 3, "unknown_task"),
        (&[base, "--golden"], 2, "not_a_task"),
        (&["stuck_ferry", "--out", "x"], 2, "no_project_file"),
        (&["nowhere.sb3"], 3, "project_unreadable"),
        (&["Makefile"], 3, "no_text_header"),
    ] {
        let answer = json(&[&["task", "text"], arguments].concat());
        assert_eq!(answer.code, status, "{arguments:?}: {answer:?}");
        assert_eq!(answer["error"]["code"], code, "{arguments:?}");
    }
}
