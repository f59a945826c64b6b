//! Tests of `judge_seeds`.

use scratchbed::experiment::Plan;

use super::*;

/// The runs of a checkout, and the store of its verdicts.
struct Place {
    folder: tempfile::TempDir,
    verdicts: VerdictStore,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let verdicts = VerdictStore::new(folder.path().join("verdicts"));
        Self { folder, verdicts }
    }

    /// A run of tasks that nobody knows, with this secret seed and one complete attempt.
    fn brought(&self, label: &str, judge_seed: JudgeSeed) -> RunDir {
        let run = self.empty(label, judge_seed);
        let attempt = run.path().join("attempts/day_of_year.1");
        std::fs::create_dir_all(&attempt).unwrap();
        std::fs::write(attempt.join("attempt.json"), "{}").unwrap();
        run
    }

    fn empty(&self, label: &str, judge_seed: JudgeSeed) -> RunDir {
        let items = vec!["day_of_year".parse().unwrap()];
        let plan = Plan { benchmark: Tasks::NAME, items, judge_seed, attempts: 1, ..Plan::default() };
        plan.open_in(&self.folder.path().join("e").join(label)).unwrap()
    }
}

#[test]
fn all_arms_of_an_experiment_have_one_seed_and_keep_it() {
    let new = shared(&[None, None]);
    assert!(new[0] == new[1] && matches!(new[0], JudgeSeed::Given(_)), "{new:?}");
    let (given, absent) = (JudgeSeed::Given(3_000_000_000), JudgeSeed::Absent);
    assert_eq!(shared(&[Some(given), None]), [given, given], "a new arm is compared with the old one");
    let old = shared(&[Some(absent), None]);
    assert!(old[0] == absent && old[1] != absent, "what was begun without goes on without: {old:?}");
}

#[test]
fn arms_that_were_handed_over_get_one_seed_of_ours_and_keep_their_grades_as_claims() {
    let place = Place::new();
    let theirs = [JudgeSeed::Given(5), JudgeSeed::Given(6), JudgeSeed::Absent];
    let runs = vec![place.brought("one", theirs[0]), place.empty("other", theirs[1]), place.brought("old", theirs[2])];
    let own = with_own_seeds(runs, &place.verdicts).unwrap();
    let seeds: Vec<_> = own.iter().map(|run| run.record().judge_seed).collect();
    assert!(seeds[0] > Some(6) && seeds.iter().all(|seed| *seed == seeds[0]), "{seeds:?}");
    assert_eq!(own.iter().map(RunDir::has_claims).collect::<Vec<_>>(), [true, false, true]);
    let again = with_own_seeds(own, &place.verdicts).unwrap();
    assert_eq!(again.iter().map(|run| run.record().judge_seed).collect::<Vec<_>>(), seeds, "by now they are ours");
}

#[test]
fn arms_that_were_begun_here_keep_their_seed_and_give_it_to_those_that_were_not() {
    let place = Place::new();
    let ours = place.empty("ours", JudgeSeed::Given(3_000_000_000));
    place.verdicts.keep_begun(&ours).unwrap();
    let own = with_own_seeds(vec![place.brought("theirs", JudgeSeed::Given(5)), ours], &place.verdicts).unwrap();
    assert!(own.iter().all(|run| run.record().judge_seed == Some(3_000_000_000)), "{own:?}");
    assert_eq!(own.iter().map(RunDir::has_claims).collect::<Vec<_>>(), [true, false]);

    // What no script judges has no seed.
    let drags = Plan { benchmark: "drag", ..Plan::default() }.open_in(&place.folder.path().join("e/drags")).unwrap();
    let drags = with_own_seeds(vec![drags], &place.verdicts).unwrap();
    assert_eq!(drags[0].record().judge_seed, None);
}

#[test]
fn a_folder_that_was_put_in_the_place_of_an_arm_has_the_seed_of_the_ledger() {
    let place = Place::new();
    let (pinned, theirs) = (JudgeSeed::Given(3_000_000_000), JudgeSeed::Given(5));
    let folder = place.brought("arm", theirs).path().to_owned();
    let of = |pinned| of_run(&folder, pinned, &place.verdicts).unwrap();
    assert_eq!((of(Some(pinned)), of(None)), (Some(pinned), None), "theirs counts for nothing");
    assert_eq!(of(Some(theirs)), Some(theirs), "our ledger has it: attempts of its workers were fetched");
    claim(&folder, pinned, &place.verdicts).unwrap();
    let run = RunDir::open(&folder).unwrap();
    assert!(of_record(&run) == pinned && run.is_claimed("day_of_year.1"), "{run:?}");
    assert_eq!(of(None), Some(pinned), "it is ours by now");
    claim(&folder, pinned, &place.verdicts).unwrap();
    assert_eq!(RunDir::open(&folder).unwrap().record(), run.record(), "once");
}
