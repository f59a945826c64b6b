//! Assertions that make others mean something: that a sprite is hidden in the end says little, as one that never shows is hidden as well. So
//! it is asserted, too, that it shows before. The fault may leave that as it is.

use serde_json::Value;

use super::says;
use crate::grade::suite::share;
use crate::model::{Assertion, Feature, Scenario, TraceRun};

/// For each sprite of which is asserted that it is hidden in a scenario, and not that it shows, that it shows before: as far as gold's
/// runs have it. Runs are one a seed, gold's first.
pub fn companions(
    assertions: &[Assertion],
    scenario: &Scenario,
    [golden, buggy]: [&[&TraceRun]; 2],
    every: u64,
) -> Vec<Assertion> {
    let mut found: Vec<Assertion> = Vec::new();
    for one in assertions.iter().filter(|one| one.scenario == scenario.id) {
        let Feature::Equals { signal, after, value: Value::Bool(false) } = &one.feature else { continue };
        let is_known = || assertions.iter().chain(&found).any(|other| says_that_it_shows(&other.feature, signal));
        if !signal.ends_with("/visible") || is_known() {
            continue;
        }
        let feature = Feature::Reached { signal: signal.clone(), value: true.into(), by: *after };
        let (p_golden, p_buggy) = (share(&feature, golden, every), share(&feature, buggy, every));
        let says = says::expected(&feature, scenario);
        found.push(Assertion { id: String::new(), scenario: scenario.id.clone(), feature, p_golden, p_buggy, says });
    }
    found
}

fn says_that_it_shows(feature: &Feature, signal: &str) -> bool {
    let is_it = feature.signal().eq_ignore_ascii_case(signal);
    let shows = matches!(
        feature,
        Feature::Equals { value: Value::Bool(true), .. } | Feature::Reached { value: Value::Bool(true), .. }
    );
    is_it && shows
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;
    use crate::model::Column;

    fn card(visible: &[(u64, bool)]) -> TraceRun {
        let (t, v) = visible.iter().map(|(tick, shows)| (*tick, json!(shows))).unzip();
        TraceRun { ticks: 600, signals: BTreeMap::from([("Card/visible".to_owned(), Column { t, v })]) }
    }

    fn hidden(signal: &str) -> Assertion {
        let feature = Feature::Equals { signal: signal.to_owned(), after: 500, value: json!(false) };
        let (id, scenario) = ("a1".to_owned(), "s1".to_owned());
        Assertion { id, scenario, feature, p_golden: 1.0, p_buggy: 0.0, says: String::new() }
    }

    #[test]
    fn that_a_sprite_is_hidden_in_the_end_is_accompanied_by_its_showing_before() {
        let scenario = Scenario {
            id: "s1".to_owned(),
            template: "idle".to_owned(),
            length: 600,
            answers: Vec::new(),
            steps: Vec::new(),
        };
        let (gold, buggy) = (card(&[(9, false), (199, true), (399, false)]), card(&[(9, false), (199, true)]));
        let found = companions(&[hidden("Card/visible")], &scenario, [&[&gold], &[&buggy]], 10);
        let [shows] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((shows.p_golden, shows.p_buggy), (1.0, 1.0), "the fault leaves it as it is");
        assert!(shows.says.starts_with("Card appears"), "{}", shows.says);
        let never = card(&[(9, false)]);
        assert!(!crate::grade::suite::holds(&shows.feature, &never, 10), "a card that never shows is rejected");
        let both = [hidden("Card/visible"), shows.clone()];
        assert_eq!(companions(&both, &scenario, [&[&gold], &[&buggy]], 10), []);
        assert_eq!(companions(&[hidden("Card/draggable")], &scenario, [&[&gold], &[&buggy]], 10), []);
    }
}
