//! The page about one forged fault, as one file, for people who may see the truth. What is shown is gathered in `fault_views`.

use std::path::Path;

use minijinja::value::Serde;
use minijinja::{Value, context};

use super::ReportError;
use super::runs::CSS;
use super::template::{render, write};
use crate::fault_views::InstancePage;

const TEMPLATE: (&str, &str) =
    ("instance.html", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/instance.html")));
/// The macro that shows a film, and its look.
pub(super) const FILM: (&str, &str) =
    ("film.html", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/film.html")));
pub(super) const FILM_CSS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/film.css"));
const OWN_CSS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reports/instance.css"));

/// Writes the page as one file that needs no other.
///
/// # Errors
/// [`ReportError::Write`] when it can't be written.
pub fn write_instance_page(file: &Path, page: &InstancePage) -> Result<(), ReportError> {
    let css = Value::from_safe_string(format!("{CSS}{OWN_CSS}{FILM_CSS}"));
    let data = context! { page => Serde(page), css, version => env!("CARGO_PKG_VERSION") };
    write(file, render(&[TEMPLATE, FILM], TEMPLATE.0, &file.display().to_string(), data)?.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault_views::fakes;

    #[test]
    fn the_page_needs_no_other_file_and_escapes_what_projects_say() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bee.html");
        write_instance_page(&file, &fakes::page()).unwrap();
        let html = std::fs::read_to_string(&file).unwrap();
        for there in [
            "data:image/svg+xml;base64,PHN2Zz4=",
            "There is no such script here.",
            "data:image/png;base64,AA==",
            "data:image/png;base64,AQ==",
            "<code>set [score v] to [0]</code>",
            "<span class=\"gone\">- say [&lt;go&gt;]",
            "a guard; nothing is asserted in it",
            "first difference on the stage",
        ] {
            assert!(html.contains(there), "{there} is not in {html}");
        }
        assert!(!html.contains("<Bee>") && !html.contains("<b>") && !html.contains("<this>"));
        assert!(!html.contains("http:") && !html.contains("https:") && !html.contains("<script"));
    }
}
