//! Tables that EcoScratch does not have: differences with intervals, costs per success, where trajectories end, levels and mechanisms,
//! what is missing.

use std::collections::BTreeSet;

use strum::IntoEnumIterator as _;

use super::Budgeted;
use super::words::{compared_head, energy_head, figure, gain, mode_name, share, usd, watt_hours, with_interval};
use crate::grade::budgeted::{Comparison, Delta, Figures, Group, Interval, ModeFigures, Part};
use crate::model::{Layer, pluralise_as, shown_name};
use crate::report::side::Table;

/// Missing trajectories that are named; the export names all.
const NAMED: usize = 50;

pub(super) fn tables(report: &Budgeted<'_>) -> Vec<Table> {
    let figures = report.figures;
    let mut tables = vec![differences(figures), per_success(figures), layers(figures), attempts(figures)];
    tables.push(parts("Levels of the probe", "level", &figures.levels, figures));
    tables.push(parts("Mechanisms", "mechanism", &figures.mechanisms, figures));
    tables.extend(missing(report));
    tables
}

fn differences(figures: &Figures) -> Table {
    let energy = compared_head("energy saved %", figures);
    let head = ["comparison", "pairs", "gen. (pp)", "strict (pp)", "cost saved %", &energy];
    let signed = |value: f64, interval: Option<Interval>| match interval {
        Some(Interval { low, high }) => format!("{} [{}, {}]", gain(value), gain(low), gain(high)),
        None => gain(value),
    };
    let row = |found: &Comparison| {
        let Delta { pairs, generated, strict, usd, wh } = found.all;
        vec![
            format!("{} vs. {}", mode_name(found.mode), mode_name(found.baseline)),
            pairs.to_string(),
            signed(generated, found.generated_interval),
            signed(strict, found.strict_interval),
            with_interval(usd, found.usd_interval),
            with_interval(wh, found.wh_interval),
        ]
    };
    let notes = [
        "Only trajectories at the same case, model and replicate are compared".to_owned(),
        "95 % intervals of a bootstrap of 10,000 samples of cases, each with all its models and replicates".to_owned(),
    ];
    Table::new("Differences between modes", &head, figures.comparisons.iter().map(row).collect(), &notes)
}

fn per_success(figures: &Figures) -> Table {
    let [success, generation] = ["per strict success", "per gen. success"].map(|head| energy_head(head, figures));
    let head = ["mode", "$ per strict success", "$ per gen. success", &success, &generation, "Pareto front"];
    let row = |ModeFigures { mode, group, is_on_front }: &ModeFigures| {
        vec![
            mode_name(*mode).to_owned(),
            figure(group.usd_per.success, 4),
            figure(group.usd_per.generation, 4),
            watt_hours(group.wh_per.success),
            watt_hours(group.wh_per.generation),
            if *is_on_front { "yes" } else { "no" }.to_owned(),
        ]
    };
    let notes = [
        "All that was spent, divided by what was reached".to_owned(),
        "On the front no other mode is at least as good in strict success, cost and energy, and better in one"
            .to_owned(),
    ];
    Table::new("Cost of a success", &head, figures.modes.iter().map(row).collect(), &notes)
}

/// A column for each mode that was run.
fn head_of<'a>(first: &'a str, figures: &Figures) -> Vec<&'a str> {
    std::iter::once(first).chain(figures.modes.iter().map(|one| mode_name(one.mode))).collect()
}

/// A row of counts.
fn counts(name: &str, figures: &Figures, of: impl Fn(&Group) -> u32) -> Vec<String> {
    let counted = figures.modes.iter().map(|mode| of(&mode.group).to_string());
    std::iter::once(name.to_owned()).chain(counted).collect()
}

fn layers(figures: &Figures) -> Table {
    let count = |layer: Layer| {
        move |group: &Group| group.layers.iter().filter(|(one, _)| *one == layer).map(|(_, count)| count).sum()
    };
    let rows = Layer::iter().map(|layer| counts(&layer.to_string(), figures, count(layer)));
    let all = std::iter::once(counts("N", figures, |group| group.n));
    let notes = ["The furthest that any attempt came; layers add up to N".to_owned()];
    Table::new("Where trajectories end", &head_of("layer", figures), rows.chain(all).collect(), &notes)
}

fn attempts(figures: &Figures) -> Table {
    let all = figures.modes.iter().flat_map(|mode| &mode.group.by_attempts);
    let numbers: BTreeSet<u32> = all.map(|(attempts, _)| *attempts).collect();
    let count = |number: u32| {
        move |group: &Group| group.by_attempts.iter().filter(|(one, _)| *one == number).map(|(_, count)| count).sum()
    };
    let rows = numbers.into_iter().map(|number| counts(&number.to_string(), figures, count(number))).collect();
    Table::new("Attempts of trajectories", &head_of("attempts", figures), rows, &[])
}

fn parts(title: &str, what: &str, parts: &[Part], figures: &Figures) -> Table {
    let energy = energy_head("energy", figures);
    let head = [what, "mode", "N", "gen. %", "strict %", "cost ($)", "images", &energy];
    let row = |part: &Part| {
        let Group { n, generated, strict, usd: cost, images, wh, .. } = &part.group;
        vec![
            shown_name(&part.name),
            mode_name(part.mode).to_owned(),
            n.to_string(),
            share(*generated),
            share(*strict),
            usd(*cost),
            figure(*images, 2),
            watt_hours(*wh),
        ]
    };
    Table::new(title, &head, parts.iter().map(row).collect(), &[])
}

fn missing(report: &Budgeted<'_>) -> Option<Table> {
    let all = report.missing.len();
    if all == 0 {
        return None;
    }
    let row = |key: &crate::grade::budgeted::CaseKey| {
        vec![key.case.clone(), key.model.clone(), mode_name(key.mode).to_owned(), key.replicate.to_string()]
    };
    let named = || pluralise_as(all - NAMED, "more is", "more are");
    let more = (all > NAMED).then(|| format!("{} named in the export", named()));
    let missing = pluralise_as(all, "place of the matrix has", "places of the matrix have");
    let notes = std::iter::once(format!("{missing} no trajectory that counts")).chain(more).collect::<Vec<_>>();
    let rows = report.missing.iter().take(NAMED).map(row).collect();
    Some(Table::new("Missing", &["case", "model", "mode", "replicate"], rows, &notes))
}
