//! Whether a fault is what its pattern says, by what the runs show: the operator that made it is no proof. A loop whose condition was turned
//! around may end at once as well as never. Of patterns that runs say nothing about, nothing is asked.

use serde_json::Value;

use super::noticed::Noticed;
use crate::grade::suite::number;
use crate::inject::{Candidate, Pattern};
use crate::model::{EVENTS, TraceRun};

/// Ticks that something may come earlier or later and count as at the same time.
const TOLERANCE: u64 = 10;

/// What becomes of what gold comes to where two runs part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaited {
    Late,
    Never,
}

/// Why the runs of a fault, gold's first, do not show what its pattern says; nothing if they do, or can't tell.
pub fn mislabelled(candidate: &Candidate, runs: &[[&TraceRun; 2]], noticed: &[Noticed]) -> Option<&'static str> {
    let awaited = || runs.iter().filter_map(|both| Parting::of(*both)?.awaited());
    match candidate.pattern {
        Pattern::NonTerminatingLoop => {
            if runs.iter().filter_map(|both| Parting::of(*both)).any(|parting| parting.is_early()) {
                return Some("something comes, or ends, too early: that is no loop without an end");
            }
            awaited().any(|one| one == Awaited::Late).then_some("the end comes late: that is no loop without an end")
        }
        Pattern::UntriggeredEvent => {
            let is_other = awaited().next().is_some() && !awaited().any(|one| one == Awaited::Never);
            is_other.then_some("nothing stays away that gold comes to")
        }
        Pattern::CloneManagementError if candidate.operator == "CM.leak" => {
            let is_more = runs.iter().any(|both| has_more_clones(*both));
            (!is_more).then_some("there are never more clones than in gold")
        }
        Pattern::SpriteStateMismatch => {
            let own = |one: &Noticed| one.signal.split('/').any(|part| part == candidate.sprite_id);
            let is_seen =
                noticed.iter().any(own) || runs.iter().any(|both| looks_otherwise(*both, &candidate.sprite_id));
            (!is_seen).then_some("the sprite never looks otherwise than in gold")
        }
        _ => None,
    }
}

/// Where two runs part in what they come to: messages, backdrops, what shows or is said, and rest.
struct Parting {
    /// What gold comes to next, first of all; never empty.
    golden: Vec<(u64, String)>,
    /// What the buggy project comes to from there.
    buggy: Vec<(u64, String)>,
}

impl Parting {
    /// `None` where they never part, or where the buggy project only comes to more.
    fn of([golden, buggy]: [&TraceRun; 2]) -> Option<Self> {
        let (mut golden, mut buggy) = (milestones(golden), milestones(buggy));
        let both = golden.iter().zip(&buggy);
        let shared = both.take_while(|(one, other)| one.1 == other.1 && is_one_moment(one.0, other.0)).count();
        let (golden, buggy) = (golden.split_off(shared), buggy.split_off(shared));
        (!golden.is_empty()).then_some(Self { golden, buggy })
    }

    /// Whether the buggy project comes to something in place of what gold comes to, or before it.
    fn is_early(&self) -> bool {
        let came = self.buggy.first().filter(|came| came.0 <= self.golden[0].0);
        // Two things of one moment may be in another order.
        came.is_some_and(|came| !self.golden.iter().any(|one| one.1 == came.1 && is_one_moment(one.0, came.0)))
    }

    /// What becomes of what gold comes to next; nothing where the buggy project comes to it as well.
    fn awaited(&self) -> Option<Awaited> {
        let (tick, what) = &self.golden[0];
        match self.buggy.iter().find(|one| one.1 == *what) {
            None => Some(Awaited::Never),
            Some(later) => (later.0 > tick + TOLERANCE).then_some(Awaited::Late),
        }
    }
}

const fn is_one_moment(one: u64, other: u64) -> bool {
    one.abs_diff(other) <= TOLERANCE
}

/// What a run comes to, with the ticks.
fn milestones(run: &TraceRun) -> Vec<(u64, String)> {
    let mut found = Vec::new();
    for (signal, column) in &run.signals {
        let last = signal.rsplit('/').next().unwrap_or_default();
        let is_event = signal.strip_prefix(EVENTS).is_some_and(|event| matches!(event, "broadcast" | "question"));
        let is_state = signal == "Stage/costume" || signal == "program/threads" || matches!(last, "visible" | "bubble");
        if signal.contains('#') || !(is_event || is_state) {
            continue;
        }
        let all = column.t.iter().zip(&column.v).skip(usize::from(!is_event));
        // Of scripts that run, only that none does any more is something to come to.
        let is_milestone = |value: &Value| last != "threads" || number(value) == Some(0.0);
        found.extend(
            all.filter(|(_, value)| is_milestone(value)).map(|(tick, value)| (*tick, format!("{signal} {value}"))),
        );
    }
    found.sort();
    found
}

