//! Tables of repairs.

use super::{left_out_text, percent, plain_table, with_interval};
use crate::benchmarks::repair::{Band, FLOOR, Filtered, Group, Score};
use crate::grade::Proportion;
use crate::mend::Stage;

/// What validators would have saved, and what that costs.
pub fn filtered_text(filtered: &Filtered) -> String {
    let groups: Vec<String> = filtered.groups.iter().map(ToString::to_string).collect();
    let of = |share: &Proportion| match share.percent {
        Some(_) => format!("{} of {} ({} %)", share.hits, share.n, percent(share.percent)),
        None => format!("{} of {}", share.hits, share.n),
    };
    format!(
        "filter {}: of the applied patches {} would not be run; of these {} fail, and of those that fail {} are flagged; repaired {} \
         without it, {} with it",
        groups.join(", "),
        of(&filtered.not_run),
        of(&filtered.detection.precision),
        of(&filtered.detection.recall),
        of(&filtered.repaired),
        of(&filtered.repaired_with),
    )
}

/// Rates, distances and drifts; patterns and difficulties below all.
pub fn repairs_text(score: &Score) -> String {
    let groups = || std::iter::once(&score.all).chain(&score.patterns).chain(&score.difficulties);
    let head = [
        "instances",
        "repaired",
        "of",
        "repaired %",
        "fault gone",
        "guards kept",
        "exact",
        "applied",
        "in region",
        "assertions %",
    ];
    let rates = groups().map(rates).chain(score.floor.map(floor));
    let far =
        ["instances", "distance", "of repaired", "edits", "drift", "of repaired", "buggy drift", "drift, all signals"];
    let mut parts = vec![
        plain_table(&head, rates).to_string(),
        plain_table(&far, groups().map(distances)).to_string(),
        counted("stages", score.stages.iter().map(|one| (one.kind.to_string(), one.count))),
    ];
    let failed = score.stages.iter().filter(|one| one.kind != Stage::Passed).map(|one| one.count).sum::<usize>();
    if failed > 0 {
        parts.push(counted("went wrong by", score.modes.iter().map(|one| (one.kind.to_string(), one.count))));
    }
    parts.push(format!("N = {}, {}", score.all.repaired.n, left_out_text(&score.left_out)));
    if score.missing > 0 {
        parts.push(format!("instances missing, because none of their attempts counts: {}", score.missing));
    }
    if score.unanswered > 0 {
        parts.push(format!("{} without an answer, counted as not repaired", score.unanswered));
    }
    parts.join("\n")
}

fn counted(name: &str, counts: impl Iterator<Item = (String, usize)>) -> String {
    let shown: Vec<String> =
        counts.filter(|(_, count)| *count > 0).map(|(kind, count)| format!("{count} {kind}")).collect();
    format!("{name}: {}", if shown.is_empty() { "none".to_owned() } else { shown.join(", ") })
}

fn rates(group: &Group) -> [String; 10] {
    let assertions = group.assertions.mean;
    [
        group.name.clone(),
        group.repaired.hits.to_string(),
        group.repaired.n.to_string(),
        with_interval(group.repaired.percent, group.repaired.interval),
        group.asserted.hits.to_string(),
        group.guarded.hits.to_string(),
        group.exact.hits.to_string(),
        group.applied.hits.to_string(),
        group.within_region.hits.to_string(),
        with_interval(assertions, group.assertions_interval),
    ]
}

/// The row of the floor: what a search of the project for the report's wrong value repairs.
fn floor(repaired: Proportion) -> [String; 10] {
    let none = || "-".to_owned();
    let percent = with_interval(repaired.percent, repaired.interval);
    let (hits, n) = (repaired.hits.to_string(), repaired.n.to_string());
    [FLOOR.to_owned(), hits, n, percent, none(), none(), none(), none(), none(), none()]
}

fn distances(group: &Group) -> [String; 8] {
    let two = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
    let both = |band: Band| [two(band.applied.mean), two(band.passed.mean)];
    let [distance, distance_passed] = both(group.distance);
    let [drift, drift_passed] = both(group.drift);
    [
        group.name.clone(),
        distance,
        distance_passed,
        two(group.edits.applied.mean),
        drift,
        drift_passed,
        two(group.buggy_drift.mean),
        two(group.drift_all.applied.mean),
    ]
}
