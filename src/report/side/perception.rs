//! Runs of questions about pictures: the paper's table 3 over models, with intervals and costs, and each kind of question.

use serde::Serialize;

use super::plot::{Bar, Plot};
use super::sets::{Sets, sets};
use super::table::{NONE, Table, interval, left_out, two};
use super::{Role, cost_cells, counted, last_tries, names, price_note, spent};
use crate::benchmarks::perception::{Answered, ITEMS, Item, Score, Tag, TaskType, YesNo, score};
use crate::grade::{Count, PriceTable, Proportion, Spending};
use crate::model::{AttemptRecord, Outcome, shown_name};
use crate::report::{AS_THE_REFERENCE, ReportError};
use crate::store::RunDir;

#[derive(Debug, Serialize)]
pub(super) struct Perception {
    rows: Vec<ModelRow>,
    notes: Vec<String>,
}

/// The columns that say which run a row is of.
const WHO: [&str; 4] = ["agent", "set", "pictures", "prompt"];

/// A run.
#[derive(Debug, Serialize)]
struct ModelRow {
    run: String,
    name: String,
    role: Role,
    set: String,
    /// Whose pictures they are: an editor generation, or `published`; empty where an older version made the run.
    pictures: String,
    /// How it was asked; empty where nothing was.
    prompt: String,
    /// Absent where the run has not kept its questions.
    score: Option<Score>,
    /// As the reference counts, where that was asked for and the questions are known.
    reference: Option<Score>,
    all: Proportion,
    spending: Spending,
}

