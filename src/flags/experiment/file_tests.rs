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

/// So many settings with so many values each.
fn settings(count: usize, values: usize) -> String {
    let line = |key| format!("k{key} = {:?}", (1..=values).collect::<Vec<_>>());
    (0..count).map(line).collect::<Vec<_>>().join("\n") + "\n"
}

fn table(settings: &str) -> String {
    format!("[[arms]]\nagent = \"noop\"\n{settings}")
}

fn refused(arms: &str) -> String {
    let error = ExperimentFile::parse(&format!("format = 1\nname = \"e\"\n{arms}")).unwrap_err();
    assert_eq!(error.code(), "experiment_invalid");
    error.text()
}

#[test]
fn arms_are_counted_before_they_are_made() {
    for (arms, count) in [
        (table(&settings(6, 10)), "1000000"),
        (table(&settings(10, 10)), "10000000000"),
        (table(&settings(3000, 2)), "more than 18446744073709551615"),
        (table(&settings(3, 8)).repeat(2), "1024"),
    ] {
        let text = refused(&arms);
        assert!(text.contains(&format!("the matrix makes {count} arms; 1000 are the most")), "{text}");
    }
    let unless = format!("unless = [{}]\n", "{ k0 = 1 }, ".repeat(1001));
    let text = format!("format = 1\nname = \"e\"\n{}{unless}", table(&settings(1, 2)));
    let error = ExperimentFile::parse(&text).unwrap().arms().unwrap_err();
    assert!(error.text().contains("1001 values; 1000 are the most"), "{}", error.text());
    // What an arm takes from the rest of the file it takes once for each arm.
    let items = format!("items = {{ task = [\"{}\"] }}\n", "t".repeat(20_000));
    let text = refused(&format!("{items}{}", table(&settings(3, 10))));
    assert!(text.contains("makes 1000 arms"), "{text}");
}

#[test]
fn equal_arms_are_one_in_whatever_order_they_are_written() {
    let one = "[[arms]]\nagent = \"noop\"\nextra_body = { a = 1, b = [{ c = 1, d = 2 }] }\nmode = [\"m\", \"m\"]\n";
    let other = "[[arms]]\nmode = \"m\"\nextra_body = { b = [{ d = 2, c = 1 }], a = 1 }\nagent = \"noop\"\n";
    assert_eq!(labels(&format!("format = 1\nname = \"e\"\n{one}{other}")), ["noop-m"]);
    let text = "[[arms]]\nagent = \"noop\"\nmode = [\"1\", 1]\n";
    let error = ExperimentFile::parse(&format!("format = 1\nname = \"e\"\n{text}")).unwrap().arms().unwrap_err();
    assert!(error.text().contains("2 arms would be called `noop-1`"), "a text is no number: {}", error.text());
}

#[test]
fn little_of_a_wrong_file_is_repeated() {
    let long = "x".repeat(100_000);
    for (arms, part) in [
        (format!("name = \"{long}\u{7}"), "line 3, column"),
        (format!("{long} = 1\n"), "a name has at most 80 letters"),
        ("[lanes.\"a\\u001b[2J\"]\n".to_owned(), "a name has at most 80 letters"),
        (format!("seed = \"{long}\"\n"), "expected u64"),
        (format!("benchmark = \"{long}\"\n"), "expected one of `tasks`"),
        (format!("budget = {{ tokens = \"{long}\" }}\n{}", table("")), ""),
    ] {
        let file = ExperimentFile::parse(&format!("format = 1\nname = \"e\"\n{arms}"));
        let error = file.and_then(|file| file.budget().map(drop)).unwrap_err();
        let text = error.message();
        assert!(text.contains(part) && text.matches('x').count() <= 100, "{text}");
        assert!(!text.contains(char::is_control), "{text}");
    }
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
