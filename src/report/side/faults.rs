//! Runs of repairs and explanations: the paper's table 2 and its figures on repair over models (ScratchEval, section 8), with numbers and
//! intervals; what became of patches; and McNemar's test of each two runs over the same instances.

mod gains;
mod pooled;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::plot::{Bar, Plot};
use super::table::{NONE, Table, interval, left_out, two};
use super::{Role, cost_cells, last_tries, names, price_note, spent};
use crate::benchmarks::explain::Explained;
use crate::benchmarks::{explain, repair};
use crate::grade::{PriceTable, Proportion, Spending, holm, paired};
use crate::mend::Repair;
use crate::model::{AttemptRecord, Outcome, pluralise, shown_name};
use crate::report::ReportError;
use crate::store::RunDir;

#[derive(Debug, Serialize)]
pub(super) struct Faults {
    repairs: Vec<Row<repair::Score>>,
    explanations: Vec<Row<explain::Score>>,
}

/// A run.
#[derive(Debug, Serialize)]
struct Row<S> {
    run: String,
    name: String,
    role: Role,
    setting: String,
    /// The published protocol that it was asked by.
    preset: Option<String>,
    /// The benchmark's version.
    set: String,
    score: S,
    /// Whether the first attempt at each instance passed; those that do not count are left out.
    passed: BTreeMap<String, bool>,
    spending: Spending,
}

/// The settings that a name does without.
const USUAL: [&str; 2] = ["zero-shot", "answers"];

impl Faults {
    pub(super) fn of(repairs: &[&RunDir], explanations: &[&RunDir], prices: &PriceTable) -> Result<Self, ReportError> {
        let repairs = rows(repairs, prices, |_, items, records: &[AttemptRecord<Option<Repair>>]| {
            Ok(repair::score(items, records))
        })?;
        let explanations = rows(explanations, prices, |run, items, records: &[AttemptRecord<Option<Explained>>]| {
            let baseline: Option<Vec<AttemptRecord<Option<Explained>>>> = run.kept(explain::BASELINE)?;
            Ok(explain::score(items, records).above(items, &baseline.unwrap_or_default()))
        })?;
        Ok(Self { repairs, explanations })
    }

    pub(super) fn tables(&self) -> Vec<Table> {
        let mut tables = Vec::new();
        if !self.repairs.is_empty() {
            tables.extend([self.success(), self.stages(), self.patterns()]);
            tables.extend(pairs("Repair", &self.repairs));
        }
        if !self.explanations.is_empty() {
            tables.push(self.understanding());
            tables.extend(pairs("Explanations", &self.explanations));
        }
        tables.extend(self.gains());
        tables
    }

    fn success(&self) -> Table {
        let own = ["agent", "setting", "repaired %", "95 %", "N", "fault gone", "guards kept", "exact"];
        let more = [
            "distance",
            "of repaired",
            "drift",
            "of repaired",
            "buggy drift",
            "in region",
            "tokens",
            "cached share",
            "cost",
            "per repair",
            "left out",
        ];
        let head: Vec<&str> = own.into_iter().chain(more).collect();
        let rows = self.repairs.iter().map(|row| {
            let all = &row.score.all;
            let mut cells = row.names();
            cells.extend([two(all.repaired.percent), interval(all.repaired.interval), all.repaired.n.to_string()]);
            cells.extend([&all.asserted, &all.guarded, &all.exact].map(|share| share.hits.to_string()));
            cells.extend([two(all.distance.applied.mean), two(all.distance.passed.mean)]);
            cells.extend([two(all.drift.applied.mean), two(all.drift.passed.mean), two(all.buggy_drift.mean)]);
            cells.push(all.within_region.hits.to_string());
            cells.extend(cost_cells(&row.spending));
            cells.push(left_out(&row.score.left_out));
            cells
        });
        let mut notes = vec![
            "Repaired: the fault is gone (all assertions hold, fail to pass) and the guards are kept (golden behaviour survives, pass to pass)"
                .to_owned(),
            "Distance: edits that only one of patch and gold has; drift: how far the runs lie from gold's, 0 to 1; means over applied patches"
                .to_owned(),
        ];
        notes.extend(presets(&self.repairs));
        notes.extend(price_note(self.repairs.iter().map(|row| &row.spending)));
        notes.extend(several(&self.repairs));
        let floors = floors(&self.repairs, repair::FLOOR, |score| score.floor).into_iter().map(|share| {
            let cells = vec![two(share.percent), interval(share.interval), share.n.to_string()];
            floor_row(repair::FLOOR, cells, head.len())
        });
        Table::new("Repair: functional success", &head, rows.chain(floors).collect(), &notes)
    }

