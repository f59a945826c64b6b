//! Archives: what is read, what is refused, and bytes that come back the same.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use scratchbed_model::Coded;

fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn refuses_what_is_no_archive() {
    for bytes in [&b""[..], b"{}", b"PK\x03\x04 and then nothing of the kind"] {
        assert_eq!(Project::read(bytes).unwrap_err().code(), "broken_archive");
    }
}

#[test]
fn refuses_a_damaged_entry() {
    let mut bytes = Project { json: json!({"targets": [], "filler": "abcdefghijklmnop"}), assets: BTreeMap::new() }
        .write()
        .unwrap();
    bytes[50] ^= 0xff;
    assert_eq!(Project::read(&bytes).unwrap_err().code(), "broken_archive");
}

#[test]
fn refuses_archives_without_a_scratch_3_project() {
    assert_eq!(Project::read(&zip_of(&[("readme.txt", b"hi")])).unwrap_err().code(), "no_project_json");
    assert_eq!(Project::read(&zip_of(&[("a/b/project.json", b"{}")])).unwrap_err().code(), "no_project_json");
    assert_eq!(Project::read(&zip_of(&[("project.json", b"{")])).unwrap_err().code(), "bad_project_json");
    assert_eq!(Project::read(&zip_of(&[("project.json", b"[1]")])).unwrap_err().code(), "not_a_project");
    assert_eq!(
        Project::read(&zip_of(&[("project.json", b"{\"objName\":\"Stage\"}")])).unwrap_err().code(),
        "not_a_project"
    );
}

#[test]
fn stops_a_bomb_before_it_fills_memory() {
    let zeros = vec![0; 5 << 20];
    let bomb = zip_of(&[("project.json", b"{\"targets\":[]}"), ("00000000000000000000000000000000.svg", &zeros)]);
    assert!(bomb.len() < 20_000);
    assert_eq!(Project::read(&bomb).unwrap_err().code(), "archive_too_large");
    let small = Limits { entries: 1, ..Limits::default() };
    assert_eq!(Project::read_within(&bomb, small).unwrap_err().code(), "archive_too_large");
    let total = Limits { total_bytes: 100, ratio: 5000, ..Limits::default() };
    assert_eq!(Project::read_within(&bomb, total).unwrap_err().code(), "archive_too_large");
    let entry = Limits { entry_bytes: 1000, ..Limits::default() };
    assert_eq!(Project::read_within(&bomb, entry).unwrap_err().code(), "archive_too_large");
}

#[test]
fn finds_a_project_one_folder_deep_and_leaves_strangers_out() {
    let asset = "0123456789abcdef0123456789abcdef.svg";
    let zip = zip_of(&[
        ("game/project.json", b"{\"targets\":[]}"),
        (&format!("game/{asset}"), b"<svg/>"),
        ("game/notes.txt", b"x"),
    ]);
    let project = Project::read(&zip).unwrap();
    assert_eq!(project.assets.keys().collect::<Vec<_>>(), [asset]);
}

#[test]
fn keeps_the_order_of_keys() {
    let text = r#"{"targets":[],"z":1,"a":2,"m":3}"#;
    let project = Project::read(&zip_of(&[("project.json", text.as_bytes())])).unwrap();
    assert_eq!(serde_json::to_string(&project.json).unwrap(), text);
}

#[test]
fn refuses_two_files_for_one_place_and_names_that_lead_elsewhere() {
    let asset = "0123456789abcdef0123456789abcdef.svg";
    let project: (&str, &[u8]) = ("project.json", b"{\"targets\":[]}");
    let elsewhere = (format!("a/{asset}"), format!("b/{asset}"));
    for second in ["a/../project.json", "/project.json", "./project.json", "game/project.json", "..\\project.json"] {
        let error = Project::read(&zip_of(&[project, (second, b"{\"targets\":[1]}")])).unwrap_err();
        assert_eq!(error.code(), "bad_entry_name", "{second}: {error}");
    }
    let twice = zip_of(&[project, (&elsewhere.0, b"<svg/>"), (&elsewhere.1, b"<svg></svg>")]);
    assert_eq!(Project::read(&twice).unwrap_err().code(), "bad_entry_name");
}

#[test]
fn refuses_two_files_with_the_same_name() {
    let mut twice = zip_of(&[("project.json", b"{\"targets\":[]}"), ("project.jsoN", b"{\"targets\":[1]}")]);
    while let Some(at) = twice.windows(12).position(|part| part == b"project.jsoN") {
        twice[at + 11] = b'n';
    }
    assert_eq!(Project::read(&twice).unwrap_err().code(), "bad_entry_name");
}

#[test]
fn a_small_file_cannot_ask_for_much_memory() {
    let many = format!("{{\"targets\":[],\"filler\":[{}1]}}", "1,".repeat(2_000_000));
    let error = Project::read(&zip_of(&[("project.json", many.as_bytes())])).unwrap_err();
    assert_eq!(error.code(), "archive_too_large", "{error}");
    let long = format!("{{\"targets\":[],\"filler\":\"{}\"}}", "x".repeat(9 << 20));
    let error = Project::read(&zip_of(&[("project.json", long.as_bytes())])).unwrap_err();
    assert_eq!(error.code(), "archive_too_large", "{error}");
}

proptest! {
    #[test]
    fn written_archives_read_back_and_are_always_the_same_bytes(
        keys in proptest::collection::vec("[a-z]{1,8}", 0..6),
        assets in proptest::collection::btree_map("[0-9a-f]{32}\\.(svg|png|wav)", proptest::collection::vec(any::<u8>(), 0..300), 0..5),
    ) {
        let mut json = json!({"targets": []});
        for key in keys { json[key] = json!(1); }
        json["targets"] = json!([]);
        let project = Project { json, assets };
        let bytes = project.write().unwrap();
        prop_assert_eq!(&bytes, &project.clone().write().unwrap());
        prop_assert_eq!(Project::read(&project.pack().unwrap()).unwrap(), project.clone());
        prop_assert_eq!(Project::read(&bytes).unwrap(), project);
    }
}
