//! From an idea to a draft: the model writes the files, gets a few rounds to fix errors, and the draft is written with
//! the remaining errors beside it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::conversation::Conversation;
use super::ideas::{Idea, Ideas};
use super::record::Record;
use super::validate::{self, Subject};
use super::{decode, files, svg};
use crate::agent::model::{ModelClient, Usage};
use crate::author::place::{self, Content, Draft, TASK_FILE};
use crate::author::templates::template;
use crate::author::{AuthorError, prompts, scaffold};
use crate::files::Checkout;
use crate::model::{Category, Limits, StageSize, StepLimits, Task, TaskId};

/// What is still wrong with a draft, beside its files.
const PROBLEMS_FILE: &str = "problems.txt";
/// The list that the oracle has until one is derived.
const ORACLE_FILE: &str = "oracle.composite.json";
/// Wall-clock seconds of an attempt.
const WALL_S: u32 = 1800;

/// The result for one idea.
#[derive(Debug, Serialize)]
pub struct Drafted {
    pub id: String,
    /// The draft, unless the idea was skipped or the answer held none.
    pub draft: Option<Draft>,
    /// What is still wrong, or why there is no draft.
    pub problems: Vec<String>,
    /// How often the model was asked.
    pub rounds: u32,
    pub usage: Usage,
}

/// The part of `task.json` that a model decides on.
#[derive(Debug, Deserialize)]
struct Described {
    title: String,
    instruction: String,
    difficulty: u8,
    concepts: Vec<String>,
    expected_changed_blocks: u32,
    steps: u32,
    case_ms: u32,
    task_ms: u32,
}

/// Makes drafts of the ideas of one file.
#[derive(Debug)]
pub struct Drafting<'a> {
    /// Where bases and drafts lie.
    pub checkout: &'a Checkout,
    pub ideas: &'a Ideas,
    pub client: &'a ModelClient,
    /// The greatest number of repair rounds.
    pub repairs: u32,
}

/// An answer, as far as it holds a draft.
struct Attempt {
    content: Option<Content>,
    problems: Vec<String>,
}

