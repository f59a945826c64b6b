//! A set of items as a folder: `set.json` says what it is, `items.jsonl` has an item a line, `screenshots/` the
//! pictures. A set that was built here also has `derivation.jsonl`: what the truth of each item was derived from,
//! which no model is shown.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::{Item, PerceptionError, Tag};
use crate::model::{EditorGeneration, ItemId, sha256_hex};

/// The format of sets that this program writes.
pub const SET_FORMAT: u32 = 1;

/// What the reference takes of the published set where it is to be quick (`--small`), one item of each kind.
const SMALL: [&str; 15] =
    ["1", "46", "31", "61", "76", "91", "101", "116", "131", "142", "149", "157", "164", "171", "186"];

/// Name of the file that makes a folder a set.
const HEAD: &str = "set.json";
/// Name of the file with the items.
const ITEMS: &str = "items.jsonl";
/// Name of the folder with the pictures.
const SCREENSHOTS: &str = "screenshots";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetHead {
    /// [`SET_FORMAT`] of the program that wrote it.
    pub format: u32,
    /// Where its items come from.
    pub origin: Origin,
    /// How many items it has.
    pub items: usize,
}

/// Where items come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Origin {
    /// They were generated here, and the seed makes them again.
    Built {
        /// What decided all choices.
        seed: u64,
        /// The editor that the pictures show.
        #[serde(default)]
        editor: EditorGeneration,
    },
    /// They were read from files in the published layout.
    Imported,
}

/// A set in memory, with the folder of its pictures.
#[derive(Debug, Clone)]
pub struct PerceptionSet {
    pub head: SetHead,
    /// Its items, in order.
    pub items: Vec<Item>,
    folder: PathBuf,
}

impl SetHead {
    /// Whose pictures they are, in a word: an editor generation, or `published`.
    pub fn pictures(&self) -> &'static str {
        match self.origin {
            Origin::Built { editor, .. } => editor.into(),
            Origin::Imported => "published",
        }
    }
}

impl PerceptionSet {
    /// Reads a set.
    ///
    /// # Errors
    /// When a file is missing, broken or of a newer format.
    pub fn read(folder: &Path) -> Result<Self, PerceptionError> {
        let path = folder.join(HEAD);
        let head: SetHead =
            serde_json::from_str(&text(&path)?).map_err(|error| PerceptionError::unreadable(&path, &error))?;
        if head.format > SET_FORMAT {
            return Err(PerceptionError::NewerFormat { path, found: head.format, known: SET_FORMAT });
        }
        let path = folder.join(ITEMS);
        let items: Vec<Item> = lines(&path)?;
        if items.len() != head.items {
            let reason = format!("there are {} items, and {HEAD} says {}", items.len(), head.items);
            return Err(PerceptionError::unreadable(&path, &reason));
        }
        Ok(Self { head, items, folder: folder.to_owned() })
    }

    /// The item of that name.
    ///
    /// # Errors
    /// When there is no such item.
    pub fn find(&self, id: &str) -> Result<&Item, PerceptionError> {
        self.items.iter().find(|item| item.id == *id).ok_or_else(|| PerceptionError::UnknownItem { id: id.to_owned() })
    }

    /// The set with the items of these names alone, in its own order.
    ///
    /// # Errors
    /// When one of them is not in the set.
    pub fn only(mut self, ids: &[String]) -> Result<Self, PerceptionError> {
        for id in ids {
            self.find(id)?;
        }
        self.items.retain(|item| ids.iter().any(|id| item.id == *id.as_str()));
        Ok(self)
    }

    /// The set with one item of each kind: the reference's choice of the published set, otherwise the first of the kind.
    #[must_use]
    pub fn small(mut self) -> Self {
        let is_published = self.head.origin == Origin::Imported;
        let is_chosen = |item: &Item| is_published && SMALL.iter().any(|id| item.id == **id);
        let of = |tag: Tag| {
            let mut items = self.items.iter().filter(|item| item.tag == tag);
            items.clone().find(|item| is_chosen(item)).or_else(|| items.next()).map(|item| item.id.clone())
        };
        let ids: Vec<ItemId> = Tag::PUBLISHED.iter().filter_map(|(tag, _)| of(*tag)).collect();
        self.items.retain(|item| ids.contains(&item.id));
        self
    }

