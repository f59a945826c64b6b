//! Properties of random patches on a small game. `PROPTEST_CASES=10000` runs more of them than the usual 256.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use scratchbed_project::walk::is_hat;
use serde_json::{Value, json};

use super::fixture::{game, project};
use super::{
    Aliases, AnswerError, Counts, End, Limits, Operation, PatchError, apply, apply_unrestricted, bindings, check,
    difference, join, normalise, read, wire_form,
};

/// Pointers to all that is in a value.
fn pointers(above: &str, value: &Value) -> Vec<String> {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(key, member)| (join(above, key), member)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, item)| (format!("{above}/{at}"), item)).collect(),
        _ => Vec::new(),
    };
    let inner = below.into_iter().flat_map(|(pointer, value)| pointers(&pointer, value));
    std::iter::once(above.to_owned()).chain(inner).collect()
}

/// Paths: most to what may be changed, some to what is denied or missing, some that are no pointers.
fn paths() -> impl Strategy<Value = String> {
    let all = pointers("", &game());
    let allowed: Vec<String> =
        all.iter().filter(|path| path.matches('/').count() > 3 && path.contains("/blocks/")).cloned().collect();
    let declared =
        all.iter().filter(|path| path.contains("/variables/") || path.contains("/lists/")).cloned().collect::<Vec<_>>();
    let properties =
        ["/targets/1/x", "/targets/1/visible", "/targets/0/tempo", "/extensions/-"].map(str::to_owned).to_vec();
    prop_oneof![
        10 => select(allowed.clone()),
        3 => select(declared),
        2 => select(properties),
        2 => (select(allowed), "/?[xyz~01-]{1,4}").prop_map(|(path, more)| path + &more),
        2 => (0..3_usize, "[xyz]{1,2}").prop_map(|(target, id)| format!("/targets/{target}/blocks/{id}")),
        1 => select(all).prop_map(|path| path.replace("~1", "/").replace("~0", "~")),
        1 => "(/[xyz~01-]{0,3}){0,5}",
        1 => "\\PC{0,20}",
    ]
}

fn values() -> impl Strategy<Value = Value> {
    let game = game();
    let known: Vec<Value> = pointers("", &game)
        .iter()
        .filter(|path| path.matches('/').count() > 3)
        .filter_map(|path| game.pointer(path).cloned())
        .collect();
    let hat = json!({"opcode": "event_whenflagclicked", "topLevel": true, "next": "say", "inputs": {}, "fields": {}});
    prop_oneof![
        4 => select(known),
        1 => Just(hat),
        1 => select(vec![json!(null), json!("music"), json!(7), json!([1, [10, "ü"]]), json!({}), json!(["points", 3])]),
    ]
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let one = (0..6_u8, paths(), values()).prop_map(|(action, path, value)| match action {
        0 | 1 => Operation::Add { path, value },
        2 => Operation::Remove { path },
        _ => Operation::Replace { path, value },
    });
    proptest::collection::vec(one, 0..7)
}

/// Ids of the blocks with which scripts start, by target and in their order.
fn starts(project: &Value) -> Vec<Vec<&String>> {
    let is_start = |block: &Value| block["topLevel"] == true && block["opcode"].as_str().is_some_and(is_hat);
    let targets = project["targets"].as_array().unwrap().iter();
    let blocks = targets.map(|target| target["blocks"].as_object().unwrap());
    blocks.map(|blocks| blocks.iter().filter(|(_, block)| is_start(block)).map(|(id, _)| id).collect()).collect()
}

proptest! {
    #[test]
    fn a_patch_is_carried_out_as_a_whole_or_not_at_all(operations in operations()) {
        let before = game();
        match apply(&before, &operations) {
            Ok(applied) => {
                // What is stored leads to the same project, plainly and again.
                prop_assert_eq!(&apply_unrestricted(&before, &applied.operations).unwrap(), &applied.project);
                let again = apply(&before, &applied.operations).unwrap();
                prop_assert_eq!((&again.project, &again.operations), (&applied.project, &applied.operations));
                prop_assert_eq!(&normalise(&before, &operations).operations, &applied.operations);
                // Whatever came of it can be looked at.
                let checked = check(&project(before.clone()), &project(applied.project.clone()));
                prop_assert!(!applied.operations.is_empty() || checked == Err(PatchError::NoChange));
                bindings(&before, &applied.project);
                if applied.counts.unescaped == 0 {
                    prop_assert_eq!(&apply_unrestricted(&before, &operations).unwrap(), &applied.project);
                }
            }
            Err(error) => {
                let number = error.operation().unwrap();
                prop_assert_eq!(error.pointer(), Some(operations[number].path()));
                prop_assert!(error.nearest().iter().all(|near| before.pointer(near).is_some()) || number > 0);
                // The operation named is the first that fails.
                prop_assert_eq!(&apply(&before, &operations[..=number]).unwrap_err(), &error);
                // The policy looks at all of them first.
                let is_denied = matches!(error, PatchError::PathDenied { .. });
                prop_assert!(is_denied || apply(&before, &operations[..number]).is_ok());
            }
        }
        prop_assert_eq!(before, game());
    }

    #[test]
    fn a_difference_leads_to_the_other_project(operations in operations(), more in operations()) {
        // Operations that can't be made are left out, so that most cases come to something.
        let gold = operations.iter().chain(&more).fold(game(), |project, operation| {
            apply(&project, std::slice::from_ref(operation)).map_or(project, |applied| applied.project)
        });
        let found = difference(&game(), &gold).unwrap();
        let applied = apply(&game(), &found).unwrap();
        prop_assert_eq!(&applied.project, &gold);
        prop_assert_eq!(starts(&applied.project), starts(&gold));
        prop_assert_eq!(applied.counts, Counts::default());
    }

    #[test]
    fn operations_come_back_from_their_names(operations in operations()) {
        let mut aliases = Aliases::of(&game(), 1);
        let shown = aliases.shown_operations(&operations);
        prop_assert_eq!(aliases.restore(&shown), operations);
    }

    #[test]
    fn a_patch_is_read_from_prose_as_it_was_and_no_part_of_it_is(
        operations in operations(),
        end in any::<Index>(),
        prose in "[a-z .,]{0,20}",
    ) {
        // Other beginnings of a path are put right.
        let operations: Vec<Operation> = operations.into_iter().filter(|one| one.path().starts_with('/')).collect();
        let answer = wire_form(&operations).to_string();
        let limits = Limits::default();
        prop_assert_eq!(read(&format!("{prose}{answer}{prose}"), End::Complete, &limits).unwrap().operations, operations);
        let cut: String = answer.chars().take(1 + end.index(answer.chars().count() - 1)).collect();
        prop_assert_eq!(read(&cut, End::Complete, &limits), Err(AnswerError::Cut));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(\\PC|[\\[\\]{}\":,`]|\"op\"|\"path\"|\"operations\"|add|null|```){0,60}") {
        if let Err(error) = read(&text, End::Complete, &Limits::default()) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
