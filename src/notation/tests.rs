//! Tests of the text form that need no browser.

use std::path::Path;

use super::*;
use scratchbed_model::Coded;

/// The example of the format's description.
fn example() -> &'static str {
    let doc = include_str!("../../docs/PROJECT-TEXT.md");
    let start = doc.find("```text\n").unwrap() + "```text\n".len();
    &doc[start..start + doc[start..].find("```").unwrap()]
}

#[test]
fn the_documented_example_is_canonical() {
    let document = parse(example()).unwrap();
    assert_eq!(render(&document), example());
}

/// A stage with nothing but a backdrop, and more lines.
fn with(more: &str) -> String {
    format!("scratchbed project 1\n\nstage\n  backdrop \"a\" file \"a.svg\" center 0 0\n{more}")
}

#[test]
fn faults_are_named_with_their_line() {
    for (text, code, line) in [
        (String::new(), "no_text_header", 1),
        ("scratchbed project 2\nstage\n".to_owned(), "no_text_header", 1),
        ("scratchbed project 1\n\nsprite \"x\"\n".to_owned(), "stage_not_first", 3),
        ("scratchbed project 1\nstage\n".to_owned(), "no_costume", 2),
        (with("  wings 2\n"), "bad_text_line", 5),
        (with("  position 0 0\n"), "bad_text_line", 5),
        (with("  tempo fast\n"), "bad_text_line", 5),
        (with("  tempo 60 70\n"), "bad_text_line", 5),
        (with("  tempo NaN\n"), "bad_text_line", 5),
        (with("   tempo 60\n"), "bad_indentation", 5),
        (with("\ttempo 60\n"), "bad_indentation", 5),
        (with("    tempo 60\n"), "bad_indentation", 5),
        (with("  backdrop \"b\" file \"../b.svg\"\n"), "path_outside", 5),
        (with("  backdrop \"b\" file \"/etc/b.svg\"\n"), "path_outside", 5),
        (with("  variable \"a\" = [1]\n"), "bad_text_line", 5),
        (with("  variable \"a\" = 1\n  variable \"a\" = 2\n"), "duplicate_name", 3),
        (with("  current 2\n"), "bad_current_costume", 3),
        (with("  monitor variable \"a\" at 0 0\n"), "unknown_name", 5),
        (with("  script\n"), "bad_script", 6),
        (with("  script\n    hide\n    // alone\n    show\n"), "bad_script", 7),
        (with("  script\n    say [a\\"), "bad_script", 6),
        (with("  script\n    say [a\\\n  tempo 60\n"), "bad_script", 6),
        (with("stage\n"), "stage_not_first", 5),
    ] {
        let error = parse(&text).unwrap_err();
        assert_eq!((error.code(), error.line), (code, line), "{text}\n{error}");
    }
}

/// Line, message and hint of each fault.
fn errs(text: &str) -> Vec<String> {
    let faults = parse_all(text).1.into_iter().map(Fault::from);
    faults.map(|fault| format!("{}: {}; {}", fault.line, fault.message, fault.hint.unwrap_or_default())).collect()
}

#[test]
fn of_lines_that_are_indented_amiss_the_first_alone_is_told_and_they_are_read_all_the_same() {
    let script = "  script\n    if <> then\n      hide\n      show\n    end\n";
    let tab = "a tab in the indentation";
    for (bad, line, message) in [
        (script.replace("      hide", "\thide"), 7, tab),
        (script.replace("      hide", "\t\t\thide").replace("    end", "\t\tend"), 7, tab),
        (script.replace("    if", "   if"), 6, "3 spaces, 4 expected"),
        (script.replace("      show", " show"), 8, "1 space, 4 expected"),
        (script.replace("    if", "  if"), 6, "2 spaces, 4 expected"),
        (script.replace("  ", "\t"), 5, tab),
        (script.replace("  script", "   script"), 5, "3 spaces, 2 expected"),
        (script.replace("  script", "    script"), 5, "4 spaces, 2 expected"),
    ] {
        let text = with(&bad);
        let (document, faults) = parse_all(&text);
        let found: Vec<_> = faults.iter().map(|fault| (fault.line, fault.problem.to_string())).collect();
        assert!(matches!(&found[..], [(at, text)] if *at == line && text.starts_with(message)), "{bad}\n{found:?}");
        let lines = &document.targets[0].scripts[0].lines;
        assert_eq!(lines, &vec![6, 7, 8, 9], "{bad}");
    }
    let sprite = with("  sprite \"a\"\n    costume \"a\" file \"a.svg\"\n");
    assert!(matches!(&errs(&sprite)[..], [one] if one.starts_with("5: 2 spaces, 0 expected")), "{:?}", errs(&sprite));
    let list = with("  list \"l\"\n   1\n    2\n");
    assert!(matches!(&errs(&list)[..], [one] if one.starts_with("6: 3 spaces, 4 expected")), "{:?}", errs(&list));
}

