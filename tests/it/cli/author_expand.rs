//! Ideas and drafts from a scripted model: what is taken, what is refused, what is repaired, and what is kept.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use scratchbed::agent::model::{Dialect, ModelClient, ModelSettings, Retries};
use scratchbed::author::expand::{Drafted, Drafting, Idea, Ideas, IdeasRequest, Record, propose};
use scratchbed::files::Checkout;
use scratchbed::model::{Category, Coded};
use scratchbed::taskset::TaskSet;
use serde_json::{Value, json};

use crate::support::model_endpoint::{Act, Endpoint};
use crate::support::root;

/// A root with the tasks, bases and helpers of this checkout, and drafts of its own.
fn root_for_drafts() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for above in ["tasks", "eval-scripts"] {
        fs::create_dir_all(folder.path().join(above)).unwrap();
        for entry in fs::read_dir(root().join(above)).unwrap() {
            let name = entry.unwrap().file_name();
            if name != "drafts" {
                symlink(root().join(above).join(&name), folder.path().join(above).join(&name)).unwrap();
            }
        }
    }
    folder
}

fn client(endpoint: &str) -> ModelClient {
    ModelClient::new(ModelSettings {
        endpoint: endpoint.to_owned(),
        dialect: Dialect::OpenAi,
        model: "scripted".to_owned(),
        key: None,
        temperature: None,
        top_p: None,
        effort: None,
        max_tokens: None,
        timeout: Duration::from_secs(10),
        retries: Retries { first_wait: Duration::from_millis(10), ..Retries::default() },
        ..ModelSettings::default()
    })
    .unwrap()
}

fn idea(id: &str, title: &str, instruction: &str) -> Value {
    json!({
        "id": id, "title": title, "instruction": instruction, "difficulty": 2, "concepts": ["events"],
        "sketch": "A Gull and a flag.", "tests": ["the flag", "two presses", "a second flag"]
    })
}

fn gull() -> Value {
    idea("gull_on_a_mast", "The gull on the mast", "When the green flag is clicked, the Gull goes to x: 0, y: 90.")
}

fn say(text: impl Into<String>) -> Act {
    Act::Say(text.into())
}

async fn ideas(folder: &Path, n: usize, acts: Vec<Act>) -> (Ideas, Endpoint, Record) {
    let (endpoint, address) = Endpoint::serve(acts).await;
    let mut record = Record::create(&Checkout::at(folder), "ideas", &json!({})).unwrap();
    let request = IdeasRequest { category: Category::Create, n, base: None };
    let found = propose(&Checkout::at(folder), &request, &client(&address), &mut record, |_| ()).await.unwrap();
    (found, endpoint, record)
}

