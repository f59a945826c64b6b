//! Reads the monitors of a project file: which value each shows, and how.

use std::collections::BTreeSet;

use serde_json::Value;

use scratchbed_project::view::TargetView;

use super::document::{Monitor, MonitorKind, TextTarget};
use super::from_project::pair;
use super::loss::{Loss, LossKind};
use super::names::{DataKind, Place};
use super::references::References;

/// Blocks that show a variable or list, with their choice.
const SHOWING: [(&str, &str, DataKind); 2] =
    [("data_showvariable", "VARIABLE", DataKind::Variable), ("data_showlist", "LIST", DataKind::List)];

/// Variables and lists that blocks of a target show.
pub(super) fn shown_by(view: TargetView<'_>, references: &References<'_>) -> BTreeSet<(DataKind, Place)> {
    let mut shown = BTreeSet::new();
    for block in view.blocks() {
        for (_, field, kind) in SHOWING.iter().filter(|(opcode, ..)| *opcode == block.opcode) {
            let Some(field) = block.field(field) else { continue };
            shown.extend(references.find(*kind, field.id, &field.value).map(|place| (*kind, place)));
        }
    }
    shown
}

/// The parts of a monitor that the file writes alike for all kinds.
struct Common {
    mode: String,
    position: Option<(f64, f64)>,
    layer: Option<usize>,
    visible: bool,
}

/// Puts a monitor to the target whose value it shows. A hidden one is left out, unless a block can show it.
pub(super) fn add_monitor(
    targets: &mut [TextTarget],
    (references, used): (&[References<'_>], &mut BTreeSet<(DataKind, Place)>),
    shown: &BTreeSet<(DataKind, Place)>,
    item: &Value,
) -> Option<Loss> {
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    let common = Common {
        mode: text("mode").unwrap_or("default").to_owned(),
        position: pair(item, "x", "y"),
        layer: Some(targets.iter().map(|target| target.monitors.len()).sum::<usize>() + 1),
        visible: item.get("visible").and_then(Value::as_bool) == Some(true),
    };
    let owner = match text("spriteName") {
        Some(name) => targets.iter().skip(1).position(|target| target.name == name).map(|at| at + 1),
        None => Some(0),
    };
    let lost = |what: String| Some(Loss { target: String::new(), line: None, kind: LossKind::Monitor(what) });
    let opcode = text("opcode").unwrap_or_default();
    let kind = match opcode {
        "data_variable" => DataKind::Variable,
        "data_listcontents" => DataKind::List,
        _ if !common.visible => return None,
        _ => {
            let Some(target) = owner.and_then(|owner| targets.get_mut(owner)) else {
                return lost(format!("{opcode} of a sprite that is not there"));
            };
            target.monitors.push(of_block(opcode, item, common));
            return None;
        }
    };
    let param = if kind == DataKind::Variable { "VARIABLE" } else { "LIST" };
    let name = item.get("params").and_then(|params| params.get(param)).and_then(Value::as_str).unwrap_or_default();
    let found = owner.and_then(|owner| references.get(owner)).map(|all| all.find(kind, text("id"), name));
    match found {
        Some(Ok(place)) if common.visible || shown.contains(&(kind, place)) => {
            used.insert((kind, place));
            if let Some(target) = targets.get_mut(place.target)
                && let Some(monitor) = of_data(target, kind, place, item, common)
            {
                target.monitors.push(monitor);
            }
            None
        }
        Some(Err(_)) | None if common.visible => lost(format!("there is no {} {name:?}", kind.word())),
        _ => None,
    }
}

/// Takes the layers away where the monitors are in the order of the text.
pub(super) fn leave_out_layers(targets: &mut [TextTarget]) {
    let monitors = || targets.iter().flat_map(|target| &target.monitors);
    if monitors().map(|monitor| monitor.layer).is_sorted() {
        targets.iter_mut().flat_map(|target| &mut target.monitors).for_each(|monitor| monitor.layer = None);
    }
}

fn of_block(opcode: &str, item: &Value, Common { mode, position, layer, visible }: Common) -> Monitor {
    let fields = item.get("params").and_then(Value::as_object).into_iter().flatten();
    let fields = fields.map(|(name, value)| (name.clone(), value.clone())).collect();
    Monitor { kind: MonitorKind::Block { opcode: opcode.to_owned(), fields, mode }, position, layer, visible }
}

fn of_data(
    target: &TextTarget,
    kind: DataKind,
    place: Place,
    item: &Value,
    Common { mode, position, layer, visible }: Common,
) -> Option<Monitor> {
    let kind = match kind {
        DataKind::Variable => {
            let variable = target.variables.get(place.at)?;
            let slider = (mode == "slider").then(|| {
                let (low, high) = pair(item, "sliderMin", "sliderMax").unwrap_or((0.0, 100.0));
                (low, high, item.get("isDiscrete").and_then(Value::as_bool).unwrap_or(true))
            });
            MonitorKind::Variable { name: variable.name.clone(), number: variable.number, mode, slider }
        }
        DataKind::List => {
            let list = target.lists.get(place.at)?;
            let size = pair(item, "width", "height").unwrap_or_default();
            MonitorKind::List { name: list.name.clone(), number: list.number, size }
        }
    };
    Some(Monitor { kind, position, layer, visible })
}
