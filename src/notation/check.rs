//! Checks of a text as a whole: unique names, costumes, layers.

use std::collections::{BTreeMap, BTreeSet};

use super::document::{Monitor, MonitorKind, TargetState, TextTarget};
use super::error::{LineError, TextError};
use super::names::{DataKind, declared, numbered};
use scratchbed_project::near::near;

/// Checks what a target must have and which names must differ.
pub(super) fn check_target(target: &TextTarget) -> Result<(), LineError> {
    check_numbers("variables", &declared(target, DataKind::Variable))?;
    check_numbers("lists", &declared(target, DataKind::List))?;
    if target.costumes.is_empty() {
        return Err(LineError::NoCostume(target.name.clone()));
    }
    if target.current > target.costumes.len() {
        return Err(LineError::BadCurrent(target.name.clone()));
    }
    Ok(())
}

/// Those with one name are numbered in their order; who writes no number has each name once.
fn check_numbers(what: &'static str, names: &[(&str, usize)]) -> Result<(), LineError> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, number) in names {
        let count = counts.entry(name).or_default();
        *count += 1;
        if count != number {
            let name = (*name).to_owned();
            return Err(if *number == 1 {
                LineError::Duplicate { what, name }
            } else {
                LineError::Number { what, name, number: *number, expected: *count }
            });
        }
    }
    Ok(())
}

/// Checks that what monitors show is declared in their target; `lines` are those of the monitors.
pub(super) fn check_monitors(target: &TextTarget, lines: &[usize]) -> Vec<TextError> {
    let undeclared = |monitor: &Monitor| {
        let (kind, name, number) = match &monitor.kind {
            MonitorKind::Variable { name, number, .. } => (DataKind::Variable, name, *number),
            MonitorKind::List { name, number, .. } => (DataKind::List, name, *number),
            MonitorKind::Block { .. } => return None,
        };
        let known = declared(target, kind);
        if known.contains(&(name.as_str(), number)) {
            return None;
        }
        let near = near(name, known.into_iter().map(|(name, _)| name)).map(str::to_owned);
        Some(LineError::NotDeclared { what: kind.word(), name: numbered(name, number), near })
    };
    let monitors = lines.iter().zip(&target.monitors);
    monitors.filter_map(|(&line, monitor)| Some(TextError { line, problem: undeclared(monitor)? })).collect()
}

/// Layers are a permutation of 1 to the number of sprites, or absent.
pub(super) fn check_layers(targets: &[TextTarget]) -> Result<(), LineError> {
    let layers: Vec<Option<usize>> = targets
        .iter()
        .filter_map(|target| match &target.state {
            TargetState::Sprite(sprite) => Some(sprite.layer),
            TargetState::Stage(_) => None,
        })
        .collect();
    if are_ranks(&layers) { Ok(()) } else { Err(LineError::Layers) }
}

/// So are those of all monitors.
pub(super) fn check_monitor_layers(targets: &[TextTarget]) -> Result<(), LineError> {
    let layers: Vec<Option<usize>> =
        targets.iter().flat_map(|target| &target.monitors).map(|monitor| monitor.layer).collect();
    if are_ranks(&layers) { Ok(()) } else { Err(LineError::MonitorLayers) }
}

/// Whether each rank from 1 is there once, or none is.
fn are_ranks(layers: &[Option<usize>]) -> bool {
    let given: BTreeSet<usize> = layers.iter().flatten().copied().collect();
    let all = given.len() == layers.len() && given.iter().copied().eq(1..=layers.len());
    layers.iter().all(Option::is_none) || all
}
