//! The bundled tasks as a set: every one has a certificate that is current, and together they are what the benchmark
//! promises. No browser: `scratchbed check` makes certificates, and this says which are stale.

use scratchbed::certify::{Certificate, CheckOptions, Thresholds, budget_faults, current};
use scratchbed::model::Category;
use scratchbed::taskset::{Selection, TaskSet};
use strum::IntoEnumIterator as _;

use crate::support::root;

/// How thoroughly a task must have been checked.
const WANTED: CheckOptions =
    CheckOptions { seeds: 5, mutants: 40, behaviours: 20, collateral: 20, benign: 10, late: 10, lanes: 1 };

/// The least number of bundled tasks. Loops over certificates check nothing if there are none.
const TASKS: usize = 83;

fn tasks() -> TaskSet {
    TaskSet::read(root()).unwrap()
}

fn split(set: &TaskSet, name: &str) -> Vec<(Category, String)> {
    let chosen = set.select(&Selection { split: Some(name.to_owned()), ..Selection::default() }).unwrap();
    chosen.iter().map(|entry| (entry.task.category, entry.task.id.to_string())).collect()
}

/// The certificates of all tasks; fails if one is missing or stale.
fn certificates() -> Vec<Certificate> {
    let mut stale = Vec::new();
    let mut certificates: Vec<Certificate> = Vec::new();
    for entry in tasks().all() {
        match current(entry, WANTED) {
            Ok(certificate) => certificates.push(certificate),
            Err(why) => stale.push(format!("{}: {why}", entry.task.id)),
        }
    }
    assert!(stale.is_empty(), "run `scratchbed check --all --write`:\n{}", stale.join("\n"));
    assert!(certificates.len() >= TASKS, "{} certificates", certificates.len());
    certificates
}

/// Tasks that begin with a program must leave the rest of it as it is, and so must have shown that their judges look at it.
#[test]
fn every_judge_notices_damage_to_what_the_task_leaves_alone() {
    let certificates = certificates();
    for one in &certificates {
        let begins_with_a_program = matches!(one.category, Category::Debug | Category::Extend);
        let judged = one.collateral.as_ref().is_some_and(|part| part.sample > 0);
        assert!(judged || !begins_with_a_program, "{} has no collateral mutants", one.task);
    }
    let thresholds = Thresholds { min_collateral: Some(0.60), ..Thresholds::default() };
    assert_eq!(thresholds.missed(&certificates), [""; 0]);
}

#[test]
fn every_judge_passes_what_does_the_same() {
    for one in certificates() {
        let benign = one.benign.unwrap();
        assert!(benign.judged > 0 && benign.passed == benign.judged, "{}: {:?}", one.task, benign.mutants);
    }
}

/// Where a script draws what it asks, a program that knows by heart what it asks under the public seed fails under the others.
#[test]
fn no_judge_that_draws_is_passed_by_a_table() {
    let (tasks, certificates) = (tasks(), certificates());
    let mut drawing = 0;
    for (entry, certificate) in tasks.all().iter().zip(&certificates) {
        assert_eq!(entry.task.id, certificate.task);
        let Some(table) = &certificate.table else {
            assert!(!entry.evaluation().unwrap().draws(), "{}", certificate.task);
            continue;
        };
        let is_beaten = table.trouble.is_some() || !table.passed.is_empty();
        assert!(!is_beaten && table.inputs > 0 && table.others.len() > 3, "{}: {table:?}", certificate.task);
        drawing += 1;
    }
    assert!(drawing >= 25, "{drawing}");
}

/// A program in which nobody sees a sprite of the task fails, unless the task's author says why it need not be seen.
#[test]
fn no_judge_passes_a_sprite_that_nobody_sees() {
    let mut refused = 0;
    for one in certificates() {
        let unseen = one.unseen.unwrap();
        assert!(unseen.passed.is_empty() && unseen.unjudged.is_empty(), "{}: {unseen:?}", one.task);
        let is_asked = !unseen.reads || !unseen.refused.is_empty();
        assert!(is_asked, "{}: {unseen:?}", one.task);
        refused += unseen.refused.len();
    }
    assert!(refused >= TASKS, "{refused}");
}

/// Each test of each judge failed on a mutant that it was tried on.
#[test]
fn no_test_is_idle() {
    let certificates = certificates();
    let idle = certificates.iter().flat_map(|one| {
        let names = one.tests.as_ref().unwrap().idle();
        names.into_iter().map(|name| format!("{}: {name}", one.task)).collect::<Vec<_>>()
    });
    let idle: Vec<String> = idle.collect();
    assert_eq!(idle, [""; 0]);
}

#[test]
fn every_task_is_certified_and_no_certificate_is_stale() {
    let certificates = certificates();
    let thresholds = Thresholds { min_mutation: Some(0.80), mean_mutation: Some(0.92), ..Thresholds::default() };
    assert_eq!(thresholds.missed(&certificates), [""; 0]);
    let tests: Vec<u32> = certificates.iter().map(|certificate| certificate.golden[0].total_tests).collect();
    assert!(tests.iter().sum::<u32>() >= 260 && tests.iter().all(|count| *count >= 3), "{tests:?}");
    let with_others = certificates.iter().filter(|certificate| !certificate.second_solutions_passed.is_empty());
    assert!(with_others.count() >= 20);
}

/// Programs that are built freely may be slow, and a limit that no slow one was tried against may refuse correct work.
#[test]
fn every_task_that_is_built_freely_has_a_slow_solution() {
    let set = tasks();
    let free = |category| matches!(category, Category::Create | Category::Extend);
    let without = set.all().iter().filter(|entry| free(entry.task.category) && entry.slow_solutions().is_empty());
    let names: Vec<_> = without.map(|entry| entry.task.id.as_str()).collect();
    assert!(names.is_empty(), "these need a slow solution (docs/TASKS.md): {}", names.join(", "));
}

#[test]
fn every_task_allows_twice_the_steps_that_its_oracles_need() {
    let tasks = tasks();
    let faults: Vec<String> = tasks
        .all()
        .iter()
        .flat_map(|entry| budget_faults(entry).into_iter().map(|fault| format!("{}: {fault}", entry.task.id)))
        .collect();
    assert_eq!(faults, [""; 0]);
}

#[test]
fn the_set_and_its_splits_have_as_many_tasks_of_each_category_as_they_should() {
    let set = tasks();
    for (name, counts) in [("all", [20, 20, 18, 25]), ("ablation", [6, 6, 5, 7]), ("small", [4, 4, 3, 4])] {
        let chosen = split(&set, name);
        let of = |category| chosen.iter().filter(|(found, _)| *found == category).count();
        assert_eq!(Category::iter().map(of).collect::<Vec<_>>(), counts, "{name}");
    }
    let ablation = split(&set, "ablation");
    assert!(split(&set, "small").iter().all(|task| ablation.contains(task)), "what is small is a part of the other");
}
