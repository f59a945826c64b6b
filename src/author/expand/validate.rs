//! Static checks of a draft: its files exist, its texts parse and match, its pictures are plain, its judge requires
//! only what exists, and the task set would accept it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::author::place::{self, Content};
use crate::author::{AuthorError, scaffold};
use crate::files::Checkout;
use crate::model::{Category, TaskId};
use crate::notation::{self, Document, TextTarget};
use crate::taskset::TaskSet;

#[derive(Debug)]
pub(super) struct Subject<'a> {
    /// Where its base and the helpers of judges are.
    pub checkout: &'a Checkout,
    pub category: Category,
    pub id: &'a TaskId,
    pub base: Option<&'a TaskId>,
    /// Its initial and its golden project, as `task.json` names them.
    pub projects: (&'a str, &'a str),
    pub content: &'a Content,
}

/// All problems, in words for the author.
pub(super) fn problems(subject: &Subject<'_>) -> Result<Vec<String>, AuthorError> {
    let mut problems = Vec::new();
    let texts = subject.content.files.iter().filter(|(name, _)| has_extension(name, "txt"));
    let mut documents: BTreeMap<&str, Document> = BTreeMap::new();
    for (name, bytes) in texts {
        match notation::parse(&String::from_utf8_lossy(bytes)) {
            Ok(document) => {
                problems.extend(
                    missing_assets(subject, &document).map(|path| format!("{name} names {path}, which is not there")),
                );
                documents.insert(name, document);
            }
            Err(error) => problems.push(format!("{name}: {error}")),
        }
    }
    if let Some(base) = subject.base
        && let Ok(document) = notation::parse(&place::base_text(subject.checkout, base)?)
    {
        documents.insert(place::BASE_TEXT, document);
    }
    let (initial, golden) = subject.projects;
    if let (Some(initial), Some(golden)) = (documents.get(initial), documents.get(golden)) {
        problems.extend(pair(subject.category, initial, golden));
    }
    problems.extend(judge(subject.checkout, &subject.content.judge));
    problems.extend(staged(subject)?);
    Ok(problems)
}

fn has_extension(name: &str, extension: &str) -> bool {
    Path::new(name).extension().is_some_and(|found| found == extension)
}

/// The files that a text names and neither the draft nor its base has.
fn missing_assets<'a>(subject: &'a Subject<'_>, document: &'a Document) -> impl Iterator<Item = &'a str> {
    let costumes = document.targets.iter().flat_map(|target| &target.costumes).map(|costume| costume.file.as_str());
    let sounds = document.targets.iter().flat_map(|target| &target.sounds).map(|sound| sound.file.as_str());
    let named: BTreeSet<&str> = costumes.chain(sounds).collect();
    let base = subject.base.map(|base| subject.checkout.bases().join(base.as_str()));
    named.into_iter().filter(move |path| {
        let in_base = base.as_ref().is_some_and(|base| base.join(path).is_file());
        !subject.content.files.contains_key(*path) && !in_base
    })
}

/// Whether the two projects can be the initial and golden project of one task.
fn pair(category: Category, initial: &Document, golden: &Document) -> Vec<String> {
    let mut problems = Vec::new();
    let names = |document: &Document| document.targets.iter().map(|target| target.name.clone()).collect::<Vec<_>>();
    if names(initial) != names(golden) {
        problems.push("initial and golden project have different sprites".to_owned());
    } else if let Some((one, _)) = initial.targets.iter().zip(&golden.targets).find(|(a, b)| !same_scene(a, b)) {
        let name = &one.name;
        problems.push(format!(
            "\"{name}\" differs in more than scripts, variables and lists between initial and golden project"
        ));
    }
    if initial == golden {
        problems.push("initial and golden project are the same".to_owned());
    }
    let has_code = initial.targets.iter().any(|target| !target.scripts.is_empty());
    if category == Category::Create && has_code {
        problems.push("the initial project of a create task has no scripts".to_owned());
    }
    problems
}

/// Whether two targets differ by code at most.
fn same_scene(a: &TextTarget, b: &TextTarget) -> bool {
    a.state == b.state
        && a.costumes == b.costumes
        && a.current == b.current
        && a.sounds == b.sounds
        && a.volume.total_cmp(&b.volume).is_eq()
}

/// Whether a judge is a script that could be run. `check` finds out whether it is any good.
pub(super) fn judge(checkout: &Checkout, judge: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if !judge.contains("module.exports") {
        problems.push("judge.js does not set module.exports".to_owned());
    }
    for required in judge.split("require(").skip(1) {
        let name = required.split(')').next().unwrap_or_default().trim().trim_matches(['\'', '"']);
        let helper = name.strip_prefix("./lib/").filter(|name| !name.contains(['/', '\\']));
        let there = helper.is_some_and(|name| {
            let lib = checkout.judge_helpers();
            lib.join(name).is_file() || lib.join(format!("{name}.js")).is_file()
        });
        if !there {
            problems.push(format!("judge.js requires {name}, and there is only what is in ./lib"));
        }
    }
    problems
}

/// The faults that reading the task set reports, on a copy in a folder of its own.
fn staged(subject: &Subject<'_>) -> Result<Vec<String>, AuthorError> {
    let failed = |source| AuthorError::NotWritten { path: std::env::temp_dir(), source };
    let stage = tempfile::tempdir().map_err(failed)?;
    let copy = Checkout::at(stage.path());
    for shared in [Checkout::judge_helpers, Checkout::bases] {
        let (there, place) = (shared(subject.checkout), shared(&copy));
        let above = place.parent().unwrap_or(stage.path());
        fs::create_dir_all(above).and_then(|()| symlink(there, &place)).map_err(failed)?;
    }
    let draft = place::write(&copy, subject.category, subject.id, subject.content)?;
    let drafts = TaskSet::read_drafts(&copy)?;
    let problems = drafts.unfinished().iter().map(|problem| {
        let file = problem.file.strip_prefix(&draft.folder).unwrap_or(&problem.file).display();
        if problem.field.is_empty() {
            format!("{file}: {}", problem.message)
        } else {
            format!("{file}: `{}` {}", problem.field, problem.message)
        }
    });
    Ok(problems.collect())
}

/// The names of the projects of a draft of this kind.
pub(super) const fn project_names(category: Category, has_base: bool) -> (&'static str, &'static str) {
    match (category, has_base) {
        (Category::Debug, _) => (scaffold::INITIAL, place::BASE_TEXT),
        (Category::Extend, _) | (_, true) => (place::BASE_TEXT, scaffold::GOLDEN),
        (_, false) => (scaffold::INITIAL, scaffold::GOLDEN),
    }
}
