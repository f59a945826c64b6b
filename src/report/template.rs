//! HTML from templates, and files of reports.

use std::fs;
use std::path::Path;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Value};

use super::ReportError;
use crate::files::write_whole;

/// Makes a page from one of some templates, each a name and a text. Names end with `.html`, so that what is put into the
/// page is escaped.
pub(crate) fn render(
    templates: &[(&str, &str)],
    template: &str,
    page: &str,
    data: Value,
) -> Result<String, ReportError> {
    let made = || {
        let mut environment = Environment::new();
        environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
        for (name, text) in templates {
            environment.add_template(name, text)?;
        }
        environment.get_template(template)?.render(data)
    };
    made().map_err(|source| ReportError::Template { page: page.to_owned(), source })
}

/// Writes a file, and creates its folder if needed.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<(), ReportError> {
    let failed = |source| ReportError::Write { path: path.to_owned(), source };
    fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(failed)?;
    write_whole(path, content).map_err(failed)
}
