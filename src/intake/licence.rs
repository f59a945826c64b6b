//! Under which licence a project comes: what a `licence.json` beside it says, or the flags of a scan (ScratchEval, section 2.1).

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::kept::Fault;
use super::sources::Source;
use crate::bugs::Licence;

/// The name of a licence's file.
const FILE: &str = "licence.json";

/// What is said of all projects of a scan; it has precedence over files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LicenceFlags {
    /// An SPDX expression.
    pub spdx: Option<String>,
    pub attribution: Option<String>,
    pub source: Option<String>,
}

/// A `licence.json`: the record without what a scan finds out itself.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    source: Option<String>,
    url: Option<String>,
    spdx: Option<String>,
    attribution: Option<String>,
    retrieved: Option<String>,
    #[serde(default)]
    changes: Vec<String>,
    share_alike: Option<bool>,
    publish: Option<bool>,
}

/// The licence of a project. Without a known one it is never published.
///
/// # Errors
/// A fault when its `licence.json` is broken: to pass over it would be to lose what its author asks for.
pub(super) fn of(source: &Source, flags: &LicenceFlags) -> Result<Licence, Fault> {
    let written = match places(source).into_iter().find(|place| place.is_file()) {
        Some(place) => read(&place)?,
        None => Written::default(),
    };
    let spdx = flags.spdx.clone().or(written.spdx);
    let folder = source.root.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(Licence {
        source: flags.source.clone().or(written.source).or(folder).unwrap_or_else(|| source.name()),
        url: written.url,
        attribution: flags.attribution.clone().or(written.attribution),
        retrieved: written.retrieved,
        sha256_original: None,
        changes: written.changes,
        share_alike: written.share_alike.unwrap_or_else(|| spdx.as_deref().is_some_and(is_share_alike)),
        publish: spdx.is_some() && written.publish.unwrap_or(true),
        spdx,
    })
}

/// Where a licence may lie, the nearest place first: for this file, for its folder, for the folders around it up to the source.
fn places(source: &Source) -> Vec<PathBuf> {
    let own = source.file.with_extension(FILE);
    let within = |folder: &&Path| folder.starts_with(&source.root);
    let folders = source.file.ancestors().skip(1).take_while(within);
    std::iter::once(own).chain(folders.map(|folder| folder.join(FILE))).collect()
}

fn read(place: &Path) -> Result<Written, Fault> {
    let wrong = |error: &dyn std::fmt::Display| Fault::new("licence_broken", format!("{}: {error}", place.display()));
    let text = fs::read_to_string(place).map_err(|error| wrong(&error))?;
    serde_json::from_str(&text).map_err(|error| wrong(&error))
}

/// Whether what is made of it must have the same licence.
fn is_share_alike(spdx: &str) -> bool {
    let is_one = |licence: &str| {
        let licence = licence.to_uppercase();
        licence.contains("-SA-") || licence.starts_with("GPL") || licence.starts_with("AGPL")
    };
    // Of alternatives the freest may be taken.
    spdx.split(" OR ")
        .all(|alternative| alternative.split(" AND ").any(|one| is_one(one.trim_matches(['(', ')', ' ']))))
}

/// How welcome a licence is: the lower the better.
pub(super) const fn rank(licence: &Licence) -> u8 {
    match (licence.publish, licence.share_alike) {
        (true, false) => 0,
        (true, true) => 1,
        (false, _) => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::super::sources::SourceKind;
    use super::*;

    fn source(root: &Path, file: &str) -> Source {
        Source { file: root.join(file), kind: SourceKind::File, root: root.to_owned() }
    }

    #[test]
    fn the_nearest_licence_counts_and_flags_before_it() {
        let root = tempfile::tempdir().unwrap();
        let place = root.path();
        fs::create_dir_all(place.join("a/b")).unwrap();
        let none = of(&source(place, "a/b/x.sb"), &LicenceFlags::default()).unwrap();
        assert!(none.spdx.is_none() && !none.publish);
        fs::write(place.join(FILE), r#"{"spdx": "CC-BY-SA-3.0", "attribution": "MIT"}"#).unwrap();
        fs::write(place.join("a/b/y.licence.json"), r#"{"spdx": "CC0-1.0", "publish": false, "source": "there"}"#)
            .unwrap();
        let far = of(&source(place, "a/b/x.sb"), &LicenceFlags::default()).unwrap();
        assert_eq!((far.spdx.as_deref(), far.share_alike, far.publish), (Some("CC-BY-SA-3.0"), true, true));
        let near = of(&source(place, "a/b/y.sb"), &LicenceFlags::default()).unwrap();
        assert_eq!((near.source.as_str(), near.share_alike, near.publish), ("there", false, false));
        let flags = LicenceFlags { spdx: Some("MIT".to_owned()), ..LicenceFlags::default() };
        let said = of(&source(place, "a/b/x.sb"), &flags).unwrap();
        assert_eq!((said.spdx.as_deref(), said.attribution.as_deref()), (Some("MIT"), Some("MIT")));
        assert_eq!([rank(&said), rank(&far), rank(&none)], [0, 1, 2]);
        fs::write(place.join("a/b/z.licence.json"), r#"{"spdx": 1}"#).unwrap();
        assert_eq!(of(&source(place, "a/b/z.sb"), &flags).unwrap_err().code, "licence_broken");
    }

    #[test]
    fn share_alike_is_read_off_the_expression() {
        assert!(is_share_alike("CC-BY-SA-4.0") && is_share_alike("GPL-2.0-or-later AND MIT"));
        assert!(!is_share_alike("MIT OR GPL-2.0-only") && !is_share_alike("CC-BY-4.0"));
    }
}
