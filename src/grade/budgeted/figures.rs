//! All figures of a matrix: modes, families of models, cells, and what cuts across them.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{CaseKey, CaseRow, Comparison, Curve, Group, Point, compare, curve, front};
use crate::model::ControllerMode;

/// What is compared: modes that use the probe with those that do not (EcoScratch, Tables 5 and 6), and with one another.
const COMPARED: [(ControllerMode, ControllerMode); 5] = [
    (ControllerMode::Heuristic, ControllerMode::AlwaysOn),
    (ControllerMode::Heuristic, ControllerMode::Fixed),
    (ControllerMode::Value, ControllerMode::AlwaysOn),
    (ControllerMode::Value, ControllerMode::Fixed),
    (ControllerMode::Value, ControllerMode::Heuristic),
];

/// A model and its family.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ModelName {
    pub provider: String,
    pub name: String,
}

/// A mode over all models.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModeFigures {
    pub mode: ControllerMode,
    pub group: Group,
    /// No other mode has as many strict successes for as little money and energy.
    pub is_on_front: bool,
}

/// A family, level or mechanism under a mode.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    pub name: String,
    pub mode: ControllerMode,
    pub group: Group,
}

/// A model under a mode.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    pub model: ModelName,
    pub mode: ControllerMode,
    pub group: Group,
}

/// All of a matrix. Modes are in the order of EcoScratch's tables, and only those with a trajectory are there.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Cases and replicates that occur.
    pub cases: usize,
    pub replicates: usize,
    pub models: Vec<ModelName>,
    pub modes: Vec<ModeFigures>,
    pub families: Vec<Part>,
    pub cells: Vec<Cell>,
    /// By the probe's level; `none` without a probe.
    pub levels: Vec<Part>,
    pub mechanisms: Vec<Part>,
    pub comparisons: Vec<Comparison>,
    pub curves: Vec<Curve>,
}

/// Makes all figures of trajectories that count, and of those that the testbed broke.
pub fn figures(rows: &[CaseRow], not_counted: &[CaseKey]) -> Figures {
    let matrix = Matrix { rows, not_counted };
    let keys = || matrix.keys();
    let (modes, models) = (matrix.all_modes(), matrix.models());
    Figures {
        cases: keys().map(|key| &key.case).collect::<BTreeSet<_>>().len(),
        replicates: keys().map(|key| key.replicate).collect::<BTreeSet<_>>().len(),
        modes: matrix.modes(&modes),
        families: matrix.families(&modes, &models),
        cells: matrix.cells(&modes, &models),
        levels: matrix.parts(&modes, level),
        mechanisms: matrix.parts(&modes, |row| row.mechanism.clone()),
        comparisons: COMPARED.into_iter().filter_map(|(one, other)| compare(rows, one, other)).collect(),
        curves: modes.iter().map(|mode| curve(*mode, &matrix.of(*mode))).collect(),
        models: models.into_iter().collect(),
    }
}

/// The cells alone, without what compares them.
pub fn cells(rows: &[CaseRow], not_counted: &[CaseKey]) -> Vec<Cell> {
    let matrix = Matrix { rows, not_counted };
    matrix.cells(&matrix.all_modes(), &matrix.models())
}

fn model_of(key: &CaseKey) -> ModelName {
    ModelName { provider: key.provider.clone(), name: key.model.clone() }
}

fn level(row: &CaseRow) -> String {
    row.level.map_or_else(|| "none".to_owned(), |level| level.to_string())
}

/// What figures are made of.
#[derive(Clone, Copy)]
struct Matrix<'a> {
    rows: &'a [CaseRow],
    not_counted: &'a [CaseKey],
}

impl<'a> Matrix<'a> {
    fn keys(self) -> impl Iterator<Item = &'a CaseKey> {
        self.rows.iter().map(|row| &row.key).chain(self.not_counted)
    }

    fn all_modes(self) -> BTreeSet<ControllerMode> {
        self.keys().map(|key| key.mode).collect()
    }

    fn models(self) -> BTreeSet<ModelName> {
        self.keys().map(model_of).collect()
    }

    fn cells(self, modes: &BTreeSet<ControllerMode>, models: &BTreeSet<ModelName>) -> Vec<Cell> {
        let cell = |model: &ModelName, mode| {
            let group = self.group(mode, |key| model_of(key) == *model)?;
            Some(Cell { model: model.clone(), mode, group })
        };
        models.iter().flat_map(|model| modes.iter().filter_map(move |mode| cell(model, *mode))).collect()
    }

    fn of(self, mode: ControllerMode) -> Vec<&'a CaseRow> {
        self.rows.iter().filter(|row| row.key.mode == mode).collect()
    }

    /// The figures of some models under a mode; `None` where there is no trajectory.
    fn group(self, mode: ControllerMode, is_in: impl Fn(&CaseKey) -> bool) -> Option<Group> {
        let own: Vec<&CaseRow> = self.of(mode).into_iter().filter(|row| is_in(&row.key)).collect();
        let broken = self.not_counted.iter().filter(|key| key.mode == mode && is_in(key)).map(|_| 1).sum();
        (!own.is_empty() || broken > 0).then(|| Group::of(&own, broken))
    }

    fn modes(self, modes: &BTreeSet<ControllerMode>) -> Vec<ModeFigures> {
        let groups: Vec<(ControllerMode, Group)> =
            modes.iter().filter_map(|mode| Some((*mode, self.group(*mode, |_| true)?))).collect();
        let point =
            |group: &Group| Point { success: group.strict.percent.unwrap_or_default(), usd: group.usd, wh: group.wh };
        let fronts = front(&groups.iter().map(|(_, group)| point(group)).collect::<Vec<_>>());
        let of = |((mode, group), is_on_front)| ModeFigures { mode, group, is_on_front };
        groups.into_iter().zip(fronts).map(of).collect()
    }

    /// Each family under each mode.
    fn families(self, modes: &BTreeSet<ControllerMode>, models: &BTreeSet<ModelName>) -> Vec<Part> {
        let names: BTreeSet<&String> = models.iter().map(|model| &model.provider).collect();
        let part = |name: &String, mode| {
            let group = self.group(mode, |key| key.provider == *name)?;
            Some(Part { name: name.clone(), mode, group })
        };
        names.iter().flat_map(|name| modes.iter().filter_map(move |mode| part(name, *mode))).collect()
    }

    /// Parts by what is known of a trajectory that was made; of those that the testbed broke it is unknown.
    fn parts(self, modes: &BTreeSet<ControllerMode>, name: fn(&CaseRow) -> String) -> Vec<Part> {
        let names: BTreeSet<String> = self.rows.iter().map(name).collect();
        let part = |part: &String, mode| {
            let own: Vec<&CaseRow> = self.of(mode).into_iter().filter(|row| name(row) == *part).collect();
            (!own.is_empty()).then(|| Part { name: part.clone(), mode, group: Group::of(&own, 0) })
        };
        names.iter().flat_map(|name| modes.iter().filter_map(move |mode| part(name, *mode))).collect()
    }
}
