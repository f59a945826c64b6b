//! Single drags as a benchmark: `drag-watch` and `drag-boxes` by way of `scratchbed drag run`, with built-in agents, a
//! scripted model endpoint, and programs that drag over HTTP.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::answers::{answer, scratchbed};
use crate::support::model_endpoint::{Act, Endpoint};
use crate::support::root;
use crate::support::troubled_run::killed_and_resumed;

const SCENES: [&str; 2] = ["below_say", "and_into_condition"];

fn json_at(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The folder of the only run of an answer.
fn run_of(answer: &Value) -> PathBuf {
    PathBuf::from(answer["runs"][0]["run"].as_str().unwrap_or_else(|| panic!("{answer}")))
}

fn trial(run: &Path, item: &str, attempt: u32) -> Value {
    json_at(&run.join(format!("attempts/{item}.{attempt}/attempt.json")))
}

fn row(answer: &Value, number: usize) -> Value {
    answer["runs"][number]["summary"]["rows"][2].clone()
}

#[test]
fn the_oracle_drags_once_and_right_in_all_settings_and_the_others_show_where_they_break() {
    let settings = ["--setting", "baseline,gt-start,knowledge", "--json"];
    let oracle = scratchbed(&[&["drag", "run", SCENES[0], SCENES[1], "--agent", "oracle"], &settings[..]].concat());
    let told = answer(&oracle);
    for number in 0..3 {
        assert_eq!(row(&told, number)["pass_at"][0]["percent"], 100.0, "{told}");
    }
    let first = trial(&run_of(&told), SCENES[0], 1);
    let kinds: Vec<&str> =
        first["detail"]["steps"].as_array().unwrap().iter().map(|step| step["kind"].as_str().unwrap()).collect();
    assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("press", "release"));
    assert_eq!(kinds.iter().filter(|kind| **kind == "press").count(), 1, "one drag");
    assert!(first["detail"]["steps"].as_array().unwrap().iter().all(|step| step["trusted"] == true));

    for (agent, stages) in [("random", &["grasp"][..]), ("centre", &["grasp", "path", "snap"])] {
        let told = answer(&scratchbed(&["drag", "run", SCENES[0], "--agent", agent, "--json"]));
        assert_eq!(row(&told, 0)["pass_at"][0]["percent"], 0.0, "{agent}");
        let broke = trial(&run_of(&told), SCENES[0], 1)["detail"]["broke"].clone();
        assert!(stages.iter().any(|stage| broke["stage"] == *stage) && broke["pixels"].as_f64() > Some(0.0), "{broke}");
        let page = fs::read_to_string(run_of(&told).join("report.html")).unwrap();
        assert!(page.contains("1 attempt each") && !page.contains("Pass@2"), "{agent}");
        assert!(page.contains("Broke at") && page.contains("attempts&#x2f;below_say.1&#x2f;seen.png"), "{agent}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_troubled_endpoint_each_attempt_ends_once_and_a_killed_run_goes_on() {
    let oracle = tokio::task::spawn_blocking(|| {
        let told = answer(&scratchbed(&["drag", "run", SCENES[0], "--agent", "oracle", "--json"]));
        trial(&run_of(&told), SCENES[0], 1)["detail"]["said"].clone()
    });
    let right = oracle.await.unwrap();
    let at = |end: &str, axis: &str| right[end]["point"][axis].as_f64().unwrap();
    let say = |dy: f64| {
        let (start, end) = ((at("start", "x"), at("start", "y")), (at("end", "x"), at("end", "y") + dy));
        let form = format!(
            "start_point='<point>{} {}</point>', end_point='<point>{} {}</point>'",
            start.0, start.1, end.0, end.1
        );
        Act::Say(format!("Analysis: there.\ndrag({form})"))
    };
    let acts = [
        say(0.0),
        say(200.0),
        Act::Babble,
        Act::Stall,
        Act::Refuse(500, None),
        Act::Say("I see no such block.".to_owned()),
        Act::Say("drag(start_point='<index>3</index>', end_point='<point>1 1</point>')".to_owned()),
        say(0.0),
    ];
    let trials = acts.len();
    // One more for the attempt that is broken off.
    let (endpoint, address) = Endpoint::serve(acts.into_iter().chain([say(0.0)])).await;
    let agent = format!("scripted-{}", std::process::id());
    let arguments: Vec<String> = [
        "drag",
        "run",
        SCENES[0],
        "--agent",
        "model",
        "--endpoint",
        &address,
        "--model",
        &agent,
        "--attempts",
        &trials.to_string(),
        "--timeout",
        "2",
        "--request-retries",
        "0",
        "--json",
    ]
    .map(str::to_owned)
    .into();
    let resumed = killed_and_resumed("drag", &agent, arguments, |recorded| recorded.len() >= 3).await;
    assert_eq!(resumed.output.status.code(), Some(1), "{}", String::from_utf8_lossy(&resumed.output.stderr));
    let told = answer(&resumed.output);
    assert_eq!(run_of(&told), resumed.run);
    let counts = row(&told, 0)["outcomes"].clone();
    let all = resumed.all_that_add_up(&counts);
    assert_eq!(all.len(), trials);
    for outcome in ["passed", "failed", "unreadable", "call_failed"] {
        assert!(all.values().any(|trial| trial["outcome"] == outcome), "{outcome}: {counts}");
    }
    assert!(endpoint.asked().len() <= trials + 1, "nothing that was answered is asked again");
    let shown = endpoint.asked()[0]["messages"][1]["content"].clone();
    assert!(shown[1]["image_url"]["url"].as_str().unwrap().starts_with("data:image/png;base64,"), "{}", shown[0]);

    let other = tokio::task::spawn_blocking(move || {
        let folder = resumed.run.display().to_string();
        scratchbed(&["drag", "run", SCENES[0], "--agent", "oracle", "--resume", &folder, "--json"])
    });
    assert_eq!(answer(&other.await.unwrap())["error"]["code"], "run_differs");
}

#[test]
fn a_program_may_answer_or_drag_over_http_once() {
    let told = answer(&scratchbed(&["drag", "run", SCENES[0], "--agent", "oracle", "--json"]));
    let said = trial(&run_of(&told), SCENES[0], 1)["detail"]["said"].clone();
    let script = root().join("tests/it/support/programs/drag_program.py");
    // More than one drag fails, also when it is hidden, and so does whatever would void the trial.
    let ways = [
        ("1", "passed"),
        ("create", "passed"),
        ("2", "failed"),
        ("flood", "failed"),
        ("delete", "failed"),
        ("reset", "failed"),
        ("load", "failed"),
    ];
    for (how, outcome) in ways {
        let command = format!("python3 {} {how} '{said}'", script.display());
        let output = scratchbed(&["drag", "run", SCENES[0], "--agent", "command", "--command", &command, "--json"]);
        let told = answer(&output);
        let record = trial(&run_of(&told), SCENES[0], 1);
        assert_eq!(record["outcome"], outcome, "{how}: {record}");
    }
    let told = answer(&scratchbed(&["drag", "run", SCENES[0], "--agent", "command", "--command", "exit 1", "--json"]));
    assert_eq!(trial(&run_of(&told), SCENES[0], 1)["outcome"], json!("call_failed"));
}

/// The reference makes such a drag in vain and measures it from what was said; here it is refused, and measured so too.
#[test]
fn a_drag_that_leaves_the_viewport_is_measured_and_the_references_figures_stand_beside_ours() {
    let command = "echo \"drag(start_point='<point>1500 300</point>', end_point='<point>640 -50</point>')\"";
    let settings = ["--setting", "gt-start+knowledge", "--count", "reference", "--json"];
    let asked = ["drag", "run", SCENES[0], "--agent", "command", "--command", command];
    let output = scratchbed(&[&asked[..], &settings[..]].concat());
    let told = answer(&output);
    let run = run_of(&told);
    let detail = trial(&run, SCENES[0], 1)["detail"].clone();
    assert_eq!((&detail["failure"], &detail["start"]["x"]), (&json!("start"), &json!(1500.0)), "{detail}");
    let gap = detail["start_gap"].as_f64().unwrap();
    assert!(gap > 220.0 && detail["end_gap"].as_f64() > Some(0.0), "{detail}");
    assert_eq!((&detail["broke"]["stage"], detail["broke"]["pixels"].as_f64()), (&json!("grasp"), Some(gap)));
    for table in ["summary", "reference"] {
        let row = &told["runs"][0][table]["rows"][2];
        assert_eq!((&row["runs"], &row["start_gap"]["pixels"]), (&json!(1), &json!(gap)), "{table}: {row}");
    }
    let question = json_at(&run.join(format!("attempts/{}.1/asked.json", SCENES[0])))["user"].to_string();
    assert!(question.contains("red circle") && question.contains("Rules of thumb"), "{question}");
    let page = fs::read_to_string(run.join("report.html")).unwrap();
    assert!(page.contains("As the reference counts") && page.contains("Failure type: start"), "{page}");

    // A program that says nothing readable: with us a failed run, there no task at all.
    let asked = ["drag", "run", SCENES[0], "--agent", "command", "--command", "echo no", "--count", "reference"];
    let told = answer(&scratchbed(&[&asked[..], &["--json"]].concat()));
    let rows = |table: &str| told["runs"][0][table]["rows"][2].clone();
    let (ours, reference) = (rows("summary"), rows("reference"));
    assert_eq!((&ours["tasks"], &ours["pass_at"][0]["percent"]), (&json!(1), &json!(0.0)), "{ours}");
    assert_eq!((&reference["tasks"], &reference["pass_at"][0]), (&json!(0), &Value::Null), "{reference}");
    assert_eq!(reference["left_out"], json!([{"why": "unreadable", "count": 1}]));
}

/// The block lies outside of what is shown, so that our start region is empty: once that ended the whole run.
#[test]
fn a_published_scene_without_a_region_of_ours_runs_on_the_published_points() {
    let folder = tempfile::tempdir().unwrap();
    let from = folder.path().join("checkout");
    let (tasks, projects) = (from.join("single_step_drag_benchmark/tasks"), from.join("scratch-gui/static"));
    fs::create_dir_all(&tasks).unwrap();
    fs::create_dir_all(&projects).unwrap();
    let task = json!({
        "id": "T1_001", "category": "T1", "instruction": "Drag it.", "init_project": "T1_001.sb3",
        "evaluation_config": {
            "connection_type": "next", "target_block_opcode": "motion_changexby", "target_block_id": "t1.s1.1",
            "target_stack_tail_block_id": "t1.s1.3", "reference_block_id": "t1.s2.3", "target_input_name": null,
            "variable_name": null, "workspace_state": {"tx": 5000, "ty": 20, "scale": 0.675},
            "drag_start_point": [400, 300], "first_valid_point": [500, 250],
            "feasible_start_points": [[400, 300], [405, 300]], "feasible_points": [[500, 250], [505, 250]],
        },
    });
    fs::write(tasks.join("T1_001.json"), task.to_string()).unwrap();
    let project = root().join("tests/fixtures/scratchworld/checkout/scratch-gui/static/snail_garden_golden.sb3");
    fs::copy(project, projects.join("T1_001.sb3")).unwrap();
    let (from, pack) = (from.display().to_string(), folder.path().join("pack").display().to_string());
    assert_eq!(scratchbed(&["drag", "import", &from, "--out", &pack]).status.code(), Some(0));
    let output = scratchbed(&["drag", "run", "--pack", &pack, "--agent", "oracle", "--editor", "current", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let record = trial(&run_of(&answer(&output)), "T1_001", 1);
    let detail = &record["detail"];
    // The press on a published point grasped nothing.
    let broke = json!({"stage": "grasp", "pixels": 0.0});
    assert_eq!((&record["outcome"], &detail["broke"]), (&json!("failed"), &broke), "{record}");
    assert_eq!((&detail["start_in"], &detail["start"]["x"]), (&json!(true), &json!(400.0)), "{record}");
    assert_eq!((&detail["end_in"], &detail["failure"]), (&json!(true), &json!("unknown")), "{record}");
    assert_eq!((&detail["measured_by"], &detail["in_region"]), (&json!("published_points"), &Value::Null), "{record}");
    let summary = &answer(&output)["runs"][0]["summary"];
    assert_eq!(
        (&summary["by_points"], &summary["by_origin"][0]["split"]),
        (&json!(true), &json!("canvas")),
        "{summary}"
    );
}
