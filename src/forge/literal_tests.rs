//! Tests of `literal`.

use super::super::fakes::{guarded_suite, seen_run};
use super::*;

#[test]
fn an_error_counts_in_whichever_scenario_and_under_whichever_seed_it_is_written() {
    let suite = guarded_suite(&[1, 2]);
    let runs = |consoles: [[&[&str]; 2]; 3]| {
        let seeded = consoles.map(|seeds| seeds.map(|console| seen_run(0, true, console)).to_vec());
        suite.scenarios.iter().zip(seeded).collect::<Vec<(&Scenario, Seeded)>>()
    };
    let (quiet, odd): (&[&str], &[&str]) = (&[], &["error: odd"]);
    let gold = runs([[quiet, quiet], [quiet, odd], [quiet, quiet]]);
    assert_eq!(new_error_of_any(&runs([[quiet, quiet], [quiet, odd], [quiet, quiet]]), &gold), None);
    assert_eq!(new_error_of_any(&runs([[quiet, quiet], [odd, quiet], [quiet, quiet]]), &gold), None, "by chance");
    let late = runs([[quiet, quiet], [quiet, quiet], [quiet, odd]]);
    assert_eq!(new_error_of_any(&late, &gold), Some("odd"), "in the last scenario, under the second seed");
}