    /// Digest of the questions, their answers and their pictures: scores compare only over the same.
    ///
    /// # Errors
    /// When a picture can't be read.
    pub fn digest(&self) -> Result<String, PerceptionError> {
        let mut list = Vec::new();
        for item in &self.items {
            let path = self.picture(item);
            let png = fs::read(&path).map_err(|error| PerceptionError::unreadable(&path, &error))?;
            let Item { instruction, ground_truth, .. } = item;
            list.push(format!("{} {instruction}\n{ground_truth}\n{}", item.tag, sha256_hex(&png)));
        }
        Ok(sha256_hex(list.join("\n").as_bytes()))
    }

    /// Where an item's picture is.
    pub fn picture(&self, item: &Item) -> PathBuf {
        self.folder.join(SCREENSHOTS).join(&item.screenshot)
    }
}

/// Reads a file with a JSON value a line; empty lines don't count.
///
/// # Errors
/// When it is missing, or a line is something else; the error has its number.
pub fn lines<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Vec<T>, PerceptionError> {
    let parse = |(at, line): (usize, &str)| {
        serde_json::from_str(line)
            .map_err(|error| PerceptionError::unreadable(path, &format!("line {}: {error}", at + 1)))
    };
    text(path)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(parse).collect()
}

fn text(path: &Path) -> Result<String, PerceptionError> {
    fs::read_to_string(path).map_err(|error| PerceptionError::unreadable(path, &error))
}

/// A set that is being written, in a folder beside its own; what is not finished leaves nothing behind, and a set that
/// it is to replace stays until then.
#[derive(Debug)]
pub(super) struct SetWriter {
    folder: PathBuf,
    draft: TempDir,
}

impl SetWriter {
    /// Begins a set in a new folder; with `force`, an existing set is replaced.
    pub(super) fn create(folder: &Path, force: bool) -> Result<Self, PerceptionError> {
        let failed = || PerceptionError::unwritable(folder);
        // Only a set or an empty folder is ever deleted.
        let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
        let is_set = folder.join(ITEMS).is_file() || folder.join(SCREENSHOTS).is_dir();
        let may_be_replaced = is_empty || (force && is_set);
        if !may_be_replaced {
            return Err(PerceptionError::Taken { path: folder.to_owned() });
        }
        // In the same file system, so that it can be moved.
        let above = match folder.parent() {
            Some(above) if !above.as_os_str().is_empty() => above,
            _ => Path::new("."),
        };
        fs::create_dir_all(above).map_err(failed())?;
        let draft = tempfile::Builder::new().prefix(".unfinished-set-").tempdir_in(above).map_err(failed())?;
        fs::create_dir(draft.path().join(SCREENSHOTS)).map_err(failed())?;
        Ok(Self { folder: folder.to_owned(), draft })
    }

    pub(super) fn picture(&self, name: &str, png: &[u8]) -> Result<(), PerceptionError> {
        self.write(&Path::new(SCREENSHOTS).join(name), png)
    }

    /// Adds a file with a value a line.
    pub(super) fn lines<T: Serialize>(&self, name: &str, values: &[T]) -> Result<(), PerceptionError> {
        let path = self.draft.path().join(name);
        let mut text = String::new();
        for value in values {
            let line = serde_json::to_string(value).map_err(|error| PerceptionError::unreadable(&path, &error))?;
            text.push_str(&line);
            text.push('\n');
        }
        self.write(Path::new(name), text.as_bytes())
    }

    /// Completes the set and puts it in its place.
    pub(super) fn finish(self, origin: Origin, items: Vec<Item>) -> Result<PerceptionSet, PerceptionError> {
        self.lines(ITEMS, &items)?;
        let head = SetHead { format: SET_FORMAT, origin, items: items.len() };
        let path = self.draft.path().join(HEAD);
        let mut text =
            serde_json::to_string_pretty(&head).map_err(|error| PerceptionError::unreadable(&path, &error))?;
        text.push('\n');
        self.write(Path::new(HEAD), text.as_bytes())?;
        let Self { folder, draft } = self;
        let failed = || PerceptionError::unwritable(&folder);
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(failed())?;
        }
        fs::rename(draft.path(), &folder).map_err(failed())?;
        // Temporary folders are made for their owner alone.
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).map_err(failed())?;
        let _ = draft.keep();
        Ok(PerceptionSet { head, items, folder })
    }

    fn write(&self, name: &Path, bytes: &[u8]) -> Result<(), PerceptionError> {
        let path = self.draft.path().join(name);
        fs::write(&path, bytes).map_err(PerceptionError::unwritable(&path))
    }
}

