//! Faults for agents of their own: what may be seen of an instance, and patches that are handed in. How these come and go, HTTP and MCP say.
//!
//! An agent without the right to verdicts learns whether its patch can be applied, and no more. Its last patch of each instance is kept in a
//! file that `repair score` reads.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::reading::{References, referred};
use crate::bugs::{Bench, BugReport, BugsError};
use crate::experiment::Reply;
use crate::files::write_whole;
use crate::forge::Plays;
use crate::judge::{Judges, PlayError};
use crate::mend::{Answer, Asked, Manner, Refused, Repair, Representation, Stage, patched, read_answer, score, shown};
use crate::model::{Blame, Coded};
use crate::project::ProjectError;
use crate::taskset::EvaluationSources;

/// What an agent gets in place of a verdict. It does not say how a researcher gets one: that would be an invitation.
const NOT_TOLD: &str = "The patch is handed in. Whether it mends the project is not shown to you.";
/// Bytes of an explanation.
const MOST_EXPLANATION: usize = 8 << 10;
/// Bytes of a patch with its explanation, as JSON: so much is kept of each caller and instance, in memory and on disk.
const MOST_ANSWER: usize = 64 << 10;
/// Characters of a caller's digest in the name of its file.
const DIGITS: usize = 8;

/// The instances of a benchmark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BugList {
    /// The benchmark's name.
    pub benchmark: String,
    /// Digest of all that a score depends on.
    pub version: String,
    /// Ids of the instances.
    pub instances: Vec<String>,
}

/// An instance as whoever mends it may see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BugView {
    pub instance: String,
    pub report: BugReport,
    /// The project as a text.
    pub project: String,
}

/// How an instance is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BugOptions {
    /// How the project is written: `ir` (nested JSON), `text` (notation), or `raw` (project.json).
    #[serde(default)]
    pub representation: Representation,
    /// Only scripts that the report has to do with.
    #[serde(default)]
    pub slice: bool,
}

/// What became of a patch that was handed in.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HandedIn {
    pub instance: String,
    /// Whether all of its edits could be made.
    pub applied: bool,
    /// How far a patch came that could not be applied, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What it is worth, if the caller gets verdicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair: Option<Repair>,
    /// Why there is no verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_told: Option<String>,
}

/// Who hands a patch in.
#[derive(Debug, Clone, Default)]
pub struct Patcher {
    /// Digest of the caller's token; none of callers without one, who share a file.
    pub owner: Option<String>,
    pub may_judge: bool,
}