impl Drafting<'_> {
    /// Makes a draft of one idea. One whose name is taken by now is skipped.
    ///
    /// # Errors
    /// When the model gives no answer, or a file can't be written.
    pub async fn draft(&self, idea: &Idea, record: &mut Record) -> Result<Drafted, AuthorError> {
        let id: TaskId = idea.id.parse()?;
        let mut drafted =
            Drafted { id: id.to_string(), draft: None, problems: Vec::new(), rounds: 0, usage: Usage::default() };
        if let Err(taken) = place::must_be_free(self.checkout, &id) {
            drafted.problems.push(format!("passed over: {taken}"));
            return Ok(drafted);
        }
        let mut conversation = Conversation::new(self.client, record)?;
        let mut question = self.question(idea)?;
        let attempt = loop {
            let answer = conversation.ask(question).await?;
            drafted.rounds += 1;
            drafted.usage = conversation.usage;
            let attempt = self.attempt(&id, &answer)?;
            if attempt.problems.is_empty() || drafted.rounds > self.repairs {
                break attempt;
            }
            question = prompts::PROBLEMS.fill(json!({ "problems": attempt.problems }))?;
        };
        drafted.problems = attempt.problems;
        if let Some(mut content) = attempt.content {
            if !drafted.problems.is_empty() {
                let text = drafted.problems.join("\n") + "\n";
                content.files.insert(PROBLEMS_FILE.to_owned(), text.into_bytes());
            }
            drafted.draft = Some(place::write(self.checkout, self.ideas.category, &id, &content)?);
        }
        Ok(drafted)
    }

    fn base(&self) -> Option<&TaskId> {
        self.ideas.base.as_ref()
    }

    fn projects(&self) -> (&'static str, &'static str) {
        validate::project_names(self.ideas.category, self.base().is_some())
    }

    fn question(&self, idea: &Idea) -> Result<String, AuthorError> {
        let project = self.base().map(|base| place::base_text(self.checkout, base)).transpose()?;
        Ok(prompts::DRAFT.fill(json!({
            "id": idea.id,
            "category": self.ideas.category,
            "title": idea.title,
            "instruction": idea.instruction,
            "sketch": idea.sketch,
            "tests": idea.tests,
            "notation": prompts::NOTATION,
            "judging": prompts::JUDGING,
            "example": example(self.ideas.category),
            "base": self.base(),
            "project": project,
            "wanted": self.wanted(),
        }))?)
    }

    /// The files that the model writes, with what they are.
    fn wanted(&self) -> Vec<serde_json::Value> {
        let mut wanted = vec![(
            TASK_FILE,
            "an object with the fields `title`, `instruction`, `difficulty` (1 to 5), `concepts` (a list), `expected_changed_blocks`, `steps` \
             (calls that an agent may make, about five a changed block and at least 50), `case_ms` and `task_ms` (project time of the longest case, and of all cases)",
        )];
        let (initial, golden) = self.projects();
        let what = if self.ideas.category == Category::Debug {
            "the base's text with the fault"
        } else {
            "the initial project"
        };
        if initial != place::BASE_TEXT {
            wanted.push((initial, what));
        }
        if golden != place::BASE_TEXT {
            wanted.push((golden, "the golden project, which solves the task"));
        }
        wanted.push(("second.txt", "if you can think of one: a project that solves it in another way"));
        if matches!(self.ideas.category, Category::Create | Category::Extend) {
            let slow = "a project that solves it as slowly as the instruction allows, such as with the durations that blocks have from the start";
            wanted.push(("slow.txt", slow));
        }
        wanted.push(("judge.js", "the judge"));
        if self.base().is_none() {
            wanted.push(("assets/NAME.svg", "each picture that the projects name; there are no sounds"));
        }
        wanted.into_iter().map(|(name, what)| json!({"name": name, "what": what})).collect()
    }

    /// Makes a draft of an answer and looks at it.
    fn attempt(&self, id: &TaskId, answer: &str) -> Result<Attempt, AuthorError> {
        let (mut files, mut problems) = files::read(answer);
        // A picture that is not plain is never kept.
        files.retain(|name, text| {
            let fault = name.starts_with("assets/").then(|| svg::fault(text)).flatten();
            problems.extend(fault.iter().map(|fault| format!("{name} {fault}")));
            fault.is_none()
        });
        let (initial, golden) = self.projects();
        for name in [TASK_FILE, initial, golden, "judge.js"] {
            if name != place::BASE_TEXT && !files.contains_key(name) {
                problems.push(format!("{name} is missing"));
            }
        }
        let Some(content) = self.content(id, files, &mut problems)? else {
            return Ok(Attempt { content: None, problems });
        };
        let category = self.ideas.category;
        let subject = Subject {
            checkout: self.checkout,
            category,
            id,
            base: self.base(),
            projects: self.projects(),
            content: &content,
        };
        problems.extend(validate::problems(&subject)?);
        Ok(Attempt { content: Some(content), problems })
    }

    /// The files of the draft; `None` without a judge or a readable description.
    fn content(
        &self,
        id: &TaskId,
        mut files: BTreeMap<String, String>,
        problems: &mut Vec<String>,
    ) -> Result<Option<Content>, AuthorError> {
        let (Some(judge), Some(task)) = (files.remove("judge.js"), files.remove(TASK_FILE)) else { return Ok(None) };
        let described: Described = match decode::decode(&task, "") {
            Ok(described) => described,
            Err(error) => {
                problems.push(format!("{TASK_FILE}: {error}"));
                return Ok(None);
            }
        };
        let task = self.task(id, described, &files);
        let mut files: BTreeMap<String, Vec<u8>> =
            files.into_iter().map(|(name, text)| (name, text.into_bytes())).collect();
        files.insert(TASK_FILE.to_owned(), scaffold::pretty(self.ideas.category, &task)?.into_bytes());
        // An idle call: the list is derived when the projects hold.
        files.insert(ORACLE_FILE.to_owned(), template(Category::Debug).oracle.into());
        Ok(Some(Content { files, judge }))
    }

    fn task(&self, id: &TaskId, described: Described, files: &BTreeMap<String, String>) -> Task {
        let (initial, golden) = self.projects();
        let named = |name: &str| -> Vec<String> { files.keys().filter(|file| *file == name).cloned().collect() };
        Task {
            format: 1,
            id: id.clone(),
            category: self.ideas.category,
            title: described.title,
            instruction: described.instruction,
            base: self.base().cloned(),
            initial: initial.to_owned(),
            golden: golden.to_owned(),
            evaluation: id.to_string(),
            oracle: Some(crate::model::OracleFiles { composite: ORACLE_FILE.to_owned(), primitive: None }),
            limits: Limits {
                // A guess until the mouse oracle has played the task.
                steps: StepLimits { composite: described.steps, primitive: 2 * described.steps },
                wall_s: WALL_S,
                case_ms: described.case_ms,
                task_ms: described.task_ms,
            },
            stage: StageSize::Large,
            seeds: vec![1],
            difficulty: Some(described.difficulty),
            concepts: described.concepts,
            expected_changed_blocks: Some(described.expected_changed_blocks),
            second_solutions: named("second.txt"),
            slow_solutions: named("slow.txt"),
        }
    }
}

/// The files of a template, to be looked at. Kinds without a project of their own are shown the one of another kind.
fn example(category: Category) -> Vec<serde_json::Value> {
    let kind = if template(category).project.is_some() { category } else { Category::Create };
    let shown = template(kind);
    let mut files = vec![("judge.js", shown.judge)];
    if let Some(project) = shown.project {
        files.extend([("initial.txt", project.initial), ("golden.txt", project.golden)]);
    }
    let named = |text: &str| text.replace("{{ sprite }}", "Snail").replace("{{ id }}", "example");
    files.into_iter().map(|(name, text)| json!({"name": name, "text": named(text)})).collect()
}
