//! What the report tells, as a statement of a suite: a patch that leaves the symptom must not pass. It is made in the scenario in which a
//! player notices the fault soonest, at a moment at which gold shows the same for a while.

use super::noticed::{LATER, Noticed};
use crate::grade::signals::value;
use crate::grade::suite::same;
use crate::model::{EVENTS, Feature, TraceRun};

/// What gold shows in place of what is noticed, at each look that may be asked for; the soonest first. Looks at which gold has just shown
/// something else, or soon will, are left out: a right repair may be a little sooner or later.
pub fn statements(noticed: &Noticed, gold: &TraceRun, length: u64, every: u64) -> Vec<Feature> {
    let (first, every) = (noticed.after, every.max(1));
    let looks = (0..=LATER / every).map(|number| first + number * every).filter(|after| after + every <= length);
    let rests = |after: &u64| {
        let around =
            [after.saturating_sub(every), *after, after + every].map(|look| value(gold, &noticed.signal, look));
        let [before, now, later] = &around;
        matches!((before, now, later), (Some(before), Some(now), Some(later)) if same(before, now) && same(now, later))
    };
    looks.filter(rests).filter_map(|after| statement(&noticed.signal, gold, after)).collect()
}

/// That a signal is what it is in a run then, or that something has happened as often.
fn statement(signal: &str, run: &TraceRun, after: u64) -> Option<Feature> {
    let shown = value(run, signal, after)?;
    let Some(event) = signal.strip_prefix(EVENTS) else {
        return Some(Feature::Equals { signal: signal.to_owned(), after, value: shown });
    };
    let (event, name) = event.split_once(':')?;
    Some(Feature::EventCount { event: event.to_owned(), name: name.into(), after, n: shown.as_u64()? })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::super::noticed::Sense;
    use super::*;
    use crate::model::Column;

    fn run(signal: &str, changes: &[(u64, Value)]) -> TraceRun {
        let (t, v) = changes.iter().cloned().unzip();
        TraceRun { ticks: 300, signals: BTreeMap::from([(signal.to_owned(), Column { t, v })]) }
    }

    fn noticed(sense: Sense, signal: &str) -> Noticed {
        Noticed { sense, signal: signal.to_owned(), after: 100 }
    }

    #[test]
    fn what_is_noticed_is_stated_where_gold_rests() {
        let gold = run("Owl/bubble", &[(9, Value::Null), (95, json!("say: Hoo")), (139, Value::Null)]);
        let found = statements(&noticed(Sense::Speech, "Owl/bubble"), &gold, 300, 10);
        let says = |after: u64, value: Value| Feature::Equals { signal: "Owl/bubble".to_owned(), after, value };
        let expected = [says(110, json!("say: Hoo")), says(120, json!("say: Hoo")), says(150, Value::Null)];
        assert_eq!(found[..3], expected, "not at its first look nor at its last");
        assert_eq!(found.len(), 4, "up to two seconds later");
        assert_eq!(statements(&noticed(Sense::Speech, "Owl/bubble"), &gold, 120, 10).len(), 1, "within the scenario");
        assert_eq!(statements(&noticed(Sense::Speech, "Moth/bubble"), &gold, 300, 10), []);
    }

    #[test]
    fn what_is_heard_is_counted() {
        let gold = run("events/sound", &[(49, json!("Moth: pop")), (59, json!("Moth: pop"))]);
        let found = statements(&noticed(Sense::Sound, "events/sound:Moth: pop"), &gold, 300, 10);
        let count = Feature::EventCount { event: "sound".to_owned(), name: json!("Moth: pop"), after: 100, n: 2 };
        assert_eq!(found.first(), Some(&count));
    }
}
