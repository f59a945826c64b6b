//! A contact sheet of a pool: one page with a picture of each project's stage, its features, tags and licence.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::context;
use minijinja::value::Serde;
use serde::{Deserialize, Serialize};

use super::ReportError;
use super::template::{render, write};
use crate::bugs::Features;
use crate::bugs::{BugsError, Doubt, Licence, Pool, PoolEntry};

const TEMPLATE: (&str, &str) =
    ("sheet.html", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/intake/sheet.html")));

/// What is shown of a project.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Specimen {
    pub id: String,
    pub group: String,
    pub features: Features,
    /// Blocks of a tick in the smoke run.
    pub tick_work: Option<u64>,
    pub tags: Vec<String>,
    /// The SPDX expression, or `unknown`.
    pub licence: String,
    pub attribution: String,
    pub source: String,
    pub publish: bool,
    /// `draft`, `written`, `confirmed`, or `none`.
    pub record: String,
    /// Why it is `written`, if it says that it is confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Doubt>,
    pub goal: String,
    /// A PNG in base64.
    #[serde(skip)]
    pub(super) picture: Option<String>,
}

/// What is read of a `measure.json`.
#[derive(Debug, Deserialize)]
struct Measure {
    features: Features,
    tags: Vec<String>,
    smoke: Option<Smoke>,
}

#[derive(Debug, Deserialize)]
struct Smoke {
    /// Missing in pools of older versions, which measured milliseconds.
    tick_work: Option<u64>,
}

impl Specimen {
    /// Reads what a pool has of a project.
    ///
    /// # Errors
    /// When one of its files is missing or broken.
    pub fn of(pool: &Pool, entry: &PoolEntry) -> Result<Self, BugsError> {
        let file = pool.folder_of(&entry.id).join("measure.json");
        let absent = || BugsError::Malformed { file, message: "there is no such file".to_owned() };
        let measure: Measure = pool.noted(&entry.id, "measure.json")?.ok_or_else(absent)?;
        let licence: Option<Licence> = pool.noted(&entry.id, "licence.json")?;
        let (record, doubt) = pool.record_of(entry)?.unzip();
        let picture = std::fs::read(pool.folder_of(&entry.id).join("stage.png")).ok();
        let of = |text: Option<String>| text.unwrap_or_default();
        Ok(Self {
            id: entry.id.clone(),
            group: entry.group.clone(),
            features: measure.features,
            tick_work: measure.smoke.and_then(|smoke| smoke.tick_work),
            tags: measure.tags,
            licence: licence.as_ref().and_then(|known| known.spdx.clone()).unwrap_or_else(|| "unknown".to_owned()),
            attribution: of(licence.as_ref().and_then(|known| known.attribution.clone())),
            source: of(licence.as_ref().map(|known| known.source.clone())),
            publish: licence.is_some_and(|known| known.publish),
            record: record.as_ref().map_or_else(|| "none".to_owned(), |record| record.status.to_string()),
            doubt: doubt.flatten(),
            goal: of(record.map(|record| record.goal.text)),
            picture: picture.map(|png| STANDARD.encode(png)),
        })
    }
}

/// Writes the sheet as one file that needs no other.
///
/// # Errors
/// [`ReportError::Write`] when it can't be written.
pub fn write_pool_sheet(file: &Path, profile: &str, specimens: &[Specimen]) -> Result<(), ReportError> {
    let pictures: Vec<Option<String>> = specimens.iter().map(|one| one.picture.clone()).collect();
    let uses: Vec<u32> = specimens.iter().map(|one| one.features.broadcast_uses()).collect();
    let data = context! { profile, specimens => Serde(specimens), pictures, uses };
    write(file, render(&[TEMPLATE], TEMPLATE.0, &file.display().to_string(), data)?.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_needs_no_other_file_and_escapes_what_projects_say() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sheet.html");
        let one = Specimen {
            id: "moth".to_owned(),
            group: "moth".to_owned(),
            features: Features { sprites: 7, sends: 2, receives: 3, ..Features::default() },
            tick_work: Some(250),
            tags: vec!["clones".to_owned()],
            licence: "unknown".to_owned(),
            attribution: "<b>me</b>".to_owned(),
            source: "here".to_owned(),
            publish: false,
            record: "draft".to_owned(),
            doubt: None,
            goal: "Catch \"moths\" & <owls>.".to_owned(),
            picture: Some("iVBORw0KGgo=".to_owned()),
        };
        write_pool_sheet(&file, "relaxed", &[one.clone(), Specimen { picture: None, ..one }]).unwrap();
        let html = std::fs::read_to_string(&file).unwrap();
        assert!(html.contains("data:image/png;base64,iVBORw0KGgo=") && html.contains("no picture"));
        assert!(html.contains("&lt;owls&gt;") && !html.contains("<b>me") && html.contains("relaxed"));
        assert!(!html.contains("http:") && !html.contains("https:") && !html.contains("<script src"));
    }
}