fn has_more_clones([golden, buggy]: [&TraceRun; 2]) -> bool {
    let most = |run: &TraceRun, signal: &str| {
        let column = run.signals.get(signal);
        column.into_iter().flat_map(|column| &column.v).filter_map(number).fold(0.0, f64::max)
    };
    let mut counted = buggy.signals.keys().filter(|signal| signal.starts_with("clones/"));
    counted.any(|signal| most(buggy, signal) > most(golden, signal))
}

/// Whether anything of a target's looks is otherwise.
fn looks_otherwise([golden, buggy]: [&TraceRun; 2], target: &str) -> bool {
    let is_look = |signal: &&String| {
        let own = signal.strip_prefix(target).and_then(|rest| rest.strip_prefix('/'));
        own.is_some_and(|what| !what.starts_with("variable/") && !what.starts_with("list/"))
    };
    let mut all = golden.signals.keys().chain(buggy.signals.keys()).filter(is_look);
    all.any(|signal| golden.signals.get(signal) != buggy.signals.get(signal))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;
    use crate::model::Column;

    fn run(ticks: u64, signals: &[(&str, &[(u64, Value)])]) -> TraceRun {
        let column = |changes: &[(u64, Value)]| Column {
            t: changes.iter().map(|(tick, _)| *tick).collect(),
            v: changes.iter().map(|(_, value)| value.clone()).collect(),
        };
        let signals: BTreeMap<String, Column> =
            signals.iter().map(|(name, changes)| ((*name).to_owned(), column(changes))).collect();
        TraceRun { ticks, signals }
    }

    fn candidate(pattern: Pattern, operator: &'static str) -> Candidate {
        let word = str::to_owned;
        Candidate {
            pattern,
            operator,
            sprite_id: word("Moth"),
            script: word("hat"),
            block_id: word("block"),
            statement: word("block"),
            messages: Vec::new(),
            path: word("0.1"),
            variant: String::new(),
            patch: Vec::new(),
        }
    }

    /// A round of a game: points, and the end.
    fn round(points: &[u64], over: &[u64]) -> TraceRun {
        let sent = points.iter().map(|tick| (*tick, "point")).chain(over.iter().map(|tick| (*tick, "over")));
        let mut sent: Vec<(u64, Value)> = sent.map(|(tick, name)| (tick, json!(name))).collect();
        sent.sort_by_key(|(tick, _)| *tick);
        run(900, &[("events/broadcast", &sent)])
    }

    #[test]
    fn only_what_never_ends_is_a_loop_without_an_end() {
        let gold = round(&[100, 200], &[300]);
        let told =
            |buggy: &TraceRun| mislabelled(&candidate(Pattern::NonTerminatingLoop, "NT.flip"), &[[&gold, buggy]], &[]);
        assert_eq!(told(&round(&[100, 200, 350, 400], &[])), None, "it goes on");
        assert!(told(&round(&[], &[100])).unwrap().contains("too early"), "over at the first point");
        assert!(told(&round(&[100, 200], &[250])).unwrap().contains("too early"));
        assert!(told(&round(&[100, 200, 350], &[600])).unwrap().contains("late"));
        assert_eq!(told(&gold), None, "these runs can't tell");
        let (ends, rests) = (
            run(900, &[("program/threads", &[(9, json!(1)), (499, json!(0))])]),
            run(900, &[("program/threads", &[(9, json!(1)), (99, json!(0))])]),
        );
        let told = mislabelled(&candidate(Pattern::NonTerminatingLoop, "NT.negate"), &[[&ends, &rests]], &[]);
        assert!(told.unwrap().contains("too early"), "no script runs any more");
    }

    #[test]
    fn an_event_that_is_not_triggered_stays_away() {
        let gold = round(&[100], &[300]);
        let told =
            |buggy: &TraceRun| mislabelled(&candidate(Pattern::UntriggeredEvent, "UE.send"), &[[&gold, buggy]], &[]);
        assert_eq!(told(&round(&[100], &[])), None);
        assert!(told(&round(&[100], &[400])).unwrap().contains("stays away"), "it comes, later");
    }

    #[test]
    fn clones_that_leak_are_more_and_a_sprite_in_a_wrong_state_looks_wrong() {
        let clones = |most: u64| run(900, &[("clones/Moth", &[(9, json!(1)), (99, json!(most))])]);
        let leak = candidate(Pattern::CloneManagementError, "CM.leak");
        assert_eq!(mislabelled(&leak, &[[&clones(2), &clones(9)]], &[]), None);
        assert!(mislabelled(&leak, &[[&clones(9), &clones(2)]], &[]).is_some());
        let looks = |signal: &str, value: u64| run(900, &[(signal, &[(9, json!(value))])]);
        let state = candidate(Pattern::SpriteStateMismatch, "SS.remove");
        let told = |signal: &str| mislabelled(&state, &[[&looks(signal, 1), &looks(signal, 2)]], &[]);
        assert_eq!(told("Moth/costume"), None);
        assert!(told("Moth/variable/speed").is_some() && told("Owl/costume").is_some());
    }
}
