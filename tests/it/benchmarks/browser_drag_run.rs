//! Single drags as a benchmark: `drag-watch` and `drag-boxes` by way of `scratchbed drag run`, with built-in agents, a
//! scripted model endpoint, and programs that drag over HTTP.

use std::fs;
use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::support::model_endpoint::{Act, Endpoint};
use crate::support::program::{Answer, Scratchbed, json_at};
use crate::support::{everything, of_the_day, root};

const SCENES: [&str; 2] = ["below_say", "and_into_condition"];
/// What help the agent may get: none, all there is, and what lies between them.
static SETTINGS: [&str; 4] = ["baseline", "gt-start+knowledge", "gt-start", "knowledge"];

/// What the oracle came to, in one setting after the other: the rows of all scenes, and its first attempt at the first
/// scene. Several tests need it. What it does at the second scene is the right answer in `browser_prompts`.
static ORACLE: LazyLock<(Vec<Value>, Value)> = LazyLock::new(|| {
    let scenes = if everything() { &SCENES[..] } else { &SCENES[..1] };
    let call = Scratchbed::new().call(&["drag", "run"]).args(scenes);
    let call = call.args(["--agent", "oracle", "--setting", &settings().join(",")]);
    let told = call.blocking_answer();
    ((0..settings().len()).map(|number| row(&told, number)).collect(), attempt(&told, SCENES[0]))
});

/// Without help, and with all there is; `SCRATCHBED_TESTS=all` takes all settings.
fn settings() -> &'static [&'static str] {
    if everything() { &SETTINGS } else { &SETTINGS[..2] }
}

fn attempt(answer: &Answer, item: &str) -> Value {
    answer.file(item, "attempt.json")
}

/// Makes a run at the first scene.
fn dragged(args: &[&str]) -> Answer {
    Scratchbed::new().call(&["drag", "run", SCENES[0]]).args(args).blocking_answer()
}

fn row(answer: &Answer, number: usize) -> Value {
    answer["runs"][number]["summary"]["rows"][2].clone()
}