#[tokio::test]
async fn ideas_are_sifted_and_more_are_asked_for() {
    let folder = root_for_drafts();
    let known = TaskSet::read(folder.path()).unwrap().find("porch_lantern").unwrap().task.clone();
    let first = json!({"ideas": [
        gull(),
        idea("porch_lantern", "Quite another", "Nothing of the kind."),
        idea("lamp_by_the_door", "A lamp by the door", &known.instruction),
        idea("../escape", "An escape", "Leave the folder."),
    ]});
    let broken = format!("Sure!\n```json\n{{\"ideas\": [{}\n```", json!({"id": "x"}));
    let second = json!({"ideas": [idea("tin_drum", "The tin drum", "Each click on the Drum adds 1 to beats.")]});
    let acts = vec![say(broken), say(format!("Here:\n{first}")), Act::Refuse(503, Some("0")), say(second.to_string())];
    let (found, endpoint, record) = ideas(folder.path(), 2, acts).await;

    let names: Vec<_> = found.ideas.iter().map(|idea| idea.id.as_str()).collect();
    assert_eq!(names, ["gull_on_a_mast", "tin_drum"]);
    let reasons: Vec<_> = found.rejected.iter().map(|idea| (idea.id.as_str(), idea.reason.as_str())).collect();
    assert_eq!(reasons.len(), 3, "{reasons:?}");
    assert!(reasons[0].1.contains("taken") && reasons[1].1.contains("`porch_lantern`"), "{reasons:?}");
    assert!(reasons[2] == ("../escape", "its name is not of lower-case letters, digits and underscores"));

    let asked = endpoint.asked();
    let last =
        |body: &Value| body["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned();
    assert!(last(&asked[0]).contains("porch_lantern (create:") && last(&asked[0]).contains("\"ideas\""));
    assert!(last(&asked[1]).starts_with("Your answer could not be read: "), "{}", last(&asked[1]));
    assert!(last(&asked[2]).contains("Propose 1 more") && last(&asked[2]).contains("../escape"), "{}", last(&asked[2]));

    assert_eq!(Ideas::read(&record.folder().join("ideas.json")).unwrap(), found);
    let exchange: Value =
        serde_json::from_str(&fs::read_to_string(record.folder().join("exchange-003.json")).unwrap()).unwrap();
    assert_eq!((&exchange["answer"]["tries"], found.usage.output_tokens), (&json!(2), 21));
}

#[tokio::test]
async fn a_model_that_runs_out_of_ideas_is_left_with_those_it_had() {
    let folder = root_for_drafts();
    let acts = vec![say(json!({"ideas": [gull()]}).to_string()), say("That is all."), say("I have no more.")];
    let (found, endpoint, _) = ideas(folder.path(), 2, acts).await;
    assert_eq!((found.ideas.len(), endpoint.asked().len()), (1, 3));
}

#[tokio::test]
async fn an_answer_that_stays_unreadable_ends_the_run_and_is_kept() {
    let folder = root_for_drafts();
    let (_, address) = Endpoint::serve([say("No."), say("Still no.")]).await;
    let mut record = Record::create(&Checkout::at(folder.path()), "ideas", &json!({})).unwrap();
    let request = IdeasRequest { category: Category::Create, n: 1, base: None };
    let error =
        propose(&Checkout::at(folder.path()), &request, &client(&address), &mut record, |_| ()).await.unwrap_err();
    assert_eq!(error.code(), "model_answer_unusable");
    assert!(record.folder().join("exchange-002.json").is_file());
    let request = IdeasRequest { category: Category::Debug, n: 1, base: None };
    let error =
        propose(&Checkout::at(folder.path()), &request, &client(&address), &mut record, |_| ()).await.unwrap_err();
    assert_eq!(error.code(), "base_needed");
}

#[tokio::test]
async fn each_kind_is_asked_for_in_its_own_way() {
    let folder = root_for_drafts();
    for (category, base, told, untold) in [
        (Category::Create, None, "5 to 30 blocks", "working program, `"),
        (Category::Compute, None, "12 to 40 blocks", "working program, `"),
        (Category::Compute, Some("clover_meadow"), "Each idea uses this scene", "12 to 40 blocks"),
        (Category::Debug, Some("pearl_sub"), "Each idea is one fault", "adds behaviour"),
        (Category::Extend, Some("pearl_sub"), "Each idea adds behaviour", "one fault"),
    ] {
        let (endpoint, address) = Endpoint::serve([say(json!({"ideas": [gull()]}).to_string())]).await;
        let mut record = Record::create(&Checkout::at(folder.path()), "ideas", &json!({})).unwrap();
        let request = IdeasRequest { category, n: 1, base: base.map(|base| base.parse().unwrap()) };
        let found =
            propose(&Checkout::at(folder.path()), &request, &client(&address), &mut record, |_| ()).await.unwrap();
        assert_eq!(found.ideas.len(), 1);
        let asked = endpoint.asked()[0]["messages"][1]["content"].as_str().unwrap().to_owned();
        assert!(asked.contains(told) && !asked.contains(untold), "{category}: {asked}");
        assert!(asked.contains(&format!("new tasks of the kind `{category}`")) && !asked.contains("{%"), "{asked}");
        assert_eq!(asked.contains("scratchbed project 1"), base.is_some());
    }
}

#[tokio::test]
async fn behaviour_is_added_to_a_base() {
    let folder = root_for_drafts();
    let base = fs::read_to_string(root().join("tasks/bases/pearl_sub/project.txt")).unwrap();
    let golden = format!("{base}\n  script\n    when [g v] key pressed\n    hide\n");
    let files = [("task.json", DESCRIBED), ("golden.txt", golden.as_str()), ("judge.js", JUDGE)];
    let (made, endpoint) = drafted(folder.path(), Category::Extend, Some("pearl_sub"), 0, vec![answer(&files)]).await;
    assert_eq!(made.problems, [""; 0], "{made:?}");
    let drafts = TaskSet::read_drafts(folder.path()).unwrap();
    let entry = drafts.find("gull_on_a_mast").unwrap();
    assert!(entry.initial().ends_with("bases/pearl_sub/project.txt") && entry.golden().ends_with("golden.txt"));
    let asked = endpoint.asked()[0]["messages"][1]["content"].as_str().unwrap().to_owned();
    assert!(
        asked.contains("- `golden.txt`: ") && !asked.contains("- `initial.txt`: "),
        "only what is wanted is asked for"
    );
}

const DESCRIBED: &str = r#"{"title": "The gull on the mast", "instruction": "When the green flag is clicked, the Gull goes to x: 0, y: 90.",
"difficulty": 1, "concepts": ["events"], "expected_changed_blocks": 2, "steps": 50, "case_ms": 2000, "task_ms": 8000}"#;
const SCENE: &str = "scratchbed project 1\n\nstage\n  backdrop \"sea\" file \"assets/sea.svg\" center 240 180\n\nsprite \"Gull\"\n  \
                     costume \"gull\" file \"assets/gull.svg\" center 10 10\n";
