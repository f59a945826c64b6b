//! A judge for a finished task (paper, appendix O.3): the model writes it, and is told what is wrong with it, be it in its
//! text or in what it says of the initial and the golden project.

use std::fs;
use std::path::Path;

use serde::Serialize;
use serde_json::json;

use super::conversation::Conversation;
use super::record::Record;
use super::{files, validate};
use crate::agent::model::{ModelClient, Usage};
use crate::author::templates::template;
use crate::author::{AuthorError, prompts};
use crate::files::Checkout;
use crate::judge::{Conditions, Judges};
use crate::model::{Category, Outcome, Verdict};
use crate::notation::{Bounds, from_project, markdown};
use crate::project::Project;
use crate::taskset::TaskEntry;

/// What docs/TASKS.md asks of a judge.
const CASES: u32 = 3;
/// The file that is asked for.
const JUDGE: &str = "judge.js";

/// A judge, and what is wrong with it.
#[derive(Debug, Serialize)]
pub struct DraftedJudge {
    /// Its text; `None` when the last answer had none.
    pub judge: Option<String>,
    /// What is wrong; without problems it passes the golden project and fails the initial one.
    pub problems: Vec<String>,
    /// How often the model was asked.
    pub rounds: u32,
    pub usage: Usage,
}

/// Drafts the judge of one task.
#[derive(Debug)]
pub struct JudgeDrafting<'a> {
    /// Where the helpers of judges are.
    pub checkout: &'a Checkout,
    pub client: &'a ModelClient,
    pub judges: &'a Judges,
    /// The initial and the golden project as .sb3 files.
    pub projects: (&'a [u8], &'a [u8]),
    /// The greatest number of repair rounds.
    pub repairs: u32,
}

impl JudgeDrafting<'_> {
    /// Has the model write a judge until nothing is wrong with it, or the rounds are used up.
    ///
    /// # Errors
    /// When the model gives no answer, the testbed can't judge, or a file can't be read or written.
    pub async fn draft(&self, entry: &TaskEntry, record: &mut Record) -> Result<DraftedJudge, AuthorError> {
        let mut conversation = Conversation::new(self.client, record)?;
        let mut question = self.question(entry)?;
        let mut rounds = 0;
        loop {
            let answer = conversation.ask(question).await?;
            rounds += 1;
            let (judge, problems) = self.tried(entry, &answer).await?;
            if problems.is_empty() || rounds > self.repairs {
                return Ok(DraftedJudge { judge, problems, rounds, usage: conversation.usage });
            }
            question = prompts::PROBLEMS.fill(json!({ "problems": problems }))?;
        }
    }

    fn question(&self, entry: &TaskEntry) -> Result<String, AuthorError> {
        let shown = |sb3: &[u8]| -> Result<String, AuthorError> {
            Ok(markdown(&from_project(&Project::read(sb3)?).document, Bounds::NONE))
        };
        let task = &entry.task;
        let description = json!({
            "difficulty": task.difficulty, "concepts": task.concepts, "expected_changed_blocks": task.expected_changed_blocks,
            "seeds": task.seeds, "limits": task.limits,
        });
        // Kinds that start from a base have an example without cases.
        let kind = if template(task.category).project.is_some() { task.category } else { Category::Create };
        Ok(prompts::JUDGE.fill(json!({
            "id": task.id,
            "category": task.category,
            "title": task.title,
            "instruction": task.instruction,
            "description": description.to_string(),
            "initial": shown(self.projects.0)?,
            "golden": shown(self.projects.1)?,
            "judging": prompts::JUDGING,
            "example": template(kind).judge.replace("{{ sprite }}", "Snail").replace("{{ id }}", "example"),
            "cases": CASES,
            "case_ms": task.limits.case_ms,
            "task_ms": task.limits.task_ms,
        }))?)
    }

    /// The judge of an answer, and what is wrong with it. One with faults in its text is not run.
    async fn tried(&self, entry: &TaskEntry, answer: &str) -> Result<(Option<String>, Vec<String>), AuthorError> {
        let (mut found, mut problems) = files::read(answer);
        let judge = found.remove(JUDGE);
        problems.extend(found.keys().map(|name| format!("{name} is not asked for")));
        let Some(judge) = judge else {
            problems.push(format!("{JUDGE} is missing"));
            return Ok((None, problems));
        };
        problems.extend(validate::judge(self.checkout, &judge));
        if problems.is_empty() {
            problems = self.judged(entry, &judge).await?;
        }
        Ok((Some(judge), problems))
    }

    /// What a judge says of both projects that it should not. It is run from a folder of its own: the task keeps the one it has.
    async fn judged(&self, entry: &TaskEntry, judge: &str) -> Result<Vec<String>, AuthorError> {
        let stage =
            tempfile::tempdir().map_err(|source| AuthorError::NotWritten { path: std::env::temp_dir(), source })?;
        let copy = Checkout::at(stage.path());
        let write = |path: &Path| -> std::io::Result<()> {
            fs::create_dir_all(path.parent().unwrap_or(stage.path()))?;
            fs::write(path, judge)
        };
        let path = copy.judges().join(format!("{}.js", entry.task.evaluation));
        write(&path).map_err(|source| AuthorError::NotWritten { path: path.clone(), source })?;
        let (there, place) = (self.checkout.judge_helpers(), copy.judge_helpers());
        std::os::unix::fs::symlink(there, &place).map_err(|source| AuthorError::NotWritten { path: place, source })?;
        let entry = TaskEntry { scripts: copy.judges(), pack: None, ..entry.clone() };
        let golden = self.verdict(&entry, self.projects.1).await?;
        let initial = self.verdict(&entry, self.projects.0).await?;
        Ok(problems(&golden, &initial))
    }

    async fn verdict(&self, entry: &TaskEntry, sb3: &[u8]) -> Result<Verdict, AuthorError> {
        let how = Conditions::seeded(entry.task.seeds.first().copied().unwrap_or(1));
        let verdict = self.judges.judge(entry, sb3, &how).await?.verdict;
        // The judge has tried it again itself.
        if verdict.outcome == Outcome::InfraError {
            return Err(AuthorError::NotTried { reason: verdict.error.unwrap_or_default() });
        }
        Ok(verdict)
    }
}

