//! Tests of `invariants`.

use serde_json::json;

use super::*;
use crate::grade::suite::holds;
use crate::model::Column;

fn run(signals: &[(&str, &[(u64, Value)])]) -> TraceRun {
    let column = |changes: &[(u64, Value)]| Column {
        t: changes.iter().map(|(tick, _)| *tick).collect(),
        v: changes.iter().map(|(_, value)| value.clone()).collect(),
    };
    let signals = signals.iter().map(|(name, changes)| ((*name).to_owned(), column(changes))).collect();
    TraceRun { ticks: 900, signals }
}

/// What is found in gold's run, of which only the score is state.
fn found(run: &TraceRun) -> Vec<Feature> {
    let state = BTreeSet::from(["stage/variable/score".to_owned()]);
    let mut values: BTreeMap<String, Vec<Value>> =
        run.signals.iter().map(|(name, column)| (name.clone(), column.v.clone())).collect();
    values.entry("events/broadcast".to_owned()).or_default().push(json!("game over"));
    let silent = BTreeSet::from(["nobody hears it".to_owned()]);
    let scene = Scene { run, length: 900, every: 10, state: &state, values: &values, silent: &silent };
    let found = invariants(&scene);
    assert!(found.iter().all(|one| holds(one, run, 10)), "gold keeps them: {found:#?}");
    found
}

fn keeps(found: &[Feature], run: &TraceRun) -> bool {
    found.iter().all(|one| holds(one, run, 10))
}

fn counted(score: i64, begins: u64) -> TraceRun {
    run(&[("Stage/variable/score", &[(9, json!(0)), (begins, json!(1)), (begins + 200, json!(score))])])
}

#[test]
fn what_settles_is_kept_a_little_sooner_or_later_and_not_otherwise() {
    let found = found(&counted(2, 299));
    assert!(keeps(&found, &counted(2, 259)) && keeps(&found, &counted(2, 339)), "{found:#?}");
    assert!(!keeps(&found, &counted(3, 299)), "it counts by two");
    assert!(!keeps(&found, &counted(2, 499)), "it comes far too late");
    assert!(!keeps(&found, &run(&[("Stage/variable/score", &[(9, json!(0))])])), "it is never counted");
}

#[test]
fn a_sprite_that_is_hidden_or_stands_still_is_noticed() {
    let crossing = |speed: i64| -> Vec<(u64, Value)> {
        (0..90).map(|at: i64| (9 + 10 * at.unsigned_abs(), json!(-200 + speed * (at % 45)))).collect()
    };
    let (gold, slow) = (crossing(8), crossing(5));
    let of = |places: &[(u64, Value)], visible: bool| {
        run(&[("Moth/x", places), ("Moth/visible", &[(9, json!(visible))]), ("Moth/layer", &[(9, json!(1))])])
    };
    let found = found(&of(&gold, true));
    assert!(found.iter().all(|one| one.signal() != "Moth/layer"), "nobody sees that: {found:#?}");
    assert!(!keeps(&found, &of(&gold, false)));
    assert!(!keeps(&found, &of(&slow, true)) && !keeps(&found, &of(&[(9, json!(-200))], true)));
    let late: Vec<(u64, Value)> = gold.iter().map(|(tick, value)| (tick + 30, value.clone())).collect();
    assert!(keeps(&found, &of(&late, true)), "a second later is the same: {found:#?}");
}

#[test]
fn a_course_is_guarded_as_a_whole() {
    let said = |all: &[(u64, Value)]| run(&[("Moth/bubble", all)]);
    let gold = [(9, json!(null)), (99, json!("say: one")), (129, json!("say: two")), (159, json!(null))];
    let found = found(&said(&gold));
    let changed = |at: usize, change: (u64, Value)| {
        let mut all = gold.to_vec();
        all[at] = change;
        said(&all)
    };
    assert!(keeps(&found, &changed(1, (69, json!("say: one")))), "a little sooner: {found:#?}");
    assert!(!keeps(&found, &changed(2, (129, json!("say: three")))), "other words, however short");
    assert!(!keeps(&found, &said(&[gold[0].clone(), gold[1].clone(), gold[3].clone()])), "words are missing");
    let heard = |ticks: &[u64]| {
        let all: Vec<(u64, Value)> = ticks.iter().map(|tick| (*tick, json!("Moth: pop"))).collect();
        run(&[("events/sound", &all)])
    };
    let found = self::found(&heard(&[100, 110, 120, 500, 510]));
    assert!(keeps(&found, &heard(&[100, 115, 130, 540, 550])), "{found:#?}");
    assert!(!keeps(&found, &heard(&[100, 110, 500, 510, 520])), "the third comes far too late");
}

#[test]
fn a_short_look_at_another_value_is_chance_and_a_long_one_is_not() {
    let worn = |until: u64| run(&[("Moth/costume", &[(9, json!("up")), (409, json!("down")), (until, json!("up"))])]);
    let found = found(&run(&[("Moth/costume", &[(9, json!("up"))])]));
    assert!(keeps(&found, &worn(419)) && !keeps(&found, &worn(429)), "{found:#?}");
}

#[test]
fn messages_are_counted_and_those_that_may_be_renamed_are_not() {
    let sent = |all: &[(u64, &str)]| {
        let column: Vec<(u64, Value)> = all.iter().map(|(tick, name)| (*tick, json!(name))).collect();
        run(&[("events/broadcast", &column)])
    };
    let found = found(&sent(&[(100, "go"), (400, "Go"), (500, "nobody hears it")]));
    assert!(found.iter().all(|one| !one.signal().contains("nobody")), "{found:#?}");
    assert!(keeps(&found, &sent(&[(130, "go"), (370, "go")])), "a little off, and without the silent one");
    assert!(!keeps(&found, &sent(&[(100, "go")])), "one is missing");
    assert!(!keeps(&found, &sent(&[(100, "go"), (400, "go"), (700, "go")])), "one too many");
    assert!(!keeps(&found, &sent(&[(100, "go"), (400, "go"), (500, "game over")])), "it is over too early");
}