#[cfg(test)]
mod tests {
    use super::super::TaskType;
    use super::*;
    use crate::model::Coded;

    fn item(id: &str) -> Item {
        Item {
            id: id.parse().unwrap(),
            task_type: TaskType::Connection,
            tag: Tag::ConnectionYes,
            instruction: "Is the `hide` block directly connected to the block directly above it?".to_owned(),
            screenshot: "001.png".to_owned(),
            ground_truth: "YES".to_owned(),
        }
    }

    #[test]
    fn a_set_reads_back_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set");
        let writer = SetWriter::create(&path, false).unwrap();
        writer.picture("001.png", b"png").unwrap();
        writer
            .finish(Origin::Built { seed: 3, editor: EditorGeneration::Current }, vec![item("a"), item("b")])
            .unwrap();
        let set = PerceptionSet::read(&path).unwrap();
        assert_eq!(set.items, [item("a"), item("b")]);
        assert_eq!(set.head.origin, Origin::Built { seed: 3, editor: EditorGeneration::Current });
        assert!(set.picture(set.find("b").unwrap()).is_file());
        let digest = set.digest().unwrap();
        std::fs::write(path.join("screenshots/001.png"), b"other").unwrap();
        assert_ne!(set.digest().unwrap(), digest);
        assert_eq!(set.find("c").unwrap_err().code(), "unknown_item");
    }

    #[test]
    fn a_small_set_has_one_item_of_each_kind() {
        let of = |id: &str, tag: Tag| Item { tag, task_type: tag.task_type(), ..item(id) };
        let items = vec![
            of("141", Tag::EquivalenceNumericYes),
            of("142", Tag::EquivalenceNumericYes),
            of("1", Tag::ConnectionYes),
            of("2", Tag::ConnectionYes),
            of("199", Tag::ExactMatchDropdown),
        ];
        let set = |origin| PerceptionSet {
            head: SetHead { format: SET_FORMAT, origin, items: items.len() },
            items: items.clone(),
            folder: PathBuf::new(),
        };
        let ids = |set: PerceptionSet| set.items.iter().map(|item| item.id.to_string()).collect::<Vec<_>>();
        assert_eq!(ids(set(Origin::Imported).small()), ["142", "1", "199"]);
        assert_eq!(
            ids(set(Origin::Built { seed: 1, editor: EditorGeneration::Reference }).small()),
            ["141", "1", "199"]
        );
        assert_eq!(ids(set(Origin::Imported).only(&["2".to_owned(), "141".to_owned()]).unwrap()), ["141", "2"]);
        assert_eq!(set(Origin::Imported).only(&["3".to_owned()]).unwrap_err().code(), "unknown_item");
    }

    #[test]
    fn a_set_that_is_not_finished_leaves_the_old_one_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set");
        SetWriter::create(&path, false).unwrap().finish(Origin::Imported, vec![item("old")]).unwrap();
        let broken_off = SetWriter::create(&path, true).unwrap();
        broken_off.picture("001.png", b"png").unwrap();
        drop(broken_off);
        assert_eq!(PerceptionSet::read(&path).unwrap().items, [item("old")]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "the unfinished set is still there");
        SetWriter::create(&path, true).unwrap().finish(Origin::Imported, vec![item("new")]).unwrap();
        assert_eq!(PerceptionSet::read(&path).unwrap().items, [item("new")]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn nothing_but_a_set_is_replaced_and_only_when_asked_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set");
        SetWriter::create(&path, false).unwrap().finish(Origin::Imported, vec![]).unwrap();
        assert_eq!(SetWriter::create(&path, false).unwrap_err().code(), "set_exists");
        SetWriter::create(&path, true).unwrap();
        std::fs::write(folder.path().join("precious"), "data").unwrap();
        assert_eq!(SetWriter::create(folder.path(), true).unwrap_err().code(), "set_exists");
    }

    #[test]
    fn broken_sets_say_where() {
        let folder = tempfile::tempdir().unwrap();
        let missing = PerceptionSet::read(folder.path()).unwrap_err();
        assert!(missing.to_string().contains("set.json"), "{missing}");
        SetWriter::create(&folder.path().join("x"), false).unwrap().finish(Origin::Imported, vec![item("a")]).unwrap();
        std::fs::write(folder.path().join("x/items.jsonl"), "{}\n").unwrap();
        let broken = PerceptionSet::read(&folder.path().join("x")).unwrap_err();
        assert!(broken.to_string().contains("line 1"), "{broken}");
    }
}
