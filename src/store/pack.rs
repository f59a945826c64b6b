//! Packing runs into a bundle. What another machine has no use for is left out: locks, and answers that are kept to go on with.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::bundle::{BUNDLE_FILE, BUNDLE_FORMAT, BundleRecord};
use super::foreign::{ANSWERS, HANDED_OVER_ANSWERS};
use super::{RunDir, StoreError};
use crate::model::{sha256_hex, sha256_of, unix_seconds};

/// Right in the folder of a run: what is left out. Files in `shared` have another name in each attempt that has them, and
/// attempts have what was answered in their own records.
const LEFT_OUT: [&str; 5] = [super::lock::FILE, "shared", ANSWERS, HANDED_OVER_ANSWERS, "report.html"];
/// Endings of files that no compression makes smaller.
const PACKED: [&str; 5] = ["png", "webp", "jpg", "sb3", "zip"];

/// Packs runs into a new file, with `inputs` that are known of them, each with its path in the bundle. `on_file` hears of
/// each file. Addresses in the record of a run lose passwords and queries.
///
/// # Errors
/// When a run can't be read, or the file can't be written; nothing is left behind then.
pub fn pack_runs(
    runs: &[&RunDir],
    inputs: &[(String, Vec<u8>)],
    file: &Path,
    on_file: &dyn Fn(),
) -> Result<BundleRecord, StoreError> {
    let unwritable = || StoreError::unwritable(file);
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(unwritable())?;
    let draft = tempfile::Builder::new().prefix(".unfinished-bundle-").tempfile_in(folder).map_err(unwritable())?;
    let mut bundle = BundleRecord {
        format: BUNDLE_FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        made_at: unix_seconds(),
        runs: Vec::new(),
        files: BTreeMap::new(),
    };
    let mut archive = Archive { zip: ZipWriter::new(draft.as_file().try_clone().map_err(unwritable())?), file };
    for run in runs {
        let name = free_name(run, &bundle.runs);
        for path in files_of(run.path())? {
            let within = path.strip_prefix(run.path()).unwrap_or(&path).to_string_lossy().into_owned();
            let within = format!("{name}/{within}");
            let record = (path == run.path().join("run.json")).then(|| without_secrets_of(&path)).transpose()?;
            let digest = match record {
                Some(bytes) => archive.add(&within, &bytes)?,
                None => archive.add_file(&within, &path)?,
            };
            bundle.files.insert(within, digest);
            on_file();
        }
        bundle.runs.push(name);
    }
    for (name, bytes) in inputs {
        bundle.files.insert(name.clone(), archive.add(name, bytes)?);
    }
    let record =
        serde_json::to_vec_pretty(&bundle).map_err(|source| StoreError::Malformed { path: file.to_owned(), source })?;
    archive.add(BUNDLE_FILE, &record)?;
    archive.zip.finish().map_err(|error| unwritable()(error.into()))?;
    draft.as_file().sync_all().map_err(unwritable())?;
    readable(draft.path()).map_err(unwritable())?;
    draft.persist(file).map_err(|error| unwritable()(error.error))?;
    Ok(bundle)
}

/// Temporary files are made for their owner alone.
fn readable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o644))
}

struct Archive<'a, W: Write + Seek> {
    zip: ZipWriter<W>,
    file: &'a Path,
}

impl<W: Write + Seek> Archive<'_, W> {
    /// Adds a file with this content; returns its digest.
    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<String, StoreError> {
        self.begin(name, bytes.len() as u64)?;
        self.zip.write_all(bytes).map_err(StoreError::unwritable(self.file))?;
        Ok(sha256_hex(bytes))
    }

    /// Adds a file as it is on the disk, however large; returns its digest.
    fn add_file(&mut self, name: &str, path: &Path) -> Result<String, StoreError> {
        let content = File::open(path).map_err(StoreError::unreadable(path))?;
        self.begin(name, content.metadata().map_err(StoreError::unreadable(path))?.len())?;
        sha256_of(Tee { from: content, to: &mut self.zip }).map_err(StoreError::unwritable(self.file))
    }

    fn begin(&mut self, name: &str, len: u64) -> Result<(), StoreError> {
        let is_packed = Path::new(name).extension().is_some_and(|ending| PACKED.iter().any(|one| ending == *one));
        let method = if is_packed { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        let options = SimpleFileOptions::default().compression_method(method).large_file(len >= 1 << 31);
        let begun = self.zip.start_file(name, options).map_err(std::io::Error::from);
        begun.map_err(StoreError::unwritable(self.file))
    }
}

/// A reader that writes what is read.
struct Tee<R, W> {
    from: R,
    to: W,
}

impl<R: Read, W: Write> Read for Tee<R, W> {
    fn read(&mut self, part: &mut [u8]) -> std::io::Result<usize> {
        let read = self.from.read(part)?;
        self.to.write_all(&part[..read])?;
        Ok(read)
    }
}

/// A folder in the bundle for a run: its own name, which runs of different experiments may share.
fn free_name(run: &RunDir, taken: &[String]) -> String {
    let own = format!("runs/{}", run.path().file_name().unwrap_or_default().to_string_lossy());
    let numbered = |at: usize| if at == 1 { own.clone() } else { format!("{own}-{at}") };
    // One of so many names is free.
    (1..=taken.len() + 1).map(numbered).find(|name| !taken.contains(name)).unwrap_or_default()
}

