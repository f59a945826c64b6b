//! Parts of certificates beside faults: collateral and benign mutants, what each test is good for, and what is kept of an earlier one.

use super::*;
use crate::model::{Category, Task};

/// A sprite that moves, and is to say "Hi" too.
fn extended() -> Projects {
    let move_by = ("motion_movesteps", "STEPS", json!([4, "10"]));
    let say = ("looks_say", "MESSAGE", json!([10, "Hi"]));
    let other = project(&[say.clone(), move_by.clone()]);
    Projects {
        second_solutions: vec![other.clone()],
        slow_solutions: vec![other],
        golden: project(&[move_by.clone(), say]),
        initial: project(&[move_by]),
    }
}

/// Looks at the text alone.
fn narrow(project: &Project, trial: Trial, _: u32) -> Verdict {
    let behaviour = behaviour(project);
    verdict(&[("speaks", behaviour.contains(r#"[10,"Hi"]"#))], trial, &behaviour)
}

/// The task as one that begins with a program.
fn extending(entry: TaskEntry) -> TaskEntry {
    let task = Task { category: Category::Extend, ..entry.task };
    TaskEntry { task, ..entry }
}

async fn certified(rule: Rule, projects: &Projects) -> Certificate {
    let judge = FakeJudge::new(rule);
    certify(&extending(entry()), projects, &&judge, OPTIONS, None, &|_| ()).await.unwrap()
}

#[tokio::test]
async fn what_a_judge_ignores_lowers_the_collateral_score() {
    let fair = certified(fair, &extended()).await.collateral.unwrap();
    assert_eq!((fair.score, fair.population > 0), (Some(1.0), true));
    let certificate = certified(narrow, &extended()).await;
    assert_eq!(certificate.mutation.as_ref().unwrap().score, Some(1.0), "all faults in the solution are noticed");
    let collateral = certificate.collateral.clone().unwrap();
    assert_eq!(outcomes(&collateral), [(MutantOutcome::Survived, fair.population)]);
    let survivor = &collateral.mutants[0];
    assert_eq!((survivor.block.as_str(), survivor.became.as_deref()), ("move (10) steps", Some("nothing")));
    let asked = Thresholds { min_collateral: Some(0.6), ..Thresholds::default() };
    let missed = asked.missed(std::slice::from_ref(&certificate));
    assert_eq!(missed, ["kite_gusts: collateral mutation score 0.000 is below 0.6"]);

    let judge = FakeJudge::new(super::fair);
    let from_nothing = certify(&entry(), &extended(), &&judge, OPTIONS, None, &|_| ()).await.unwrap();
    assert!(from_nothing.collateral.as_ref().unwrap().is_empty());
    assert_eq!(asked.missed(&[from_nothing]), [""; 0], "a task of create has no rest, and nothing is asked");
}

#[tokio::test]
async fn a_test_that_is_never_first_is_distinguished_from_one_that_never_fails() {
    let rule: Rule = |project, trial, _| {
        let behaviour = behaviour(project);
        let moves = |words: &str| behaviour.contains(words);
        let tests = [("by 10", moves(r#"[4,"10"]"#)), ("at all", moves("motion_movesteps")), ("is", moves("event"))];
        verdict(&[tests[0], tests[1], tests[2], ("speaks", moves(r#"[10,"Hi"]"#))], trial, &behaviour)
    };
    let certificate = certified(rule, &projects(false)).await;
    let report = certificate.tests.unwrap();
    assert_eq!((report.late(), report.idle()), (vec!["at all"], vec!["is"]));
    let of = |name: &str| report.tests.iter().find(|test| test.name == name).unwrap();
    assert_eq!((of("at all").first, of("at all").kills), (0, 1));
    assert!(of("by 10").first > 1 && of("by 10").kills == of("by 10").first && of("is").tried > 0);
    let mutants = certificate.mutation.unwrap().mutants;
    let gone = mutants.iter().find(|mutant| mutant.id == "delete:Kite:0.1:block").unwrap();
    assert_eq!((gone.killer.as_deref(), gone.failed.as_slice()), (Some("by 10"), &[1, 2][..]));
}

#[tokio::test]
async fn a_judge_that_refuses_what_does_the_same_is_refused() {
    let pedantic: Rule = |project, trial, call| {
        let untouched = project.json["targets"][1]["comments"] == json!({});
        let mut verdict = fair(project, trial, call);
        if !untouched {
            verdict.outcome = Outcome::Failed;
            verdict.details[0].passed = false;
            verdict.details[0].error = Some("someone has written a comment".to_owned());
        }
        verdict
    };
    let certificate = certified(pedantic, &projects(true)).await;
    let benign = certificate.benign.unwrap();
    assert!(benign.judged > 1 && benign.passed == benign.judged - 1, "{benign:?}");
    let reason = certificate.reasons.iter().find(|reason| reason.starts_with("benign:layout:Kite:")).unwrap();
    assert!(
        reason.contains("must pass") && reason.ends_with("failed at \"moves\": someone has written a comment"),
        "{reason}"
    );
    let fine = certified(fair, &projects(true)).await.benign.unwrap();
    assert_eq!((fine.passed, fine.judged), (benign.judged, benign.judged));
}

#[tokio::test]
async fn a_failing_solution_is_reported_with_its_message() {
    let rule: Rule = |_, trial, _| {
        let mut verdict = verdict(&[("flies", false)], trial, "");
        verdict.details[0].error = Some("it should be at 10, and is at 5".to_owned());
        verdict
    };
    let certificate = certified(rule, &projects(false)).await;
    let wanted = "the golden project must pass under seed 1: failed at \"flies\": it should be at 10, and is at 5";
    assert_eq!(certificate.reasons[0], wanted);
}

#[tokio::test]
async fn an_earlier_certificate_gets_the_parts_that_it_lacks_and_nothing_is_judged_again() {
    let folder = tempfile::tempdir().unwrap();
    let entry = extending(entry_in(folder.path()));
    let judge = FakeJudge::new(fair);
    let whole = certify(&entry, &extended(), &&judge, OPTIONS, None, &|_| ()).await.unwrap();
    let all = judge.calls.swap(0, Ordering::SeqCst);
    let old = Certificate { format: 2, collateral: None, benign: None, tests: None, ..whole.clone() };
    let old = Certificate { editor: crate::judge::editor(), ..old };
    std::fs::write(folder.path().join(CERTIFICATE_FILE), serde_json::to_vec(&old).unwrap()).unwrap();
    assert_eq!(current(&entry, OPTIONS), Err(Stale::Changed("certificates record more now")));

    let kept = still_good(&entry, OPTIONS).unwrap();
    let again = certify(&entry, &extended(), &&judge, OPTIONS, Some(kept), &|_| ()).await.unwrap();
    assert_eq!((&again.collateral, &again.benign, &again.tests), (&whole.collateral, &whole.benign, &whole.tests));
    assert_eq!((&again.mutation, &again.golden, again.format), (&whole.mutation, &whole.golden, whole.format));
    let added = judge.calls.swap(0, Ordering::SeqCst);
    assert!(added > 0 && added * 2 < all, "{added} of {all}");

    certify(&entry, &projects(false), &&judge, OPTIONS, Some(old), &|_| ()).await.unwrap();
    assert!(judge.calls.load(Ordering::SeqCst) > added, "of other projects nothing is kept");
    std::fs::write(entry.golden(), "another").unwrap();
    assert!(matches!(still_good(&entry, OPTIONS), Err(Stale::Changed(_))));
}

#[tokio::test]
async fn the_number_of_changed_blocks_is_compared() {
    let judge = FakeJudge::new(fair);
    let mut entry = entry();
    entry.task.expected_changed_blocks = Some(7);
    let certificate = certify(&entry, &extended(), &&judge, OPTIONS, None, &|_| ()).await.unwrap();
    assert_eq!(certificate.changed_blocks, 1);
    assert!(
        certificate.reasons[0].starts_with("expected_changed_blocks is 7, and must be 1"),
        "{:?}",
        certificate.reasons
    );
    entry.task.expected_changed_blocks = Some(1);
    assert!(certify(&entry, &extended(), &&judge, OPTIONS, None, &|_| ()).await.unwrap().certified);
}
