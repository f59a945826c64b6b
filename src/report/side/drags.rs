//! Runs of single drags: the paper's tables 2 and 9 over models, with intervals and costs, and how drags failed.

use std::collections::BTreeMap;

use serde::Serialize;
use strum::IntoEnumIterator as _;

use super::plot::{Bar, Plot};
use super::sets::{Sets, sets};
use super::table::{NONE, Table, left_out, two};
use super::{Role, cost_cells, counted, last_tries, names, price_note, spent};
use crate::benchmarks::drag::ask::Setting;
use crate::benchmarks::drag::figures::{CLASSES, Gap, Row, SceneClass, Split, Summary, summary};
use crate::benchmarks::drag::measure::{BreakStage, DragDetail, FailureType};
use crate::grade::{Count, Interval, PriceTable, Spending};
use crate::model::{AttemptRecord, EditorGeneration, ItemId, Outcome, shown_name};
use crate::report::{AS_THE_REFERENCE, ReportError};
use crate::store::RunDir;

/// Most columns of Pass@k.
const MOST_KS: usize = 10;
/// What stands in front of figures.
const WHO: [&str; 5] = ["agent", "editor", "set", "prompt", "setting"];
/// The rows of a run where it has several.
const SPLITS: [Split; 3] = [Split::All, Split::T1, Split::T2];

#[derive(Debug, Serialize)]
pub(super) struct Drags {
    rows: Vec<DragRow>,
    notes: Vec<String>,
}

/// A run.
#[derive(Debug, Serialize)]
struct DragRow {
    run: String,
    agent: String,
    name: String,
    role: Role,
    /// The editor that showed the scenes.
    editor: EditorGeneration,
    /// How it was asked; empty where nothing was.
    prompt: String,
    setting: String,
    set: String,
    summary: Summary,
    /// As the reference counts, where that was asked for.
    reference: Option<Summary>,
    spending: Spending,
}

impl Drags {
    pub(super) fn of(runs: &[&RunDir], prices: &PriceTable, count: Count) -> Result<Self, ReportError> {
        let settings: Vec<&str> = runs.iter().map(|run| run.record().setting.as_str()).collect();
        let names = names(runs, &settings);
        let mut rows = Vec::new();
        let (mut numbers, mut unclassed) = (Vec::new(), Vec::new());
        for (run, name) in runs.iter().zip(&names) {
            let records: Vec<AttemptRecord<Option<DragDetail>>> = last_tries(run)?;
            let classes: Option<BTreeMap<ItemId, SceneClass>> = run.kept(CLASSES)?;
            if classes.is_none() {
                unclassed
                    .push(format!("{name}: an older version made it, so T1 and T2 are not known; --resume adds them"));
            }
            let figures = |count| summary(&records, count, |item| classes.as_ref()?.get(item).copied());
            numbers.push(counted(&records));
            rows.push(DragRow {
                run: run.record().id.clone(),
                agent: shown_name(&run.record().agent),
                name: name.clone(),
                role: Role::of(run.record()),
                editor: run.record().editor(),
                prompt: run.record().prompt().unwrap_or_default(),
                setting: shown_name(&run.record().setting),
                set: String::new(),
                summary: figures(Count::Ours),
                reference: (count == Count::Reference).then(|| figures(Count::Reference)),
                spending: spent(&records, prices, run.record()),
            });
        }
        let compared = runs.iter().zip(&names).zip(numbers).map(|((run, name), n)| (run.record(), name.as_str(), n));
        let Sets { marks, mut notes } = sets(&compared.collect::<Vec<_>>());
        for (row, mark) in rows.iter_mut().zip(marks) {
            row.set = mark;
        }
        notes.extend(unclassed);
        notes.extend(price_note(rows.iter().map(|row| &row.spending)));
        Ok(Self { rows: in_order(rows), notes })
    }

    pub(super) fn tables(&self) -> Vec<Table> {
        let mut tables = vec![self.all(Count::Ours), self.by_interaction(Count::Ours)];
        if self.rows.iter().any(|row| row.reference.is_some()) {
            tables.extend([self.all(Count::Reference), self.by_interaction(Count::Reference)]);
        }
        tables.extend([self.detail(), self.failures()]);
        tables
    }

    fn most_ks(&self) -> usize {
        let ks = self.rows.iter().flat_map(|row| &row.summary.rows).map(|row| row.pass_at.len());
        ks.max().unwrap_or_default().clamp(1, MOST_KS)
    }

