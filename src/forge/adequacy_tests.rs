//! Tests of `adequacy`.

use super::*;

fn tried(outcomes: &[FixOutcome]) -> Vec<Fix> {
    outcomes.iter().map(|outcome| Fix { name: String::new(), outcome: *outcome, codes: BTreeSet::new() }).collect()
}

#[test]
fn a_suite_is_adequate_if_it_rejects_damage_as_well_and_nothing_that_is_right() {
    use FixOutcome::{Accepted, BreaksGuard, Equivalent, Rejected};
    let wrong = tried(&[Rejected, BreaksGuard, Equivalent]);
    let mostly = [[BreaksGuard; 9].as_slice(), &[Accepted, Equivalent]].concat();
    let of = |damage: &[FixOutcome], right: &[FixOutcome]| {
        let (damage, right) = (tried(damage), tried(right));
        let (score, damage_score) = (score(&wrong), score(&damage));
        Adequacy { id: String::new(), wrong: wrong.clone(), right, damage, score, damage_score }
    };
    let good = of(&mostly, &[Accepted]);
    assert!((good.score - 1.0).abs() < 1e-9 && (good.damage_score - 0.9).abs() < 1e-9, "{good:?}");
    assert!(good.is_adequate());
    assert!(!of(&mostly[1..], &[Accepted]).is_adequate(), "8 of 9");
    assert!(!of(&mostly, &[Accepted, BreaksGuard]).is_adequate(), "a guard that a right repair breaks");
    assert!(of(&[Equivalent], &[]).is_adequate(), "nothing of it is noticed");
}
