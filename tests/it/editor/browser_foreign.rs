//! Small projects, each with something that other tools than the editor write: they go through a text and through a session
//! and stay the programs that they are, or are refused aloud.

use std::path::PathBuf;
use std::time::Duration;

use scratchbed::action::perform;
use scratchbed::compile::decompile;
use scratchbed::model::{ActionCall, Extras, Mode};
use scratchbed::page::Page;
use scratchbed::project::Project;
use scratchbed::session::{SessionHandle, Sessions, Start};
use serde_json::{Value, json};

use crate::support::browsers::{fleet, in_shared_browsers, sessions};
use crate::support::meaning::{first_difference, meaning};
use crate::support::root;
use crate::support::text_builds::build_text;

const LIMIT: Duration = Duration::from_secs(20);

/// What no text can say, and why not.
const REFUSED: [(&str, &str); 2] = [("st_literal_in_bool", "condition_value"), ("st_proc_dblspace", "same_words")];

/// What JavaScript calls half a character, as the project has it within scratchbed.
const HALF: &str = "\u{10F83D}";

fn folder() -> PathBuf {
    root().join("tests/fixtures/foreign")
}

fn all() -> Vec<(String, Vec<u8>)> {
    let entries = |folder: PathBuf| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries(folder()).flat_map(entries).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "sb3"));
    files.sort();
    let name = |file: &PathBuf| file.file_stem().unwrap().to_string_lossy().into_owned();
    files.iter().map(|file| (name(file), std::fs::read(file).unwrap())).collect()
}

fn file(path: &str) -> Vec<u8> {
    std::fs::read(folder().join(path)).unwrap()
}

/// What is wrong with a project on its way through a text, if anything is.
async fn trouble(page: &Page, name: &str, sb3: &[u8]) -> Option<String> {
    let (text, parts) = decompile(sb3).unwrap();
    let codes: Vec<&str> = parts.losses.iter().map(scratchbed::notation::Loss::code).collect();
    if let Some((_, code)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
        return (!codes.contains(code)).then(|| format!("{name}: {code} was wanted, {codes:?} came"));
    }
    if !codes.is_empty() {
        return Some(format!("{name}: {:?}", parts.losses));
    }
    let built = match build_text(page, &text, &parts.files).await {
        Ok(built) => built,
        Err(error) => return Some(format!("{name}: {error}\n{text}")),
    };
    let (again, _) = decompile(&built.write().unwrap()).unwrap();
    if again != text {
        return Some(format!("{name}: the text comes back otherwise\n{text}\n{again}"));
    }
    let (before, after) = (meaning(&Project::read(sb3).unwrap()), meaning(&built));
    first_difference(&before, &after).map(|difference| format!("{name}: {difference}\n{text}"))
}

#[test]
fn what_other_tools_write_comes_through_a_text_unchanged_or_is_refused() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let mut found = Vec::new();
        for (name, sb3) in all() {
            found.extend(trouble(&lease.page, &name, &sb3).await);
        }
        fleet.release(lease).await;
        assert!(found.is_empty(), "{}", found.join("\n\n"));
    });
}

async fn with(sessions: &Sessions, sb3: &[u8]) -> (String, SessionHandle) {
    let id = sessions
        .create(Start { extras: Extras { extended: true, report: false }, ..Start::default() })
        .await
        .unwrap()
        .id;
    sessions.load(&id, sb3.to_vec()).await.unwrap();
    let handle = sessions.get(&id).await.unwrap();
    (id, handle)
}

async fn export(session: &SessionHandle) -> Project {
    session.run(LIMIT, |live| Box::pin(live.export())).await.unwrap().unwrap()
}

async fn call(session: &SessionHandle, mode: Mode, api: &str, args: Value) -> Value {
    let Value::Object(args) = args else { panic!("arguments are an object") };
    let reply = perform(session, mode, ActionCall::new(api, args)).await.unwrap();
    assert!(reply.success, "{api}: {reply:?}");
    serde_json::to_value(reply).unwrap()
}

#[test]
fn half_a_character_comes_through_a_session_as_it_is() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let (_, handle) = with(&sessions, &file("archive-lone-surrogate/half_letter_kept.sb3")).await;
        call(&handle, Mode::Composite, "green_flag", json!({"seconds": 1})).await;
        let exported = export(&handle).await;
        let targets = exported.json["targets"].as_array().unwrap().iter();
        let kept = targets.flat_map(|one| one["variables"].as_object().unwrap().values()).any(|one| one[1] == HALF);
        assert!(kept, "{}", exported.json);
        call(&handle, Mode::Composite, "observe", json!({})).await;
        let file = exported.write().unwrap();
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(file.clone())).unwrap();
        let mut json = String::new();
        std::io::Read::read_to_string(&mut archive.by_name("project.json").unwrap(), &mut json).unwrap();
        assert!(json.contains(r#""\ud83d""#) && !json.contains(HALF));
        assert_eq!(Project::read(&file).unwrap(), exported);
        sessions.shutdown().await;
    });
}

#[test]
fn a_project_shows_nothing_of_the_one_before_it_in_its_session() {
    in_shared_browsers(async {
        let sessions = sessions(2).await;
        let plain = file("session-speech-language/then_plain.sb3");
        let (id, handle) = with(&sessions, &file("session-speech-language/first_speaks.sb3")).await;
        sessions.load(&id, plain.clone()).await.unwrap();
        let after = export(&handle).await;
        assert_eq!(after.json["targets"][0]["textToSpeechLanguage"], Value::Null);
        assert_eq!(after.json["extensions"], json!([]));
        let (_, other) = with(&sessions, &plain).await;
        let fresh = export(&other).await;
        assert_eq!(after.json["monitors"], fresh.json["monitors"]);
        assert_eq!(after.json["targets"], fresh.json["targets"]);
        sessions.shutdown().await;
    });
}

#[test]
fn of_two_variables_of_one_name_agents_see_and_set_the_one_that_is_meant() {
    in_shared_browsers(async {
        let sessions = sessions(1).await;
        let (_, handle) = with(&sessions, &file("text-same-name-global-local/st_global_local_same.sb3")).await;
        let select = json!({"name": "Ball"});
        call(&handle, Mode::Composite, "select_sprite", select).await;
        let seen = call(&handle, Mode::Composite, "observe", json!({})).await;
        let seen = seen.to_string();
        for told in ["name: Stage's score, scope: all, value: 1", "name: score, scope: sprite, value: 2"] {
            assert!(seen.contains(told), "{told} is not in {seen}");
        }
        let id = async |block: &str| {
            let exported = export(&handle).await;
            exported.json["targets"][1]["blocks"][block]["fields"]["VARIABLE"][1].clone()
        };
        for (name, meant) in [("score", "l"), ("Stage's score", "g")] {
            let set = json!({"blockIndex": 2, "fieldName": "VARIABLE", "value": name});
            call(&handle, Mode::Composite, "set_block_field", set).await;
            assert_eq!(id("m1").await, json!(meant), "{name}");
        }
        sessions.shutdown().await;
    });
}
