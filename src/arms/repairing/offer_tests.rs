//! What becomes of requests: names only, and nothing of the machine.

use scratchbed::model::Coded as _;
use serde_json::{Value, json};

use super::*;

/// An offer of one benchmark with the case `a`, and of one model.
fn offer() -> Offer {
    let offered = OfferedBenchmark { name: "b".to_owned(), version: "v".to_owned(), cases: vec!["a".to_owned()] };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("models.toml");
    std::fs::write(&file, "[models.small]\nendpoint = \"http://m/v1\"\nmodel = \"s-1\"\ntemperature = 0.5\n").unwrap();
    Offer {
        benches: BTreeMap::from([("b".to_owned(), (PathBuf::from("/srv/b"), offered))]),
        models: read_models(&file).unwrap(),
        keys: Vec::new(),
    }
}

fn asked(more: &Value) -> Result<Vec<String>, String> {
    let mut wanted = json!({"case": "a", "mode": "heuristic", "agent": "oracle"});
    wanted.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let wanted = serde_json::from_value(wanted).map_err(|error| error.to_string())?;
    offer().flags(wanted).map(|(_, flags)| flags).map_err(|error| error.code().to_owned())
}

#[test]
fn a_request_is_the_command_line_of_a_run_of_one_case() {
    let flags = asked(&json!({"budgets": {"attempts": 3}, "max_leak": 1, "profile": "own"})).unwrap();
    for flag in [
        "--bench=/srv/b",
        "--ids=a",
        "--mode=heuristic",
        "--agent=oracle",
        "--max-attempts=3",
        "--max-leak=1",
        "--profile=own",
    ] {
        assert!(flags.iter().any(|one| one == flag), "{flag}: {flags:?}");
    }
    let flags = asked(&json!({"agent": "model", "budgets": {"tokens": 900}})).unwrap();
    for flag in ["--endpoint=http://m/v1", "--model=s-1", "--temperature=0.5", "--max-run-tokens=900"] {
        assert!(flags.iter().any(|one| one == flag), "{flag}: {flags:?}");
    }
}

#[test]
fn what_is_not_offered_or_makes_no_sense_is_refused_with_a_code() {
    for (more, code) in [
        (json!({"case": "../a"}), "unknown_case"),
        (json!({"case": "@/etc/passwd"}), "unknown_case"),
        (json!({"bench": "/srv/b"}), "unknown_benchmark"),
        (json!({"agent": "model", "model": "large"}), "unknown_model"),
        (json!({"model": "small"}), "model_not_asked"),
        (json!({"budgets": {"attempts": 0}}), "bad_repair"),
        (json!({"max_leak": 4}), "bad_repair"),
        (json!({"mode": "value"}), "bad_repair"),
        (json!({"budgets": {"usd": 1.0}}), "budget_without_model"),
        (json!({"agent": "model", "budgets": {"usd": 1.0}}), "price_unknown"),
    ] {
        assert_eq!(asked(&more), Err(code.to_owned()), "{more}");
    }
    for more in [json!({"endpoint": "http://evil"}), json!({"api_key_env": "HOME"}), json!({"agent": "command"})] {
        assert!(asked(&more).unwrap_err().contains("unknown"), "{more}");
    }
}

#[test]
fn models_have_the_settings_of_the_command_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("models.toml");
    let of = |text: &str| {
        std::fs::write(&file, text).unwrap();
        read_models(&file).map_err(|failure| failure.code().to_owned())
    };
    let wrong = [
        "[models.a]\nendpoint = \"http://m\"\n",
        "[models.a]\nendpoint = \"http://m\"\nmodel = \"m\"\ncommand = \"sh\"\n",
        "[models.a]\nendpoint = \"http://m\"\nmodel = \"m\"\ntemperature = 9\n",
        "[model.a]\n",
    ];
    for text in wrong {
        assert_eq!(of(text), Err("models_unreadable".to_owned()), "{text}");
    }
    let flags = of("[models.a]\nendpoint = \"http://m\"\nmodel = \"m\"\nextra_body = { a = 1 }\n").unwrap();
    assert!(flags["a"].contains(&"--extra-body={\"a\":1}".to_owned()), "{flags:?}");
}