/// The files of a run, in order. Links and other oddities are no records.
fn files_of(run: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut found = Vec::new();
    let mut folders = vec![run.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(StoreError::unreadable(&folder))? {
            let entry = entry.map_err(StoreError::unreadable(&folder))?;
            let kind = entry.file_type().map_err(StoreError::unreadable(&folder))?;
            if folder == run && LEFT_OUT.iter().any(|name| entry.file_name() == *name) {
                continue;
            }
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// What is packed of the record of a run.
fn without_secrets_of(path: &Path) -> Result<Vec<u8>, StoreError> {
    let bytes = fs::read(path).map_err(StoreError::unreadable(path))?;
    let malformed = |source| StoreError::Malformed { path: path.to_owned(), source };
    let mut value: Value = serde_json::from_slice(&bytes).map_err(malformed)?;
    without_secrets(&mut value);
    serde_json::to_vec_pretty(&value).map_err(malformed)
}

/// Takes passwords and queries out of all addresses.
fn without_secrets(value: &mut Value) {
    match value {
        Value::String(text) => *text = plain_address(text),
        Value::Array(all) => all.iter_mut().for_each(without_secrets),
        Value::Object(all) => all.values_mut().for_each(without_secrets),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// An address without user, password, query and fragment; any other text as it is.
fn plain_address(text: &str) -> String {
    let is_address = text.split_once("://").is_some_and(|(scheme, rest)| {
        !scheme.is_empty()
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
            && !rest.contains(' ')
    });
    if !is_address {
        return text.to_owned();
    }
    let (scheme, rest) = text.split_once("://").unwrap_or_default();
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    format!("{scheme}://{}{path}", host.rsplit('@').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Coded as _, RunRecord};
    use crate::store::{fakes, open_runs};

    fn run(folder: &Path, below: &str) -> RunDir {
        let options = serde_json::json!({"agent": {"endpoint": "https://u:secret@host/v1?key=secret"}});
        let record = RunRecord { options, ..fakes::run(&["a"]) };
        let run = RunDir::create(&folder.join(below), record).unwrap();
        let attempt = run.begin(&"a".parse().unwrap(), 1, 0).unwrap();
        attempt.keep_once("one.png", b"picture").unwrap();
        fs::write(run.path().join("answers.jsonl"), "{}\n").unwrap();
        run
    }

    #[test]
    fn a_bundle_is_read_packed_and_unpacked_and_tells_no_password() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (run(folder.path(), "x"), run(folder.path(), "y"));
        let file = folder.path().join("out/b.zip");
        let inputs = [("inputs/tasks.json".to_owned(), b"[]".to_vec())];
        let bundle = pack_runs(&[&one, &other], &inputs, &file, &|| ()).unwrap();
        assert_eq!(bundle.runs, ["runs/r", "runs/r-2"]);
        assert!(bundle.files.contains_key("runs/r/attempts/a.1/one.png"), "{:?}", bundle.files);
        assert!(!bundle.files.keys().any(|name| name.contains("shared") || name.contains("answers")));
        let opened = open_runs(&file).unwrap();
        assert_eq!(opened.runs[1].record().options["agent"]["endpoint"], "https://host/v1");
        let unpacked = folder.path().join("unpacked");
        fs::rename(opened.unpacked().unwrap(), &unpacked).unwrap();
        assert_eq!(open_runs(&unpacked).unwrap().runs.len(), 2);
        fs::write(unpacked.join("runs/r/attempts/a.1/one.png"), "other").unwrap();
        assert_eq!(open_runs(&unpacked).unwrap_err().code(), "bundle_altered");
        assert_eq!(open_runs(&folder.path().join("x")).unwrap().runs.len(), 1, "the folder of an experiment");
    }

    #[test]
    fn runs_of_a_bundle_are_foreign_and_their_grades_may_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let run = run(folder.path(), "x");
        let grades = run.path().join("attempts/a.1/grades");
        fs::create_dir(&grades).unwrap();
        fs::write(grades.join("ab.json"), "{}").unwrap();
        let (file, unpacked) = (folder.path().join("b.zip"), folder.path().join("unpacked"));
        pack_runs(&[&run], &[], &file, &|| ()).unwrap();
        let packed = open_runs(&file).unwrap();
        assert!(!run.is_foreign() && packed.runs[0].is_foreign());
        fs::rename(packed.unpacked().unwrap(), &unpacked).unwrap();
        fs::write(unpacked.join("runs/r/attempts/a.1/grades/ab.json"), "other").unwrap();
        assert!(open_runs(&unpacked).unwrap().runs[0].is_foreign());
        let inner = unpacked.join("runs/r");
        assert!(RunDir::open(&inner).unwrap().is_foreign(), "however it is named");
        assert_eq!(RunDir::resume(&inner).unwrap_err().code(), "run_foreign");
    }

    #[test]
    fn what_is_no_bundle_is_said_and_nothing_is_written_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("b.zip");
        fs::write(&file, "no zip").unwrap();
        assert_eq!(open_runs(&file).unwrap_err().code(), "no_bundle");
        let mut zip = ZipWriter::new(File::create(&file).unwrap());
        zip.start_file("../outside", SimpleFileOptions::default()).unwrap();
        zip.finish().unwrap();
        assert_eq!(open_runs(&file).unwrap_err().code(), "no_bundle");
        assert!(!folder.path().join("outside").exists());
        assert_eq!(open_runs(folder.path()).unwrap_err().code(), "no_run");
    }

    #[test]
    fn texts_that_are_no_addresses_stay() {
        for text in ["a@b", "see http://x y?z", "m?"] {
            assert_eq!(plain_address(text), text);
        }
        assert_eq!(plain_address("postgres://me:pw@h:1/db?x#y"), "postgres://h:1/db");
    }
}