/// Why the desk could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    #[error("there is no instance `{}`", .0.escape_debug())]
    Unknown(String),
    #[error("the explanation has {bytes} bytes, at most {MOST_EXPLANATION}")]
    ExplanationTooLong { bytes: usize },
    #[error("patch and explanation have {bytes} bytes, at most {MOST_ANSWER}")]
    PatchTooLong { bytes: usize },
    #[error("the instance can't be read")]
    Bugs(#[source] BugsError),
    #[error("the instance can't be written")]
    Project(#[from] ProjectError),
    #[error("the patch could not be judged")]
    Play(#[from] PlayError),
    #[error("the patch could not be kept")]
    Kept(#[source] std::io::Error),
}

impl Coded for DeskError {
    fn code(&self) -> &str {
        match self {
            Self::Unknown(_) => "unknown_instance",
            Self::ExplanationTooLong { .. } => "explanation_too_long",
            Self::PatchTooLong { .. } => "patch_too_long",
            Self::Bugs(_) | Self::Project(_) => "instance_unreadable",
            Self::Play(_) => "not_judged",
            Self::Kept(_) => "patch_not_kept",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown(_) => Some("`list_bugs` names all".to_owned()),
            Self::ExplanationTooLong { .. } => Some("say it in a sentence".to_owned()),
            Self::PatchTooLong { .. } => Some("change less of the project: a patch is a few edits".to_owned()),
            Self::Bugs(_) | Self::Project(_) => None,
            Self::Play(_) | Self::Kept(_) => Some("hand it in again".to_owned()),
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Unknown(_) | Self::ExplanationTooLong { .. } | Self::PatchTooLong { .. } => Blame::Caller,
            _ => Blame::Testbed,
        }
    }
}

impl From<BugsError> for DeskError {
    fn from(error: BugsError) -> Self {
        match error {
            // Its text names the folder, which is nothing for agents.
            BugsError::NoInstance { id, .. } => Self::Unknown(id),
            error => Self::Bugs(error),
        }
    }
}

/// A benchmark whose instances can be asked for and mended.
#[derive(Debug)]
pub struct Desk {
    bench: Bench,
    judges: Judges,
    /// The script that plays scenarios.
    sources: EvaluationSources,
    references: References,
    /// Where files of answers go.
    folder: PathBuf,
    /// What each caller handed in last, by instance.
    handed_in: Mutex<BTreeMap<String, BTreeMap<String, Reply>>>,
}

impl Desk {
    /// Over a benchmark; files of answers go to `folder`.
    pub fn new(bench: Bench, (judges, sources): (Judges, EvaluationSources), folder: PathBuf) -> Self {
        Self { bench, judges, sources, references: References::default(), folder, handed_in: Mutex::default() }
    }

    /// Which instances there are.
    pub fn list(&self) -> BugList {
        BugList {
            benchmark: self.bench.name().to_owned(),
            version: self.bench.version().to_owned(),
            instances: self.bench.entries().iter().map(|entry| entry.id.clone()).collect(),
        }
    }

    /// An instance.
    ///
    /// # Errors
    /// When there is none of this id, or it can't be read.
    pub fn view(&self, id: &str, options: BugOptions) -> Result<BugView, DeskError> {
        let (buggy, report) = (self.bench.buggy(id)?, self.bench.report(id)?);
        let manner = Manner { representation: options.representation, is_slice: options.slice, ..Manner::default() };
        let (project, _) = shown(&Asked { id, buggy: &buggy.json, report: &report, sheet: None }, &manner);
        Ok(BugView { instance: id.to_owned(), report, project })
    }

    /// The project of an instance, an .sb3 file.
    ///
    /// # Errors
    /// As [`Desk::view`].
    pub fn project(&self, id: &str) -> Result<Vec<u8>, DeskError> {
        Ok(self.bench.buggy(id)?.pack()?)
    }

    /// Takes a patch: a list of edits, or an object with `patch` and, if wanted, `explanation`.
    ///
    /// # Errors
    /// When there is no such instance, the patch or its explanation is too long, or the testbed fails: nothing is then
    /// known of the patch.
    pub async fn hand_in(&self, id: &str, answer: &Value, by: &Patcher) -> Result<HandedIn, DeskError> {
        let buggy = self.bench.buggy(id)?;
        let handed_in = HandedIn {
            instance: id.to_owned(),
            applied: false,
            stage: None,
            message: None,
            repair: None,
            not_told: None,
        };
        let text = bounded(answer)?;
        let read = read_answer(&text).map_err(|why| (Stage::Unreadable, why.to_string()));
        let checked = read.and_then(|answer| match patched(&buggy, &answer.patch) {
            Ok(_) => Ok(answer),
            Err(Refused { stage, message }) => Err((stage, message)),
        });
        let answer = match checked {
            Ok(answer) => answer,
            Err((stage, message)) => return Ok(HandedIn { stage: Some(stage), message: Some(message), ..handed_in }),
        };
        let handed_in = HandedIn { applied: true, ..handed_in };
        if by.may_judge {
            return Ok(HandedIn { repair: Some(self.judged(id, answer).await?), ..handed_in });
        }
        self.keep(id, text, by).await?;
        Ok(HandedIn { not_told: Some(NOT_TOLD.to_owned()), ..handed_in })
    }

    async fn judged(&self, id: &str, answer: Answer) -> Result<Repair, DeskError> {
        let instance = self.bench.instance(id)?;
        let plays = Plays::of_suite(self.judges.clone(), self.sources.clone(), &instance.suite);
        let place = self.references.place(id);
        let reference = referred(&place, &instance, &plays).await?;
        let repair = score(&instance, reference, answer.patch, &plays).await?;
        Ok(Repair { explanation: answer.explanation, ..repair })
    }

    /// Keeps a caller's patch in place of an earlier one of the same instance.
    async fn keep(&self, id: &str, response: String, by: &Patcher) -> Result<(), DeskError> {
        let digits = by.owner.as_deref().map(|owner| owner.chars().take(DIGITS).collect::<String>());
        let name = digits.map_or_else(|| "anyone".to_owned(), |digits| format!("caller-{digits}"));
        let file = self.folder.join(format!("{name}.jsonl"));
        let mut all = self.handed_in.lock().await;
        let own = all.entry(name).or_insert_with(|| earlier(&file));
        own.insert(id.to_owned(), Reply { id: id.to_owned(), response: Some(response), error: None });
        let lines: String = own.values().map(|reply| json!(reply).to_string() + "\n").collect();
        let kept = std::fs::create_dir_all(&self.folder).and_then(|()| write_whole(&file, lines.as_bytes()));
        kept.map_err(DeskError::Kept)
    }
}

/// An answer as a text, if it is short enough to be kept.
fn bounded(answer: &Value) -> Result<String, DeskError> {
    let bytes = answer["explanation"].as_str().map_or(0, str::len);
    if bytes > MOST_EXPLANATION {
        return Err(DeskError::ExplanationTooLong { bytes });
    }
    let text = answer.to_string();
    if text.len() > MOST_ANSWER {
        return Err(DeskError::PatchTooLong { bytes: text.len() });
    }
    Ok(text)
}

/// What a file has from an earlier server.
fn earlier(file: &std::path::Path) -> BTreeMap<String, Reply> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let replies = text.lines().filter_map(|line| serde_json::from_str::<Reply>(line).ok());
    replies.map(|reply| (reply.id.clone(), reply)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_bounded_in_all_and_its_explanation_for_itself() {
        let answer = |explanation: usize, patch: usize| {
            let edit = json!({"op": "remove", "sprite_id": "s", "block_id": "b".repeat(patch)});
            bounded(&json!({"patch": [edit], "explanation": "e".repeat(explanation)}))
        };
        assert!(answer(MOST_EXPLANATION, 100).is_ok());
        assert_eq!(answer(MOST_EXPLANATION + 1, 100).unwrap_err().code(), "explanation_too_long");
        assert_eq!(answer(0, MOST_ANSWER).unwrap_err().code(), "patch_too_long");
        assert!(bounded(&json!([])).is_ok(), "a patch alone");
    }
}
