//! The question that a model is asked: the prompts with the report and the project in them. Whoever tunes a model with examples and whoever
//! evaluates it asks the same.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::notation::text;
use super::representation::{Scripts, ir};
use super::sheet::Sheet;
use super::shots::Shots;
use super::slice::slice;
use crate::agent::{Prompt, TemplateError};
use crate::bugs::BugReport;
use crate::prompt;

const SYSTEM: Prompt = prompt!("mend-system.md");
const USER: Prompt = prompt!("mend-user.md");

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// `system`, `user` or `assistant`.
    pub role: String,
    pub content: String,
}

impl Message {
    /// Of a role.
    pub fn new(role: &str, content: String) -> Self {
        Self { role: role.to_owned(), content }
    }
}

/// How a project is written for a model.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::Display,
    strum::EnumString,
    strum::EnumIter,
    strum::EnumMessage,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Representation {
    /// A script a line, without shadows, places and hidden defaults.
    #[default]
    Ir,
    /// The notation of docs/PROJECT-TEXT.md, with opcodes and ids behind each line.
    Text,
    /// The file project.json as it is.
    Raw,
}

/// What is shown beside a question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pictures {
    #[default]
    None,
    /// One picture: the stage after the reported inputs, and the costumes, small. It is played for.
    Sheet,
    /// The costumes and backdrops themselves, one picture each, as the paper has them.
    Costumes,
}

/// What belongs to a question beside the instance.
#[derive(Debug, Clone, Default)]
pub struct Manner {
    pub representation: Representation,
    /// Only scripts that the report has to do with; `raw` leaves none out.
    pub is_slice: bool,
    /// Whether reasons are asked for before the answer.
    pub rationale: bool,
    pub pictures: Pictures,
    /// Solved instances of the other half, shown before the question.
    pub shots: Shots,
}

/// What may be known of an instance.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub id: &'a str,
    pub buggy: &'a Value,
    pub report: &'a BugReport,
    /// What is to be seen on the picture that goes with the question.
    pub sheet: Option<&'a Sheet>,
}

/// What the system says and what the user asks.
///
/// # Errors
/// When a prompt is broken.
pub fn question(asked: &Asked<'_>, manner: &Manner) -> Result<[Message; 2], TemplateError> {
    let (project, is_slice) = shown(asked, manner);
    let system = SYSTEM.fill(json!({"rationale": manner.rationale, "representation": manner.representation}))?;
    let user = USER.fill(json!({
        "report": asked.report,
        "project": project,
        "is_slice": is_slice,
        "shots": manner.shots.before(asked.id),
        "picture": picture(asked.sheet),
    }))?;
    Ok([Message::new("system", system), Message::new("user", user)])
}

/// What the prompts say of a picture.
pub fn picture(sheet: Option<&Sheet>) -> Option<Value> {
    sheet.map(|sheet| json!({"legend": sheet.legend, "left_out": sheet.left_out, "is_one": !sheet.has_costumes}))
}

/// The project as it is written for a model, and whether scripts are left out.
pub fn shown(asked: &Asked<'_>, manner: &Manner) -> (String, bool) {
    let is_slice = manner.is_slice && manner.representation != Representation::Raw;
    let scripts = if is_slice { slice(asked.buggy, asked.report) } else { Scripts::all() };
    let project = match manner.representation {
        Representation::Ir => ir(asked.buggy, &scripts),
        Representation::Text => text(asked.buggy, &scripts),
        Representation::Raw => asked.buggy.to_string(),
    };
    (project, scripts.left_out() > 0)
}
