//! Arguments of the reference's block operations: which of them count, and what they are in the registry's terms.

use serde_json::{Map, Value, json};

use super::blocks::{Located, NumberingFault};

/// Why arguments can't be carried out, with the reference's code for it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ArgsFault {
    pub code: &'static str,
    pub message: String,
}

/// The operations that the registry carries out.
pub const OPERATIONS: [&str; 9] = [
    "select_sprite",
    "select_stage",
    "add_variable",
    "add_list",
    "add_block",
    "connect_blocks",
    "detach_blocks",
    "delete_block",
    "set_block_field",
];

/// The arguments that an operation knows; others are ignored.
pub fn known(api: &str, args: &Map<String, Value>) -> Map<String, Value> {
    let names: &[&str] = match api {
        "select_sprite" => &["name"],
        "add_variable" | "add_list" => &["name", "scope"],
        "add_block" => &["blockType", "creation"],
        "connect_blocks" => &["sourceBlockIndex", "targetBlockIndex", "placement"],
        "detach_blocks" | "delete_block" => &["blockIndex"],
        "set_block_field" => &["blockIndex", "fieldName", "value"],
        _ => &[],
    };
    let mut known = picked(args, names);
    if api == "delete_block"
        && !known.contains_key("blockIndex")
        && let Some(index) = args.get("index")
    {
        known.insert("blockIndex".to_owned(), index.clone());
    }
    for (part, names) in [("creation", ["variableName", "listName"]), ("placement", ["kind", "inputName"])] {
        if let Some(Value::Object(inner)) = known.get(part) {
            let inner = picked(inner, &names);
            known.insert(part.to_owned(), Value::Object(inner));
        }
    }
    known
}

fn picked(args: &Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    let value = |name: &str| args.get(name).filter(|value| !value.is_null());
    names.iter().filter_map(|name| Some(((*name).to_owned(), value(name)?.clone()))).collect()
}

/// The same in the registry's terms: numbers of blocks looked up, texts trimmed, what is required there.
///
/// # Errors
/// What is missing or does not fit, and unknown numbers.
pub(super) fn for_registry(
    api: &str,
    known: &Map<String, Value>,
    located: &Located,
) -> Result<Map<String, Value>, ArgsFault> {
    let mut args = known.clone();
    match api {
        "select_sprite" => text(&mut args, "name")?,
        "add_variable" | "add_list" => {
            text(&mut args, "name")?;
            text(&mut args, "scope")?;
        }
        "add_block" => {
            text(&mut args, "blockType")?;
            bind(&mut args, located)?;
        }
        "connect_blocks" => connect(&mut args, located)?,
        "detach_blocks" | "delete_block" => {
            number(&mut args, "blockIndex", located)?;
        }
        "set_block_field" => {
            number(&mut args, "blockIndex", located)?;
            text(&mut args, "fieldName")?;
            if !args.contains_key("value") {
                return Err(invalid("value is required"));
            }
        }
        _ => {}
    }
    Ok(args)
}

fn fault(code: &'static str, message: impl Into<String>) -> ArgsFault {
    ArgsFault { code, message: message.into() }
}

fn invalid(message: impl Into<String>) -> ArgsFault {
    fault("INVALID_ARG", message)
}

/// Trims a text that must be there and not be blank.
fn text(args: &mut Map<String, Value>, name: &str) -> Result<(), ArgsFault> {
    let given = args.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let given = given.ok_or_else(|| invalid(format!("{name} must be a text that is not empty")))?.to_owned();
    args.insert(name.to_owned(), given.into());
    Ok(())
}

/// The number of a block, as a whole JSON number of at least 1.
fn index(args: &Map<String, Value>, name: &str) -> Result<u64, ArgsFault> {
    let given = args.get(name).and_then(Value::as_u64).filter(|number| *number > 0);
    given.ok_or_else(|| invalid(format!("{name} must be an integer >= 1")))
}

/// Puts the registry's number in the place of the reference's.
fn number(args: &mut Map<String, Value>, name: &str, located: &Located) -> Result<u32, ArgsFault> {
    let reference = index(args, name)?;
    let number = located.number(reference).map_err(|error| match error {
        NumberingFault::NotRead => fault("INVALID_STATE", error.to_string()),
        NumberingFault::Absent(_) => fault("NOT_FOUND", error.to_string()),
    })?;
    args.insert(name.to_owned(), number.into());
    Ok(number)
}

/// Without a name the reference takes the first variable or list; an unknown name is an error here.
fn bind(args: &mut Map<String, Value>, located: &Located) -> Result<(), ArgsFault> {
    let (key, names) = match args.get("blockType").and_then(Value::as_str) {
        Some("data_variable") => ("variableName", &located.variables),
        Some("data_listcontents") => ("listName", &located.lists),
        _ => return Ok(()),
    };
    let creation = args.entry("creation").or_insert_with(|| json!({}));
    let Some(creation) = creation.as_object_mut() else { return Err(invalid("creation must be an object")) };
    if !creation.contains_key(key) {
        let first = names.first().ok_or_else(|| fault("NOT_FOUND", format!("there is none for {key}")))?;
        creation.insert(key.to_owned(), first.clone().into());
    }
    Ok(())
}

fn connect(args: &mut Map<String, Value>, located: &Located) -> Result<(), ArgsFault> {
    let (source, target) = (index(args, "sourceBlockIndex")?, index(args, "targetBlockIndex")?);
    let placement =
        args.get("placement").and_then(Value::as_object).ok_or_else(|| invalid("placement must be an object"))?;
    let kind = placement.get("kind").and_then(Value::as_str).unwrap_or_default().trim().to_owned();
    let named = placement.get("inputName").and_then(Value::as_str).is_some_and(|name| !name.trim().is_empty());
    if kind.is_empty() {
        return Err(invalid("placement.kind is required"));
    }
    if !named && ["statement_into", "value_into"].contains(&kind.as_str()) {
        return Err(invalid(format!("placement.inputName is required for {kind}")));
    }
    if source == target {
        return Err(invalid("source and target are the same block"));
    }
    number(args, "sourceBlockIndex", located)?;
    let target = number(args, "targetBlockIndex", located)?;
    if kind == "wrap" {
        // The reference wraps all of the target's script; the registry what begins with the target.
        let top = located.top_of(target).unwrap_or(target);
        args.insert("targetBlockIndex".to_owned(), top.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: &Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn only_what_the_catalogue_names_is_carried_out() {
        let args = object(&json!({"blockIndex": null, "index": 3, "why": "x"}));
        assert_eq!(Value::Object(known("delete_block", &args)), json!({"blockIndex": 3}));
        let args = object(&json!({"blockType": "data_variable", "creation": {"variableName": "a", "x": 1}}));
        let creation = json!({"blockType": "data_variable", "creation": {"variableName": "a"}});
        assert_eq!(Value::Object(known("add_block", &args)), creation);
        assert!(known("run_project", &args).is_empty());
    }

    #[test]
    fn numbers_of_blocks_are_whole_json_numbers() {
        assert_eq!(index(&object(&json!({"i": 2})), "i"), Ok(2));
        for wrong in [json!(0), json!(-1), json!(1.0), json!("1"), Value::Null] {
            assert_eq!(index(&object(&json!({"i": wrong})), "i").unwrap_err().code, "INVALID_ARG");
        }
    }
}