    fn stages(&self) -> Table {
        let kinds = self.repairs.first().map(|row| row.score.stages.iter().map(|one| one.kind.to_string()));
        let kinds: Vec<String> = kinds.into_iter().flatten().collect();
        let modes = self.repairs.first().map(|row| row.score.modes.iter().map(|one| one.kind.to_string()));
        let modes: Vec<String> = modes.into_iter().flatten().collect();
        let head: Vec<&str> = ["agent", "setting"]
            .into_iter()
            .chain(kinds.iter().map(String::as_str))
            .chain(["unanswered"])
            .chain(modes.iter().map(String::as_str))
            .collect();
        let rows = self.repairs.iter().map(|row| {
            let stages = row.score.stages.iter().map(|one| one.count.to_string());
            let modes = row.score.modes.iter().map(|one| one.count.to_string());
            let silent = std::iter::once(row.score.unanswered.to_string());
            row.names().into_iter().chain(stages).chain(silent).chain(modes).collect()
        });
        let note =
            "How far patches came, and in what ways those that failed went wrong; several may hold of one".to_owned();
        Table::new("Repair: what became of patches", &head, rows.collect(), &[note])
    }

    /// A pattern or difficulty a row, a run a column.
    fn patterns(&self) -> Table {
        let titles: Vec<String> = self.repairs.iter().map(Row::title).collect();
        let head: Vec<&str> = std::iter::once("instances").chain(titles.iter().map(String::as_str)).collect();
        let groups = |score: &repair::Score| -> Vec<(String, Proportion)> {
            let all = score.patterns.iter().chain(&score.difficulties);
            all.map(|group| (group.name.clone(), group.repaired)).collect()
        };
        let mut kinds: Vec<String> = Vec::new();
        for (name, _) in self.repairs.iter().flat_map(|row| groups(&row.score)) {
            if !kinds.contains(&name) {
                kinds.push(name);
            }
        }
        let cell = |row: &Row<repair::Score>, kind: &str| {
            let found = groups(&row.score).into_iter().find(|(name, _)| name == kind);
            found.map_or_else(|| NONE.to_owned(), |(_, share)| format!("{} of {}", share.hits, share.n))
        };
        let row = |kind: &String| {
            std::iter::once(kind.replace('_', " ")).chain(self.repairs.iter().map(|row| cell(row, kind))).collect()
        };
        Table::new("Repair: repaired by pattern and difficulty", &head, kinds.iter().map(row).collect(), &[])
    }

    /// As table 2 of the paper.
    fn understanding(&self) -> Table {
        let own = ["agent", "setting", "G-Acc %", "of", "U-Acc %", "95 %", "T-F1", "own T-F1", "M-Acc %", "95 %", "N"];
        let head: Vec<&str> =
            own.into_iter().chain(["tokens", "cached share", "cost", "per understood", "left out"]).collect();
        let rows = self.explanations.iter().map(|row| {
            let mut cells = row.names();
            cells.extend(figures(&row.score.all));
            cells.extend(cost_cells(&row.spending));
            cells.push(left_out(&row.score.left_out));
            cells
        });
        let mut notes = vec![
            "G-Acc: the summary; U-Acc: trigger, mechanism and outcome; T-F1: triggers, all together and the mean of the instances' own; M-Acc: \
             the mechanism"
                .to_owned(),
        ];
        notes.extend(scored_records(&self.explanations));
        notes.extend(presets(&self.explanations));
        notes.extend(price_note(self.explanations.iter().map(|row| &row.spending)));
        notes.extend(several(&self.explanations));
        let floors = floors(&self.explanations, explain::FLOOR, |score| score.floor.clone());
        let floors = floors.into_iter().map(|group| floor_row(explain::FLOOR, figures(&group), head.len()));
        Table::new("Understanding", &head, rows.chain(floors).collect(), &notes)
    }

    pub(super) fn plots(&self) -> Vec<Plot> {
        let bar = |name: &str, share: Proportion| Bar::new(name, SERIES, share.percent, share.interval);
        let repairs = self.repairs.iter().filter_map(|row| bar(&row.title(), row.score.all.repaired));
        let understood = self.explanations.iter().filter_map(|row| bar(&row.title(), row.score.all.understood));
        let plots = [("Repaired", repairs.collect::<Vec<_>>()), ("Understood (U-Acc)", understood.collect())];
        plots
            .into_iter()
            .filter(|(_, bars)| !bars.is_empty())
            .map(|(title, bars)| Plot::new(title, &[SERIES], bars))
            .collect()
    }
}

const SERIES: &str = "all instances";

/// The cells of the paper's accuracies.
fn figures(all: &explain::Group) -> Vec<String> {
    vec![
        two(all.goal.percent),
        all.goal.n.to_string(),
        two(all.understood.percent),
        interval(all.understood.interval),
        two(all.trigger_f1),
        two(all.trigger_f1_mean),
        two(all.mechanism.percent),
        interval(all.mechanism.interval),
        all.understood.n.to_string(),
    ]
}

/// Who stands for the records that the summaries of each run are scored with.
fn scored_records(rows: &[Row<explain::Score>]) -> impl Iterator<Item = String> {
    let scored = rows.iter().filter(|row| row.score.all.goal.n > 0);
    scored.map(|row| {
        let (title, n) = (row.title(), row.score.all.goal.n);
        let summaries = pluralise(n, "summary");
        format!("G-Acc of {title} is over {summaries}, by the projects' records: {}", row.score.records)
    })
}

