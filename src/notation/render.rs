//! Writes a project's text in its canonical form.

use serde_json::Value;

use super::document::{
    Comment, Costume, Document, Listed, Monitor, MonitorKind, Script, Sound, SpriteState, StageState, TargetState,
    TextTarget, Variable, automatic_places,
};
use super::lines::SCRIPT_INDENT;
use super::parse::HEADER;

/// Collects lines with their indentation.
struct Out {
    text: String,
}

impl Out {
    fn line(&mut self, depth: usize, content: &str) {
        for _ in 0..depth {
            self.text.push_str("  ");
        }
        self.text.push_str(content);
        self.text.push('\n');
    }
}

fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// A name, and which one of those with it is meant.
fn which(name: &str, number: usize) -> String {
    if number == 1 { quoted(name) } else { format!("{} #{number}", quoted(name)) }
}

/// A number in its shortest form; whole ones without a point.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { value.to_string() }
}

fn pair((a, b): (f64, f64)) -> String {
    format!("{} {}", number(a), number(b))
}

/// The canonical text of a document.
pub fn render(document: &Document) -> String {
    let mut out = Out { text: format!("{HEADER}\n") };
    for target in &document.targets {
        out.text.push('\n');
        match &target.state {
            TargetState::Stage(stage) => {
                out.line(0, "stage");
                stage_state(&mut out, stage);
            }
            TargetState::Sprite(sprite) => {
                out.line(0, &format!("sprite {}", quoted(&target.name)));
                sprite_state(&mut out, sprite);
            }
        }
        shared_state(&mut out, target);
        let places = automatic_places(&target.scripts);
        for (one, place) in target.scripts.iter().zip(places) {
            script(&mut out, one, place);
        }
    }
    out.text
}

fn stage_state(out: &mut Out, stage: &StageState) {
    let usual = StageState::default();
    if stage.tempo.to_bits() != usual.tempo.to_bits() {
        out.line(1, &format!("tempo {}", number(stage.tempo)));
    }
    if stage.video != usual.video {
        out.line(1, if stage.video == "off" { "video off" } else { "video flipped" });
    }
    if stage.video_transparency.to_bits() != usual.video_transparency.to_bits() {
        out.line(1, &format!("video-transparency {}", number(stage.video_transparency)));
    }
    if let Some(language) = &stage.speech_language {
        out.line(1, &format!("speech-language {}", quoted(language)));
    }
}

fn sprite_state(out: &mut Out, sprite: &SpriteState) {
    out.line(1, &format!("position {}", pair(sprite.position)));
    out.line(1, &format!("size {}", number(sprite.size)));
    out.line(1, &format!("direction {}", number(sprite.direction)));
    match sprite.rotation.as_str() {
        "left-right" => out.line(1, "rotation left-right"),
        "don't rotate" => out.line(1, "rotation none"),
        _ => {}
    }
    if !sprite.visible {
        out.line(1, "hidden");
    }
    if sprite.draggable {
        out.line(1, "draggable");
    }
    if let Some(layer) = sprite.layer {
        out.line(1, &format!("layer {layer}"));
    }
}

fn shared_state(out: &mut Out, target: &TextTarget) {
    let word = if matches!(target.state, TargetState::Stage(_)) { "backdrop" } else { "costume" };
    for Costume { name, file, center, resolution } in &target.costumes {
        let center = center.map(|at| format!(" center {}", pair(at))).unwrap_or_default();
        let resolution = resolution.map(|n| format!(" resolution {}", number(n))).unwrap_or_default();
        out.line(1, &format!("{word} {} file {}{center}{resolution}", quoted(name), quoted(file)));
    }
    if target.current != 1 {
        out.line(1, &format!("current {}", target.current));
    }
    for Sound { name, file, samples } in &target.sounds {
        let samples = samples
            .map(|(rate, count)| format!(" rate {} samples {}", number(rate), number(count)))
            .unwrap_or_default();
        out.line(1, &format!("sound {} file {}{samples}", quoted(name), quoted(file)));
    }
    if target.volume.to_bits() != 100.0_f64.to_bits() {
        out.line(1, &format!("volume {}", number(target.volume)));
    }
    for Variable { name, number, value, cloud } in &target.variables {
        let cloud = if *cloud { " cloud" } else { "" };
        out.line(1, &format!("variable {} = {value}{cloud}", which(name, *number)));
    }
    for Listed { name, number, items } in &target.lists {
        out.line(1, &format!("list {}", which(name, *number)));
        for item in items {
            out.line(2, &item.to_string());
        }
    }
    for Comment { text, position, size, minimized } in &target.comments {
        let minimized = if *minimized { " minimized" } else { "" };
        out.line(1, &format!("comment {} at {} size {}{minimized}", quoted(text), pair(*position), pair(*size)));
    }
    target.monitors.iter().for_each(|one| monitor(out, one));
}

fn monitor(out: &mut Out, monitor: &Monitor) {
    let at = monitor.position.map(|place| format!(" at {}", pair(place))).unwrap_or_default();
    let large = |mode: &str| if mode == "large" { " large" } else { "" };
    let line = match &monitor.kind {
        MonitorKind::Variable { name, number, slider: Some((low, high, integer)), .. } => {
            let integer = if *integer { " integer" } else { "" };
            format!("variable {}{at} slider {}{integer}", which(name, *number), pair((*low, *high)))
        }
        MonitorKind::Variable { name, number, mode, slider: None } => {
            format!("variable {}{at}{}", which(name, *number), large(mode))
        }
        MonitorKind::List { name, number, size } => {
            format!("list {}{at} size {}", which(name, *number), pair(*size))
        }
        MonitorKind::Block { opcode, fields, mode } => {
            let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let words = [vec![opcode.clone()], fields].concat().join(" ");
            format!("block {words}{at}{}", large(mode))
        }
    };
    let hidden = if monitor.visible { "" } else { " hidden" };
    let layer = monitor.layer.map(|layer| format!(" layer {layer}")).unwrap_or_default();
    out.line(1, &format!("monitor {line}{layer}{hidden}"));
}

fn script(out: &mut Out, script: &Script, automatic: (f64, f64)) {
    let at =
        script.at.filter(|place| *place != automatic).map(|place| format!(" at {}", pair(place))).unwrap_or_default();
    let refresh = if script.without_refresh { " without-refresh" } else { "" };
    out.text.push('\n');
    out.line(1, &format!("script{at}{refresh}"));
    for line in script.text.split('\n') {
        // An empty line inside of a text carries no indentation.
        out.line(if line.is_empty() { 0 } else { SCRIPT_INDENT / 2 }, line);
    }
}
