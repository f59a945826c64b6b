//! Answers as models give them.

use scratchbed_model::{Coded, Layer};

use super::*;

const OPERATION: &str = r#"{"op":"replace","path":"/targets/0/blocks/a/next","value":"null"}"#;

fn whole_answer() -> String {
    format!(r#"{{"operations":[{OPERATION}]}}"#)
}

fn code(answer: &str, end: End) -> String {
    match read(answer, end, &Limits::default()) {
        Ok(_) => "read".to_owned(),
        Err(error) => {
            assert_eq!(
                error.layer() == Layer::Extraction,
                ["no_json", "several_json", "cut", "refused"].contains(&error.code())
            );
            error.code().to_owned()
        }
    }
}

#[test]
fn one_patch_is_found_wherever_it_stands() {
    let whole = whole_answer();
    for (answer, normalised) in [
        (whole.clone(), 0),
        (format!("\u{feff} {whole}\n"), 0),
        (format!("The fault is {{here}}.\n```json\n{whole}\n```\nThat is all."), 0),
        (format!("```\n{whole}\n``` and once more {whole}"), 0),
        (format!("First {whole}, again {whole}, of a list []"), 0),
        (format!("The block {{\"opcode\": \"a_b\"}} must change: {whole}"), 0),
        (format!("```json\n{{\"opcode\": \"a_b\"}}\n``` becomes\n```json\n{whole}\n```"), 0),
        (format!("[{OPERATION}]"), 1),
        (format!(r#"{{"patch":[{OPERATION}]}}"#), 1),
    ] {
        let read = read(&answer, End::Complete, &Limits::default()).unwrap_or_else(|error| panic!("{answer}: {error}"));
        assert_eq!((read.operations.len(), read.counts.normalised), (1, normalised), "{answer}");
    }
}

#[test]
fn an_answer_without_a_patch_says_what_is_missing() {
    let other = whole_answer().replace("/a/", "/b/");
    let whole = whole_answer();
    for (answer, wanted) in [
        (String::new(), "no_json"),
        ("I can't tell.".to_owned(), "no_json"),
        ("\"a text\"".to_owned(), "no_json"),
        (format!("Either {whole} or {other}"), "several_json"),
        (format!("```json\n{whole}\n```\n```json\n{other}\n```"), "several_json"),
        (format!(r#"{{"operations":[{OPERATION},{{"op":"rem"#), "cut"),
        (format!(r#"Here: {{"operations":[{OPERATION}],"rationale":"bec"#), "cut"),
        (format!("```json\n{{\"operations\":[{OPERATION}"), "cut"),
        ("[".repeat(20_000), "too_large"),
        (r#"{"answer": 1}"#.to_owned(), "shape"),
        (OPERATION.to_owned(), "shape"),
    ] {
        assert_eq!(code(&answer, End::Complete), wanted, "{answer:.90}");
    }
}

#[test]
fn the_endpoint_tells_that_an_answer_was_cut_or_refused() {
    assert_eq!(code("Let me think", End::Cut), "cut");
    assert_eq!(code(&format!("{OPERATION} is the"), End::Cut), "cut");
    assert_eq!(code(&whole_answer(), End::Cut), "read");
    assert_eq!(code(&whole_answer(), End::Refused), "refused");
}

#[test]
fn more_than_64_kilobytes_are_too_large_however_they_stand() {
    let long = |bytes: usize| whole_answer().replace("null", &"x".repeat(bytes));
    assert_eq!(code(&long(LARGEST), End::Complete), "too_large");
    assert_eq!(code(&format!("So: {}", long(LARGEST)), End::Complete), "too_large");
    assert_eq!(code(&format!("{} {}", "so ".repeat(LARGEST), whole_answer()), End::Complete), "read");
    assert_eq!(code(&long(LARGEST - 200), End::Complete), "read");
}