#[test]
fn the_oracle_drags_once_and_right_in_all_settings_and_the_others_show_where_they_break() {
    let (rows, first) = &*ORACLE;
    assert_eq!(rows.len(), settings().len());
    for row in rows {
        assert_eq!(row["pass_at"][0]["percent"], 100.0, "{row}");
    }
    let kinds: Vec<&str> =
        first["detail"]["steps"].as_array().unwrap().iter().map(|step| step["kind"].as_str().unwrap()).collect();
    assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("press", "release"));
    assert_eq!(kinds.iter().filter(|kind| **kind == "press").count(), 1, "one drag");
    assert!(first["detail"]["steps"].as_array().unwrap().iter().all(|step| step["trusted"] == true));

    let others = [("random", &["grasp"][..]), ("centre", &["grasp", "path", "snap"])];
    for &(agent, stages) in of_the_day(&others, 1) {
        let told = dragged(&["--agent", agent]);
        assert_eq!(row(&told, 0)["pass_at"][0]["percent"], 0.0, "{agent}");
        let broke = attempt(&told, SCENES[0])["detail"]["broke"].clone();
        assert!(stages.iter().any(|stage| broke["stage"] == *stage) && broke["pixels"].as_f64() > Some(0.0), "{broke}");
        let page = fs::read_to_string(told.run().join("report.html")).unwrap();
        assert!(page.contains("1 attempt each") && !page.contains("Pass@2"), "{agent}");
        assert!(page.contains("Broke at") && page.contains("attempts&#x2f;below_say.1&#x2f;seen.png"), "{agent}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_troubled_endpoint_each_attempt_ends_once_and_a_killed_run_goes_on() {
    let right = &ORACLE.1["detail"]["said"];
    let at = |end: &str, axis: &str| right[end]["point"][axis].as_f64().unwrap();
    let say = |dy: f64| {
        let (start, end) = ((at("start", "x"), at("start", "y")), (at("end", "x"), at("end", "y") + dy));
        let form = format!(
            "start_point='<point>{} {}</point>', end_point='<point>{} {}</point>'",
            start.0, start.1, end.0, end.1
        );
        Act::Say(format!("Analysis: there.\ndrag({form})"))
    };
    // The ways of a call to fail, two of which have their day.
    let failures = [Act::Babble, Act::Stall, Act::Refuse(500, None)];
    let failures = of_the_day(&failures, 2);
    // Ones that can't be read: one with a drag, one without.
    let unreadable = ["drag(start_point='<index>3</index>', end_point='<point>1 1</point>')", "I see no such block."];
    let unreadable = of_the_day(&unreadable, 1);
    let unreadable = unreadable.into_iter().map(|words| Act::Say((*words).to_owned()));
    // The run is killed after two: the third may be answered in vain, so that its kind comes again.
    let mut acts: Vec<Act> = [say(0.0)].into_iter().chain(unreadable).collect();
    acts.extend(failures.into_iter().cloned());
    acts.insert(3, say(200.0));
    let trials = acts.len();
    // One more for the attempt that is broken off.
    let (endpoint, address) = Endpoint::serve(acts.into_iter().chain([say(0.0)])).await;
    let scratchbed = Scratchbed::new();
    let call = || {
        let call = scratchbed.call(&["drag", "run", SCENES[0], "--agent", "model", "--model", "scripted"]);
        let call = call.args(["--endpoint", &address, "--attempts", &trials.to_string()]);
        call.args(["--timeout", "2", "--request-retries", "0"])
    };
    let killed = call().killed_after(2).await;
    let told = call().resuming(killed.run()).answer().await;
    assert_eq!((told.code, told.run().as_path()), (1, killed.run()), "{}", told.stderr);
    let counts = row(&told, 0)["outcomes"].clone();
    let all = killed.all_that_add_up(&counts);
    assert_eq!(all.len(), trials);
    for outcome in ["passed", "failed", "unreadable", "call_failed"] {
        assert!(all.values().any(|trial| trial["outcome"] == outcome), "{outcome}: {counts}");
    }
    assert!(endpoint.asked().len() <= trials + 1, "nothing that was answered is asked again");
    let shown = endpoint.asked()[0]["messages"][1]["content"].clone();
    assert!(shown[1]["image_url"]["url"].as_str().unwrap().starts_with("data:image/png;base64,"), "{}", shown[0]);

    let other = scratchbed.call(&["drag", "run", SCENES[0], "--agent", "oracle"]).resuming(killed.run()).answer().await;
    assert_eq!(other["error"]["code"], "run_differs");
}

#[test]
fn a_program_may_answer_or_drag_over_http_once() {
    let said = &ORACLE.1["detail"]["said"];
    let script = root().join("tests/it/support/programs/drag_program.py");
    let mut ways = vec![("1", "passed"), ("exit", "call_failed")];
    // More than one drag fails, also when it is hidden or left waiting, and so does whatever would void the trial. Looks that
    // are left waiting do nothing. One of these on a day.
    let foul = [
        ("flood", "failed"),
        ("delete", "failed"),
        ("load", "failed"),
        ("2", "failed"),
        ("reset", "failed"),
        ("late", "failed"),
        ("crowd", "passed"),
    ];
    ways.extend(of_the_day(&foul, 1));
    // The program goes another way in each attempt.
    let hows: Vec<&str> = ways.iter().map(|(how, _)| *how).collect();
    let command = format!("python3 {} {} '{said}'", script.display(), hows.join(","));
    let attempts = ways.len().to_string();
    let told = dragged(&["--agent", "command", "--command", &command, "--attempts", &attempts]);
    for (number, (how, outcome)) in (1..).zip(ways) {
        let record = json_at(&told.run().join(format!("attempts/{}.{number}/attempt.json", SCENES[0])));
        assert_eq!(record["outcome"], outcome, "{how}: {record}");
    }
}

/// The reference makes such a drag in vain and measures it from what was said; here it is refused, and measured so too.
#[test]
fn a_drag_that_leaves_the_viewport_is_measured_and_the_references_figures_stand_beside_ours() {
    let command = "echo \"drag(start_point='<point>1500 300</point>', end_point='<point>640 -50</point>')\"";
    let settings = ["--setting", "gt-start+knowledge", "--count", "reference"];
    let told = dragged(&[&["--agent", "command", "--command", command], &settings[..]].concat());
    let detail = attempt(&told, SCENES[0])["detail"].clone();
    assert_eq!((&detail["failure"], &detail["start"]["x"]), (&json!("start"), &json!(1500.0)), "{detail}");
    let gap = detail["start_gap"].as_f64().unwrap();
    assert!(gap > 220.0 && detail["end_gap"].as_f64() > Some(0.0), "{detail}");
    assert_eq!((&detail["broke"]["stage"], detail["broke"]["pixels"].as_f64()), (&json!("grasp"), Some(gap)));
    for table in ["summary", "reference"] {
        let row = &told["runs"][0][table]["rows"][2];
        assert_eq!((&row["runs"], &row["start_gap"]["pixels"]), (&json!(1), &json!(gap)), "{table}: {row}");
    }
    let question = told.file(SCENES[0], "asked.json")["user"].to_string();
    assert!(question.contains("red circle") && question.contains("Rules of thumb"), "{question}");
    let page = fs::read_to_string(told.run().join("report.html")).unwrap();
    assert!(page.contains("As the reference counts") && page.contains("Failure type: start"), "{page}");
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
    let scratchbed = Scratchbed::new();
    assert_eq!(scratchbed.blocking_answer(&["drag", "import", &from, "--out", &pack]).code, 0);
    let oracle = ["drag", "run", "--pack", &pack, "--agent", "oracle", "--editor", "current"];
    let told = scratchbed.blocking_answer(&oracle);
    assert_eq!(told.code, 0, "{}", told.stderr);
    let record = attempt(&told, "T1_001");
    let detail = &record["detail"];
    // The press on a published point grasped nothing.
    let broke = json!({"stage": "grasp", "pixels": 0.0});
    assert_eq!((&record["outcome"], &detail["broke"]), (&json!("failed"), &broke), "{record}");
    assert_eq!((&detail["start_in"], &detail["start"]["x"]), (&json!(true), &json!(400.0)), "{record}");
    assert_eq!((&detail["end_in"], &detail["failure"]), (&json!(true), &json!("unknown")), "{record}");
    assert_eq!((&detail["measured_by"], &detail["in_region"]), (&json!("published_points"), &Value::Null), "{record}");
    let summary = &told["runs"][0]["summary"];
    assert_eq!(
        (&summary["by_points"], &summary["by_origin"][0]["split"]),
        (&json!(true), &json!("canvas")),
        "{summary}"
    );
}
