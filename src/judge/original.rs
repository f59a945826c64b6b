//! Projects of any version of Scratch, as the editor's own loader understands them: loaded in a VM apart from the editor's, and given as
//! the editor would save them. What should come of a project that does not load is not decided here.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::PlayError;
use super::limits::{LEAST_WORK, LOADING, POLL_LIMIT, POLL_WAIT_MS};
use crate::page::{Idleness, Page, PageError, PageFn};
use crate::page_fn;
use crate::project::Project;

/// Begins to load a project, waits for it for a while, and tells what became of it; nothing as long as it goes on. What it has told it
/// tells again, until another project is sent.
const LOAD_ORIGINAL: PageFn<LoadOriginal, Option<Answer>> = page_fn!("judge", "load-original");

/// The number of the next load.
static NEXT: AtomicU64 = AtomicU64::new(1);

#[derive(Debug, Serialize)]
struct LoadOriginal {
    /// Tells it from every other load, in any page.
    number: u64,
    /// A file in base64; none to wait for the one that is being loaded.
    project: Option<String>,
    wait_ms: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    load_ms: f64,
    error: Option<String>,
    original: Option<Content>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    targets: usize,
    broken: Vec<String>,
    json: String,
    assets: BTreeMap<String, String>,
}

/// A project as the editor's loader understands it.
#[derive(Debug, Clone, PartialEq)]
pub struct Original {
    /// As the editor would save it.
    pub project: Project,
    /// The stage and the sprites that there are after loading.
    pub targets: usize,
    /// Costumes that can't be shown, with their sprites.
    pub broken: Vec<String>,
    /// Milliseconds that loading took.
    pub load_ms: f64,
}

/// Loads a project in this page. After an error of the page itself the page must be discarded.
pub(super) async fn load(page: &Page, file: &[u8]) -> Result<Original, PlayError> {
    let Some(answer) = page.while_working(LOADING, answered(page, file)).await? else {
        return Err(PlayError::Hung(format!("the project did not load within {LOADING:?} of processor time")));
    };
    original(answer)
}

/// What the page has told. Only its own word, or what it gives as a project and is none, says that a project can't be loaded; what does
/// not come through whole says nothing of it.
fn original(answer: Answer) -> Result<Original, PlayError> {
    let Some(content) = answer.original else {
        return Err(match answer.error {
            Some(error) => PlayError::Unloadable(error),
            None => PlayError::Broke("the page gave neither a project nor a reason".to_owned()),
        });
    };
    let assets = content.assets.into_iter().map(|(name, data)| Ok((name, STANDARD.decode(data)?)));
    let assets: Result<BTreeMap<_, _>, base64::DecodeError> = assets.collect();
    let assets = assets.map_err(|error| PlayError::Broke(error.to_string()))?;
    let project = Project::from_json(&content.json, assets);
    let project = project.map_err(|error| PlayError::Unloadable(error.to_string()))?;
    Ok(Original { project, targets: content.targets, broken: content.broken, load_ms: answer.load_ms })
}

/// Asks the page until it has loaded the project, however long that takes on a busy machine.
async fn answered(page: &Page, file: &[u8]) -> Result<Answer, PageError> {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut args = LoadOriginal { number, project: Some(STANDARD.encode(file)), wait_ms: POLL_WAIT_MS };
    let mut idleness = Idleness::of(page, LEAST_WORK);
    loop {
        let told = page.call_within(&LOAD_ORIGINAL, &args, POLL_LIMIT).await;
        match told {
            Ok(Some(answer)) => return Ok(answer),
            // It has the file.
            Ok(None) => args.project = None,
            // A busy machine, or a page that is blocked: it is asked again, and tells again what was lost on its way. One that has the
            // file already takes it no second time.
            Err(PageError::Timeout { .. }) => {}
            Err(error) => return Err(error),
        }
        idleness.check(page)?;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(answer: serde_json::Value) -> Result<Original, PlayError> {
        original(serde_json::from_value(answer).unwrap())
    }

    #[test]
    fn only_what_the_page_says_makes_a_project_one_that_can_not_be_loaded() {
        let refused = told(json!({"load_ms": 3.0, "error": "no targets", "original": null})).unwrap_err();
        assert!(matches!(&refused, PlayError::Unloadable(why) if why == "no targets"), "{refused}");
        let silent = told(json!({"load_ms": 3.0, "error": null, "original": null})).unwrap_err();
        let content = json!({"targets": 1, "broken": [], "json": "{}", "assets": {"a.svg": "%"}});
        let garbled = told(json!({"load_ms": 3.0, "error": null, "original": content})).unwrap_err();
        for error in [silent, garbled] {
            assert!(!error.is_of_project() && error.is_trouble(), "{error}");
        }
    }
}
