//! The API description: it lists every action, and a change of it shows as a change of the snapshot.

use std::collections::BTreeSet;

use scratchbed::action::{Kind, registry};
use scratchbed::http::openapi_document;
use serde_json::Value;

#[test]
fn every_action_is_listed_with_its_schemas() {
    let document = openapi_document();
    for entry in registry() {
        let path = format!("/sessions/{{id}}/{}/{}", entry.mode, entry.name);
        let operation = &document["paths"][&path]["post"];
        assert!(operation["requestBody"]["content"]["application/json"]["schema"].is_object(), "{path}");
        assert!(operation["responses"]["200"]["content"]["application/json"]["schema"].is_object(), "{path}");
        assert_eq!(operation["summary"], entry.doc, "{path}");
    }
    let observations = registry().iter().filter(|entry| entry.kind == Kind::Observe).count();
    let paths = document["paths"].as_object().unwrap();
    assert_eq!(paths.keys().filter(|path| path.contains("/observation/")).count(), observations);
}

#[test]
fn names_are_unique_and_every_reference_leads_somewhere() {
    let document = openapi_document();
    let mut names = BTreeSet::new();
    for operation in document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values())
    {
        let name = operation["operationId"].as_str().unwrap();
        assert!(names.insert(name.to_owned()), "{name} twice");
    }
    let mut references = Vec::new();
    collect_references(&document, &mut references);
    assert!(!references.is_empty());
    for reference in references {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
}

fn collect_references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            found.extend(map.get("$ref").and_then(Value::as_str).map(str::to_owned));
            map.values().for_each(|value| collect_references(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| collect_references(value, found)),
        _ => {}
    }
}

#[test]
fn the_surface_is_as_reviewed() {
    insta::assert_json_snapshot!("openapi", openapi_document(), { ".info.version" => "[version]" });
}
