//! Certificates of a small task with judges that only look at the blocks.

mod kept;
mod parts;
mod solutions;
mod table;
mod unseen;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use serde_json::{Value, json};

use super::{
    CERTIFICATE_FILE, Certificate, CheckOptions, JudgeProject, KeptJudge, MutantOutcome, Mutation, Progress, Projects,
    Score, Stale, Thresholds, Trial, certify, current, current_in, still_good,
};
use crate::judge::JudgeError;
use crate::model::{CaseResult, Clock, Coded, Hashes, Outcome, Verdict, sha256_hex};
use crate::project::Project;
use crate::taskset::{TaskEntry, TaskSet};

type Rule = fn(&Project, Trial, u32) -> Verdict;

struct FakeJudge {
    rule: Rule,
    calls: AtomicU32,
    /// The one program of each trace.
    run: Value,
    /// Whether it passes programs in which the sprite is never seen.
    blind: bool,
}

impl FakeJudge {
    fn new(rule: Rule) -> Self {
        Self { rule, calls: AtomicU32::new(0), run: json!({"ticks": 1, "signals": {}}), blind: false }
    }
}

#[async_trait]
impl JudgeProject for &FakeJudge {
    async fn judge(&self, _: &TaskEntry, sb3: &[u8], trial: Trial) -> Result<Verdict, JudgeError> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        let project = Project::read(sb3).unwrap();
        let verdict = (self.rule)(&project, trial, call);
        let is_unseen = !self.blind && project.json["targets"][1]["visible"] == false;
        let outcome = if is_unseen && verdict.outcome == Outcome::Passed { Outcome::Failed } else { verdict.outcome };
        Ok(Verdict { outcome, ..verdict })
    }

    async fn trace(&self, _: &TaskEntry, _: &[u8], _: Trial) -> Result<Option<Value>, JudgeError> {
        Ok(Some(json!({"format": 1, "clock": null, "seed": 1, "runs": [self.run]})))
    }
}

/// The effects of the blocks, in order; waits have none.
fn behaviour(project: &Project) -> String {
    let blocks = project.json["targets"][1]["blocks"].as_object().unwrap();
    let seen = blocks.values().filter(|block| block["opcode"] != "control_wait");
    seen.fold(String::new(), |text, block| text + &format!("{} {};", block["opcode"], block["inputs"]))
}

fn verdict(tests: &[(&str, bool)], trial: Trial, trace: &str) -> Verdict {
    let passed = tests.iter().filter(|(_, passed)| *passed).count();
    let detail = |(name, passed): &(&str, bool)| CaseResult {
        name: (*name).to_owned(),
        passed: *passed,
        timeout: None,
        duration_ms: None,
        error: None,
        meta: None,
    };
    let mut details: Vec<CaseResult> = tests.iter().map(detail).collect();
    if let Some(failed) = details.iter().position(|test| !test.passed).filter(|_| trial.stop_at_first_failure) {
        details.truncate(failed + 1);
    }
    let value = json!({
        "task": "kite_gusts", "outcome": if passed == tests.len() { Outcome::Passed } else { Outcome::Failed },
        "passed_tests": passed, "total_tests": tests.len(), "details": details, "seed": trial.seed,
        "clock": Clock::Virtual, "trace_hash": sha256_hex(trace.as_bytes()), "hashes": Hashes::default()
    });
    serde_json::from_value(value).unwrap()
}

fn broken(outcome: Outcome, trial: Trial) -> Verdict {
    Verdict { outcome, details: Vec::new(), error: Some("it broke".to_owned()), ..verdict(&[], trial, "") }
}

