//! Classifies the name of a file in an archive: the project, an asset, nothing, or an attempt to be two things at once.

use super::ProjectError;

/// Name of the project's description inside of the archive.
pub(super) const PROJECT_JSON: &str = "project.json";

/// Where a file of the archive belongs.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It is `project.json`.
    Project,
    /// It is a costume or a sound, by this name.
    Asset(String),
    /// It does not belong to a project, and is left out.
    Nowhere,
}

/// The place of a name.
///
/// # Errors
/// [`ProjectError::BadName`] for a name that unpackers understand in different ways: absolute, with backslashes,
/// or with a part that is empty or made of dots.
pub(super) fn place_of(name: &str) -> Result<Place, ProjectError> {
    let bad = |why| Err(ProjectError::BadName { name: name.to_owned(), why });
    let path = name.strip_suffix('/').unwrap_or(name);
    if name.contains(['\\', '\0']) {
        return bad("it holds a backslash or a zero byte");
    }
    if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return bad("it is absolute, or has a part that leads elsewhere");
    }
    if is_project_json(name) {
        return Ok(Place::Project);
    }
    Ok(asset_name(name).map_or(Place::Nowhere, |asset| Place::Asset(asset.to_owned())))
}

/// The file name without folders, if it is that of an asset: 32 hexadecimal digits, a dot and an extension.
pub fn asset_name(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    let (digest, extension) = name.split_once('.')?;
    let hex = digest.len() == 32 && digest.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    let plain = (1..=4).contains(&extension.len()) && extension.bytes().all(|b| b.is_ascii_alphanumeric());
    (hex && plain).then_some(name)
}

/// Scratch itself accepts project.json at the top or one folder deep.
fn is_project_json(name: &str) -> bool {
    match name.split_once('/') {
        None => name == PROJECT_JSON,
        Some((_, rest)) => rest == PROJECT_JSON,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scratchbed_model::Coded;

    #[test]
    fn names_have_one_meaning_or_are_refused() {
        let asset = "0123456789abcdef0123456789abcdef.svg";
        assert_eq!(place_of("project.json").unwrap(), Place::Project);
        assert_eq!(place_of("game/project.json").unwrap(), Place::Project);
        assert_eq!(place_of("a/b/project.json").unwrap(), Place::Nowhere);
        assert_eq!(place_of(&format!("game/{asset}")).unwrap(), Place::Asset(asset.to_owned()));
        assert_eq!(place_of("game/").unwrap(), Place::Nowhere);
        assert_eq!(place_of("notes..txt").unwrap(), Place::Nowhere);
        for name in
            ["/project.json", "a/../project.json", "./project.json", "a//project.json", "a\\project.json", "", "/"]
        {
            assert_eq!(place_of(name).unwrap_err().code(), "bad_entry_name", "{name:?}");
        }
    }
}
