//! Answers that were given elsewhere, as a file.

use std::path::Path;

use serde_json::{Value, json};

use crate::flags::failure::{Failure, Status};
use scratchbed::benchmarks::perception::lines;
use scratchbed::bugs::Bench;
use scratchbed::experiment::{Given, Reply, Stray, given};
use scratchbed::model::sha256_hex;

/// Reads answers; with the instances that are scored, all that are answered where none is named, and what records say of them.
pub fn elsewhere(bench: &Bench, file: &Path, ids: Vec<String>) -> Result<(Given, Vec<String>, Value), Failure> {
    let replies: Vec<Reply> = lines(file).map_err(|error| {
        Failure::new(Status::Input, "answers_unreadable", format!("{}: {error}", file.display()))
            .hinted("each line is an object: {\"id\": INSTANCE, \"response\": TEXT}")
    })?;
    let texts: Vec<_> = replies.iter().map(|reply| json!([reply.id, reply.response, reply.error])).collect();
    let is_known = |id: &str| bench.entries().iter().any(|entry| entry.id == id);
    let answers = given(is_known, replies).map_err(|stray| {
        let (code, message) = match stray {
            Stray::Unknown(id) => ("unknown_instance", format!("there is no instance `{id}`")),
            Stray::Twice(id) => ("answered_twice", format!("`{id}` is answered twice")),
        };
        Failure::new(Status::Input, code, message).hinted("`scratchbed bugs list BENCH` shows the instances")
    })?;
    let ids = if ids.is_empty() { answers.keys().cloned().collect() } else { ids };
    Ok((answers, ids, json!({"answers": sha256_hex(json!(texts).to_string().as_bytes())})))
}

/// Who answered: as it is given, or the file's name.
pub fn name_of(given: Option<&str>, file: &Path) -> String {
    let stem = || file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    given.map(str::to_owned).or_else(stem).unwrap_or_else(|| "answers".to_owned())
}