/// What is wrong with a judge that says this of the golden and of the initial project, in words for its author.
fn problems(golden: &Verdict, initial: &Verdict) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, verdict) in [("golden", golden), ("initial", initial)] {
        if verdict.outcome == Outcome::JudgeError {
            let reason = verdict.error.as_deref().unwrap_or("it breaks");
            problems.push(format!("on the {name} project the judge breaks: {reason}"));
        }
    }
    if !problems.is_empty() {
        return problems;
    }
    for case in golden.details.iter().filter(|case| !case.passed) {
        let reason = case.error.as_deref().unwrap_or("no reason is given");
        problems.push(format!("the golden project fails the case `{}`: {reason}", case.name));
    }
    if golden.total_tests < CASES {
        problems.push(format!("there are {} cases, fewer than {CASES}", golden.total_tests));
    }
    if initial.outcome == Outcome::Passed {
        problems.push("the initial project passes all cases, though it does not solve the task".to_owned());
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CaseResult;

    fn verdict(outcome: Outcome, cases: &[(&str, bool)]) -> Verdict {
        let details = cases.iter().map(|(name, passed)| CaseResult {
            name: (*name).to_owned(),
            passed: *passed,
            timeout: None,
            duration_ms: None,
            error: (!passed).then(|| "too late".to_owned()),
            meta: None,
        });
        let passed = cases.iter().filter(|(_, passed)| *passed).count();
        let text = json!({"task": "gull", "outcome": outcome, "passed_tests": passed, "total_tests": cases.len(),
            "details": details.collect::<Vec<_>>(), "seed": 1, "clock": "virtual",
            "hashes": {"project": "", "script": "", "editor": "", "browser": ""}});
        serde_json::from_value(text).unwrap()
    }

    #[test]
    fn a_judge_must_pass_the_golden_project_and_fail_the_initial_one() {
        let all = [("a", true), ("b", true), ("c", true)];
        let none = [("a", true), ("b", false), ("c", false)];
        let (passed, failed) = (verdict(Outcome::Passed, &all), verdict(Outcome::Failed, &none));
        assert_eq!(problems(&passed, &failed), [""; 0]);
        assert!(problems(&passed, &passed)[0].contains("the initial project passes"));
        assert_eq!(problems(&failed, &failed)[0], "the golden project fails the case `b`: too late");
        let few = verdict(Outcome::Passed, &all[..1]);
        assert_eq!(problems(&few, &failed), ["there are 1 cases, fewer than 3"]);
        let broken = Verdict { error: Some("x is not defined".to_owned()), ..verdict(Outcome::JudgeError, &[]) };
        assert_eq!(problems(&broken, &failed), ["on the golden project the judge breaks: x is not defined"]);
    }
}