    /// As table 2 of the paper.
    fn all(&self, count: Count) -> Table {
        let ks = self.most_ks();
        let head = head(&[""], ks, &["items", "trials"]);
        let cells = |row: &DragRow| {
            let all = row.split(Split::All, count);
            let mut cells = row.names();
            cells.extend(figures(all, ks));
            cells.extend([all.map_or(0, |all| all.tasks), all.map_or(0, |all| all.runs)].map(|n| n.to_string()));
            cells
        };
        let title = "Single drags: Pass@k and components in percent, spatial error in pixels";
        self.table(title, count, &head, self.rows.iter().map(cells).collect())
    }

    /// As table 9 of the paper.
    fn by_interaction(&self, count: Count) -> Table {
        let ks = self.most_ks();
        let head = head(&["T1 ", "T2 "], ks, &["T1 trials", "T2 trials"]);
        let cells = |row: &DragRow| {
            let both = [Split::T1, Split::T2].map(|split| row.split(split, count));
            let trials = both.map(|row| row.map_or(0, |row| row.runs).to_string());
            let figures = both.map(|row| figures(row, ks)).concat();
            row.names().into_iter().chain(figures).chain(trials).collect()
        };
        let title = "Single drags: direct connection (T1) and slot insertion (T2)";
        self.table(title, count, &head, self.rows.iter().map(cells).collect())
    }

    fn table(&self, title: &str, count: Count, head: &[String], rows: Vec<Vec<String>>) -> Table {
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        match count {
            Count::Ours => Table::new(title, &head, rows, &self.notes),
            Count::Reference => Table::new(&format!("{title}, {AS_THE_REFERENCE}"), &head, rows, &[]),
        }
    }

    /// How far chance may have moved the figures, and what they cost.
    fn detail(&self) -> Table {
        let ks = self.most_ks();
        let last = format!("@{ks} 95 %");
        let own = ["split", "items", "missing", "trials", "@1 95 %", if ks > 1 { &last } else { "" }];
        let more = [
            "start 95 %",
            "end 95 %",
            "start px N",
            "end px N",
            "left out",
            "tokens",
            "cached share",
            "cost",
            "per drag that passed",
        ];
        let head: Vec<&str> = WHO.into_iter().chain(own).chain(more).collect();
        let cells = |row: &DragRow, one: &Row| {
            let pass = |k: usize| ends(one.pass_at.get(k - 1).copied().flatten());
            let mut cells = row.names();
            cells.extend([one.split.to_string(), one.tasks.to_string(), one.missing.to_string(), one.runs.to_string()]);
            cells.extend([
                pass(1),
                if ks > 1 { pass(ks) } else { String::new() },
                ends(one.start_pass),
                ends(one.end_pass),
            ]);
            cells.extend([one.start_gap, one.end_gap].map(|gap| gap.map_or(0, |gap| gap.n).to_string()));
            cells.push(left_out(&one.left_out));
            let costs = cost_cells(&row.spending);
            cells.extend(if one.split == Split::All { costs } else { [NONE; 4].map(str::to_owned) });
            cells
        };
        let note =
            "Start px and end px are means over N failed trials. Tokens and cost are those of a trial in the mean";
        Table::new("Single drags: 95 % intervals, and what trials took", &head, self.each(cells), &[note.to_owned()])
    }

    /// Which end failed, by the reference's rule, and where drags broke.
    fn failures(&self) -> Table {
        let own = ["split", "failed", "start", "end", "unknown", "unreadable", "call failed", "start px", "end px"];
        let stages: Vec<String> = BreakStage::iter().map(|stage| format!("broke at {stage}")).collect();
        let head: Vec<&str> = WHO.into_iter().chain(own).chain(stages.iter().map(String::as_str)).collect();
        let cells = |row: &DragRow, one: &Row| {
            let failed =
                |kind: FailureType| one.failures.iter().find(|one| one.failure == kind).map_or(0, |one| one.count);
            let ended = |how: Outcome| one.outcomes.iter().find(|one| one.outcome == how).map_or(0, |one| one.count);
            let kinds = [FailureType::Start, FailureType::End, FailureType::Unknown].map(failed);
            let silent = [Outcome::Unreadable, Outcome::CallFailed].map(ended);
            let mut cells = row.names();
            cells.extend([one.split.to_string(), kinds.iter().sum::<usize>().to_string()]);
            cells.extend(kinds.into_iter().chain(silent).map(|n| n.to_string()));
            cells.extend([pixels(one.start_gap), pixels(one.end_gap)]);
            cells.extend(one.breaks.iter().map(|broke| match broke.gap {
                Some(gap) => format!("{} ({:.2} px)", broke.count, gap.pixels),
                None => broke.count.to_string(),
            }));
            cells
        };
        let note = "Start: the press was outside the start region. End: the press was inside, the release outside the end region. \
            Unknown: both were inside, or there was no drag to measure, as with unreadable answers and failed calls. Broke at: \
            the stage at which a failed drag went wrong, with the mean of how far it was off";
        Table::new("Single drags: how trials failed", &head, self.each(cells), &[note.to_owned()])
    }

