//! Locates syntax errors of a JavaScript file: the engine reports the place for a script compiled for the debugger, but
//! not for one evaluated in the page.

use chromiumoxide::cdp::js_protocol::runtime::CompileScriptParams;

use super::{Page, PageError};

/// What is wrong with the syntax of a file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxFault {
    /// The engine's message, such as `SyntaxError: Unexpected token ';'`.
    pub message: String,
    /// Line, from 1.
    pub line: i64,
}

impl Page {
    /// The first fault of a source, which is compiled and not run; `None` when there is none.
    ///
    /// # Errors
    /// When the page is lost.
    pub async fn syntax_fault(&self, source: &str) -> Result<Option<SyntaxFault>, PageError> {
        let answer = self.send("compiling a script", CompileScriptParams::new(source, "", false)).await?;
        Ok(answer.exception_details.map(|details| {
            let description = details.exception.and_then(|thrown| thrown.description).unwrap_or(details.text);
            let message = description.lines().next().unwrap_or_default().to_owned();
            SyntaxFault { message, line: details.line_number + 1 }
        }))
    }
}
