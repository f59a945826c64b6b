//! Tests of reading and checking sets of tasks, on sets made in a temporary folder.

use serde_json::{Value, json};

use super::*;
use crate::model::Coded;

/// A root folder with one good task `create/wave`.
struct Root(tempfile::TempDir);

impl Root {
    fn new() -> Self {
        let root = Self(tempfile::tempdir().unwrap());
        root.write("eval-scripts/wave.js", "require('./lib/suite.js'); module.exports = async () => ({});");
        root.write("eval-scripts/lib/other.js", "module.exports = {};");
        root.write("eval-scripts/lib/suite.js", "module.exports = {};");
        root.write("tasks/task.schema.json", "{}");
        root.task("create", "wave", &good());
        root
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.0.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn task(&self, category: &str, id: &str, task: &Value) {
        let folder = format!("tasks/{category}/{id}");
        self.write(&format!("{folder}/task.json"), &task.to_string());
        self.write(&format!("{folder}/initial.txt"), "");
        self.write(&format!("{folder}/golden.txt"), "");
        self.write(&format!("{folder}/oracle.json"), r#"[{"api": "select_stage"}]"#);
    }

    fn read(&self) -> Result<TaskSet, TasksetError> {
        TaskSet::read(self.0.path())
    }

    /// The faults after putting `value` at `pointer` in the good task.
    fn faults(&self, pointer: &str, value: Value) -> Vec<Problem> {
        let mut task = good();
        *task.pointer_mut(pointer).unwrap() = value;
        self.task("create", "wave", &task);
        match self.read() {
            Err(TasksetError::Invalid { problems }) => problems,
            other => panic!("{pointer}: {other:?}"),
        }
    }
}

fn good() -> Value {
    json!({
        "format": 1, "id": "wave", "category": "create", "title": "Wave", "instruction": "Wave.",
        "initial": "initial.txt", "golden": "golden.txt", "evaluation": "wave",
        "oracle": {"composite": "oracle.json"},
        "limits": {"steps": {"composite": 50, "primitive": 90}, "wall_s": 600, "case_ms": 5000, "task_ms": 30000},
        "stage": "large", "seeds": [1], "difficulty": 1, "concepts": ["events"], "expected_changed_blocks": 4,
        "second_solutions": [], "slow_solutions": []
    })
}

#[test]
fn a_good_task_is_read_with_its_judge_and_its_oracle() {
    let root = Root::new();
    let set = root.read().unwrap();
    let entry = set.find("wave").unwrap();
    assert_eq!(entry.oracle(crate::model::Mode::Composite).unwrap().unwrap()[0].api, "select_stage");
    assert_eq!(entry.oracle(crate::model::Mode::Primitive).unwrap(), None);
    let sources = entry.evaluation().unwrap();
    assert_eq!(sources.script.name, "wave.js");
    assert_eq!(sources.helpers.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), ["lib/suite.js"]);
}

#[test]
fn each_fault_names_its_field() {
    let root = Root::new();
    for (pointer, value, field) in [
        ("/format", json!(2), "format"),
        ("/id", json!("other"), "id"),
        ("/category", json!("debug"), "category"),
        ("/title", json!(" "), "title"),
        ("/instruction", json!(""), "instruction"),
        ("/initial", json!("../wave/initial.txt"), "initial"),
        ("/golden", json!("/etc/hostname"), "golden"),
        ("/golden", json!("absent.txt"), "golden"),
        ("/oracle/composite", json!(""), "oracle.composite"),
        ("/evaluation", json!("../wave"), "evaluation"),
        ("/evaluation", json!("absent"), "evaluation"),
        ("/limits/steps/composite", json!(0), "limits.steps.composite"),
        ("/limits/steps/primitive", json!(0), "limits.steps.primitive"),
        ("/limits/steps", json!("many"), "limits.steps"),
        ("/limits/steps", json!(80), "limits.steps"),
        ("/limits/steps", json!({"composite": 50}), "limits.steps"),
        ("/limits/case_ms", json!(30001), "limits.case_ms"),
        ("/seeds", json!([]), "seeds"),
        ("/difficulty", json!(6), "difficulty"),
        ("/concepts", json!([]), "concepts"),
        ("/expected_changed_blocks", json!(0), "expected_changed_blocks"),
        ("/expected_changed_blocks", json!(null), "expected_changed_blocks"),
        ("/difficulty", json!(null), "difficulty"),
        ("/oracle", json!(null), "oracle"),
        ("/second_solutions", json!(["other.sb3"]), "second_solutions[0]"),
        ("/slow_solutions", json!(["absent.txt"]), "slow_solutions[0]"),
        (
            "/limits",
            json!({"steps": {"composite": 1, "primitive": 1}, "wall_s": 1, "case_ms": 1, "task_ms": 1, "x": 1}),
            "limits.x",
        ),
    ] {
        let faults = root.faults(pointer, value);
        assert!(faults.iter().any(|fault| fault.field == field), "{pointer}: {faults:?}");
        assert!(faults.iter().all(|fault| fault.file.ends_with("tasks/create/wave/task.json")), "{faults:?}");
    }
}

#[test]
fn bundled_projects_are_no_archives() {
    let root = Root::new();
    root.write("tasks/create/wave/golden.sb3", "");
    let faults = root.faults("/golden", json!("golden.sb3"));
    assert!(faults.len() == 1 && faults[0].message.contains("kept as text"), "{faults:?}");
    root.write("pack.json", r#"{"format": 1, "name": "waves", "source": "here", "stage": "large"}"#);
    assert_eq!(TaskSet::read_pack(root.0.path()).unwrap().all().len(), 1);
}

#[test]
fn a_pack_says_the_stage_and_the_prelude_of_its_tasks() {
    let root = Root::new();
    for (pack, field) in [
        (json!({"format": 1, "name": "waves", "source": "here", "stage": "small"}), "stage"),
        (json!({"format": 1, "name": "waves", "source": "here", "prelude": "absent.js"}), "prelude"),
        (json!({"format": 1, "name": "waves", "source": "here", "prelude": "../pack.json"}), "prelude"),
        (json!({"format": 2, "name": "waves", "source": "here"}), "format"),
    ] {
        root.write("pack.json", &pack.to_string());
        let Err(TasksetError::Invalid { problems }) = TaskSet::read_pack(root.0.path()) else { panic!("{pack}") };
        assert_eq!(problems[0].field, field, "{problems:?}");
    }
}

#[test]
fn an_unreadable_oracle_list_is_a_fault_of_that_file() {
    let root = Root::new();
    root.write("tasks/create/wave/oracle.json", r#"[{"api": "select_stage", "arg": {}}]"#);
    let Err(TasksetError::Invalid { problems }) = root.read() else { panic!("accepted") };
    assert!(problems[0].file.ends_with("oracle.json"), "{problems:?}");
    assert!(problems[0].message.contains("unknown field `arg`"), "{problems:?}");
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_cannot_lead_out() {
    let root = Root::new();
    let link = root.0.path().join("tasks/create/wave/initial.txt");
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(root.0.path().join("eval-scripts/wave.js"), &link).unwrap();
    let Err(TasksetError::Invalid { problems }) = root.read() else { panic!("accepted") };
    assert_eq!(problems[0].field, "initial");
}

#[test]
fn a_folder_without_task_json_is_a_fault() {
    let root = Root::new();
    root.write("tasks/create/stray/notes.txt", "");
    let Err(TasksetError::Invalid { problems }) = root.read() else { panic!("accepted") };
    assert!(problems[0].file.ends_with("stray/task.json"), "{problems:?}");
}

#[test]
fn ids_are_unique_across_categories() {
    let root = Root::new();
    let mut task = good();
    task["category"] = json!("debug");
    root.task("debug", "wave", &task);
    let Err(TasksetError::Invalid { problems }) = root.read() else { panic!("accepted") };
    assert_eq!((problems.len(), problems[0].field.as_str()), (1, "id"));
}

#[test]
fn selections_keep_order_and_refuse_unknown_names() {
    let root = Root::new();
    let mut task = good();
    task["id"] = json!("bow");
    root.task("create", "bow", &task);
    let set = root.read().unwrap();
    let ids = |selection| {
        let entries = set.select(&selection).unwrap();
        entries.iter().map(|entry| entry.task.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(ids(Selection::default()), ["bow", "wave"]);
    assert_eq!(ids(Selection { ids: vec!["wave".into()], ..Selection::default() }), ["wave"]);
    assert_eq!(ids(Selection { categories: vec![Category::Debug], ..Selection::default() }), [""; 0]);
    let error = set.select(&Selection { ids: vec!["waver".into()], ..Selection::default() }).unwrap_err();
    assert_eq!(error.code(), "unknown_task");
    assert!(error.hint().unwrap().contains("wave"));
}

#[test]
fn what_a_task_lacks_is_its_base_s() {
    let root = Root::new();
    root.write("tasks/bases/shore/project.txt", "the base");
    root.write("tasks/drafts/create/half_done/task.json", "{");
    let mut task = good();
    task["base"] = "shore".into();
    task["initial"] = "project.txt".into();
    root.task("create", "wave", &task);
    let set = root.read().unwrap();
    assert_eq!(set.all().len(), 1, "neither a base nor a draft is a task");
    let wave = set.find("wave").unwrap();
    assert_eq!(fs::read_to_string(wave.initial()).unwrap(), "the base");
    assert_eq!(wave.golden(), wave.folder.join("golden.txt"), "its own come first");

    task["base"] = "sea".into();
    root.task("create", "wave", &task);
    let Err(TasksetError::Invalid { problems }) = root.read() else { panic!("there is no such base") };
    assert_eq!(problems.iter().map(|problem| problem.field.as_str()).collect::<Vec<_>>(), ["base", "initial"]);
}

#[test]
fn splits_are_the_categories_and_what_is_listed() {
    let root = Root::new();
    root.write("tasks/splits.json", r#"{"tiny": ["wave"], "none": []}"#);
    let set = root.read().unwrap();
    assert_eq!(set.splits(), ["all", "create", "debug", "extend", "compute", "none", "tiny"]);
    let size = |name: &str| {
        let split = Some(name.to_owned());
        set.select(&Selection { split, ..Selection::default() }).map(|chosen| chosen.len())
    };
    let sizes = ["all", "create", "debug", "none", "tiny"].map(|name| size(name).unwrap());
    assert_eq!(sizes, [1, 1, 0, 0, 1]);
    assert_eq!(size("tinny").unwrap_err().code(), "unknown_split");
    root.write("tasks/splits.json", r#"{"tiny": ["wave", "wave", "wawe"], "all": ["wave"]}"#);
    let Err(TasksetError::Invalid { problems }) = root.read() else { panic!("must be refused") };
    let fields: Vec<_> = problems.iter().map(|problem| problem.field.as_str()).collect();
    assert_eq!(fields, ["all[0]", "tiny[1]", "tiny[2]"]);
}

#[test]
fn the_version_changes_with_all_that_a_score_depends_on() {
    let root = Root::new();
    let version = || root.read().unwrap().version().unwrap();
    let first = version();
    assert_eq!((first.len(), version()), (12, first.clone()));
    let mut seen = vec![first];
    for (file, text) in [
        ("eval-scripts/lib/suite.js", "module.exports = {tests: []};"),
        ("tasks/create/wave/initial.txt", "another"),
        ("tasks/create/wave/assets/a.svg", "<svg/>"),
    ] {
        root.write(file, text);
        assert!(!seen.contains(&version()), "{file}");
        seen.push(version());
    }
    for (pointer, value) in
        [("/instruction", json!("Wave twice.")), ("/limits/steps/primitive", json!(7)), ("/seeds", json!([2]))]
    {
        let mut task = good();
        *task.pointer_mut(pointer).unwrap() = value;
        root.write("tasks/create/wave/task.json", &task.to_string());
        assert!(!seen.contains(&version()), "{pointer}");
        seen.push(version());
    }
    let last = version();
    root.write("eval-scripts/lib/unused.js", "");
    assert_eq!(version(), last, "what no judge requires changes no score");
}

#[test]
fn drafts_are_a_set_of_their_own_with_their_own_judges() {
    let root = Root::new();
    assert!(TaskSet::read_drafts(root.0.path()).unwrap().all().is_empty());
    let mut task = good();
    task["id"] = json!("nod");
    task["evaluation"] = json!("nod");
    root.task("drafts/create", "nod", &task);
    root.write("eval-scripts/drafts/nod.js", "require('./lib/suite.js');");
    root.task("drafts/create", "shrug", &json!({}));
    assert_eq!(root.read().unwrap().all().len(), 1, "the set has no drafts");
    let asked = root.read().unwrap().find("nod").unwrap_err();
    assert_eq!(asked.hint().as_deref(), Some("there is a draft of this name"));

    let drafts = TaskSet::read_drafts(root.0.path()).unwrap();
    assert_eq!(drafts.all().len(), 1);
    let sources = drafts.find("nod").unwrap().evaluation().unwrap();
    assert_eq!((sources.script.name.as_str(), sources.helpers.len()), ("nod.js", 1));
    assert!(matches!(drafts.find("shrug"), Err(TasksetError::Invalid { .. })), "{:?}", drafts.unfinished());
    assert!(matches!(drafts.find("wave"), Err(TasksetError::UnknownTask { .. })));

    // A judge among the others serves a draft too, and a draft's judge serves no task of the set.
    root.write("eval-scripts/drafts/wave.js", "broken");
    assert!(!root.read().unwrap().find("wave").unwrap().evaluation().unwrap().script.source.contains("broken"));
    fs::remove_file(root.0.path().join("eval-scripts/drafts/nod.js")).unwrap();
    root.write("eval-scripts/nod.js", "");
    assert!(TaskSet::read_drafts(root.0.path()).unwrap().find("nod").is_ok());
}
