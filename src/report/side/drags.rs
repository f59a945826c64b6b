//! Runs of single drags: the paper's tables 2 and 9 over models.

use std::collections::BTreeMap;

use serde::Serialize;

use super::plot::{Bar, Plot};
use super::sets::{Sets, sets};
use super::table::{NONE, Table, two};
use super::{COST_HEADS, Role, cost_cells, counted, last_tries, names, price_note, spent};
use crate::benchmarks::drag::figures::{CLASSES, Row, SceneClass, Split, Summary, summary};
use crate::benchmarks::drag::measure::DragDetail;
use crate::grade::{Count, Interval, PriceTable, Spending};
use crate::model::{AttemptRecord, ItemId};
use crate::report::ReportError;
use crate::store::RunDir;

/// Most columns of Pass@k.
const MOST_KS: usize = 10;

#[derive(Debug, Serialize)]
pub(super) struct Drags {
    rows: Vec<DragRow>,
    notes: Vec<String>,
}

/// A run.
#[derive(Debug, Serialize)]
struct DragRow {
    run: String,
    name: String,
    role: Role,
    setting: String,
    set: String,
    summary: Summary,
    spending: Spending,
}

impl Drags {
    pub(super) fn of(runs: &[&RunDir], prices: &PriceTable) -> Result<Self, ReportError> {
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
            numbers.push(counted(&records));
            rows.push(DragRow {
                run: run.record().id.clone(),
                name: name.clone(),
                role: Role::of(run.record()),
                setting: run.record().setting.clone(),
                set: String::new(),
                summary: summary(&records, Count::Ours, |item| classes.as_ref()?.get(item).copied()),
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
        Ok(Self { rows, notes })
    }

    pub(super) fn tables(&self) -> Vec<Table> {
        vec![self.all(), self.by_interaction()]
    }

    fn most_ks(&self) -> usize {
        let ks = self.rows.iter().flat_map(|row| &row.summary.rows).map(|row| row.pass_at.len());
        ks.max().unwrap_or_default().clamp(1, MOST_KS)
    }

    /// As table 2 of the paper.
    fn all(&self) -> Table {
        let ks = self.most_ks();
        let head =
            head(&[""], ks, &["runs", "@1 95 %", COST_HEADS[0], COST_HEADS[1], COST_HEADS[2], "per drag that passed"]);
        let cells = |row: &DragRow| {
            let all = row.split(Split::All);
            let mut cells = row.names();
            cells.extend(figures(all, ks));
            let first = all.and_then(|all| *all.pass_at.first()?);
            cells.push(all.map_or(0, |all| all.runs).to_string());
            cells.push(first.map_or_else(|| NONE.to_owned(), |one| format!("[{:.2}, {:.2}]", one.low, one.high)));
            cells.extend(cost_cells(&row.spending));
            cells
        };
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let title = "Single drags: Pass@k and components in percent, spatial error in pixels";
        Table::new(title, &head, self.rows.iter().map(cells).collect(), &self.notes)
    }

    /// As table 9 of the paper.
    fn by_interaction(&self) -> Table {
        let ks = self.most_ks();
        let head = head(&["T1 ", "T2 "], ks, &[]);
        let cells = |row: &DragRow| {
            let both = [Split::T1, Split::T2].map(|split| figures(row.split(split), ks)).concat();
            row.names().into_iter().chain(both).collect()
        };
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let title = "Single drags: direct connection (T1) and slot insertion (T2)";
        Table::new(title, &head, self.rows.iter().map(cells).collect(), &self.notes)
    }

    pub(super) fn plot(&self) -> Plot {
        let bars = self.rows.iter().filter_map(|row| {
            let first = row.split(Split::All).and_then(|all| *all.pass_at.first()?)?;
            let name = format!("{}, {} {}", row.name, row.setting, row.set);
            Bar::new(name.trim_end(), "Pass@1", Some(first.percent), Some((first.low, first.high)))
        });
        Plot::new("Single drags", &["Pass@1"], bars.collect())
    }
}

impl DragRow {
    fn names(&self) -> Vec<String> {
        vec![self.name.clone(), self.set.clone(), self.setting.clone()]
    }

    fn split(&self, split: Split) -> Option<&Row> {
        self.summary.rows.iter().find(|row| row.split == split)
    }
}

fn head(parts: &[&str], ks: usize, more: &[&str]) -> Vec<String> {
    let own = |part: &&str| {
        let passes = (1..=ks).map(|k| format!("@{k}"));
        let rest = ["start", "end", "start px", "end px"].map(str::to_owned);
        passes.chain(rest).map(|name| format!("{part}{name}")).collect::<Vec<_>>()
    };
    let names = ["agent", "set", "setting"].map(str::to_owned);
    names.into_iter().chain(parts.iter().flat_map(own)).chain(more.iter().map(|name| (*name).to_owned())).collect()
}

fn figures(row: Option<&Row>, ks: usize) -> Vec<String> {
    let share = |share: Option<Interval>| two(share.map(|share| share.percent));
    let pass = |at: usize| share(row.and_then(|row| *row.pass_at.get(at)?));
    let mut cells: Vec<String> = (0..ks).map(pass).collect();
    cells.extend([share(row.and_then(|row| row.start_pass)), share(row.and_then(|row| row.end_pass))]);
    let gaps = [row.and_then(|row| row.start_gap), row.and_then(|row| row.end_gap)];
    cells.extend(gaps.map(|gap| two(gap.map(|gap| gap.pixels))));
    cells
}
