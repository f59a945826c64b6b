//! Records that a person has written beside a project: `record.json` beside a text, `NAME.record.json` beside a file. One that fits the
//! project takes the place of a draft. It is `written`, or `confirmed` by those whom it names, of the project whose digest it has.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::kept::Row;
use crate::bugs::{RECORD, RecordStatus, ReferenceRecord};
use crate::project::view::{target, targets};

/// The file of a project that is written as text.
const TEXT: &str = "project.txt";
/// Why a draft is not taken.
const DRAFTED: &str = "it is a draft, made by rules; one that a person has written says `written`";
/// Why a confirmed record is not taken.
const UNSIGNED: &str =
    "it says `confirmed`, and `by` names nobody who has played the project: name them, or say `written`";
/// Why a written record is not taken.
const UNPLAYED: &str =
    "it says `written`, and `by` is for those who have played the project: who wrote it belongs in `written_by`";

/// The record beside a project, if there is one, under the project's name in the pool and with the tags that were counted.
///
/// # Errors
/// What is wrong with it, in words: it can't be read, does not say who stands for it, or names what the project does not have.
pub(super) fn of(row: &Row, gold: &Value) -> Option<Result<ReferenceRecord, String>> {
    let place = place(&row.file);
    place.is_file().then(|| {
        let wrong = |reason: &dyn std::fmt::Display| format!("{}: {reason}", place.display());
        let text = fs::read_to_string(&place).map_err(|error| wrong(&error))?;
        let record: ReferenceRecord = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
        if let Some(reason) = misstated(&record) {
            return Err(wrong(&reason));
        }
        let unknown = unknown(&record, gold);
        if unknown.is_empty() {
            Ok(ReferenceRecord { project: row.id.clone(), tags: row.tags.clone(), ..record })
        } else {
            Err(wrong(&format!("the project has no {}", unknown.into_iter().collect::<Vec<_>>().join(", no "))))
        }
    })
}

/// What is wrong with what a record says of who stands for it, if anything is.
fn misstated(record: &ReferenceRecord) -> Option<&'static str> {
    match record.status {
        RecordStatus::Draft => Some(DRAFTED),
        RecordStatus::Confirmed if record.is_unsigned() => Some(UNSIGNED),
        RecordStatus::Written if !record.by.is_empty() => Some(UNPLAYED),
        RecordStatus::Written | RecordStatus::Confirmed => None,
    }
}

/// Whether there is a record beside a project.
pub(super) fn is_beside(row: &Row) -> bool {
    place(&row.file).is_file()
}

fn place(file: &Path) -> PathBuf {
    if file.file_name() == Some(OsStr::new(TEXT)) { file.with_file_name(RECORD) } else { file.with_extension(RECORD) }
}

/// What a record names and a project does not have.
fn unknown(record: &ReferenceRecord, gold: &Value) -> BTreeSet<String> {
    let is_target = |name: &str| name == "Stage" || target(gold, name).is_some();
    let roles = record.sprites.iter().map(|role| &role.name);
    let named = roles.chain(record.hooks.iter().flat_map(|hook| &hook.sprites)).filter(|name| !is_target(name));
    let seen = record.hooks.iter().flat_map(|hook| hook.outcomes.iter().map(|seen| &seen.signal));
    let signals = record.state_signals.iter().chain(seen).filter(|signal| !has_signal(gold, signal));
    named.map(|name| format!("sprite `{name}`")).chain(signals.map(|signal| format!("signal `{signal}`"))).collect()
}

