//! What an agent knows of its session, and so what must still be there: a variable that an export has shown is in every
//! later one, whatever happens to pages and browsers meanwhile.

use super::answers::Reply;
use crate::project::Project;
use crate::project::view::targets;

/// Whether a call in a session was refused because the session is no more.
pub(super) fn is_gone(reply: &Reply) -> bool {
    matches!(reply.code().as_str(), "unknown_session" | "session_ended" | "session_expired")
}

#[derive(Debug, Default)]
pub(super) struct Standing {
    /// Whether a hostile program is in the session, or may be: a request that would have changed the project was not
    /// answered.
    pub(super) is_in_doubt: bool,
    /// Whether the session is gone.
    pub(super) is_gone: bool,
    /// A variable that was added, and that no export has shown yet.
    added: Option<String>,
    /// A variable that an export has shown.
    shown: Option<String>,
}

impl Standing {
    /// A variable of this name was added.
    pub(super) fn added(&mut self, name: &str) {
        self.added = Some(name.to_owned());
    }

    /// The project may be another one now, and may do what it likes.
    pub(super) fn doubt(&mut self) {
        *self = Self { is_in_doubt: true, is_gone: self.is_gone, ..Self::default() };
    }

    /// The session has the project that it began with.
    pub(super) fn restart(&mut self) {
        *self = Self { is_gone: self.is_gone, ..Self::default() };
    }

    /// The project was exported.
    ///
    /// # Errors
    /// In words, when it has lost what an earlier export had.
    pub(super) fn exported(&mut self, sb3: &[u8]) -> Result<(), String> {
        if self.is_in_doubt {
            return Ok(());
        }
        let project = Project::read(sb3).map_err(|error| format!("the export is no project: {error}"))?;
        if let Some(shown) = self.shown.take_if(|shown| !has_variable(&project, shown)) {
            return Err(format!("an export does not have the variable {shown}, which an earlier one had"));
        }
        if let Some(added) = self.added.take_if(|added| has_variable(&project, added)) {
            self.shown = Some(added);
        }
        Ok(())
    }
}

fn has_variable(project: &Project, name: &str) -> bool {
    let named = |variable: &serde_json::Value| variable.get(0).and_then(serde_json::Value::as_str) == Some(name);
    targets(&project.json).any(|target| target.entries("variables").any(|(_, variable)| named(variable)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::chaos::foreign;

    fn export(variables: &[&str]) -> Vec<u8> {
        let mut project = foreign::plain();
        for name in variables {
            project.json["targets"][0]["variables"][*name] = serde_json::json!([name, 0]);
        }
        project.write().unwrap()
    }

    #[test]
    fn what_an_export_has_shown_must_be_in_later_ones() {
        let mut standing = Standing::default();
        standing.added("v1");
        standing.exported(&export(&[])).unwrap();
        standing.exported(&export(&["v1"])).unwrap();
        standing.added("v2");
        standing.exported(&export(&["v1"])).unwrap();
        standing.exported(&export(&["v1", "v2"])).unwrap();
        assert!(standing.exported(&export(&["v1"])).unwrap_err().contains("v2"));
        assert!(standing.exported(b"nonsense").is_err());
        standing.exported(&export(&[])).unwrap();
    }

    #[test]
    fn nothing_is_expected_of_a_project_in_doubt_until_the_session_starts_over() {
        let mut standing = Standing::default();
        standing.added("v1");
        standing.exported(&export(&["v1"])).unwrap();
        standing.doubt();
        standing.added("v2");
        standing.exported(b"nonsense").unwrap();
        standing.restart();
        standing.exported(&export(&[])).unwrap();
        assert!(!standing.is_in_doubt);
    }
}