impl<S> Row<S> {
    fn names(&self) -> Vec<String> {
        vec![self.name.clone(), self.setting.clone()]
    }

    fn title(&self) -> String {
        if USUAL.contains(&self.setting.as_str()) {
            self.name.clone()
        } else {
            format!("{}, {}", self.name, self.setting)
        }
    }
}

/// Reads runs of a track.
fn rows<D, S>(
    runs: &[&RunDir],
    prices: &PriceTable,
    score: impl Fn(&RunDir, &[repair::Item], &[AttemptRecord<D>]) -> Result<S, ReportError>,
) -> Result<Vec<Row<S>>, ReportError>
where
    D: serde::de::DeserializeOwned,
{
    let mut rows = Vec::new();
    for (run, name) in runs.iter().zip(names(runs, &USUAL)) {
        let records: Vec<AttemptRecord<D>> = last_tries(run)?;
        // A run that was not ended has not written down its instances yet.
        let items: Vec<repair::Item> = run.kept(repair::ITEMS)?.unwrap_or_default();
        let counted = records.iter().filter(|record| record.attempt == 1 && record.outcome.counts());
        let passed = counted.map(|record| (record.item.to_string(), record.outcome == Outcome::Passed));
        rows.push(Row {
            run: run.record().id.clone(),
            name,
            role: Role::of(run.record()),
            setting: shown_name(&run.record().setting),
            preset: run.record().preset(),
            set: run.record().set.clone(),
            passed: passed.collect(),
            score: score(run, &items, &records)?,
            spending: spent(&records, prices, run.record()),
        });
    }
    Ok(rows)
}

/// The presets of runs, each once, with their values.
fn presets<S>(rows: &[Row<S>]) -> BTreeSet<String> {
    rows.iter().filter_map(|row| Some(format!("Preset {}", row.preset.as_ref()?))).collect()
}

/// What is said of runs of several benchmarks.
fn several<S>(rows: &[Row<S>]) -> Option<String> {
    let sets: BTreeSet<&str> = rows.iter().map(|row| row.set.as_str()).collect();
    (sets.len() > 1).then(|| format!("Runs of {} different benchmarks: their figures do not compare", sets.len()))
}

/// The floors of these runs, each once. Where the baseline of that name was run itself, its row is among the others.
fn floors<S, F: PartialEq>(rows: &[Row<S>], name: &str, floor: impl Fn(&S) -> Option<F>) -> Vec<F> {
    let mut found: Vec<(&str, F)> = Vec::new();
    for row in rows {
        let is_run = rows.iter().any(|other| other.set == row.set && other.name.starts_with(name));
        let Some(own) = floor(&row.score).filter(|_| !is_run) else { continue };
        if !found.iter().any(|(set, known)| *set == row.set && *known == own) {
            found.push((&row.set, own));
        }
    }
    found.into_iter().map(|(_, floor)| floor).collect()
}

/// The row of a floor, with nothing in the columns that it has no figure for.
fn floor_row(name: &str, cells: Vec<String>, width: usize) -> Vec<String> {
    let mut row = vec![name.to_owned(), String::new()];
    row.extend(cells);
    row.resize(width, NONE.to_owned());
    row
}

/// McNemar's exact test of each two runs of one benchmark; nothing of a single run.
fn pairs<S>(title: &str, rows: &[Row<S>]) -> Option<Table> {
    let pairs = rows.iter().enumerate().flat_map(|(at, first)| {
        let later = rows[at + 1..].iter().filter(|second| second.set == first.set);
        later.map(move |second| ((first.title(), &first.passed), (second.title(), &second.passed)))
    });
    differences(title, pairs)
}

/// A run's title, with what passed in it.
type Titled<'a> = (String, &'a BTreeMap<String, bool>);

/// McNemar's exact test of pairs of runs over what both have, with Holm's correction; nothing where they share nothing.
pub(super) fn differences<'a>(title: &str, pairs: impl Iterator<Item = (Titled<'a>, Titled<'a>)>) -> Option<Table> {
    let mut found: Vec<_> = pairs
        .map(|((first, one), (second, other))| {
            let both = one.iter().filter_map(|(item, passed)| Some((*passed, *other.get(item)?)));
            (first, second, paired(both))
        })
        .collect();
    found.retain(|(_, _, pair)| pair.n > 0);
    let adjusted = holm(&found.iter().map(|(_, _, pair)| pair.p).collect::<Vec<_>>());
    let rows = found.iter().zip(adjusted).map(|((first, second, pair), adjusted)| {
        let counts = [pair.n, pair.only_first, pair.only_second].map(|count| count.to_string());
        let figures = [two(Some(pair.difference)), format!("{:.4}", pair.p), format!("{adjusted:.4}")];
        [first.clone(), second.clone()].into_iter().chain(counts).chain(figures).collect()
    });
    let head = ["first", "second", "N", "only first", "only second", "points", "p (McNemar)", "p (Holm)"];
    let note = "First attempts at the same instances; exact two-sided tests".to_owned();
    (!found.is_empty()).then(|| Table::new(&format!("{title}: differences"), &head, rows.collect(), &[note]))
}
