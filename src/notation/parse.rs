//! Reads a project's text. The notation inside of scripts is only cut out here; the editor's page reads it.

use super::check::{check_layers, check_monitor_layers, check_monitors, check_target};
use super::document::{
    Comment, Costume, Document, Listed, Monitor, MonitorKind, Script, Sound, TargetState, TextTarget, Variable,
};
use super::error::{LineError, TextError};
use super::line::Line;
use super::lines::{Lines, PROPERTIES, TARGETS};

/// The first line of every text: the format and its version.
pub(super) const HEADER: &str = "scratchbed project 1";

/// Reads a whole text.
///
/// # Errors
/// Fails with the first fault of [`parse_all`].
pub fn parse(text: &str) -> Result<Document, TextError> {
    let (document, faults) = parse_all(text);
    faults.into_iter().next().map_or(Ok(document), Err)
}

/// Reads a text as far as it is understood, and reports every line that is not, and what the whole lacks; by line.
pub fn parse_all(text: &str) -> (Document, Vec<TextError>) {
    let mut lines = Lines::new(text);
    if lines.next_content(0) != Some((0, HEADER)) {
        // A file of another kind has a fault in every line.
        lines.faults.clear();
        lines.note_here(LineError::NoHeader);
        return (Document { targets: Vec::new() }, lines.faults);
    }
    lines.at += 1;
    let mut targets: Vec<TextTarget> = Vec::new();
    while let Some((depth, content)) = lines.next_content(0) {
        if depth != 0 {
            lines.note_depth(0);
        }
        match open_target(content, &targets) {
            Err(problem) => lines.pass_over(problem),
            Ok(target) => {
                let line = lines.at + 1;
                lines.at += 1;
                let before = lines.faults.len();
                let (target, monitors) = read_target(target, &mut lines);
                // A faulty line may be what is missing.
                if lines.faults.len() == before {
                    check_target(&target).unwrap_or_else(|problem| lines.note(line, problem));
                    lines.faults.extend(check_monitors(&target, &monitors));
                }
                targets.push(target);
            }
        }
    }
    if lines.faults.is_empty() {
        let whole = if targets.is_empty() {
            Err(LineError::StageFirst)
        } else {
            check_layers(&targets).and_then(|()| check_monitor_layers(&targets))
        };
        whole.unwrap_or_else(|problem| lines.note_here(problem));
    }
    (Document { targets }, lines.into_errors())
}

/// Reads `stage` or `sprite "NAME"`.
fn open_target(content: &str, before: &[TextTarget]) -> Result<TextTarget, LineError> {
    let mut line = Line::new(content);
    let target = match line.word() {
        "stage" => TextTarget::stage(),
        "sprite" => TextTarget::sprite(line.string()?),
        other => return Err(LineError::unknown(other, TARGETS)),
    };
    line.end()?;
    if before.is_empty() != matches!(target.state, TargetState::Stage(_)) {
        return Err(LineError::StageFirst);
    }
    // The stage has no name of its own, so a sprite may be called like it.
    if before.iter().skip(1).any(|other| other.name == target.name) {
        return Err(LineError::Duplicate { what: "sprites", name: target.name });
    }
    Ok(target)
}

/// Reads what belongs to a target, and on which lines its monitors are.
fn read_target(mut target: TextTarget, lines: &mut Lines<'_>) -> (TextTarget, Vec<usize>) {
    let mut monitors = Vec::new();
    while let Some((depth, content)) = lines.next_content(1) {
        let mut line = Line::new(content);
        let word = line.word();
        match depth {
            0 => break,
            1 if TARGETS.contains(&word) => {
                lines.note_depth(0);
                break;
            }
            1 => {}
            _ if PROPERTIES.contains(&word) => lines.note_depth(1),
            _ => {
                let found = 2 * depth;
                lines.pass_over(LineError::Indentation { found, expected: 2 });
                continue;
            }
        }
        if word == "monitor" {
            monitors.push(lines.at + 1);
        }
        let read = match word {
            "script" => script_header(&mut line).map(|script| {
                lines.at += 1;
                target.scripts.extend(read_script(script, lines));
            }),
            "list" => line.which().and_then(|which| line.end().map(|()| which)).map(|(name, number)| {
                lines.at += 1;
                let items = read_items(lines);
                target.lists.push(Listed { name, number, items });
            }),
            _ => property(&mut target, word, &mut line).and_then(|()| line.end()).map(|()| lines.at += 1),
        };
        read.unwrap_or_else(|problem| lines.pass_over(problem));
    }
    (target, monitors)
}

