//! The texts of all requests: templates of ours, each of which a file of the user's may replace.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::agent::{Prompt, TemplateError, fill};
use crate::model::{Blame, Coded, sha256_hex};
use crate::prompt;

/// A text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Query,
    Plan,
    PlanRequest,
    Graph,
    GraphRequest,
    GraphAgain,
    Worker,
    WorkerTurn,
    Reflect,
    ReflectRequest,
    Ground,
    Episode,
    Narrative,
    Story,
}

/// Ours. The names of files are those below the folder.
const BUNDLED: [(Part, Prompt); 14] = [
    (Part::Query, prompt!("agent/planner/query.md")),
    (Part::Plan, prompt!("agent/planner/plan.md")),
    (Part::PlanRequest, prompt!("agent/planner/plan-request.md")),
    (Part::Graph, prompt!("agent/planner/graph.md")),
    (Part::GraphRequest, prompt!("agent/planner/graph-request.md")),
    (Part::GraphAgain, prompt!("agent/planner/graph-again.md")),
    (Part::Worker, prompt!("agent/planner/worker.md")),
    (Part::WorkerTurn, prompt!("agent/planner/worker-turn.md")),
    (Part::Reflect, prompt!("agent/planner/reflect.md")),
    (Part::ReflectRequest, prompt!("agent/planner/reflect-request.md")),
    (Part::Ground, prompt!("agent/planner/ground.md")),
    (Part::Episode, prompt!("agent/planner/episode.md")),
    (Part::Narrative, prompt!("agent/planner/narrative.md")),
    (Part::Story, prompt!("agent/planner/story.md")),
];

/// The texts that a run begins with.
#[derive(Debug, Clone)]
pub struct Prompts {
    /// Each with a name for messages.
    texts: BTreeMap<Part, (String, String)>,
}

/// The user's texts can't be used.
#[derive(Debug, thiserror::Error)]
pub enum PromptsError {
    #[error("{path} can't be read")]
    File {
        path: String,
        #[source]
        source: std::io::Error,
    },
    /// None of the files has a name that is asked for.
    #[error("{path} has none of the planner's texts")]
    Nothing { path: String },
    #[error(transparent)]
    Template(#[from] TemplateError),
}

impl Coded for PromptsError {
    fn code(&self) -> &str {
        match self {
            Self::File { .. } => "prompts_unreadable",
            Self::Nothing { .. } => "prompts_absent",
            Self::Template(_) => "prompts_invalid",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::File { .. } => None,
            Self::Nothing { .. } => {
                let names: Vec<&str> = BUNDLED.iter().map(|(_, prompt)| file(*prompt)).collect();
                Some(format!("files that are read: {}", names.join(", ")))
            }
            Self::Template(_) => {
                Some("assets/prompts/agent/planner has ours, with the places for values that each may have".to_owned())
            }
        }
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

fn file(prompt: Prompt) -> &'static str {
    prompt.name.rsplit('/').next().unwrap_or(prompt.name)
}

impl Prompts {
    /// Those of this program.
    pub fn bundled() -> Self {
        let text = |(part, prompt): (Part, Prompt)| (part, (prompt.name.to_owned(), prompt.text.to_owned()));
        Self { texts: BUNDLED.into_iter().map(text).collect() }
    }

    /// Those of this program, save the ones that a folder has files for.
    ///
    /// # Errors
    /// When there are none, one can't be read, or has a place that there is no value for.
    pub fn read(folder: &Path) -> Result<Self, PromptsError> {
        let mut prompts = Self::bundled();
        let mut found = false;
        for (part, prompt) in BUNDLED {
            let path = folder.join(file(prompt));
            if path.is_file() {
                let name = path.display().to_string();
                let text = std::fs::read_to_string(&path)
                    .map_err(|source| PromptsError::File { path: name.clone(), source })?;
                prompts.texts.insert(part, (name, text));
                prompts.fill(part, example())?;
                found = true;
            }
        }
        if found { Ok(prompts) } else { Err(PromptsError::Nothing { path: folder.display().to_string() }) }
    }

    /// What tells these texts from others.
    pub fn digest(&self) -> String {
        let texts: Vec<&String> = self.texts.values().map(|(_, text)| text).collect();
        sha256_hex(json!(texts).to_string().as_bytes())
    }

    /// A text with values in its places, without blank lines at its ends.
    ///
    /// # Errors
    /// When a place has no value.
    pub(super) fn fill(&self, part: Part, values: Value) -> Result<String, TemplateError> {
        let Some((name, text)) = self.texts.get(&part) else { return Ok(String::new()) };
        Ok(fill(name, text, values)?.trim().to_owned())
    }
}

/// A value for each place there is.
fn example() -> Value {
    let subtask = json!({"name": "", "info": ""});
    let experience = json!({"key": "", "text": ""});
    json!({
        "instruction": "", "plan": "", "fault": "", "actions": "", "subtask": subtask, "later": "", "finished": [],
        "failed": subtask, "reason": "", "left": [], "experience": experience, "reflection": "", "notes": [],
        "first": true, "rounds": "", "description": "", "width": 0, "height": 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_can_be_filled_with_everything_and_has_a_file_of_its_own() {
        let prompts = Prompts::bundled();
        for (part, prompt) in BUNDLED {
            assert!(!prompts.fill(part, example()).unwrap().is_empty(), "{}", prompt.name);
        }
        let names: std::collections::BTreeSet<&str> = BUNDLED.iter().map(|(_, prompt)| file(*prompt)).collect();
        assert_eq!(names.len(), BUNDLED.len());
    }

    #[test]
    fn requests_for_plans_say_what_has_become_of_the_last_one() {
        let of = |failed: Value, finished: Value, left: Value, experience: Value| {
            let values = json!({"instruction": "Mend it.", "failed": failed, "reason": "It is locked.",
                "finished": finished, "left": left, "experience": experience});
            Prompts::bundled().fill(Part::PlanRequest, values).unwrap()
        };
        let one = json!({"name": "open", "info": "Click Ticket."});
        let first = of(Value::Null, json!([]), json!([]), json!({"key": "a boat", "text": "Look."}));
        insta::assert_snapshot!(first, @r"
        The task: Mend it.

        Make the plan for the task.

        A similar task was: a boat
        What was learned from it: Look.
        ");
        let failed = of(one.clone(), json!([{"name": "start"}]), json!([one.clone(), one]), Value::Null);
        insta::assert_snapshot!(failed, @r#"
        The task: Mend it.

        The subtask "open" can't be done as planned. The helper's last words: It is locked.
        Plan anew what is left of the task.

        Finished so far:
        - start

        Left of the plan before:
        - open: Click Ticket.
        - open: Click Ticket.
        "#);
    }

    #[test]
    fn texts_of_the_users_replace_single_ones_and_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let read = || Prompts::read(folder.path());
        let error = read().unwrap_err();
        assert_eq!(error.code(), "prompts_absent");
        assert!(error.hint().unwrap().contains("worker-turn.md"));
        std::fs::write(folder.path().join("plan.md"), "Plan {{ istruction }}").unwrap();
        assert_eq!(read().unwrap_err().code(), "prompts_invalid");
        std::fs::write(folder.path().join("plan.md"), "Plan {{ instruction }} ").unwrap();
        let mine = read().unwrap();
        assert_eq!(mine.fill(Part::Plan, json!({"instruction": "it"})).unwrap(), "Plan it");
        assert_ne!(mine.digest(), Prompts::bundled().digest());
    }
}
