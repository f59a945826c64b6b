//! What a model is asked when it is to explain a fault, and what a second one is asked when it rates the explanation.

use serde_json::json;

use super::truth::Explained;
use crate::agent::{Prompt, TemplateError};
use crate::bugs::Instance;
use crate::inject::Pattern;
use crate::mend::{Asked, Manner, Message, picture, shown};
use crate::model::sha256_hex;
use crate::prompt;

const SYSTEM: Prompt = prompt!("explain-system.md");
const USER: Prompt = prompt!("explain-user.md");
const RUBRIC_USER: Prompt = prompt!("rubric-user.md");

/// What the system says and what the user asks. The project is written as for repairs.
///
/// # Errors
/// When a prompt is broken.
pub fn explain_question(asked: &Asked<'_>, manner: &Manner) -> Result<[Message; 2], TemplateError> {
    use strum::{EnumMessage as _, IntoEnumIterator as _};
    let tags = Pattern::iter()
        .map(|pattern| json!({"tag": pattern.to_string(), "means": pattern.get_documentation().unwrap_or_default()}));
    let (project, is_slice) = shown(asked, manner);
    let system = SYSTEM.fill(json!({"tags": tags.collect::<Vec<_>>(), "representation": manner.representation}))?;
    let user = USER.fill(json!({
        "report": asked.report,
        "project": project,
        "is_slice": is_slice,
        "picture": picture(asked.sheet),
    }))?;
    Ok([Message::new("system", system), Message::new("user", user)])
}

/// What the rubric's questions are made from: who rates by other ones rates otherwise.
pub fn rubric_digest() -> String {
    sha256_hex(format!("{}\n{}", super::rubric::RUBRIC.text, RUBRIC_USER.text).as_bytes())
}

/// What a second model is asked about an explanation.
///
/// # Errors
/// When a prompt is broken.
pub fn rubric_question(
    instance: &Instance,
    truth: &Explained,
    explanation: &str,
) -> Result<[Message; 2], TemplateError> {
    let truth = super::rubric::truth_in_words(instance, truth);
    let system = super::rubric::RUBRIC.fill(json!({}))?;
    let user = RUBRIC_USER.fill(json!({"truth": truth, "explanation": explanation}))?;
    Ok([Message::new("system", system), Message::new("user", user)])
}