    /// A row for each run and type of interaction that it has trials of.
    fn each(&self, cells: impl Fn(&DragRow, &Row) -> Vec<String>) -> Vec<Vec<String>> {
        let rows = |row: &DragRow| {
            let found = SPLITS.iter().filter_map(|split| row.split(*split, Count::Ours));
            let found = found.filter(|one| one.runs > 0 || one.split == Split::All);
            found.map(|one| cells(row, one)).collect::<Vec<_>>()
        };
        self.rows.iter().flat_map(rows).collect()
    }

    pub(super) fn plots(&self) -> Vec<Plot> {
        let ks = self.most_ks();
        let mut passes: [&'static str; 2] = ["Pass@1", "Pass@k"];
        let shown = if ks > 1 { &mut passes[..] } else { &mut passes[..1] };
        let success = self.bars(shown, |all, at| *all.pass_at.get(if at == 0 { 0 } else { ks - 1 })?);
        let title = if ks > 1 { format!("Single drags, k = {ks}") } else { "Single drags".to_owned() };
        let components = ["start", "end"];
        let parts = self.bars(&components, |all, at| if at == 0 { all.start_pass } else { all.end_pass });
        vec![Plot::new(&title, shown, success), Plot::new("Single drags, components", &components, parts)]
    }

    /// Bars of each run, one for each series that it has a figure of.
    fn bars(&self, series: &[&'static str], figure: impl Fn(&Row, usize) -> Option<Interval>) -> Vec<Bar> {
        let bars = |row: &DragRow| {
            let editor = if row.editor.is_current() { String::new() } else { format!("{} editor", row.editor) };
            let parts =
                [&row.name, &editor, &row.set, &row.prompt, &row.setting].into_iter().filter(|part| !part.is_empty());
            let name = parts.map(String::as_str).collect::<Vec<_>>().join(", ");
            let all = row.split(Split::All, Count::Ours);
            let found = series.iter().enumerate().filter_map(|(at, series)| {
                let share = figure(all?, at)?;
                let name = if at == 0 { name.as_str() } else { "" };
                Bar::new(name, series, Some(share.percent), Some((share.low, share.high)))
            });
            found.collect::<Vec<_>>()
        };
        self.rows.iter().flat_map(bars).collect()
    }
}

/// Settings of one model below each other, in the order of the paper; models in the order in which they were named.
fn in_order(mut rows: Vec<DragRow>) -> Vec<DragRow> {
    let model = |row: &DragRow| (row.agent.clone(), row.editor, row.set.clone(), row.prompt.clone());
    let models: Vec<_> = rows.iter().map(model).collect();
    let place = |row: &DragRow| models.iter().position(|other| *other == model(row));
    rows.sort_by_key(|row| (place(row), Setting::rank(&row.setting)));
    rows
}

impl DragRow {
    fn names(&self) -> Vec<String> {
        let editor = self.editor.to_string();
        vec![self.name.clone(), editor, self.set.clone(), self.prompt.clone(), self.setting.clone()]
    }

    fn split(&self, split: Split, count: Count) -> Option<&Row> {
        let summary = match count {
            Count::Ours => Some(&self.summary),
            Count::Reference => self.reference.as_ref(),
        };
        summary?.rows.iter().find(|row| row.split == split)
    }
}

fn head(parts: &[&str], ks: usize, more: &[&str]) -> Vec<String> {
    let own = |part: &&str| {
        let passes = (1..=ks).map(|k| format!("@{k}"));
        let rest = ["start", "end", "start px", "end px"].map(str::to_owned);
        passes.chain(rest).map(|name| format!("{part}{name}")).collect::<Vec<_>>()
    };
    let names = WHO.map(str::to_owned);
    names.into_iter().chain(parts.iter().flat_map(own)).chain(more.iter().map(|name| (*name).to_owned())).collect()
}

fn figures(row: Option<&Row>, ks: usize) -> Vec<String> {
    let share = |share: Option<Interval>| two(share.map(|share| share.percent));
    let pass = |at: usize| share(row.and_then(|row| *row.pass_at.get(at)?));
    let mut cells: Vec<String> = (0..ks).map(pass).collect();
    cells.extend([share(row.and_then(|row| row.start_pass)), share(row.and_then(|row| row.end_pass))]);
    cells.extend([pixels(row.and_then(|row| row.start_gap)), pixels(row.and_then(|row| row.end_gap))]);
    cells
}

fn pixels(gap: Option<Gap>) -> String {
    two(gap.map(|gap| gap.pixels))
}

fn ends(share: Option<Interval>) -> String {
    share.map_or_else(|| NONE.to_owned(), |share| format!("[{:.2}, {:.2}]", share.low, share.high))
}