const CODE: &str = "\n  script\n    when green flag clicked\n    go to x: (0) y: (90)\n";
const JUDGE: &str = "// @ts-check\nconst {suite} = require('./lib/suite.js');\n\nmodule.exports = suite([]);\n";
const SVG: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"20\"><circle cx=\"9\" cy=\"9\" r=\"8\"/></svg>";

fn answer(files: &[(&str, &str)]) -> Act {
    say(files.iter().map(|(name, text)| format!("=== {name} ===\n{text}")).collect::<Vec<_>>().join("\n"))
}

fn good(golden: &str) -> Act {
    answer(&[
        ("task.json", DESCRIBED),
        ("initial.txt", SCENE),
        ("golden.txt", golden),
        ("judge.js", JUDGE),
        ("assets/sea.svg", SVG),
        ("assets/gull.svg", SVG),
    ])
}

/// Drafts the gull, of a base or of its own.
async fn drafted(
    folder: &Path,
    category: Category,
    base: Option<&str>,
    repairs: u32,
    acts: Vec<Act>,
) -> (Drafted, Endpoint) {
    let (endpoint, address) = Endpoint::serve(acts).await;
    let ideas: Ideas = serde_json::from_value(json!({
        "format": 1, "category": category, "base": base, "ideas": [gull()], "rejected": [],
        "usage": {"input_tokens": 0, "output_tokens": 0}
    }))
    .unwrap();
    let client = client(&address);
    let checkout = Checkout::at(folder);
    let drafting = Drafting { checkout: &checkout, ideas: &ideas, client: &client, repairs };
    let mut record = Record::create(&checkout, "draft", &json!({})).unwrap();
    let idea: &Idea = &ideas.ideas[0];
    (drafting.draft(idea, &mut record).await.unwrap(), endpoint)
}

