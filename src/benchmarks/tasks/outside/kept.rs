//! What stays of a program's attempt: its calls, made of the session's log; what was refused to it; its output and files;
//! and what it says that its models needed.
//!
//! ```text
//! calls.jsonl       as of any attempt
//! refusals.jsonl    one refused call a line; only if there are any, the first 1000
//! stdout.txt        what the program wrote, the first 16 MiB
//! stderr.txt
//! out/              what it left in SCRATCHBED_OUT, at most 64 MiB
//! ```

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::model::{CallRecord, ReportedUsage};
use crate::recording::playback::call_records;
use crate::session::Refusal;
use crate::store::{AttemptDir, StoreError, StoredLog};

/// Bytes of a program's files that are kept.
const MOST_BYTES: u64 = 64 << 20;
/// Files of a program that are kept.
const MOST_FILES: usize = 10_000;
/// Folders within folders that are looked into.
const DEEPEST: usize = 16;
/// Bytes of a report of usage.
const LONGEST_REPORT: u64 = 64 << 10;
/// The name of that report.
const USAGE: &str = "usage.json";

/// Writes down the calls that the log of the attempt's session has, and returns them.
///
/// # Errors
/// When there is no log, or the disk refuses.
pub(super) fn keep_calls(dir: &AttemptDir) -> Result<Vec<CallRecord>, StoreError> {
    let calls = call_records(&StoredLog::open(dir.path())?.events);
    let mut lines = dir.lines("calls.jsonl")?;
    for call in &calls {
        lines.append(call)?;
    }
    lines.end()?;
    Ok(calls)
}

/// Writes down what was refused.
///
/// # Errors
/// When the disk refuses.
pub(super) fn keep_refusals(dir: &AttemptDir, refusals: &[Refusal]) -> Result<(), StoreError> {
    if refusals.is_empty() {
        return Ok(());
    }
    let mut lines = dir.lines("refusals.jsonl")?;
    for refusal in refusals {
        lines.append(refusal)?;
    }
    lines.end()
}

/// Keeps the program's output, which was caught in the folder `from`.
///
/// # Errors
/// When the disk refuses.
pub(super) fn keep_output(dir: &AttemptDir, from: &Path) -> Result<(), StoreError> {
    for name in ["stdout.txt", "stderr.txt"] {
        if let Ok(bytes) = fs::read(from.join(name)) {
            dir.keep(name, &bytes)?;
        }
    }
    Ok(())
}

/// Keeps the program's own files, and returns how many were left out. Only plain files are: a link could lead anywhere.
///
/// # Errors
/// When the disk refuses.
pub(super) fn keep_files(dir: &AttemptDir, out: &Path) -> Result<usize, StoreError> {
    let (mut bytes, mut files, mut left_out) = (0, 0, 0);
    for path in plain_files(out) {
        let size = fs::symlink_metadata(&path).map_or(MOST_BYTES, |data| data.len());
        let below = path.strip_prefix(out).unwrap_or(&path);
        if bytes + size > MOST_BYTES || files >= MOST_FILES {
            left_out += 1;
            continue;
        }
        if let Ok(content) = fs::read(&path) {
            dir.keep_below(&Path::new("out").join(below), &content)?;
            (bytes, files) = (bytes + size, files + 1);
        }
    }
    Ok(left_out)
}

/// Plain files below a folder, by name.
fn plain_files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![(folder.to_owned(), 0)]);
    while let Some((folder, depth)) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(data) = fs::symlink_metadata(entry.path()) else { continue };
            if data.is_dir() && depth < DEEPEST {
                folders.push((entry.path(), depth + 1));
            } else if data.is_file() && data.nlink() == 1 {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

/// What the program wrote about its models; `None` if nothing that can be read.
pub(super) fn usage_in(out: &Path) -> Option<ReportedUsage> {
    let path = out.join(USAGE);
    let data = fs::symlink_metadata(&path).ok()?;
    if !data.is_file() || data.nlink() != 1 || data.len() > LONGEST_REPORT {
        return None;
    }
    let usage = serde_json::from_slice::<ReportedUsage>(&fs::read(&path).ok()?);
    match usage {
        Ok(usage) if usage.out_of_range().is_none() => Some(usage),
        Ok(_) => None,
        Err(error) => {
            tracing::warn!(%error, "the program's usage.json can't be read; what it cost is unknown");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use serde_json::json;

    use super::super::super::fakes::run_dir;
    use super::*;

    #[test]
    fn plain_files_are_kept_and_links_and_floods_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let run = run_dir(&folder.path().join("runs"), &["a"]);
        let dir = run.begin(&"a".parse().unwrap(), 1, 0).unwrap();
        let (out, secret) = (folder.path().join("out"), folder.path().join("secret"));
        fs::create_dir_all(out.join("deep")).unwrap();
        fs::write(&secret, b"golden").unwrap();
        fs::write(out.join("deep/notes.txt"), b"thoughts").unwrap();
        fs::write(out.join("large"), vec![0; usize::try_from(MOST_BYTES).unwrap()]).unwrap();
        symlink(&secret, out.join("link")).unwrap();
        symlink(folder.path(), out.join("up")).unwrap();
        fs::hard_link(&secret, out.join("hard")).unwrap();
        assert_eq!(keep_files(&dir, &out).unwrap(), 1, "the large file is left out");
        assert_eq!(fs::read(dir.path().join("out/deep/notes.txt")).unwrap(), b"thoughts");
        let kept: Vec<_> =
            fs::read_dir(dir.path().join("out")).unwrap().flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(kept, ["deep"]);
    }

    #[test]
    fn a_report_of_usage_counts_if_it_is_one() {
        let out = tempfile::tempdir().unwrap();
        let given = |text: &str| {
            fs::write(out.path().join(USAGE), text).unwrap();
            usage_in(out.path())
        };
        assert_eq!(usage_in(out.path()), None);
        let usage = given(&json!({"calls": 2, "input_tokens": 30}).to_string()).unwrap();
        assert_eq!((usage.calls, usage.input_tokens), (2, 30));
        assert_eq!(given("{\"tokens\": 1}"), None);
        assert_eq!(given(r#"{"input_tokens": 18446744073709551615}"#), None);
    }
}
