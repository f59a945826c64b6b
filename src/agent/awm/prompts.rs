//! What is sent: templates of ours, or of the user's in their place.

use std::path::Path;

use serde_json::{Value, json};

use super::path::{Path as Turns, Trajectory, WINDOW};
use crate::agent::llm::{PromptsError, Style, system_values};
use crate::agent::{TemplateError, fill};
use crate::model::{Mode, sha256_hex};
use crate::prompt;

/// The templates that a run begins with.
#[derive(Debug, Clone)]
pub struct AwmPrompts {
    system: Template,
    turn: Template,
    judge: Template,
    induce: Template,
}

#[derive(Debug, Clone)]
struct Template {
    name: String,
    text: String,
}

impl Template {
    fn fill(&self, values: &Value) -> Result<String, TemplateError> {
        fill(&self.name, &self.text, values)
    }
}

impl AwmPrompts {
    /// Those of this program.
    pub fn bundled() -> Self {
        let [system, turn, judge, induce] = [
            prompt!("agent/awm/system.md"),
            prompt!("agent/awm/turn.md"),
            prompt!("agent/awm/judge.md"),
            prompt!("agent/awm/induce.md"),
        ]
        .map(|prompt| Template { name: prompt.name.to_owned(), text: prompt.text.to_owned() });
        Self { system, turn, judge, induce }
    }

    /// The user's for a mode: `primitive.md` or `composite.md` of a folder is the system message; `turn.md`, `judge.md` and
    /// `induce.md` take the place of the others where they are there.
    ///
    /// # Errors
    /// When one can't be read, or has a place that there is no value for.
    pub fn read(folder: &Path, mode: Mode, style: &Style) -> Result<Self, PromptsError> {
        let ours = Self::bundled();
        let read = |file: String, ours: Option<Template>| {
            let path = folder.join(file);
            let name = path.display().to_string();
            if let Some(ours) = ours.filter(|_| !path.exists()) {
                return Ok(ours);
            }
            let text = std::fs::read_to_string(&path);
            text.map(|text| Template { name: name.clone(), text })
                .map_err(|source| PromptsError::File { path: name, source })
        };
        let prompts = Self {
            system: read(format!("{mode}.md"), None)?,
            turn: read("turn.md".to_owned(), Some(ours.turn))?,
            judge: read("judge.md".to_owned(), Some(ours.judge))?,
            induce: read("induce.md".to_owned(), Some(ours.induce))?,
        };
        prompts.system("", mode, style, "")?;
        prompts.turn("", 1, &Turns::default())?;
        prompts.judge("", mode, &[], "")?;
        prompts.induce(mode, &[])?;
        Ok(prompts)
    }

    /// What tells these templates from others.
    pub fn digest(&self) -> String {
        let texts = [&self.system, &self.turn, &self.judge, &self.induce].map(|template| &template.text);
        sha256_hex(json!(texts).to_string().as_bytes())
    }

    /// The system message for a task, with what is known of earlier ones.
    pub(super) fn system(
        &self,
        instruction: &str,
        mode: Mode,
        style: &Style,
        workflows: &str,
    ) -> Result<String, TemplateError> {
        let mut values = system_values(instruction, mode, style);
        values["workflows"] = json!(workflows.trim());
        values["window"] = json!(WINDOW);
        self.system.fill(&values)
    }

    /// The message of a turn.
    pub(super) fn turn(&self, seen: &str, number: u32, turns: &Turns) -> Result<String, TemplateError> {
        self.turn.fill(&json!({"seen": seen, "number": number, "turns": turns.window(), "window": WINDOW}))
    }

    /// The question whether an attempt was a success.
    pub(super) fn judge(
        &self,
        instruction: &str,
        mode: Mode,
        actions: &[&str],
        seen: &str,
    ) -> Result<String, TemplateError> {
        let mode = mode.to_string();
        self.judge.fill(&json!({"instruction": instruction, "mode": mode, "actions": actions, "seen": seen}))
    }

    /// The question which workflows there are in some trajectories.
    pub(super) fn induce(&self, mode: Mode, trajectories: &[&Trajectory]) -> Result<String, TemplateError> {
        self.induce.fill(&json!({"mode": mode.to_string(), "trajectories": trajectories}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::llm::Protocol;
    use crate::model::Coded as _;
    use crate::perceive::Convention;

    fn style() -> Style {
        Style::of(Protocol::Paper1, Convention::Pixels)
    }

    #[test]
    fn workflows_follow_the_actions_and_are_absent_while_there_are_none() {
        let prompts = AwmPrompts::bundled();
        for mode in [Mode::Primitive, Mode::Composite] {
            let without = prompts.system("Mend the boat.", mode, &style(), "\n").unwrap();
            assert!(without.contains("Your task is: Mend the boat.") && !without.contains("Workflow Memory"));
            assert!(!without.contains("\n\n\n\n"), "{without}");
            let with = prompts.system("Mend the boat.", mode, &style(), "#### Open a {{ sprite }}\n").unwrap();
            let heading = |name: &str| with.find(&format!("\n## {name}")).unwrap();
            assert!(heading("Actions") < heading("Workflow Memory"));
            assert!(heading("Workflow Memory") < heading("How to answer"));
            assert!(with.contains("#### Open a {{ sprite }}"), "what a model wrote is no template");
        }
    }

    #[test]
    fn templates_of_the_users_are_checked_before_a_run() {
        let folder = tempfile::tempdir().unwrap();
        let read = || AwmPrompts::read(folder.path(), Mode::Composite, &style());
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        assert_eq!(read().unwrap_err().code(), "prompts_unreadable");
        write("composite.md", "{{ instruction }} {{ workflows }} {% include \"agent/parts/blocks.md\" %}");
        let own = read().unwrap();
        assert_ne!(own.digest(), AwmPrompts::bundled().digest());
        write("judge.md", "{{ verdict }}");
        assert_eq!(read().unwrap_err().code(), "prompts_invalid");
        write("judge.md", "{{ seen }}");
        assert_ne!(read().unwrap().digest(), own.digest());
    }
}