impl Perception {
    pub(super) fn of(runs: &[&RunDir], prices: &PriceTable, count: Count) -> Result<Self, ReportError> {
        let names = names(runs, &["questions", "answers"]);
        let (mut rows, mut numbers, mut bare) = (Vec::new(), Vec::new(), Vec::new());
        for (run, name) in runs.iter().zip(&names) {
            let records: Vec<AttemptRecord<Option<Answered>>> = last_tries(run)?;
            let items: Option<Vec<Item>> = run.kept(ITEMS)?;
            if items.is_none() {
                bare.push(format!("{name}: an older version made it, so kinds are not known; --resume adds them"));
            }
            let figures = |count| Some(score(items.as_ref()?, &records, count));
            let ours = figures(Count::Ours);
            let made = records.iter().filter(|record| record.outcome.counts());
            let all = made.map(|record| (record.item.as_str(), record.outcome == Outcome::Passed));
            numbers.push(counted(&records));
            rows.push(ModelRow {
                run: run.record().id.clone(),
                name: name.clone(),
                role: Role::of(run.record()),
                set: String::new(),
                pictures: run.record().options["pictures"].as_str().map(shown_name).unwrap_or_default(),
                prompt: run.record().prompt().unwrap_or_default(),
                all: ours.as_ref().map_or_else(|| Proportion::clustered(all), |score| score.all),
                score: ours,
                reference: if count == Count::Reference { figures(Count::Reference) } else { None },
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

    pub(super) fn tables(&self) -> Vec<Table> {
        let mut tables = vec![self.main(Count::Ours)];
        if self.rows.iter().any(|row| row.reference.is_some()) {
            tables.push(self.main(Count::Reference));
        }
        tables.extend([self.detail(), self.kinds()]);
        tables
    }

    /// As table 3 of the paper.
    fn main(&self, count: Count) -> Table {
        let figures = ["connection", "existence", "field", "overall", "N", "left out"];
        let head: Vec<&str> = WHO.into_iter().chain(figures).collect();
        let cells = |row: &ModelRow| {
            let score = row.score(count);
            let all = if count == Count::Ours { Some(row.all) } else { score.map(|score| score.all) };
            let mut cells = row.names();
            match score {
                Some(score) => cells.extend(score.task_types.iter().map(|group| two(group.accuracy.percent))),
                None => cells.extend([NONE; 3].map(str::to_owned)),
            }
            cells.extend([two(all.and_then(|all| all.percent)), all.map_or(0, |all| all.n).to_string()]);
            cells.push(score.map_or_else(|| NONE.to_owned(), |score| left_out(&score.left_out)));
            cells
        };
        let rows = self.rows.iter().map(cells).collect();
        let title = "Perception: accuracy in percent";
        match count {
            Count::Ours => Table::new(title, &head, rows, &self.notes),
            Count::Reference => Table::new(&format!("{title}, {AS_THE_REFERENCE}"), &head, rows, &[]),
        }
    }

    /// How far chance may have moved the figures, what answers to YES/NO questions are worth, and what they cost.
    fn detail(&self) -> Table {
        let own = ["ability", "right", "N", "accuracy", "95 %", "said YES", "truth YES", "balanced"];
        let more = ["tokens", "cached share", "cost", "per right answer"];
        let head: Vec<&str> = WHO.into_iter().chain(own).chain(more).collect();
        let cells = |row: &ModelRow, ability: &str, of: Proportion, yes_no: Option<YesNo>, costs: [String; 4]| {
            let yes = |figure: fn(YesNo) -> Option<f64>| two(yes_no.and_then(figure));
            let mut cells = row.names();
            cells.extend([ability.to_owned(), of.hits.to_string(), of.n.to_string(), two(of.percent)]);
            cells.extend([interval(of.interval), yes(|yes| yes.said_yes.percent), yes(|yes| yes.truly_yes.percent)]);
            cells.push(yes(|yes| yes.balanced));
            cells.extend(costs);
            cells
        };
        let rows = |row: &ModelRow| {
            let none = || [NONE; 4].map(str::to_owned);
            let yes_no = row.score.as_ref().and_then(|score| score.yes_no);
            let mut rows = vec![cells(row, "all", row.all, yes_no, cost_cells(&row.spending))];
            let abilities = row.score.iter().flat_map(|score| &score.task_types);
            rows.extend(abilities.map(|one| cells(row, one.kind.as_ref(), one.accuracy, one.yes_no, none())));
            rows
        };
        let note = "Balanced: the mean of the accuracies where the truth is YES and where it is NO; what does not look at the \
            picture has 50 or less. Tokens and cost are those of a question in the mean";
        let rows = self.rows.iter().flat_map(rows).collect();
        Table::new("Perception: 95 % intervals, and what answers took", &head, rows, &[note.to_owned()])
    }

    /// Kinds of questions below each other, a column for each run.
    fn kinds(&self) -> Table {
        let names = self.rows.iter().map(|row| row.names().into_iter().filter(|name| !name.is_empty()));
        let names: Vec<String> = names.map(|parts| parts.collect::<Vec<_>>().join(", ")).collect();
        let head: Vec<&str> = ["ability", "kind"].into_iter().chain(names.iter().map(String::as_str)).collect();
        let cell = |row: &ModelRow, tag: Tag| {
            let group = row.score.as_ref().and_then(|score| score.tags.iter().find(|group| group.kind == tag));
            group.map_or_else(|| NONE.to_owned(), |one| format!("{} of {}", one.accuracy.hits, one.accuracy.n))
        };
        let asked = |tag: Tag| self.rows.iter().any(|row| cell(row, tag) != NONE);
        let rows = Tag::PUBLISHED.iter().filter(|(tag, _)| asked(*tag)).map(|(tag, _)| {
            let figures = self.rows.iter().map(|row| cell(row, *tag));
            [tag.task_type().to_string(), tag.to_string()].into_iter().chain(figures).collect()
        });
        Table::new("Perception: right answers by kind of question", &head, rows.collect(), &[])
    }

    pub(super) fn plots(&self) -> Vec<Plot> {
        let bars = |row: &ModelRow| {
            let name = row.names().into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
            let overall = Bar::new(&name, ABILITIES[0], row.all.percent, row.all.interval);
            let types = row.score.iter().flat_map(|score| &score.task_types);
            let types =
                types.filter_map(|one| Bar::new("", series(one.kind), one.accuracy.percent, one.accuracy.interval));
            overall.into_iter().chain(types).collect::<Vec<_>>()
        };
        vec![Plot::new("Perception", &ABILITIES, self.rows.iter().flat_map(bars).collect())]
    }
}

/// The bars of a run.
const ABILITIES: [&str; 4] = ["overall", "connection", "existence", "field"];

const fn series(kind: TaskType) -> &'static str {
    match kind {
        TaskType::Connection => ABILITIES[1],
        TaskType::Existence => ABILITIES[2],
        TaskType::Field => ABILITIES[3],
    }
}

impl ModelRow {
    fn names(&self) -> Vec<String> {
        vec![self.name.clone(), self.set.clone(), self.pictures.clone(), self.prompt.clone()]
    }

    const fn score(&self, count: Count) -> Option<&Score> {
        match count {
            Count::Ours => self.score.as_ref(),
            Count::Reference => self.reference.as_ref(),
        }
    }
}