#[test]
fn a_misspelt_word_or_name_has_the_nearest_as_its_hint() {
    let sprite = "sprite \"a\"\n  costume \"a\" file \"a.svg\" centre 50 50\n  positon 0 0\n";
    let monitor = "  variable \"score\" = 0\n  list \"Things\"\n  monitor variable \"scroe\" at 0 0\n  monitor list \"things\" at 0 0 size 9 9\n";
    assert_eq!(
        errs(&with(sprite)),
        [
            "6: `centre 50 50` is left over at the end; did you mean \"center\"?",
            "7: `positon` means nothing here; did you mean \"position\"?",
        ]
    );
    assert_eq!(
        errs(&with(monitor)),
        [
            "7: there is no variable named \"scroe\" here to be shown; did you mean \"score\"?",
            "8: there is no list named \"things\" here to be shown; did you mean \"Things\"?",
        ]
    );
    assert!(errs(&with("  wings 2\n"))[0].ends_with("; docs/PROJECT-TEXT.md describes the format"));
}

#[test]
fn numbers_keep_their_last_digit() {
    for number in ["-1.8221314101448622", "0.45553285253621556", "9.422439726944035"] {
        let text = with(&format!("  variable \"a\" = {number}\n"));
        let rendered = render(&parse(&text).unwrap());
        assert!(rendered.contains(&format!("= {number}\n")), "{rendered}");
        let json: serde_json::Value = serde_json::from_str(&format!("[{number}]")).unwrap();
        assert_eq!(json.to_string(), format!("[{number}]"));
    }
}

#[test]
fn layers_are_for_all_sprites_or_none() {
    let sprite = |name: &str, layer: &str| format!("sprite \"{name}\"\n{layer}  costume \"a\" file \"a.svg\"\n");
    let text = |a: &str, b: &str| with(&(sprite("x", a) + &sprite("y", b)));
    assert!(parse(&text("", "")).is_ok());
    assert!(parse(&text("  layer 2\n", "  layer 1\n")).is_ok());
    for (a, b) in [("  layer 1\n", ""), ("  layer 1\n", "  layer 1\n"), ("  layer 1\n", "  layer 3\n")] {
        assert_eq!(parse(&text(a, b)).unwrap_err().code(), "bad_layers");
    }
}

#[test]
fn a_sprite_may_be_called_like_the_stage_but_not_like_another_sprite() {
    let sprite = "sprite \"Stage\"\n  costume \"a\" file \"a.svg\"\n";
    assert_eq!(parse(&with(sprite)).unwrap().targets.len(), 2);
    assert_eq!(parse(&with(&sprite.repeat(2))).unwrap_err().code(), "duplicate_name");
}

#[test]
fn missing_and_foreign_files_are_refused() {
    let document = parse(&with("")).unwrap();
    assert_eq!(skeleton(&document, &|_| None).unwrap_err().code(), "missing_file");
    let text = with("  sound \"a\" file \"a.txt\"\n");
    let refused = skeleton(&parse(&text).unwrap(), &|file| Some(content(file))).unwrap_err();
    assert_eq!(refused.code(), "bad_file_kind");
    let named = refused.located_in(&text).line;
    assert!(text.lines().nth(named - 1).unwrap().contains("a.txt"), "line {named} of {text}");
}

