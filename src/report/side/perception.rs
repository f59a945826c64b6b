//! Runs of questions about pictures: the paper's table 3 over models.

use serde::Serialize;

use super::plot::{Bar, Plot};
use super::sets::{Sets, sets};
use super::table::{NONE, Table, interval, two};
use super::{COST_HEADS, Role, cost_cells, counted, last_tries, names, price_note, spent};
use crate::benchmarks::perception::{Answered, ITEMS, Item, Score, score};
use crate::grade::{Count, PriceTable, Proportion, Spending};
use crate::model::{AttemptRecord, Outcome};
use crate::report::ReportError;
use crate::store::RunDir;

#[derive(Debug, Serialize)]
pub(super) struct Perception {
    rows: Vec<ModelRow>,
    notes: Vec<String>,
}

/// A run.
#[derive(Debug, Serialize)]
struct ModelRow {
    run: String,
    name: String,
    role: Role,
    set: String,
    /// Absent where the run has not kept its questions.
    score: Option<Score>,
    all: Proportion,
    spending: Spending,
}

impl Perception {
    pub(super) fn of(runs: &[&RunDir], prices: &PriceTable) -> Result<Self, ReportError> {
        let names = names(runs, &["questions", "answers"]);
        let (mut rows, mut numbers, mut bare) = (Vec::new(), Vec::new(), Vec::new());
        for (run, name) in runs.iter().zip(&names) {
            let records: Vec<AttemptRecord<Option<Answered>>> = last_tries(run)?;
            let items: Option<Vec<Item>> = run.kept(ITEMS)?;
            if items.is_none() {
                bare.push(format!("{name}: an older version made it, so kinds are not known; --resume adds them"));
            }
            let score = items.map(|items| score(&items, &records, Count::Ours));
            let made = records.iter().filter(|record| record.outcome.counts());
            let all = made.map(|record| (record.item.as_str(), record.outcome == Outcome::Passed));
            numbers.push(counted(&records));
            rows.push(ModelRow {
                run: run.record().id.clone(),
                name: name.clone(),
                role: Role::of(run.record()),
                set: String::new(),
                all: score.as_ref().map_or_else(|| Proportion::clustered(all), |score| score.all),
                score,
                spending: spent(&records, prices, run.record()),
            });
        }
        let compared = runs.iter().zip(&names).zip(numbers).map(|((run, name), n)| (run.record(), name.as_str(), n));
        let Sets { marks, mut notes } = sets(&compared.collect::<Vec<_>>());
        for (row, mark) in rows.iter_mut().zip(marks) {
            row.set = mark;
        }
        notes.extend(bare);
        notes.extend(price_note(rows.iter().map(|row| &row.spending)));
        Ok(Self { rows, notes })
    }

    /// As table 3 of the paper.
    pub(super) fn tables(&self) -> Vec<Table> {
        let head = [
            "agent",
            "set",
            "connection",
            "existence",
            "field",
            "overall",
            "95 %",
            "N",
            "balanced YES/NO",
            COST_HEADS[0],
            COST_HEADS[1],
            COST_HEADS[2],
            "per right answer",
        ];
        let cells = |row: &ModelRow| {
            let mut cells = vec![row.name.clone(), row.set.clone()];
            match &row.score {
                Some(score) => cells.extend(score.task_types.iter().map(|group| two(group.accuracy.percent))),
                None => cells.extend([NONE; 3].map(str::to_owned)),
            }
            let balanced = row.score.as_ref().and_then(|score| score.yes_no?.balanced);
            cells.extend([two(row.all.percent), interval(row.all.interval), row.all.n.to_string(), two(balanced)]);
            cells.extend(cost_cells(&row.spending));
            cells
        };
        let rows = self.rows.iter().map(cells).collect();
        vec![Table::new("Perception: accuracy in percent", &head, rows, &self.notes)]
    }

    pub(super) fn plot(&self) -> Plot {
        let bars = self.rows.iter().filter_map(|row| {
            let name = format!("{} {}", row.name, row.set);
            Bar::new(name.trim_end(), "accuracy", row.all.percent, row.all.interval)
        });
        Plot::new("Perception", &["accuracy"], bars.collect())
    }
}