/// Whether a project has what a signal is of. Events may always happen.
fn has_signal(gold: &Value, signal: &str) -> bool {
    let Some((owner, what)) = signal.split_once('/') else { return false };
    if owner == "events" {
        return true;
    }
    if owner == "clones" {
        return target(gold, what).is_some();
    }
    let Some(owner) = targets(gold).find(|known| known.sprite_id() == owner) else { return false };
    let has = |kind: &str, name: &str| {
        owner.entries(kind).any(|(_, value)| value.get(0).and_then(Value::as_str) == Some(name))
    };
    match what.split_once('/') {
        Some(("variable", name)) => has("variables", name),
        Some(("list", name)) => has("lists", name),
        Some(_) => false,
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::bugs::{Goal, RecordStatus, Role};
    use crate::notation::{TargetState, parse};

    fn record() -> ReferenceRecord {
        ReferenceRecord {
            format: 1,
            project: "elsewhere".to_owned(),
            status: RecordStatus::Confirmed,
            by: vec!["r1".to_owned()],
            sha256: None,
            written_by: Vec::new(),
            genre: Some("game".to_owned()),
            tags: Vec::new(),
            goal: Goal { text: "Catch moths.".to_owned(), terms: vec![vec!["catch".to_owned()]] },
            sprites: vec![Role { name: "Moth".to_owned(), role: "target".to_owned(), primary: true }],
            cycle: vec!["green_flag".to_owned()],
            hooks: Vec::new(),
            state_signals: ["Stage/variable/score", "Moth/x", "clones/Moth", "events/broadcast:go"]
                .map(str::to_owned)
                .into(),
        }
    }

    fn gold() -> Value {
        json!({"targets": [
            {"isStage": true, "name": "Stage", "variables": {"s": ["score", 0]}, "lists": {}, "blocks": {}},
            {"isStage": false, "name": "Moth", "variables": {}, "lists": {}, "blocks": {}},
        ]})
    }

    #[test]
    fn a_record_beside_a_project_is_taken_if_it_fits() {
        let folder = tempfile::tempdir().unwrap();
        let row = |file: &str| Row {
            tags: vec!["clones".to_owned()],
            ..Row::new("moth", &folder.path().join(file), String::new())
        };
        assert!(of(&row("moth.sb3"), &gold()).is_none() && !is_beside(&row("moth.sb3")));
        let write = |name: &str, record: &ReferenceRecord| {
            fs::write(folder.path().join(name), serde_json::to_string(record).unwrap()).unwrap();
        };
        write("moth.record.json", &record());
        let taken = of(&row("moth.sb3"), &gold()).unwrap().unwrap();
        assert_eq!((taken.project.as_str(), taken.status, taken.tags.len()), ("moth", RecordStatus::Confirmed, 1));
        let written = ReferenceRecord {
            status: RecordStatus::Written,
            by: Vec::new(),
            written_by: vec!["ada".to_owned()],
            ..record()
        };
        write("moth.record.json", &written);
        let taken = of(&row("moth.sb3"), &gold()).unwrap().unwrap();
        assert_eq!((taken.status, taken.written_by), (RecordStatus::Written, written.written_by));
        let state_signals = vec!["Stage/variable/points".to_owned(), "Owl/x".to_owned()];
        write("record.json", &ReferenceRecord { state_signals, ..record() });
        let wrong = of(&row("project.txt"), &gold()).unwrap().unwrap_err();
        assert!(wrong.contains("`Stage/variable/points`") && wrong.contains("`Owl/x`"), "{wrong}");
        fs::write(folder.path().join("record.json"), "{").unwrap();
        assert!(of(&row("project.txt"), &gold()).unwrap().is_err());
    }

    #[test]
    fn a_record_that_does_not_say_who_stands_for_it_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let row = Row::new("moth", &folder.path().join("moth.sb3"), String::new());
        let cases: [(RecordStatus, &[&str], &str); 4] = [
            (RecordStatus::Confirmed, &[], "`by` names nobody who has played"),
            (RecordStatus::Confirmed, &[" "], "`by` names nobody who has played"),
            (RecordStatus::Written, &["ada"], "belongs in `written_by`"),
            (RecordStatus::Draft, &[], "it is a draft"),
        ];
        for (status, by, words) in cases {
            let by = by.iter().map(|name| (*name).to_owned()).collect();
            let one = ReferenceRecord { status, by, ..record() };
            fs::write(folder.path().join("moth.record.json"), serde_json::to_string(&one).unwrap()).unwrap();
            let wrong = of(&row, &gold()).unwrap().unwrap_err();
            assert!(wrong.contains(words) && wrong.contains("moth.record.json"), "{wrong}");
        }
    }

    /// The bundled games, as far as their texts tell without an editor. Nobody has confirmed their records by playing.
    #[test]
    fn the_bundled_games_have_records_that_fit_and_lack_nothing() {
        let pool = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pool");
        let mut games = 0;
        for entry in fs::read_dir(&pool).unwrap() {
            let folder = entry.unwrap().path();
            let text = fs::read_to_string(folder.join(TEXT)).unwrap();
            let targets = parse(&text).unwrap().targets.into_iter().map(|known| {
                let named = |names: Vec<String>| -> serde_json::Map<String, Value> {
                    names.into_iter().map(|name| (name.clone(), json!([name, 0]))).collect()
                };
                json!({
                    "isStage": matches!(known.state, TargetState::Stage(_)),
                    "name": known.name,
                    "variables": named(known.variables.into_iter().map(|one| one.name).collect()),
                    "lists": named(known.lists.into_iter().map(|one| one.name).collect()),
                    "blocks": {},
                })
            });
            let gold = json!({"targets": targets.collect::<Vec<_>>()});
            let row = Row::new("game", &folder.join(TEXT), String::new());
            let record = of(&row, &gold).unwrap().unwrap();
            let said = (record.status, record.by.len(), record.written_by.len(), record.lacks());
            assert_eq!(said, (RecordStatus::Written, 0, 1, Vec::new()), "{}", folder.display());
            games += 1;
        }
        assert_eq!(games, 9);
    }
}
