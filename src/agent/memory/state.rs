//! What agents know at one time: text files by their names.

use std::collections::BTreeMap;
use std::path::Path;

use super::MemoryError;
use crate::model::sha256_hex;

/// Letters of a SHA-256 digest.
const DIGEST: usize = 64;

/// Text files by their names. Equal states have equal digests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryState(BTreeMap<String, String>);

impl FromIterator<(String, String)> for MemoryState {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(files: T) -> Self {
        Self(files.into_iter().collect())
    }
}

impl MemoryState {
    /// The text of a file; empty where there is none.
    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// Replaces a file.
    pub fn put(&mut self, name: &str, text: impl Into<String>) {
        self.0.insert(name.to_owned(), text.into());
    }

    /// All files, by name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What names it: the SHA-256 of its names and texts, as hexadecimal digits.
    pub fn digest(&self) -> String {
        let mut bytes = Vec::new();
        for part in self.0.iter().flat_map(|(name, text)| [name, text]) {
            bytes.extend((part.len() as u64).to_be_bytes());
            bytes.extend(part.as_bytes());
        }
        sha256_hex(&bytes)
    }

    /// Reads a folder of text files. One that is named by a digest must have it.
    ///
    /// # Errors
    /// When there is none, or it has something else in it.
    pub fn read(folder: &Path) -> Result<Self, MemoryError> {
        if !folder.is_dir() {
            return Err(MemoryError::Absent { path: folder.to_owned() });
        }
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            move |source| MemoryError::Unreadable { path, source }
        };
        let mut files = BTreeMap::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable(folder))? {
            let path = entry.map_err(unreadable(folder))?.path();
            let text = std::fs::read_to_string(&path).map_err(unreadable(&path))?;
            files.insert(path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text);
        }
        let state = Self(files);
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let is_digest = name.len() == DIGEST && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let found = state.digest();
        if is_digest && name != found {
            return Err(MemoryError::Changed { path: folder.to_owned(), found });
        }
        // A folder of no one's making is more likely a mistake than an empty memory.
        if state.is_empty() && !is_digest {
            return Err(MemoryError::Absent { path: folder.to_owned() });
        }
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Coded as _;

    fn of(files: &[(&str, &str)]) -> MemoryState {
        files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn digests_tell_states_apart_however_they_came_about() {
        let mut grown = MemoryState::default();
        assert!(grown.is_empty() && grown.get("a").is_empty());
        grown.put("b", "2");
        grown.put("a", "0");
        grown.put("a", "1");
        assert_eq!(grown, of(&[("a", "1"), ("b", "2")]));
        assert_eq!(grown.digest(), of(&[("b", "2"), ("a", "1")]).digest());
        let others =
            [of(&[]), of(&[("a", "1")]), of(&[("a", "1b2")]), of(&[("a", "1b"), ("", "2")]), of(&[("a1", "b2")])];
        let digests: std::collections::BTreeSet<String> =
            others.iter().chain([&grown]).map(MemoryState::digest).collect();
        assert_eq!(digests.len(), 6);
    }

    #[test]
    fn folders_are_read_if_they_hold_a_memory_and_are_what_their_names_say() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let code = |name: &str| MemoryState::read(&at(name)).unwrap_err().code().to_owned();
        assert_eq!(code("absent"), "no_memory");
        std::fs::create_dir(at("mine")).unwrap();
        assert_eq!(code("mine"), "no_memory");
        std::fs::write(at("mine").join("a.md"), "Look first.").unwrap();
        let state = MemoryState::read(&at("mine")).unwrap();
        assert_eq!(state, of(&[("a.md", "Look first.")]));
        std::fs::rename(at("mine"), at(&state.digest())).unwrap();
        assert_eq!(MemoryState::read(&at(&state.digest())).unwrap(), state);
        std::fs::write(at(&state.digest()).join("a.md"), "Look twice.").unwrap();
        assert_eq!(code(&state.digest()), "memory_changed");
        let none = MemoryState::default();
        std::fs::create_dir(at(&none.digest())).unwrap();
        assert_eq!(MemoryState::read(&at(&none.digest())).unwrap(), none);
        std::fs::create_dir_all(at("deep/er")).unwrap();
        assert_eq!(code("deep"), "memory_unreadable");
        std::fs::create_dir(at("bytes")).unwrap();
        std::fs::write(at("bytes/a.md"), [0xff, 0xfe]).unwrap();
        assert_eq!(code("bytes"), "memory_unreadable");
    }
}