/// A file that holds what its name says, and differs from all others.
fn content(file: &str) -> Vec<u8> {
    let head: &[u8] = if Path::new(file).extension().is_some_and(|extension| extension == "wav") {
        b"RIFF\0\0\0\0WAVE"
    } else {
        b"<svg/>"
    };
    [head, file.as_bytes()].concat()
}

#[test]
fn all_faults_are_told_at_once_each_with_its_line_and_what_follows_from_one_is_not() {
    let text = with(concat!(
        "  tempo fast\n",
        "  scirpt\n    hide\n      show\n",
        "  list \"l\"\n    1\n    [2]\n",
        "  script\n    hide\n    // alone\n    show\n",
        "sprit \"x\"\n  position 0 0\n  script\n    hide\n",
        "sprite \"y\"\n   size 1\n  costume \"a\" file \"/a.svg\"\n",
    ));
    let (document, faults) = parse_all(&text);
    let codes: Vec<(usize, &str)> = faults.iter().map(|fault| (fault.line, fault.code())).collect();
    let wanted = [
        (5, "bad_text_line"),
        (6, "bad_text_line"),
        (11, "bad_text_line"),
        (14, "bad_script"),
        (16, "bad_text_line"),
        (21, "bad_indentation"),
        (22, "path_outside"),
    ];
    assert_eq!(codes, wanted);
    // What is understood is there, so that its scripts can be looked at.
    assert_eq!(document.targets.len(), 2);
    assert_eq!(
        (document.targets[0].scripts[0].text.as_str(), &document.targets[0].scripts[0].lines),
        ("hide\nshow", &vec![13, 15])
    );
}

#[test]
fn files_that_do_not_hold_what_their_names_say_are_refused() {
    let text = with("  sound \"a\" file \"a.wav\"\n");
    let open = |file: &str| Some(if file == "a.svg" { b"not a png".to_vec() } else { content(file) });
    let (_, faults) = skeleton_all(&parse(&text).unwrap(), &open);
    let faults: Vec<_> = faults.into_iter().map(|fault| fault.located_in(&text)).collect();
    let codes: Vec<_> = faults.iter().map(|fault| (fault.line, fault.code())).collect();
    assert_eq!(codes, [(4, "bad_file_content")]);
}

#[test]
fn a_project_without_scripts_comes_back_the_same() {
    let mut document = parse(example()).unwrap();
    document.targets.iter_mut().for_each(|target| target.scripts.clear());
    let open = |file: &str| Some(content(file));
    let project = skeleton(&document, &open).unwrap();
    assert_eq!(project.check().unwrap(), Vec::<String>::new());
    let back = from_project(&project);
    assert_eq!(render(&back.document), render(&document));
    assert_eq!(back.files["assets/kite/kite-up.svg"], content("assets/kite/kite-up.svg"));
    assert_eq!(project.write().unwrap(), skeleton(&back.document, &open).unwrap().write().unwrap());
}

#[test]
fn names_never_share_an_id() {
    let text = with("  variable \"a.b\" = 0\n  variable \"a%2Eb\" = 0\n  variable \"A.b\" = 0\n  list \"a.b\"\n");
    let document = parse(&text).unwrap();
    let mut ids: Vec<String> = names_in_scope(&document, 0, false).into_values().collect();
    ids.extend(names_in_scope(&document, 0, true).into_values());
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 4);
    assert!(ids.iter().all(|id| !id.contains(['<', '>', '&', '\'', '"'])));
}

#[test]
fn what_a_text_cant_say_is_told_with_the_line_of_its_block() {
    let sb3 = include_bytes!("../../tests/fixtures/foreign/text-literal-condition/st_literal_in_bool.sb3");
    let losses = from_project(&scratchbed_project::Project::read(sb3).unwrap()).losses;
    let [loss] = losses.as_slice() else { panic!("{losses:?}") };
    assert_eq!(
        (loss.code(), loss.target.as_str(), loss.line.as_deref()),
        ("condition_value", "Ball", Some("if <> then"))
    );
}
