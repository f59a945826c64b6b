//! Files of experiments that were kept beside their attempts.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::flags::failure::{Failure, Status};

/// The newest file that was kept in an experiment's folder: each run keeps its own, by what is in it.
pub fn kept_file(folder: &Path) -> Result<PathBuf, Failure> {
    let entries = std::fs::read_dir(folder.join("inputs")).into_iter().flatten().flatten();
    let files = entries.filter_map(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_file = name.starts_with("experiment-") && Path::new(&name).extension().is_some_and(|end| end == "toml");
        let written = entry.metadata().and_then(|about| about.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        is_file.then(|| (written, entry.path()))
    });
    files.max().map(|(_, path)| path).ok_or_else(|| {
        let message = format!("{} holds no file of an experiment", folder.display());
        let failure = Failure::new(Status::Input, "no_experiment_file", message);
        failure.hinted("name the folder of the experiment, such as runs/experiments/NAME, or its file with --file")
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_newest_file_is_the_one_that_counts() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(kept_file(folder.path()).unwrap_err().code(), "no_experiment_file");
        std::fs::create_dir(folder.path().join("inputs")).unwrap();
        for (name, age) in [("experiment-b.toml", 20), ("experiment-a.toml", 10), ("other.toml", 0)] {
            let path = folder.path().join("inputs").join(name);
            let file = std::fs::File::create(&path).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        }
        assert!(kept_file(folder.path()).unwrap().ends_with("experiment-a.toml"));
    }
}
