//! `case_summaries.csv`: one row a case, with what each mode made of it. A mode without a trajectory at a case has empty columns.

use std::collections::BTreeMap;

use serde::Serialize;
use strum::IntoEnumIterator as _;

use super::{Matrix, csv_of};
use crate::grade::budgeted::{CaseRow, Group};
use crate::model::{CaseSize, ControllerMode, Trajectory};

const OWN: [&str; 12] = [
    "case",
    "mechanism",
    "targets",
    "scripts",
    "blocks",
    "gold_ops",
    "images_available",
    "level",
    "p_b",
    "mis",
    "div_tick",
    "inst",
];
/// Columns of each mode, after its name.
const OF_MODE: [&str; 5] = ["trajectories", "generation_successes", "strict_successes", "mean_usd", "mean_wh"];

#[derive(Debug, Serialize)]
struct Row<'a> {
    case: &'a str,
    mechanism: &'a str,
    targets: Option<u32>,
    scripts: Option<u32>,
    blocks: Option<u32>,
    gold_ops: Option<u32>,
    images_available: u32,
    level: u8,
    p_b: f64,
    mis: f64,
    div_tick: Option<u64>,
    inst: f64,
    modes: Vec<OfMode>,
}

#[derive(Debug, Default, Serialize)]
struct OfMode {
    trajectories: Option<u32>,
    generation_successes: Option<u32>,
    strict_successes: Option<u32>,
    mean_usd: Option<f64>,
    mean_wh: Option<f64>,
}

/// The table.
pub(super) fn table(matrix: &Matrix) -> Result<Vec<u8>, csv::Error> {
    let modes = ControllerMode::iter().flat_map(|mode| OF_MODE.map(|column| format!("{mode}_{column}")));
    let head: Vec<String> = OWN.iter().map(|column| (*column).to_owned()).chain(modes).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = matrix.rows();
    // The probe depends on the case alone, so that any trajectory has it.
    let cases: BTreeMap<&str, &Trajectory> =
        matrix.counted().map(|(entry, trajectory)| (entry.key.case.as_str(), trajectory)).collect();
    csv_of(&head, cases.into_iter().map(|(case, trajectory)| row(case, trajectory, &rows)))
}

fn row<'a>(case: &'a str, trajectory: &'a Trajectory, rows: &[CaseRow]) -> Row<'a> {
    let signals = &trajectory.probe.signals;
    let size = |of: fn(CaseSize) -> u32| trajectory.size.map(of);
    Row {
        case,
        mechanism: &trajectory.mechanism,
        targets: size(|size| size.targets),
        scripts: size(|size| size.scripts),
        blocks: size(|size| size.blocks),
        gold_ops: trajectory.size.and_then(|size| size.gold_ops),
        images_available: signals.images_available,
        level: signals.level,
        p_b: signals.p_b,
        mis: signals.mis,
        div_tick: signals.div_tick,
        inst: signals.inst,
        modes: ControllerMode::iter().map(|mode| of_mode(case, mode, rows)).collect(),
    }
}

fn of_mode(case: &str, mode: ControllerMode, rows: &[CaseRow]) -> OfMode {
    let own: Vec<&CaseRow> = rows.iter().filter(|row| row.key.case == case && row.key.mode == mode).collect();
    if own.is_empty() {
        return OfMode::default();
    }
    let group = Group::of(&own, 0);
    OfMode {
        trajectories: Some(group.n),
        generation_successes: Some(group.generated.hits),
        strict_successes: Some(group.strict.hits),
        mean_usd: group.usd,
        mean_wh: group.wh,
    }
}
