//! Files that are right, and files that are wrong in all the ways that people find.

use super::*;

const FILE: &str = r#"
format = 1
name = "table-1"
items = { split = "small" }
epochs = 3
budget = { usd = 400, tokens = "2G", wall = "36h" }
attempt = { steps = 50, usd = 2.0 }

[lanes.cloud]
endpoint = "https://models.example/v1"
key_env = "MODEL_KEY"
in_flight = 4
tpm = "4M"

[models.big]
lane = "cloud"
name = "big-1"

[models.small]
lane = "cloud"
name = "small-1"

[[arms]]
agent = ["llm", "awm"]
model = ["big", "small"]
mode = ["composite", "primitive"]
protocol = "paper-1"
unless = [{ agent = "awm", model = "small" }]

[[arms]]
agent = "noop"
mode = "composite"
"#;

fn labels(text: &str) -> Vec<String> {
    ExperimentFile::parse(text).unwrap().arms().unwrap().into_iter().map(|arm| arm.label).collect()
}

#[test]
fn lists_multiply_and_combinations_are_left_out() {
    assert_eq!(
        labels(FILE),
        [
            "llm-big-composite-protocol=paper-1",
            "llm-big-primitive-protocol=paper-1",
            "llm-small-composite-protocol=paper-1",
            "llm-small-primitive-protocol=paper-1",
            "awm-big-composite-protocol=paper-1",
            "awm-big-primitive-protocol=paper-1",
            "noop-composite",
        ]
    );
    let file = ExperimentFile::parse(FILE).unwrap();
    assert_eq!(file.lanes["cloud"].tpm.as_ref().unwrap().number().unwrap(), 4_000_000);
    assert_eq!(file.budget.tokens.unwrap().number().unwrap(), 2_000_000_000);
}

#[test]
fn what_is_wrong_is_said_with_what_may_be_meant() {
    let with = |from: &str, to: &str| {
        let text = FILE.replacen(from, to, 1);
        assert_ne!(text, FILE, "{from}");
        let error = ExperimentFile::parse(&text).and_then(|file| file.arms().map(|_| ())).unwrap_err();
        (error.code().to_owned(), error.text())
    };
    for (from, to, part) in [
        ("epochs = 3", "epoch = 3", "did you mean `epochs`?"),
        ("epochs = 3", "epochs = 0", "at least 1"),
        ("format = 1", "format = 2", "format 2 is not known"),
        ("\"table-1\"", "\"../x\"", "letters, digits"),
        ("in_flight = 4", "in_flight = 0", "in_flight: give at least 1"),
        ("in_flight = 4", "inflight = 4", "did you mean `in_flight`?"),
        ("lane = \"cloud\"", "lane = \"clod\"", "did you mean `cloud`?"),
        ("mode = \"composite\"", "mode = []", "the list is empty"),
        ("usd = 2.0", "dollars = 2.0", "unknown field `dollars`"),
        ("unless = [{ agent = \"awm\", model = \"small\" }]", "unless = [{}]", "give a list of tables"),
        ("[[arms]]\nagent = \"noop\"", "[[arms]]\nagent = ", "TOML"),
    ] {
        let (code, text) = with(from, to);
        assert_eq!(code, "experiment_invalid", "{to}: {text}");
        assert!(text.contains(part), "{to}: {text}");
    }
    let none = "unless = [{ agent = \"llm\" }, { agent = \"awm\" }]";
    let text = FILE.replace("unless = [{ agent = \"awm\", model = \"small\" }]", none);
    assert_eq!(labels(&text), ["noop-composite"]);
}

#[test]
fn secrets_are_refused_and_not_repeated() {
    for (from, to) in [
        ("key_env = \"MODEL_KEY\"", "key = \"abc\""),
        ("https://models.example", "https://me:pass@models.example"),
        ("\"MODEL_KEY\"", "\"sk-1234\""),
    ] {
        let error = ExperimentFile::parse(&FILE.replacen(from, to, 1)).unwrap_err();
        assert_eq!(error.code(), "secret_in_file");
        assert!(!["abc", "pass@", "1234"].iter().any(|secret| error.text().contains(secret)), "{}", error.text());
    }
}

#[test]
fn amounts_have_units() {
    let amount = |text: &str| Amount::Text(text.to_owned()).number().ok();
    assert_eq!(["7", "2k", "4M", "1G"].map(amount), [Some(7), Some(2_000), Some(4_000_000), Some(1_000_000_000)]);
    assert_eq!(["", "M", "-1", "4m", "99999999999G"].map(amount), [None; 5]);
}
