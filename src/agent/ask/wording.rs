//! How single questions are worded: by templates of ours in one of two layouts, or by the user's own.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};
use strum::{Display, EnumIter, EnumMessage, EnumString, IntoStaticStr};

use crate::agent::{Prompt, TemplateError, fill};
use crate::model::{Blame, Coded, sha256_hex};

/// The layout of a question.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Display, EnumIter, EnumMessage, EnumString, IntoStaticStr, Serialize,
)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum Wording {
    /// Explains more: what coordinates mean, and what counts in a question.
    #[default]
    Scratchbed,
    /// The parts of the published prompts in their order, in our words; figures compare with the paper's as far as words allow.
    Paper,
}

/// The templates of both parts of a question.
#[derive(Debug, Clone, Copy)]
pub struct Templates {
    pub system: Prompt,
    pub user: Prompt,
}

/// A template with the name by which errors call it.
#[derive(Debug, Clone)]
struct Template {
    name: String,
    text: String,
}

/// The templates that a run asks by.
#[derive(Debug, Clone)]
pub struct QuestionPrompts {
    wording: Wording,
    /// Whether a template is the user's.
    own: bool,
    system: Template,
    user: Template,
}

/// The user's templates can't be used.
#[derive(Debug, thiserror::Error)]
pub enum WordingError {
    /// None of the files is in the folder.
    #[error("{} has neither {system} nor {user}", folder.display())]
    NoFile { folder: PathBuf, system: String, user: String },
    #[error("{} can't be read", path.display())]
    File {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error(transparent)]
    Template(#[from] TemplateError),
}

impl Coded for WordingError {
    fn code(&self) -> &str {
        match self {
            Self::NoFile { .. } => "prompts_missing",
            Self::File { .. } => "prompts_unreadable",
            Self::Template(_) => "prompts_invalid",
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoFile { .. } => "name the folder that has one of them or both; a missing one is ours",
            Self::File { .. } => return None,
            Self::Template(_) => "docs/BENCHMARKS.md lists the places for values, such as `{{ instruction }}`",
        };
        Some(hint.to_owned())
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

impl From<Prompt> for Template {
    fn from(Prompt { name, text }: Prompt) -> Self {
        Self { name: name.to_owned(), text: text.to_owned() }
    }
}

impl QuestionPrompts {
    /// Those of this program.
    pub fn bundled(wording: Wording, Templates { system, user }: Templates) -> Self {
        Self { wording, own: false, system: system.into(), user: user.into() }
    }

    /// The same with the user's templates in the place of ours: `<benchmark>-system.md` and `<benchmark>-user.md` of a
    /// folder, or one of them.
    ///
    /// # Errors
    /// When there is neither, or one can't be read.
    pub fn laid_over(mut self, folder: &Path, benchmark: &str) -> Result<Self, WordingError> {
        let [system, user] = ["system", "user"].map(|part| format!("{benchmark}-{part}.md"));
        for (name, template) in [(&system, &mut self.system), (&user, &mut self.user)] {
            let path = folder.join(name);
            match fs::read_to_string(&path) {
                Ok(text) => {
                    *template = Template { name: path.display().to_string(), text };
                    self.own = true;
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(source) => return Err(WordingError::File { path, source }),
            }
        }
        if self.own { Ok(self) } else { Err(WordingError::NoFile { folder: folder.to_owned(), system, user }) }
    }

    pub const fn wording(&self) -> Wording {
        self.wording
    }

    /// The system part and the user part. A part without a word is empty, and is not sent.
    ///
    /// # Errors
    /// When a place has no value.
    pub fn fill(&self, values: &Value) -> Result<(String, String), TemplateError> {
        let part = |Template { name, text }: &Template| {
            let filled = fill(name, text, values)?;
            Ok(if filled.trim().is_empty() { String::new() } else { filled })
        };
        Ok((part(&self.system)?, part(&self.user)?))
    }

    /// What records say of them: the layout, whose they are, and a digest that other words change.
    pub fn described(&self) -> Value {
        let digest = sha256_hex(json!([self.system.text, self.user.text]).to_string().as_bytes());
        json!({"wording": self.wording, "own": self.own, "digest": digest})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: Templates = Templates {
        system: Prompt { name: "s", text: "Task: {{ instruction }}\n" },
        user: Prompt { name: "u", text: "{% if elements %}\n{{ elements }}\n{% endif %}\n" },
    };

    #[test]
    fn a_part_without_words_is_empty() {
        let prompts = QuestionPrompts::bundled(Wording::Paper, OURS);
        let filled = |elements: Value| prompts.fill(&json!({"instruction": "go", "elements": elements})).unwrap();
        assert_eq!(filled(Value::Null), ("Task: go\n".to_owned(), String::new()));
        assert_eq!(filled(json!("1 | x")).1, "1 | x\n");
    }

    #[test]
    fn templates_of_the_users_take_the_places_of_ours_and_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let ours = || QuestionPrompts::bundled(Wording::Paper, OURS);
        let over = || ours().laid_over(folder.path(), "drag");
        let missing = over().unwrap_err();
        assert!(missing.to_string().ends_with("has neither drag-system.md nor drag-user.md"), "{missing}");
        assert_eq!(missing.code(), "prompts_missing");
        fs::write(folder.path().join("drag-user.md"), "Do {{ instruction }}").unwrap();
        let own = over().unwrap();
        let values = json!({"instruction": "go", "elements": null});
        assert_eq!(own.fill(&values).unwrap(), ("Task: go\n".to_owned(), "Do go".to_owned()));
        assert_ne!(own.described()["digest"], ours().described()["digest"]);
        assert_eq!((&own.described()["own"], &own.described()["wording"]), (&json!(true), &json!("paper")));
        fs::remove_file(folder.path().join("drag-user.md")).unwrap();
        fs::create_dir(folder.path().join("drag-system.md")).unwrap();
        assert_eq!(over().unwrap_err().code(), "prompts_unreadable");
    }
}
