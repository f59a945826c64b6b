//! Tables 3 to 7 of EcoScratch, with denominators and intervals that the paper leaves out.

use super::words::{
    compared_head, energy_head, family_name, figure, gain, mode_name, modes, range, share, usd, watt_hours, wins,
};
use crate::grade::budgeted::{Comparison, Delta, Figures, Group, ModelDelta, ModelName};
use crate::model::{ControllerMode, shown_name};
use crate::report::side::{NONE, Table};

/// What Tables 5 and 6 compare the heuristic with.
const BASELINES: [ControllerMode; 2] = [ControllerMode::AlwaysOn, ControllerMode::Fixed];

const INTERVALS: &str =
    "Intervals are Wilson's at 95 %; trajectories at one case are no independent observations and count as fewer";

pub(super) fn tables(figures: &Figures) -> Vec<Table> {
    vec![table_3(figures), table_4(figures), table_5(figures), table_6(figures), table_7(figures)]
}

fn group(figures: &Figures, mode: ControllerMode) -> Option<&Group> {
    figures.modes.iter().find(|one| one.mode == mode).map(|one| &one.group)
}

/// A row for each mode; dashes where it was not run.
fn by_mode(figures: &Figures, columns: usize, cells: impl Fn(&Group) -> Vec<String>) -> Vec<Vec<String>> {
    let row = |mode: ControllerMode| {
        let found = group(figures, mode).map_or_else(|| dashes(columns), &cells);
        [vec![mode_name(mode).to_owned()], found].concat()
    };
    modes(figures).into_iter().map(row).collect()
}

fn dashes(count: usize) -> Vec<String> {
    vec![NONE.to_owned(); count]
}

fn table_3(figures: &Figures) -> Table {
    let energy = energy_head("energy", figures);
    let head = ["mode", "N", "not counted", "gen. %", "strict %", "cost ($)", "images", "attempts", &energy];
    let rows = by_mode(figures, head.len() - 1, |group| {
        vec![
            group.n.to_string(),
            group.not_counted.to_string(),
            share(group.generated),
            share(group.strict),
            usd(group.usd),
            figure(group.images, 2),
            figure(group.attempts, 2),
            watt_hours(group.wh),
        ]
    });
    let size =
        format!("Cases: {}, models: {}, replicates: {}", figures.cases, figures.models.len(), figures.replicates);
    let notes = [
        size,
        "Cost, images, attempts and energy are means of a trajectory".to_owned(),
        INTERVALS.to_owned(),
        "Energy is the host's alone, without that of providers; compare it within one machine only".to_owned(),
    ];
    Table::new("Table 3: modes over all models", &head, rows, &notes)
}

fn table_4(figures: &Figures) -> Table {
    let mut families: Vec<&str> = figures.models.iter().map(|model| model.provider.as_str()).collect();
    families.dedup();
    let energy = energy_head("energy", figures);
    let columns = ["N", "gen. %", "cost ($)", energy.as_str()];
    let named = |family: &&str| columns.map(|column| format!("{} {column}", family_name(family)));
    let head: Vec<String> = std::iter::once("mode".to_owned()).chain(families.iter().flat_map(named)).collect();
    let cells = |mode: ControllerMode, family: &str| {
        let part = figures.families.iter().find(|part| part.mode == mode && part.name == family);
        part.map_or_else(
            || dashes(columns.len()),
            |part| {
                let Group { n, generated, usd: cost, wh, .. } = &part.group;
                vec![n.to_string(), share(*generated), usd(*cost), watt_hours(*wh)]
            },
        )
    };
    let row = |mode: ControllerMode| {
        let parts = families.iter().flat_map(|family| cells(mode, family));
        std::iter::once(mode_name(mode).to_owned()).chain(parts).collect()
    };
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = modes(figures).into_iter().map(row).collect();
    Table::new("Table 4: families of models", &head, rows, &[])
}

fn compared(figures: &Figures, baseline: ControllerMode) -> Option<&Comparison> {
    figures.comparisons.iter().find(|one| one.mode == ControllerMode::Heuristic && one.baseline == baseline)
}

fn table_5(figures: &Figures) -> Table {
    let [energy_wins, energy] = ["energy wins", "energy saved %"].map(|head| compared_head(head, figures));
    let head =
        ["comparison", "gen. wins", "strict wins", "cost wins", &energy_wins, "gain (pp)", "cost saved %", &energy];
    let row = |baseline: ControllerMode| {
        let name = format!("Heuristic vs. {}", mode_name(baseline));
        let cells = compared(figures, baseline).map_or_else(
            || dashes(head.len() - 1),
            |found| {
                let all = |of: fn(&Delta) -> Option<f64>| found.models.iter().filter_map(move |model| of(&model.delta));
                let saved = |value| figure(Some(value), 1);
                vec![
                    wins(found.generated_wins),
                    wins(found.strict_wins),
                    wins(found.usd_wins),
                    wins(found.wh_wins),
                    range(all(|delta| Some(delta.generated)), gain),
                    range(all(|delta| delta.usd), saved),
                    range(all(|delta| delta.wh), saved),
                ]
            },
        );
        [vec![name], cells].concat()
    };
    let notes = ["Wins are models for which the heuristic is better; ranges are over models".to_owned()];
    Table::new(
        "Table 5: the heuristic against modes that always use pictures",
        &head,
        BASELINES.map(row).to_vec(),
        &notes,
    )
}

fn table_6(figures: &Figures) -> Table {
    let energy = compared_head("energy %", figures);
    let columns = ["gain (pp)", "cost %", &energy, "strict (pp)", "p"];
    let named = |letter: &'static str| columns.map(|column| format!("{letter}: {column}"));
    let names = ["model", "family"].map(str::to_owned);
    let head: Vec<String> = names.into_iter().chain(["A", "F"].into_iter().flat_map(named)).collect();
    let cells = |model: &ModelName, baseline| {
        let found = compared(figures, baseline).and_then(|one| {
            one.models.iter().find(|delta| delta.model == model.name && delta.provider == model.provider)
        });
        found.map_or_else(|| dashes(columns.len()), deltas)
    };
    let row = |model: &ModelName| {
        let names = vec![shown_name(&model.name), family_name(&model.provider)];
        [names, cells(model, BASELINES[0]), cells(model, BASELINES[1])].concat()
    };
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let notes = [
        "A: against always-on multimodal; F: against fixed multimodal; gains are of generation success, cost and energy are percent saved"
            .to_owned(),
        "p is of strict success: exact McNemar over cases, with Holm's correction over models; with replicates a bootstrap over cases"
            .to_owned(),
    ];
    let rows = figures.models.iter().map(row).collect();
    Table::new("Table 6: what the heuristic gains and saves with each model", &head, rows, &notes)
}

fn deltas(found: &ModelDelta) -> Vec<String> {
    let Delta { generated, strict, usd, wh, .. } = found.delta;
    vec![gain(generated), figure(usd, 1), figure(wh, 1), gain(strict), figure(Some(found.p_holm), 3)]
}

fn table_7(figures: &Figures) -> Table {
    let head = ["mode", "N", "gen. count", "strict count", "strict/gen. %", "using pictures %"];
    let rows = by_mode(figures, head.len() - 1, |group| {
        vec![
            group.n.to_string(),
            group.generated.hits.to_string(),
            group.strict.hits.to_string(),
            share(group.conversion),
            share(group.with_images),
        ]
    });
    Table::new("Table 7: use of pictures, and candidates that pass", &head, rows, &[])
}
