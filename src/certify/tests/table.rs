//! Certificates of tasks whose scripts draw what they ask: a table must have been tried.

use super::*;
use crate::certify::TableTrial;
use crate::model::Category;

/// The task with a script that draws.
fn drawing(mut entry: TaskEntry) -> TaskEntry {
    "day_of_year".clone_into(&mut entry.task.evaluation);
    entry.task.category = Category::Compute;
    entry
}

/// A sprite that asks and then says something.
fn asking() -> Projects {
    let golden = project(&[
        ("sensing_askandwait", "QUESTION", json!([10, "Which year?"])),
        ("looks_say", "MESSAGE", json!([10, "Hi"])),
    ]);
    Projects { golden, initial: project(&[]), second_solutions: Vec::new(), slow_solutions: Vec::new() }
}

fn is_table(project: &Project) -> bool {
    behaviour(project).contains("control_stop")
}

/// A judge under which a table holds where this says so.
fn judged(project: &Project, trial: Trial, table: fn(u64) -> bool) -> Verdict {
    let behaviour = behaviour(project);
    let by_chance = !behaviour.is_empty() && (!is_table(project) || table(trial.seed));
    let tests = [
        ("asks", behaviour.contains("sensing_askandwait")),
        ("speaks", behaviour.contains(r#"[10,"Hi"]"#)),
        ("by chance", by_chance),
    ];
    verdict(&tests, trial, &behaviour)
}

/// A judge under which the golden project was asked for one year.
fn judge(rule: Rule) -> FakeJudge {
    let signals = json!({"Stage/variable/mutant notes": {"t": [1], "v": ["␞␟2023"]}});
    FakeJudge { run: json!({"ticks": 9, "signals": signals}), ..FakeJudge::new(rule) }
}

async fn certified(judge: FakeJudge, projects: &Projects) -> Certificate {
    certify(&drawing(entry()), projects, &&judge, OPTIONS, None, &|_| ()).await.unwrap()
}

#[tokio::test]
async fn a_table_must_pass_under_its_own_seed_and_fail_under_all_others() {
    let sound = certified(judge(|project, trial, _| judged(project, trial, |seed| seed == 1)), &asking()).await;
    assert_eq!(sound.reasons, [""; 0]);
    let trial = TableTrial { seed: 1, inputs: 1, others: vec![2, 3], passed: Vec::new(), trouble: None };
    assert_eq!((sound.certified, sound.table), (true, Some(trial)));

    let beaten = certified(judge(|project, trial, _| judged(project, trial, |seed| seed != 2)), &asking()).await;
    assert_eq!(beaten.reasons, ["a table of what it asks under seed 1 passes under others, too: 3"]);
    assert!(!beaten.certified);
}

#[tokio::test]
async fn a_task_of_which_no_table_can_be_made_is_refused() {
    let deaf = certified(judge(|project, trial, _| judged(project, trial, |_| false)), &asking()).await;
    let reason = "its script draws what it asks, and the table fails under seed 1, whose inputs it knows: failed at \"by chance\"";
    assert_eq!(deaf.reasons, [reason]);

    let silent = FakeJudge::new(|project, trial, _| judged(project, trial, |seed| seed == 1));
    let reasons = certified(silent, &asking()).await.reasons;
    let given = "its script draws what it asks, and no table can be made: the golden project was given nothing";
    assert_eq!(reasons, [given]);

    let reasons = certified(judge(fair), &projects(false)).await.reasons;
    let neither =
        "its script draws what it asks, and no table can be made: the golden project neither asks nor is given lists";
    assert_eq!(reasons, [neither]);
    let fixed = certify(&entry(), &projects(false), &&judge(fair), OPTIONS, None, &|_| ()).await.unwrap();
    assert_eq!((fixed.certified, fixed.table), (true, None), "of a script that draws nothing no table is asked for");
}

#[tokio::test]
async fn an_earlier_certificate_lacks_nothing_but_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let entry = drawing(entry_in(folder.path()));
    let judge = judge(|project, trial, _| judged(project, trial, |seed| seed == 1));
    let whole = certify(&entry, &asking(), &&judge, OPTIONS, None, &|_| ()).await.unwrap();
    let old = Certificate { table: None, editor: crate::judge::editor(), ..whole.clone() };
    std::fs::write(folder.path().join(CERTIFICATE_FILE), serde_json::to_vec(&old).unwrap()).unwrap();
    let stale = current(&entry, OPTIONS).unwrap_err();
    assert_eq!(stale, Stale::Changed("a table of what its script draws was to be tried"));

    judge.calls.store(0, Ordering::SeqCst);
    let kept = still_good(&entry, OPTIONS).unwrap();
    let again = certify(&entry, &asking(), &&judge, OPTIONS, Some(kept), &|_| ()).await.unwrap();
    assert_eq!((again.certified, &again.table), (true, &whole.table));
    assert_eq!(judge.calls.load(Ordering::SeqCst), 3, "under its own seed and two others");
    std::fs::write(folder.path().join(CERTIFICATE_FILE), serde_json::to_vec(&again).unwrap()).unwrap();
    assert!(current(&entry, OPTIONS).is_ok());
}