/// Reads a property that takes one line.
fn property(target: &mut TextTarget, word: &str, line: &mut Line<'_>) -> Result<(), LineError> {
    match word {
        "costume" | "backdrop" => {
            if (word == "backdrop") != matches!(target.state, TargetState::Stage(_)) {
                return Err(LineError::unknown(word, own_words(&target.state)));
            }
            target.costumes.push(costume(line)?);
        }
        "sound" => target.sounds.push(sound(line)?),
        "current" => target.current = line.count()?,
        "volume" => target.volume = line.number()?,
        "variable" => {
            let (name, number) = line.which()?;
            line.expect("=")?;
            let value = line.value()?;
            target.variables.push(Variable { name, number, value, cloud: line.take("cloud") });
        }
        "comment" => target.comments.push(comment(line)?),
        "monitor" => {
            let monitor = monitor(line)?;
            target.monitors.push(monitor);
        }
        _ => return own_property(&mut target.state, word, line),
    }
    Ok(())
}

/// Reads a property that only the stage or only a sprite has.
fn own_property(state: &mut TargetState, word: &str, line: &mut Line<'_>) -> Result<(), LineError> {
    match (state, word) {
        (TargetState::Stage(stage), "tempo") => stage.tempo = line.number()?,
        (TargetState::Stage(stage), "video") => {
            let state = match line.word() {
                "on" => "on",
                "off" => "off",
                "flipped" => "on-flipped",
                _ => return Err(LineError::Expected("on, off or flipped")),
            };
            state.clone_into(&mut stage.video);
        }
        (TargetState::Stage(stage), "video-transparency") => stage.video_transparency = line.number()?,
        (TargetState::Stage(stage), "speech-language") => stage.speech_language = Some(line.string()?),
        (TargetState::Sprite(sprite), "position") => sprite.position = line.pair()?,
        (TargetState::Sprite(sprite), "size") => sprite.size = line.number()?,
        (TargetState::Sprite(sprite), "direction") => sprite.direction = line.number()?,
        (TargetState::Sprite(sprite), "rotation") => {
            let style = match line.word() {
                "all-around" => "all around",
                "left-right" => "left-right",
                "none" => "don't rotate",
                _ => return Err(LineError::Expected("all-around, left-right or none")),
            };
            style.clone_into(&mut sprite.rotation);
        }
        (TargetState::Sprite(sprite), "hidden") => sprite.visible = false,
        (TargetState::Sprite(sprite), "draggable") => sprite.draggable = true,
        (TargetState::Sprite(sprite), "layer") => sprite.layer = Some(line.count()?),
        (state, other) => return Err(LineError::unknown(other, own_words(state))),
    }
    Ok(())
}

/// Words that lines of the stage or of a sprite can begin with.
fn own_words(state: &TargetState) -> impl Iterator<Item = &'static str> {
    const STAGE: [&str; 5] = ["backdrop", "tempo", "video", "video-transparency", "speech-language"];
    const SPRITE: [&str; 8] = ["costume", "position", "size", "direction", "rotation", "hidden", "draggable", "layer"];
    let foreign: &[&str] = if matches!(state, TargetState::Stage(_)) { &SPRITE } else { &STAGE };
    PROPERTIES.into_iter().chain(TARGETS).filter(move |word| !foreign.contains(word))
}

