//! Scripts that cannot be compiled: the file and the place of the error.

use super::page_run::{Ending, PageRun};
use crate::page::Page;
use crate::taskset::{EvaluationSources, TaskEntry};

/// How the engine's messages on syntax begin.
const SYNTAX: &str = "SyntaxError";

/// Locates a syntax error in a script or its helpers, if a run ended with one. The page reports positions in our own
/// functions only.
pub(super) async fn located(page: &Page, entry: &TaskEntry, sources: &EvaluationSources, run: PageRun) -> PageRun {
    match &run.ending {
        Ending::Broke(message) if message.starts_with(SYNTAX) => {}
        _ => return run,
    }
    for file in std::iter::once(&sources.script).chain(&sources.prelude).chain(&sources.helpers) {
        // A page that is lost by now has no answer, and the script's own message stays.
        if let Ok(Some(fault)) = page.syntax_fault(&as_module(&file.source)).await {
            let path = if file == &sources.script { shown(entry) } else { format!("eval-scripts/{}", file.name) };
            let message = format!("{path}:{}: {}", fault.line, fault.message);
            return PageRun { ending: Ending::Broke(message), ..run };
        }
    }
    run
}

/// A file as the judge compiles it: a function, with its first line where it was.
fn as_module(source: &str) -> String {
    format!("(function(){{return function(module,exports,require){{{source}\n}}}})")
}

/// The script's file from `eval-scripts` on: a draft's file is deeper than its name shows.
fn shown(entry: &TaskEntry) -> String {
    let path = entry.script();
    let inner = path.strip_prefix(&entry.scripts).unwrap_or(&path);
    format!("eval-scripts/{}", inner.display())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::taskset::TaskSet;

    #[test]
    fn a_drafts_script_is_shown_where_it_lies() {
        let set = TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let mut entry = set.find("kite_gusts").unwrap().clone();
        assert_eq!(shown(&entry), "eval-scripts/kite_gusts.js");
        let root = tempfile::tempdir().unwrap();
        entry.scripts = root.path().join("eval-scripts");
        entry.folder = root.path().join("tasks/drafts/extend/kite_gusts");
        std::fs::create_dir_all(entry.scripts.join("drafts")).unwrap();
        std::fs::create_dir_all(&entry.folder).unwrap();
        std::fs::write(entry.scripts.join("drafts/kite_gusts.js"), "").unwrap();
        assert_eq!(shown(&entry), "eval-scripts/drafts/kite_gusts.js");
    }
}
