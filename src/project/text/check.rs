//! Checks of a text as a whole: unique names, costumes, layers.

use std::collections::BTreeSet;

use super::document::{Monitor, MonitorKind, TargetState, TextTarget};
use super::error::{LineError, TextError};
use super::near::near;

/// Checks what a target must have and which names must differ.
pub(super) fn check_target(target: &TextTarget) -> Result<(), LineError> {
    fn distinct<'a>(what: &'static str, names: impl Iterator<Item = &'a str>) -> Result<(), LineError> {
        let mut seen = BTreeSet::new();
        for name in names {
            if !seen.insert(name) {
                return Err(LineError::Duplicate { what, name: name.to_owned() });
            }
        }
        Ok(())
    }
    distinct("variables", target.variables.iter().map(|c| c.name.as_str()))?;
    distinct("lists", target.lists.iter().map(|c| c.name.as_str()))?;
    if target.costumes.is_empty() {
        return Err(LineError::NoCostume(target.name.clone()));
    }
    if target.current > target.costumes.len() {
        return Err(LineError::BadCurrent(target.name.clone()));
    }
    Ok(())
}

/// Checks that what monitors show is declared in their target; `lines` are those of the monitors.
pub(super) fn check_monitors(target: &TextTarget, lines: &[usize]) -> Vec<TextError> {
    let undeclared = |monitor: &Monitor| {
        let (what, name, known): (_, _, Vec<&str>) = match &monitor.kind {
            MonitorKind::Variable { name, .. } => {
                ("variable", name, target.variables.iter().map(|each| each.name.as_str()).collect())
            }
            MonitorKind::List { name, .. } => {
                ("list", name, target.lists.iter().map(|each| each.name.as_str()).collect())
            }
            MonitorKind::Block { .. } => return None,
        };
        if known.contains(&name.as_str()) {
            return None;
        }
        let near = near(name, known).map(str::to_owned);
        Some(LineError::NotDeclared { what, name: name.clone(), near })
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
    let given: BTreeSet<usize> = layers.iter().flatten().copied().collect();
    let all = given.len() == layers.len() && given.iter().copied().eq(1..=layers.len());
    if given.is_empty() || all { Ok(()) } else { Err(LineError::Layers) }
}