fn costume(line: &mut Line<'_>) -> Result<Costume, LineError> {
    let name = line.string()?;
    line.expect("file")?;
    let file = line.path()?;
    let center = if line.take("center") { Some(line.pair()?) } else { None };
    let resolution = if line.take("resolution") { Some(line.number()?) } else { None };
    Ok(Costume { name, file, center, resolution })
}

fn sound(line: &mut Line<'_>) -> Result<Sound, LineError> {
    let name = line.string()?;
    line.expect("file")?;
    let file = line.path()?;
    let mut samples = None;
    if line.take("rate") {
        let rate = line.number()?;
        line.expect("samples")?;
        samples = Some((rate, line.number()?));
    }
    Ok(Sound { name, file, samples })
}

fn comment(line: &mut Line<'_>) -> Result<Comment, LineError> {
    let text = line.string()?;
    line.expect("at")?;
    let position = line.pair()?;
    line.expect("size")?;
    let size = line.pair()?;
    Ok(Comment { text, position, size, minimized: line.take("minimized") })
}

fn monitor(line: &mut Line<'_>) -> Result<Monitor, LineError> {
    let kind = line.word();
    let mut fields = Vec::new();
    let (name, number) = if kind == "block" { (line.word().to_owned(), 1) } else { line.which()? };
    while kind == "block" && line.peek().contains('=') {
        fields.push(line.choice()?);
    }
    let position = if line.take("at") { Some(line.pair()?) } else { None };
    let mode = if line.take("large") { "large" } else { "default" }.to_owned();
    let kind = match kind {
        "variable" if line.take("slider") => {
            let (low, high) = line.pair()?;
            let slider = Some((low, high, line.take("integer")));
            MonitorKind::Variable { name, number, mode: "slider".to_owned(), slider }
        }
        "variable" => MonitorKind::Variable { name, number, mode, slider: None },
        "list" => {
            line.expect("size")?;
            MonitorKind::List { name, number, size: line.pair()? }
        }
        "block" => MonitorKind::Block { opcode: name, fields, mode },
        other => return Err(LineError::unknown(other, ["variable", "list", "block"])),
    };
    let layer = if line.take("layer") { Some(line.count()?) } else { None };
    Ok(Monitor { kind, position, layer, visible: !line.take("hidden") })
}

/// Reads the items of a list, one a line.
fn read_items(lines: &mut Lines<'_>) -> Vec<serde_json::Value> {
    let mut items = Vec::new();
    while let Some((2, content)) = lines.next_content(2) {
        let mut line = Line::new(content);
        match line.value().and_then(|value| line.end().map(|()| value)) {
            Ok(item) => items.push(item),
            Err(problem) => lines.note_here(problem),
        }
        lines.at += 1;
    }
    items
}

fn script_header(line: &mut Line<'_>) -> Result<Script, LineError> {
    let at = if line.take("at") { Some(line.pair()?) } else { None };
    let without_refresh = line.take("without-refresh");
    line.end()?;
    Ok(Script { at, without_refresh, ..Script::default() })
}

/// Cuts out a script's notation: all that is indented by four spaces or more. `None` for one that is not to be read.
fn read_script(mut script: Script, lines: &mut Lines<'_>) -> Option<Script> {
    let header = lines.at;
    let mut text: Vec<&str> = Vec::new();
    let mut continued = false;
    while let Some(content) = lines.script_line(continued) {
        let blank = content.trim().is_empty();
        if content.trim_start().starts_with("//") && !continued {
            lines.note_here(LineError::RemarkAlone);
        } else if !blank || continued {
            // Empty lines end a script for the parser of the notation; only inside of a text do they mean something.
            text.push(content);
            script.lines.push(lines.at + 1);
        }
        continued = (content.len() - content.trim_end_matches('\\').len()) % 2 == 1;
        lines.at += 1;
    }
    if continued {
        lines.note(lines.at, LineError::NotContinued);
        return None;
    }
    if text.is_empty() {
        lines.note(header + 1, LineError::EmptyScript);
        return None;
    }
    script.text = text.join("\n");
    Some(script)
}