#[tokio::test]
async fn a_draft_is_repaired_until_nothing_is_wrong_and_then_passed_over() {
    let folder = root_for_drafts();
    let faulty = answer(&[
        ("task.json", DESCRIBED),
        ("initial.txt", SCENE),
        ("golden.txt", &SCENE.replace("Gull", "Tern")),
        ("judge.js", "const fs = require('fs');"),
        ("assets/sea.svg", SVG),
        ("assets/gull.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>1</script></svg>"),
        ("../../../evil.js", "1"),
        ("certificate.json", "{}"),
    ]);
    let golden = format!("{SCENE}{CODE}");
    let (made, endpoint) = drafted(folder.path(), Category::Create, None, 3, vec![faulty, good(&golden)]).await;
    assert_eq!((made.problems.as_slice(), made.rounds), (&[][..], 2));
    let told =
        endpoint.asked()[1]["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned();
    for problem in [
        "`../../../evil.js` is no file",
        "`certificate.json` is no file",
        "assets/gull.svg has an element that is not allowed: <script>",
        "names assets/gull.svg, which is not there",
        "different sprites",
        "judge.js requires fs",
        "does not set module.exports",
    ] {
        assert!(told.contains(problem), "{problem} is not in:\n{told}");
    }
    let drafts = TaskSet::read_drafts(folder.path()).unwrap();
    assert_eq!(drafts.unfinished(), []);
    let entry = drafts.find("gull_on_a_mast").unwrap();
    assert_eq!(fs::read_to_string(entry.golden()).unwrap(), golden);
    assert!(entry.script().ends_with("eval-scripts/drafts/gull_on_a_mast.js"));
    assert!(!root().join("evil.js").exists() && !folder.path().join("evil.js").exists());

    let (again, endpoint) = drafted(folder.path(), Category::Create, None, 3, Vec::new()).await;
    assert_eq!((again.rounds, endpoint.asked().len()), (0, 0), "the model is not asked for what is there");
    assert!(again.problems[0].starts_with("passed over: the name `gull_on_a_mast` is taken"));
}

#[tokio::test]
async fn what_stays_wrong_lies_beside_the_draft() {
    let folder = root_for_drafts();
    let (made, _) = drafted(folder.path(), Category::Create, None, 1, vec![good(SCENE), good(SCENE)]).await;
    assert_eq!((made.problems, made.rounds), (vec!["initial and golden project are the same".to_owned()], 2));
    let draft = made.draft.unwrap();
    let left = fs::read_to_string(draft.folder.join("problems.txt")).unwrap();
    assert_eq!(left, "initial and golden project are the same\n");

    let folder = root_for_drafts();
    let (made, _) = drafted(folder.path(), Category::Create, None, 0, vec![say("I would rather not.")]).await;
    assert!(made.draft.is_none() && made.problems.iter().any(|problem| problem == "judge.js is missing"), "{made:?}");
}

#[tokio::test]
async fn a_fault_is_put_into_a_base_whose_pictures_are_used() {
    let folder = root_for_drafts();
    let base = fs::read_to_string(root().join("tasks/bases/pearl_sub/project.txt")).unwrap();
    let faulty = base.replacen("forever", "repeat (10)", 1);
    assert_ne!(base, faulty);
    let files = |initial: &str| answer(&[("task.json", DESCRIBED), ("initial.txt", initial), ("judge.js", JUDGE)]);
    let (made, endpoint) =
        drafted(folder.path(), Category::Debug, Some("pearl_sub"), 2, vec![files(&base), files(&faulty)]).await;
    assert_eq!((made.problems.as_slice(), made.rounds), (&[][..], 2), "{made:?}");
    let drafts = TaskSet::read_drafts(folder.path()).unwrap();
    assert!(drafts.find("gull_on_a_mast").unwrap().golden().ends_with("bases/pearl_sub/project.txt"));
    let first = endpoint.asked()[0]["messages"][1]["content"].as_str().unwrap().to_owned();
    assert!(first.contains("sprite \"Crab\"") && first.contains("the base's text with the fault"));
}
