//! The words of a request (EcoScratch, section 3): the stable text first, so that providers can keep it. Several captioned pictures may go
//! with it.

use serde::Serialize;
use serde_json::json;

use super::evidence::Evidence;
use super::plans::{Plan, Profile};
use crate::agent::{Prompt, TemplateError};
use crate::model::sha256_hex;
use crate::prompt;

const SYSTEM: Prompt = prompt!("budgeted-system.md");
const USER: Prompt = prompt!("budgeted-user.md");

/// How ids are written for a model.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    Serialize,
    serde::Deserialize,
    strum::Display,
    strum::EnumIter,
    strum::EnumMessage,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Ids {
    /// As the project has them.
    #[default]
    Raw,
    /// Short ones, such as `b17`, which are put back.
    Alias,
}

/// Both prompts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompts {
    pub system: String,
    pub user: String,
}

/// The prompts of an attempt.
///
/// # Errors
/// When a prompt is broken.
pub fn prompts(
    plan: &Plan,
    profile: Profile,
    (project, captions): (&str, &[String]),
    evidence: &Evidence,
) -> Result<Prompts, TemplateError> {
    let system = SYSTEM.fill(json!({"operations": plan.operations, "rationale": profile == Profile::Own}))?;
    let user = USER.fill(json!({
        "project": project,
        "report": evidence.report,
        "hints": evidence.hints,
        "trace": evidence.trace,
        "captions": captions,
        "figures": evidence.figures,
        "feedback": evidence.feedback,
    }))?;
    Ok(Prompts { system, user: user.trim_end().to_owned() })
}

/// What the prompts are made from.
pub fn prompts_digest() -> String {
    sha256_hex(format!("{}\n{}", SYSTEM.text, USER.text).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::PlanId;
    use crate::trajectory::Plans;

    #[test]
    fn a_prompt_has_what_there_is_and_the_system_part_is_short() {
        let plans = Plans::read(None).unwrap();
        let evidence = Evidence { report: "What is seen: x".to_owned(), ..Evidence::default() };
        let bare = prompts(plans.plan(PlanId::T0), Profile::Paper, ("/targets/0 Stage", &[]), &evidence).unwrap();
        assert!(bare.system.chars().count() <= 2000, "{}", bare.system.chars().count());
        assert!(bare.system.contains("At most 4 operations") && !bare.system.contains("rationale"), "{}", bare.system);
        assert_eq!(bare.user, "The project, with pointers:\n/targets/0 Stage\n\nWhat is seen: x");
        let full =
            Evidence { figures: "f".to_owned(), feedback: "again".to_owned(), trace: "t".to_owned(), ..evidence };
        let full = prompts(plans.plan(PlanId::M1), Profile::Own, ("p", &["tick 1".to_owned()]), &full).unwrap();
        for part in ["1. tick 1", "A short test run: f.", "again", "around the fault:\nt"] {
            assert!(full.user.contains(part), "{part}: {}", full.user);
        }
        assert!(full.system.contains("\"rationale\""));
    }
}
