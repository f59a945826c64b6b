//! Archives that others made: what may be in them, and how much of it is unpacked. What an archive says of sizes is not
//! trusted; bytes are counted as they are written.

use std::borrow::Cow;
use std::fs::OpenOptions;
use std::io::{self, Read, Seek};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use zip::ZipArchive;

use super::StoreError;
use crate::files::{has_room_for, make_private_folders};

/// Files of fewer unpacked bytes may have any ratio: so much is kept of what a program leaves in an attempt, which may
/// be zeros.
const RATIO_FROM: u64 = 64 << 20;

/// How much an archive may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnpackLimits {
    pub files: usize,
    /// Bytes of all unpacked files.
    pub bytes: u64,
    /// Unpacked size over packed size of a large file, as in project archives; deflate itself can reach 1032.
    pub ratio: u64,
}

impl UnpackLimits {
    /// For archives from anywhere.
    pub const USUAL: Self = Self { files: 200_000, bytes: 2 << 30, ratio: 200 };
    /// For archives whose maker is trusted.
    pub const LARGE: Self = Self { files: 2_000_000, bytes: 64 << 30, ratio: u64::MAX };
}

/// What the archive at a path is refused with, for a reason.
pub(super) type Refused = fn(&Path, &str) -> StoreError;

/// An archive that is being unpacked.
pub(super) struct Unpacker<'a, R> {
    zip: ZipArchive<R>,
    path: &'a Path,
    refused: Refused,
    limits: UnpackLimits,
    /// Bytes that may still be unpacked.
    left: u64,
}

impl<'a, R: Read + Seek> Unpacker<'a, R> {
    /// Opens an archive; errors name `path`.
    ///
    /// # Errors
    /// When it is none, has too many files, or has one that must not be unpacked: a link, one that would lie outside,
    /// or one of two with the same name. Nothing is written then.
    pub(super) fn open(reader: R, path: &'a Path, limits: UnpackLimits, refused: Refused) -> Result<Self, StoreError> {
        let zip = ZipArchive::new(reader).map_err(|_| refused(path, "it is no zip file, or its end is missing"))?;
        let archive = Self { zip, path, refused, limits, left: limits.bytes };
        archive.check_names()?;
        Ok(archive)
    }

    fn check_names(&self) -> Result<(), StoreError> {
        let refused = |reason: &str| (self.refused)(self.path, reason);
        if self.zip.len() > self.limits.files {
            return Err(refused("it has too many files"));
        }
        if self.zip.has_duplicate_names() {
            return Err(refused("two of its files have the same name"));
        }
        for at in 0..self.zip.len() {
            let entry = self.zip.by_index_data(at).map_err(|error| refused(&error.to_string()))?;
            let name = entry.name().map_err(|error| refused(&error.to_string()))?;
            if entry.is_symlink() {
                return Err(refused(&format!("{name:?} is a link")));
            }
            if inside(name.trim_end_matches('/')).is_none() {
                return Err(refused("a file would lie outside"));
            }
        }
        Ok(())
    }

    /// Names of its files, folders left out.
    pub(super) fn names(&self) -> Vec<String> {
        let names = self.zip.file_names().filter_map(Result::ok);
        names.filter(|name| !name.ends_with('/')).map(Cow::into_owned).collect()
    }

    /// How many files and folders it has.
    pub(super) fn file_count(&self) -> usize {
        self.zip.len()
    }

    /// Unpacked bytes of a file by what the archive says; none if it has no file of this name.
    pub(super) fn listed_bytes(&self, name: &str) -> Option<u64> {
        let at = self.zip.index_for_name_raw(name.as_bytes())?;
        self.zip.by_index_data(at).ok().map(|entry| entry.size())
    }

    /// Asks in advance whether files of these names are too large, or too large for the disk of `folder`, by what the
    /// archive says of them.
    ///
    /// # Errors
    /// [`StoreError::TooLarge`] or [`StoreError::NoRoom`].
    pub(super) fn check_room<'n>(
        &self,
        names: impl Iterator<Item = &'n String>,
        folder: &Path,
    ) -> Result<(), StoreError> {
        let bytes = names.filter_map(|name| self.listed_bytes(name)).fold(0, u64::saturating_add);
        if bytes > self.left {
            return Err(self.too_large());
        }
        if !has_room_for(folder, bytes) {
            return Err(StoreError::NoRoom { path: self.path.to_owned(), folder: folder.to_owned(), bytes });
        }
        Ok(())
    }

    /// The content of a small file; none if the archive has no file of this name.
    ///
    /// # Errors
    /// When it is damaged, or has more than `most` bytes.
    pub(super) fn read(&mut self, name: &str, most: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let mut content = Vec::new();
        let copied = self.copy(name, most, &mut content)?;
        Ok(copied.then_some(content))
    }

    /// Unpacks a file to a new one, whose folders are made, both for their owner alone. `false` if the archive has no file of this name.
    ///
    /// # Errors
    /// When it is damaged or too large, or the disk refuses; part of it may be there then.
    pub(super) fn unpack(&mut self, name: &str, to: &Path) -> Result<bool, StoreError> {
        if let Some(parent) = to.parent() {
            make_private_folders(parent).map_err(StoreError::unwritable(parent))?;
        }
        // Records of runs have secret seeds.
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(to);
        let mut file = file.map_err(StoreError::unwritable(to))?;
        self.copy(name, u64::MAX, &mut file)
    }

    fn copy(&mut self, name: &str, most: u64, to: &mut impl io::Write) -> Result<bool, StoreError> {
        let Some(at) = self.zip.index_for_name_raw(name.as_bytes()) else { return Ok(false) };
        let (path, refused, left) = (self.path, self.refused, self.left);
        let entry = self.zip.by_index(at).map_err(|error| refused(path, &error.to_string()))?;
        let most = most.min(RATIO_FROM.max(entry.compressed_size().saturating_mul(self.limits.ratio)));
        let copied = io::copy(&mut entry.take(most.min(left).saturating_add(1)), to);
        let copied = copied.map_err(StoreError::unreadable(path))?;
        if copied > left {
            return Err(self.too_large());
        }
        if copied > most {
            return Err(refused(path, &format!("{name:?} unpacks to more than it may")));
        }
        self.left = left - copied;
        Ok(true)
    }

    fn too_large(&self) -> StoreError {
        StoreError::TooLarge { path: self.path.to_owned(), bytes: self.limits.bytes }
    }
}

/// A name as a path that leads nowhere else, and that no other name means.
pub(super) fn inside(name: &str) -> Option<&Path> {
    let is_plain = !name.contains('\0') && name.split('/').all(|part| !matches!(part, "" | "." | ".."));
    is_plain.then(|| Path::new(name))
}

#[cfg(test)]
#[path = "unpacker_tests.rs"]
mod tests;
