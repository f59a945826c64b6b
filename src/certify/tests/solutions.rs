//! What a check asks of slow solutions, and how it scores behavioural mutants.

use super::*;

#[tokio::test]
async fn tasks_that_are_built_freely_need_a_slow_solution_and_it_must_pass() {
    let without = Projects { slow_solutions: Vec::new(), ..projects(false) };
    let mut entry = entry();
    let judge = FakeJudge::new(fair);
    let refused = certify(&entry, &without, &&judge, OPTIONS, None, &|_| ()).await.unwrap();
    assert_eq!(refused.reasons, ["there is no slow solution: slow_solutions in task.json names none"]);
    entry.task.category = crate::model::Category::Compute;
    assert!(certify(&entry, &without, &&judge, OPTIONS, None, &|_| ()).await.unwrap().certified);

    let speechless = project(&[("motion_movesteps", "STEPS", json!([4, "10"]))]);
    let failing = Projects { slow_solutions: vec![speechless], ..projects(false) };
    let refused = certify(&entry, &failing, &&judge, OPTIONS, None, &|_| ()).await.unwrap();
    assert_eq!((refused.slow_solutions_passed, refused.second_solutions_passed), (vec![false], vec![true]));
    assert!(refused.reasons.iter().any(|reason| reason.starts_with("slow solution 1 must pass under seed 3: failed")));
}

#[tokio::test]
async fn behavioural_mutants_are_scored_apart_and_the_instruction_may_allow_some() {
    let folder = tempfile::tempdir().unwrap();
    let entry = entry_in(folder.path());
    let judge = FakeJudge::new(fair);
    let certificate = certify(&entry, &projects(false), &&judge, OPTIONS, None, &|_| ()).await.unwrap();
    let (mutation, behaviour) = (certificate.mutation.clone().unwrap(), certificate.behaviour.clone().unwrap());
    assert_eq!((mutation.score, mutation.mutants.len()), (Some(1.0), 5));
    // The judge sees other numbers and letters, and neither that more is done nor that it is done otherwise.
    let of = |outcome| behaviour.mutants.iter().filter(move |mutant| mutant.outcome == outcome);
    let killed: Vec<&str> = of(MutantOutcome::Killed).map(|mutant| mutant.id.as_str()).collect();
    let numbers = ["less", "more"].map(|variant| format!("behaviour:number:Kite:0.1.STEPS:{variant}"));
    assert_eq!(killed, [numbers[0].as_str(), &numbers[1], "behaviour:letters:Kite:0.2.MESSAGE:case"]);
    let survived: Vec<&str> = of(MutantOutcome::Survived).map(|mutant| mutant.id.as_str()).collect();
    assert!(survived.contains(&"behaviour:later:Kite:0.2:below"), "{survived:?}");
    let score = behaviour.score.unwrap();
    let all = u32::try_from(behaviour.mutants.len()).unwrap();
    assert!((score - 3.0 / f64::from(all)).abs() < 1e-9);
    let wanted = Thresholds { mean_mutation: Some(1.0), min_behaviour: Some(0.9), ..Thresholds::default() };
    let missed = wanted.missed(std::slice::from_ref(&certificate));
    assert_eq!(missed, [format!("kite_gusts: behavioural mutation score {score:.3} is below 0.9")]);

    let reasons: BTreeMap<&str, &str> = survived.iter().map(|id| (*id, "the instruction allows it")).collect();
    std::fs::write(folder.path().join("equivalent.json"), serde_json::to_vec(&reasons).unwrap()).unwrap();
    let certificate = certify(&entry, &projects(false), &&judge, OPTIONS, None, &|_| ()).await.unwrap();
    let behaviour = certificate.behaviour.unwrap();
    assert_eq!(outcomes(&behaviour), [(MutantOutcome::Killed, 3), (MutantOutcome::Allowed, survived.len())]);
    assert_eq!((behaviour.score, certificate.mutation.unwrap().score), (Some(1.0), Some(1.0)));
    assert!(
        behaviour.mutants.iter().filter_map(|mutant| mutant.reason.as_deref()).all(|reason| reason.contains("allows"))
    );
}
