//! What is wrong with the file of an experiment, in a message that repeats little of it: it may come from anybody.

use toml::{Table, Value};

use crate::flags::failure::{Failure, Status};
use scratchbed::model::{is_unprintable, parser_words, shown_name};
use scratchbed::project::near::near;

/// Letters of a lane's, a model's or a setting's name. They are repeated in labels and messages.
const LONGEST_NAME: usize = 80;
/// Letters that are shown before the place where a file can't be read.
const BEFORE: usize = 40;

/// A file that is wrong.
pub fn wrong(message: String) -> Failure {
    Failure::new(Status::Input, "experiment_invalid", message)
}

/// A file that is no TOML: where it can't be read, and a few letters of it.
pub fn no_toml(text: &str, error: &toml::de::Error) -> Failure {
    let at = text.floor_char_boundary(error.span().map_or(0, |span| span.start));
    let (before, after) = text.split_at(at);
    let (line, start) = (before.matches('\n').count() + 1, before.rfind('\n').map_or(0, |end| end + 1));
    let column = text[start..at].chars().count();
    let rest = after.lines().next().unwrap_or_default().chars();
    let shown: String = text[start..at].chars().skip(column.saturating_sub(BEFORE)).chain(rest).collect();
    wrong(format!(
        "TOML parse error at line {line}, column {}: {}, in `{}`",
        column + 1,
        parser_words(error.message()),
        shown_name(&shown)
    ))
}

/// What the parser of flags has against values of a file, in one line.
pub fn refused(place: &str, error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    let first = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
    let first = first.split_whitespace().collect::<Vec<_>>().join(" ");
    let value = first.strip_prefix("invalid value '").and_then(|rest| rest.rsplit_once("' for '"));
    let said = match value {
        Some((value, of)) => format!("invalid value '{}' for '{of}", shown_name(value)),
        None => parser_words(&first),
    };
    wrong(format!("{place}: {said}"))
}

/// A message of serde about a key, with the nearest key that there is.
pub fn unknown(message: &str) -> Failure {
    let words: Vec<&str> = message.split('`').collect();
    let is_unknown = message.starts_with("unknown field");
    let near = words.get(1).filter(|_| is_unknown).and_then(|asked| {
        let known = words.iter().skip(3).step_by(2).copied();
        near(asked, known)
    });
    wrong(parser_words(message)).hinted_by(near.map(|near| format!("did you mean `{near}`?")))
}

/// The tables in a value.
fn tables_in(value: &Value) -> Vec<&Table> {
    match value {
        Value::Table(inner) => vec![inner],
        Value::Array(all) => all.iter().filter_map(Value::as_table).collect(),
        _ => Vec::new(),
    }
}

/// Refuses names that labels and messages would have to cut.
pub fn check_names(table: &Table) -> Result<(), Failure> {
    for (name, value) in table {
        if name.chars().count() > LONGEST_NAME || name.contains(is_unprintable) {
            let message =
                format!("`{}`: a name has at most {LONGEST_NAME} letters that can be printed", shown_name(name));
            return Err(wrong(message));
        }
        tables_in(value).into_iter().try_for_each(check_names)?;
    }
    Ok(())
}

/// Keys that would hold a secret. A file is copied into results, so it must not have any.
const SECRETS: [&str; 6] = ["key", "api_key", "token", "secret", "password", "authorization"];

/// Refuses keys and passwords, wherever they stand.
pub fn refuse_secrets(place: &str, table: &Table) -> Result<(), Failure> {
    for (name, value) in table {
        let here = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
        let is_secret = SECRETS.contains(&name.as_str()) && value.is_str();
        let has_login = value.as_str().is_some_and(|text| {
            text.split_once("://")
                .is_some_and(|(_, rest)| rest.split('/').next().is_some_and(|host| host.contains('@')))
        });
        let looks_so =
            value.as_str().is_some_and(|text| ["sk-", "AIza", "ghp_"].iter().any(|start| text.starts_with(start)));
        if is_secret || has_login || looks_so {
            let failure =
                Failure::new(Status::Input, "secret_in_file", format!("{} holds a secret", shown_name(&here)));
            return Err(failure.hinted("name the environment variable that holds it with `key_env`"));
        }
        for inner in tables_in(value) {
            refuse_secrets(&here, inner)?;
        }
    }
    Ok(())
}
