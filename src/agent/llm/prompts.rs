//! The system message: a template of ours with the registry's actions and the editor's blocks, or a template of the user's.

use std::path::Path;

use serde_json::{Value, json};

use super::blocks::blocks;
use super::style::Style;
use crate::action::actions_for_models;
use crate::agent::{TemplateError, fill};
use crate::model::{Coded, Mode, Point, sha256_hex};
use crate::perceive::Convention;

/// A template that a run begins with.
#[derive(Debug, Clone)]
pub struct Prompts {
    system: String,
    name: String,
}

/// The user's templates can't be used.
#[derive(Debug, thiserror::Error)]
pub enum PromptsError {
    #[error("{path} can't be read")]
    File {
        path: String,
        #[source]
        source: std::io::Error,
    },
    #[error(transparent)]
    Template(#[from] TemplateError),
}

impl Coded for PromptsError {
    fn code(&self) -> &str {
        match self {
            Self::File { .. } => "prompts_unreadable",
            Self::Template(_) => "prompts_invalid",
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::File { .. } => "the folder has primitive.md or composite.md, by the run's mode",
            Self::Template(_) => {
                "places for values are `{{ instruction }}`, `{{ actions }}`, `{{ blocks }}`, `{{ width }}` and `{{ height }}`; more \
                 of them, for agents with a memory, are in docs/EXPERIMENTS.md"
            }
        };
        Some(hint.to_owned())
    }

    fn blame(&self) -> crate::model::Blame {
        crate::model::Blame::Input
    }
}

impl Prompts {
    /// Those of this program.
    pub fn bundled() -> Self {
        let prompt = crate::prompt!("agent/system.md");
        Self { system: prompt.text.to_owned(), name: prompt.name.to_owned() }
    }

    /// The template of the user's for a mode: `primitive.md` or `composite.md` of a folder.
    ///
    /// # Errors
    /// When it can't be read, or has a place that there is no value for.
    pub fn read(folder: &Path, mode: Mode, style: &Style) -> Result<Self, PromptsError> {
        let path = folder.join(format!("{mode}.md"));
        let name = path.display().to_string();
        let file = |source| PromptsError::File { path: name.clone(), source };
        let prompts = Self { system: std::fs::read_to_string(&path).map_err(file)?, name };
        prompts.system("", mode, style)?;
        Ok(prompts)
    }

    /// What tells this template from another.
    pub fn digest(&self) -> String {
        sha256_hex(self.system.as_bytes())
    }

    /// The system message for a task.
    ///
    /// # Errors
    /// When a place has no value.
    pub fn system(&self, instruction: &str, mode: Mode, style: &Style) -> Result<String, TemplateError> {
        fill(&self.name, &self.system, system_values(instruction, mode, style))
    }
}

/// What a system message for a task has places for.
pub(in crate::agent) fn system_values(instruction: &str, mode: Mode, style: &Style) -> Value {
    let (width, height) = style.convention.size();
    // A tab, a block in the palette, and a place in the code area.
    let examples = [(150.0, 70.0), (120.0, 230.0), (480.0, 330.0)];
    let examples = examples.map(|(x, y)| style.convention.to_model(Point::new(x, y)));
    let convention = if style.convention == Convention::Thousandths { "thousandths" } else { "pixels" };
    json!({
        "instruction": instruction,
        "mode": mode.to_string(),
        "actions": actions_for_models(mode, style.elements),
        "blocks": blocks(),
        "observation": style.observing.to_string(),
        "elements": style.elements,
        "changes_only": style.changes_only,
        "pictures": style.pictures > 0,
        "feedback": style.feedback,
        "answers": style.answers.to_string(),
        "convention": convention,
        "width": width,
        "height": height,
        "examples": examples.map(|point| json!({"x": whole(point.x), "y": whole(point.y)})),
    })
}

#[expect(clippy::cast_possible_truncation, reason = "coordinates are small")]
const fn whole(value: f64) -> i64 {
    value.round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Observing;
    use crate::agent::llm::{Answers, Protocol};

    #[test]
    fn the_system_message_follows_mode_and_style() {
        let of = |mode, style: &Style| Prompts::bundled().system("Mend the boat.", mode, style).unwrap();
        let paper = Style::of(Protocol::Paper1, Convention::Thousandths);
        let text = of(Mode::Primitive, &paper);
        assert!(text.contains("Your task is: Mend the boat.") && text.contains("thousandths of the picture"));
        assert!(text.contains("`start_index`") && !text.contains("what came of your last action"));
        let bare = of(Mode::Primitive, &Style { elements: false, ..paper });
        assert!(!bare.contains("index"), "{bare}");
        assert!(text.contains("the coordinates count.\n\n## How to answer") && text.contains("`on canvas`"));
        let blocks = of(Mode::Composite, &paper);
        assert!(blocks.contains("`{choices: ...}`") && !blocks.contains("Each action that succeeds"), "{blocks}");
        let native = of(Mode::Primitive, &paper.observing(Observing::Native));
        assert!(native.contains("Never give both.\n\n## How to answer") && !native.contains("on canvas"), "{native}");
        let ours = of(Mode::Composite, &Style::of(Protocol::Scratchbed1, Convention::Pixels));
        assert!(ours.contains("control_repeat (stack)") && ours.contains("what came of your last action"));
        assert!(!ours.contains("\n\n\n\n"), "{ours}");
        for mode in [Mode::Primitive, Mode::Composite] {
            let tools =
                of(mode, &Style { answers: Answers::Tools, ..Style::of(Protocol::Scratchbed1, Convention::Pixels) });
            assert!(!tools.contains("```") && !tools.contains("`api`") && tools.contains("one tool"), "{tools}");
            assert!(!tools.contains("\n\n\n\n"), "{tools}");
        }
    }

    #[test]
    fn templates_of_the_users_are_checked_before_a_run() {
        let folder = tempfile::tempdir().unwrap();
        let style = Style::of(Protocol::Paper1, Convention::Pixels);
        let read = || Prompts::read(folder.path(), Mode::Composite, &style);
        assert_eq!(read().unwrap_err().code(), "prompts_unreadable");
        std::fs::write(folder.path().join("composite.md"), "Do {{ instuction }}").unwrap();
        assert_eq!(read().unwrap_err().code(), "prompts_invalid");
        std::fs::write(folder.path().join("composite.md"), "Do {{ instruction }} with {{ blocks }}").unwrap();
        assert_ne!(read().unwrap().digest(), Prompts::bundled().digest());
    }
}
