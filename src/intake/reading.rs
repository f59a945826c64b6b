//! Takes a file apart as far as that needs no editor: which version of Scratch wrote it, and whether it is small enough to be loaded.

use std::io::{self, Cursor, Read as _};
use std::path::Path;

use zip::ZipArchive;

use super::kept::Fault;
use crate::model::Coded as _;
use crate::project::{Limits, Project, ProjectError};

/// Bytes of a file that is read at all.
const MOST_BYTES: u64 = 64 << 20;
/// How files of Scratch 1 begin.
const SCRATCH_1: &[u8] = b"ScratchV0";

/// What a file is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Format {
    /// A project of Scratch 3.
    Sb3(Box<Project>),
    /// A file of an older version, which only the editor's loader can read.
    Sb2,
    Sb,
}

/// Reads a file that is not too large.
pub(super) fn bytes_of(file: &Path) -> Result<Vec<u8>, Fault> {
    let unreadable = |error: std::io::Error| Fault::new("unreadable", error.to_string());
    let size = std::fs::metadata(file).map_err(unreadable)?.len();
    if size > MOST_BYTES {
        return Err(Fault::new("file_too_large", format!("{size} bytes, at most {MOST_BYTES}")));
    }
    std::fs::read(file).map_err(unreadable)
}

/// What a file is, judged by its content: endings may be wrong.
///
/// # Errors
/// Why it can be no project, or one that must not be loaded.
pub(super) fn format_of(bytes: &[u8]) -> Result<Format, Fault> {
    if bytes.starts_with(SCRATCH_1) {
        return Ok(Format::Sb);
    }
    match Project::read(bytes) {
        Ok(project) => Ok(Format::Sb3(Box::new(project))),
        // Valid JSON in a sound archive: what Scratch 2 wrote, or nothing of Scratch's, which the loader tells.
        Err(ProjectError::NotAProject(_)) => unpacks_to_little(bytes).map(|()| Format::Sb2),
        Err(error) => Err(Fault::new(error.code(), error.to_string())),
    }
}

/// The assets of Scratch 2 have names of their own, so that reading the archive as one of Scratch 3 does not bound them.
fn unpacks_to_little(bytes: &[u8]) -> Result<(), Fault> {
    let broken = |error: zip::result::ZipError| Fault::new("broken_archive", error.to_string());
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    let (limits, mut left) = (Limits::default(), Limits::default().total_bytes);
    if archive.len() > limits.entries {
        return Err(Fault::new("archive_too_large", format!("it has {} files", archive.len())));
    }
    for index in 0..archive.len() {
        let most = limits.entry_bytes.min(left);
        // What the archive says of sizes is not trusted.
        let content = &mut archive.by_index(index).map_err(broken)?.take(most + 1);
        let size = io::copy(content, &mut io::sink()).map_err(|error| broken(error.into()))?;
        if size > most {
            return Err(Fault::new("archive_too_large", format!("a file of it has more than {most} bytes")));
        }
        left -= size;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in entries {
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn versions_are_told_by_content() {
        assert_eq!(format_of(b"ScratchV02...").unwrap(), Format::Sb);
        let old = zip_of(&[("project.json", br#"{"objName": "Stage", "children": []}"#), ("0.png", b"x")]);
        assert_eq!(format_of(&old).unwrap(), Format::Sb2);
        let new = zip_of(&[("project.json", br#"{"targets": []}"#)]);
        assert!(matches!(format_of(&new).unwrap(), Format::Sb3(_)));
        assert_eq!(format_of(b"nothing").unwrap_err().code, "broken_archive");
        let bomb = zip_of(&[("project.json", br#"{"objName": "Stage"}"#), ("0.png", &vec![0; 40 << 20])]);
        assert_eq!(format_of(&bomb).unwrap_err().code, "archive_too_large");
        let mut lying = bomb;
        let (size, said) = ((40_u32 << 20).to_le_bytes(), 1_u32.to_le_bytes());
        while let Some(at) = lying.windows(4).position(|part| part == size) {
            lying[at..at + 4].copy_from_slice(&said);
        }
        assert!(format_of(&lying).is_err(), "it says that the picture has one byte");
    }
}