/// Asks for a move of 10 and for "Hi"; a third test is content with everything.
fn fair(project: &Project, trial: Trial, _: u32) -> Verdict {
    let behaviour = behaviour(project);
    let tests = [
        ("moves", behaviour.contains(r#"[4,"10"]"#)),
        ("speaks", behaviour.contains(r#"[10,"Hi"]"#)),
        ("is there", !behaviour.is_empty()),
    ];
    verdict(&tests, trial, &behaviour)
}

/// A sprite with one script of these blocks, each with one input.
fn project(blocks: &[(&str, &str, Value)]) -> Vec<u8> {
    const DIGEST: &str = "0123456789abcdef0123456789abcdef";
    let id = |at: usize| (at <= blocks.len()).then(|| format!("b{at}"));
    let mut all = json!({"b0": {"opcode": "event_whenflagclicked", "next": id(1), "parent": null, "inputs": {},
        "fields": {}, "shadow": false, "topLevel": true, "x": 0, "y": 0}});
    for (at, (opcode, input, value)) in (1..).zip(blocks) {
        all[format!("b{at}")] = json!({"opcode": opcode, "next": id(at + 1), "parent": id(at - 1),
            "inputs": {*input: [1, value]}, "fields": {}, "shadow": false, "topLevel": false});
    }
    let look = json!([{"name": "a", "assetId": DIGEST, "dataFormat": "svg"}]);
    let target = |name: &str, stage: bool, blocks: Value| {
        json!({"isStage": stage, "name": name, "variables": {}, "lists": {}, "broadcasts": {}, "blocks": blocks,
            "comments": {}, "costumes": look, "sounds": []})
    };
    let json = json!({"targets": [target("Stage", true, json!({})), target("Kite", false, all)],
        "meta": {"semver": "3.0.0"}});
    Project { json, assets: BTreeMap::new() }.write().unwrap()
}

fn projects(with_wait: bool) -> Projects {
    let mut solution =
        vec![("motion_movesteps", "STEPS", json!([4, "10"])), ("looks_say", "MESSAGE", json!([10, "Hi"]))];
    let second: Vec<_> = solution.iter().cloned().rev().collect();
    if with_wait {
        solution.push(("control_wait", "DURATION", json!([5, "1"])));
    }
    let others = vec![project(&second)];
    Projects {
        golden: project(&solution),
        initial: project(&[]),
        second_solutions: others.clone(),
        slow_solutions: others,
    }
}

fn entry() -> TaskEntry {
    let set = TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let mut entry = set.find("kite_gusts").unwrap().clone();
    // The projects here are others than the task's.
    entry.task.expected_changed_blocks = None;
    entry
}

/// The same task in a folder of its own, with texts that are never read: the projects are passed separately.
fn entry_in(folder: &Path) -> TaskEntry {
    let entry = TaskEntry { folder: folder.to_owned(), ..entry() };
    for path in
        [entry.initial(), entry.golden()].into_iter().chain(entry.second_solutions()).chain(entry.slow_solutions())
    {
        std::fs::write(path, "").unwrap();
    }
    entry
}

const OPTIONS: CheckOptions =
    CheckOptions { seeds: 3, mutants: 40, behaviours: 20, collateral: 40, benign: 10, late: 10, lanes: 2 };

async fn checked(rule: Rule, with_wait: bool) -> Certificate {
    let judge = FakeJudge::new(rule);
    certify(&entry(), &projects(with_wait), &&judge, OPTIONS, None, &|_| ()).await.unwrap()
}

fn outcomes(mutation: &Mutation) -> Vec<(MutantOutcome, usize)> {
    mutation.outcomes.iter().map(|(outcome, count)| (*outcome, *count)).collect()
}

#[tokio::test]
async fn a_fair_script_is_certified_with_what_each_test_is_good_for() {
    let certificate = checked(fair, false).await;
    assert_eq!(certificate.reasons, [""; 0]);
    assert!(certificate.certified && certificate.initial_failed && certificate.empty_failed);
    assert_eq!((certificate.seeds.as_slice(), certificate.second_solutions_passed), (&[1, 2, 3][..], vec![true]));
    assert_eq!(certificate.slow_solutions_passed, [true]);
    let mutation = certificate.mutation.clone().unwrap();
    assert_eq!((mutation.score, mutation.population, mutation.sample), (Some(1.0), 5, 5));
    assert_eq!(outcomes(&mutation), [(MutantOutcome::Killed, 5)]);
    let kills: Vec<(&str, usize)> = mutation.tests.iter().map(|test| (test.name.as_str(), test.kills.len())).collect();
    assert_eq!(kills, [("moves", 3), ("speaks", 2), ("is there", 0)]);
    assert_eq!(certificate.tests.unwrap().idle(), ["is there"]);
}

#[tokio::test]
async fn a_script_that_passes_everything_is_refused_with_score_0() {
    let certificate = checked(|project, trial, _| verdict(&[("fine", true)], trial, &behaviour(project)), false).await;
    let mutation = certificate.mutation.unwrap();
    assert_eq!((mutation.score, outcomes(&mutation)), (Some(0.0), vec![(MutantOutcome::Survived, 5)]));
    assert!(!certificate.certified && !certificate.initial_failed && !certificate.empty_failed);
    let says = |words: &str| certificate.reasons.iter().any(|reason| reason.contains(words));
    assert!(says("mutation score 0") && says("initial project must fail") && says("sprites without code"));
}

#[tokio::test]
async fn a_test_that_passes_on_sprites_without_code_speaks_against_a_task_that_starts_from_nothing() {
    let rule: Rule = |project, trial, _| {
        let behaviour = behaviour(project);
        verdict(&[("moves", behaviour.contains(r#"[4,"10"]"#)), ("is quiet", true)], trial, &behaviour)
    };
    let certificate = checked(rule, false).await;
    assert_eq!(certificate.passing_when_empty, ["is quiet"]);
    assert!(!certificate.certified && certificate.empty_failed);
    assert!(certificate.reasons.contains(&"sprites without code pass: is quiet".to_owned()));

    let mut entry = entry();
    entry.task.category = crate::model::Category::Extend;
    let certificate = certify(&entry, &projects(false), &&FakeJudge::new(rule), OPTIONS, None, &|_| ()).await.unwrap();
    assert_eq!((certificate.passing_when_empty, certificate.reasons), (vec!["is quiet".to_owned()], Vec::new()));
}

#[tokio::test]
async fn equivalent_mutants_leave_the_score_alone_and_need_reasons_when_there_are_many() {
    let certificate = checked(fair, true).await;
    let mutation = certificate.mutation.unwrap();
    assert_eq!(outcomes(&mutation), [(MutantOutcome::Killed, 5), (MutantOutcome::Equivalent, 2)]);
    assert_eq!(mutation.score, Some(1.0));
    assert!(!certificate.certified && certificate.reasons[0].contains("2 of 7 mutants are equivalent"));

    let folder = tempfile::tempdir().unwrap();
    let equivalent = mutation.mutants.iter().filter(|mutant| mutant.outcome == MutantOutcome::Equivalent);
    let reasons: BTreeMap<_, _> = equivalent.map(|mutant| (mutant.id.clone(), "nothing follows")).collect();
    std::fs::write(folder.path().join("equivalent.json"), serde_json::to_vec(&reasons).unwrap()).unwrap();
    let entry = entry_in(folder.path());
    let judge = FakeJudge::new(fair);
    let certificate = certify(&entry, &projects(true), &&judge, OPTIONS, None, &|_| ()).await.unwrap();
    assert!(certificate.certified, "{:?}", certificate.reasons);
    let mut names: BTreeMap<_, _> = reasons.clone();
    names.insert("wait:Kite:9.9:gone".to_owned(), "of an earlier golden project");
    std::fs::write(folder.path().join("equivalent.json"), serde_json::to_vec(&names).unwrap()).unwrap();
    let certificate = certify(&entry, &projects(true), &&judge, OPTIONS, None, &|_| ()).await.unwrap();
    assert_eq!(certificate.reasons, ["equivalent.json names no mutant: wait:Kite:9.9:gone"]);
    assert!(!certificate.certified);
    std::fs::write(folder.path().join("equivalent.json"), "[]").unwrap();
    let refused = certify(&entry, &projects(true), &&judge, OPTIONS, None, &|_| ()).await.unwrap_err();
    assert_eq!(refused.code(), "bad_equivalence_reasons");
}

#[tokio::test]
async fn a_mutant_that_only_inputs_tell_apart_has_survived() {
    let certificate = checked(
        |project, trial, _| {
            let waits = project.json["targets"][1]["blocks"]["b3"].to_string();
            let trace = behaviour(project) + if trial.drive { &waits } else { "" };
            verdict(&[("moves and speaks", behaviour(project) == behaviour(&solved()))], trial, &trace)
        },
        true,
    )
    .await;
    assert_eq!(outcomes(&certificate.mutation.unwrap()), [(MutantOutcome::Killed, 5), (MutantOutcome::Survived, 2)]);
}

fn solved() -> Project {
    Project::read(&projects(false).golden).unwrap()
}

#[tokio::test]
async fn trouble_with_the_testbed_never_kills() {
    let silent_mutants = |project: &Project, trial: Trial, call: u32| {
        let whole = ["motion_movesteps", "looks_say"].iter().filter(|block| behaviour(project).contains(**block));
        if whole.count() == 1 { broken(Outcome::InfraError, trial) } else { fair(project, trial, call) }
    };
    let certificate = checked(silent_mutants, false).await;
    let mutation = certificate.mutation.unwrap();
    assert_eq!(outcomes(&mutation), [(MutantOutcome::Killed, 3), (MutantOutcome::Unjudged, 2)]);
    assert_eq!(mutation.score, Some(1.0));
    assert_eq!(
        certificate.reasons,
        ["2 mutants could not be judged", "1 behavioural mutants could not be judged"],
        "a sprite that thinks is silent too"
    );
}

#[tokio::test]
async fn a_script_that_breaks_on_a_mutant_has_not_killed_it() {
    let certificate = checked(
        |project, trial, call| {
            if behaviour(project).contains("looks_say") || !behaviour(project).contains("motion_movesteps") {
                fair(project, trial, call)
            } else {
                broken(Outcome::JudgeError, trial)
            }
        },
        false,
    )
    .await;
    let mutation = certificate.mutation.unwrap();
    assert_eq!(outcomes(&mutation), [(MutantOutcome::Killed, 4), (MutantOutcome::JudgeError, 1)]);
    assert_eq!(mutation.score, Some(0.8));
}

#[tokio::test]
async fn results_that_change_are_flaky() {
    let certificate = checked(
        |project, trial, call| {
            let mut verdict = fair(project, trial, call);
            verdict.trace_hash = Some(format!("{call}"));
            verdict
        },
        false,
    )
    .await;
    assert!((certificate.flake_rate - 0.25).abs() < 1e-9 && !certificate.certified);
}

#[tokio::test]
async fn without_a_golden_that_passes_no_mutant_is_judged() {
    let certificate = checked(|_, trial, _| verdict(&[("never", false)], trial, ""), false).await;
    assert!(certificate.mutation.is_none() && !certificate.certified);
    assert!(certificate.reasons[0].contains("golden project must pass under seed 1: failed at \"never\""));
}

#[tokio::test]
async fn thresholds_name_what_missed_them() {
    let half = |project: &Project, trial: Trial, _: u32| {
        let behaviour = behaviour(project);
        verdict(&[("speaks", behaviour.contains(r#"[10,"Hi"]"#))], trial, &behaviour)
    };
    let certificates = [checked(fair, false).await, checked(half, false).await];
    assert_eq!(Score::Mutation.mean(&certificates), Some(0.7));
    let missed = |min_mutation, mean_mutation| {
        Thresholds { min_mutation, mean_mutation, ..Thresholds::default() }.missed(&certificates)
    };
    assert_eq!(missed(Some(0.4), Some(0.7)), [""; 0]);
    assert_eq!(missed(Some(0.5), None), ["kite_gusts: mutation score 0.400 is below 0.5"]);
    assert_eq!(missed(None, Some(0.9)), ["the mean mutation score 0.700 is below 0.9"]);
    let unjudged = Certificate { mutation: None, ..certificates[0].clone() };
    let all = [certificates[0].clone(), unjudged];
    assert_eq!(Score::Mutation.mean(&all), Some(0.5));
    assert_eq!(Score::Mutation.mean(&all[1..]), None);
    assert_eq!(Thresholds { min_mutation: Some(0.0), ..Thresholds::default() }.missed(&all).len(), 1);
    let few = |min_tests| Thresholds { min_tests, ..Thresholds::default() }.missed(&certificates[..1]);
    assert_eq!((few(Some(1)).len(), few(None).len()), (0, 0));
    let found = few(Some(9));
    assert!(matches!(&found[..], [one] if one.starts_with("kite_gusts: ") && one.ends_with("needs 9")), "{found:?}");
}

#[tokio::test]
async fn progress_adds_up() {
    let (planned, judged) = (AtomicU32::new(0), AtomicU32::new(0));
    let count = |progress: Progress| match progress {
        Progress::Planned(more) => drop(planned.fetch_add(u32::try_from(more).unwrap(), Ordering::SeqCst)),
        Progress::Judged => drop(judged.fetch_add(1, Ordering::SeqCst)),
    };
    let judge = FakeJudge::new(fair);
    certify(&entry(), &projects(true), &&judge, OPTIONS, None, &count).await.unwrap();
    assert_eq!(planned.load(Ordering::SeqCst), judged.load(Ordering::SeqCst));
}
