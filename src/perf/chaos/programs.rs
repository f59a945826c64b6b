//! Programs that consume memory or time, as the blocks of one sprite. It has the variables `text`, `longer` and `count`
//! and the list `items`, each with its name for an id.

use serde_json::{Map, Value, json};

fn block(opcode: &str, next: Option<&str>, inputs: &Value, fields: &Value, top: bool) -> Value {
    json!({
        "opcode": opcode, "next": next, "parent": null, "inputs": inputs, "fields": fields, "shadow": false,
        "topLevel": top, "x": 0, "y": 0
    })
}

fn script(blocks: Vec<(&str, Value)>) -> Map<String, Value> {
    blocks.into_iter().map(|(id, block)| (id.to_owned(), block)).collect()
}

fn flag(next: &str) -> (&'static str, Value) {
    ("flag", block("event_whenflagclicked", Some(next), &json!({}), &json!({}), true))
}

/// Doubles a text until nothing can hold it.
pub(super) fn string_bomb() -> Map<String, Value> {
    let joined = json!({"STRING1": held("text"), "STRING2": held("text")});
    script(vec![
        flag("first"),
        ("first", block("data_setvariableto", Some("loop"), &json!({"VALUE": [1, [10, "ab"]]}), &to("text"), false)),
        ("loop", block("control_forever", None, &json!({"SUBSTACK": [2, "double"]}), &json!({}), false)),
        ("double", block("data_setvariableto", None, &json!({"VALUE": [3, "join", [10, ""]]}), &to("text"), false)),
        ("join", block("operator_join", None, &joined, &json!({}), false)),
    ])
}

fn to(name: &str) -> Value {
    json!({"VARIABLE": [name, name]})
}

/// Every clone makes more clones.
pub(super) fn clone_storm() -> Map<String, Value> {
    let create = json!({"CLONE_OPTION": [1, "menu"]});
    let again = json!({"CLONE_OPTION": [1, "menu2"]});
    let me = json!({"CLONE_OPTION": ["_myself_", null]});
    let mut menu = block("control_create_clone_of_menu", None, &json!({}), &me, false);
    menu["shadow"] = true.into();
    script(vec![
        flag("loop"),
        ("loop", block("control_forever", None, &json!({"SUBSTACK": [2, "clone"]}), &json!({}), false)),
        ("clone", block("control_create_clone_of", None, &create, &json!({}), false)),
        ("menu", menu.clone()),
        ("start", block("control_start_as_clone", Some("loop2"), &json!({}), &json!({}), true)),
        ("loop2", block("control_forever", None, &json!({"SUBSTACK": [2, "clone2"]}), &json!({}), false)),
        ("clone2", block("control_create_clone_of", None, &again, &json!({}), false)),
        ("menu2", menu),
    ])
}

/// Conditions inside of conditions.
pub(super) fn nested(depth: usize) -> Map<String, Value> {
    let mut blocks: Map<String, Value> = (0..depth)
        .map(|level| {
            let inputs =
                if level + 1 < depth { json!({"SUBSTACK": [2, format!("level{}", level + 1)]}) } else { json!({}) };
            (format!("level{level}"), block("control_forever", None, &inputs, &json!({}), false))
        })
        .collect();
    let (id, top) = flag("level0");
    blocks.insert(id.to_owned(), top);
    blocks
}

/// Adds to a list in every turn of an endless loop.
pub(super) fn list_flood() -> Map<String, Value> {
    let item = json!({"ITEM": [1, [10, "0123456789abcdef0123456789abcdef"]]});
    script(vec![
        flag("loop"),
        ("loop", block("control_forever", None, &json!({"SUBSTACK": [2, "inner"]}), &json!({}), false)),
        (
            "inner",
            block(
                "control_repeat",
                None,
                &json!({"TIMES": [1, [6, "5000"]], "SUBSTACK": [2, "add"]}),
                &json!({}),
                false,
            ),
        ),
        ("add", block("data_addtolist", None, &item, &json!({"LIST": ["items", "items"]}), false)),
    ])
}

/// What a procedure and its calls have in common; it runs without screen refresh.
fn mutation() -> Value {
    json!({
        "tagName": "mutation", "children": [], "proccode": "spin", "argumentids": "[]", "argumentnames": "[]",
        "argumentdefaults": "[]", "warp": "true"
    })
}

/// A call of the procedure.
fn call() -> Value {
    let mut call = block("procedures_call", None, &json!({}), &json!({}), false);
    call["mutation"] = mutation();
    call
}

/// A script that calls a procedure, and the procedure, which begins with the block `first` and goes through without a
/// pause.
fn in_one_go(first: &str, body: Vec<(&str, Value)>) -> Map<String, Value> {
    let mut prototype = block("procedures_prototype", None, &json!({}), &json!({}), false);
    prototype["shadow"] = true.into();
    prototype["mutation"] = mutation();
    let mut blocks = script(vec![
        flag("call"),
        ("call", call()),
        (
            "define",
            block("procedures_definition", Some(first), &json!({"custom_block": [1, "proto"]}), &json!({}), true),
        ),
        ("proto", prototype),
    ]);
    blocks.extend(script(body));
    blocks
}

/// A loop that never ends and never pauses.
pub(super) fn endless() -> Map<String, Value> {
    let steps = json!({"STEPS": [1, [4, "1"]]});
    in_one_go(
        "loop",
        vec![
            ("loop", block("control_forever", None, &json!({"SUBSTACK": [2, "move"]}), &json!({}), false)),
            ("move", block("motion_movesteps", None, &steps, &json!({}), false)),
        ],
    )
}

/// A procedure that calls itself.
pub(super) fn recursion() -> Map<String, Value> {
    in_one_go("again", vec![("again", call())])
}

/// Doubles a text to 64 MB, and keeps 400 different texts of that length, which no renderer can hold.
pub(super) fn memory_bomb() -> Map<String, Value> {
    let joined = |end: &str| json!({"STRING1": held("text"), "STRING2": held(end)});
    let times = |times: &str, inner: &str| json!({"TIMES": [1, [6, times]], "SUBSTACK": [2, inner]});
    let value_of = |reporter: &str| json!({"VALUE": [3, reporter, [10, ""]]});
    let is_zero = json!({"OPERAND1": [3, "letter", [10, ""]], "OPERAND2": [1, [10, "0"]]});
    let letter = json!({"LETTER": [1, [6, "1"]], "STRING": held("longer")});
    let (none, item) = (json!({}), json!({"ITEM": held("longer")}));
    let start = json!({"VALUE": [1, [10, "0123456789abcdef"]]});
    in_one_go(
        "start",
        vec![
            ("start", block("data_setvariableto", Some("doubling"), &start, &to("text"), false)),
            ("doubling", block("control_repeat", Some("filling"), &times("22", "double"), &none, false)),
            ("double", block("data_setvariableto", None, &value_of("twice"), &to("text"), false)),
            ("twice", block("operator_join", None, &joined("text"), &none, false)),
            ("filling", block("control_repeat", None, &times("400", "next"), &none, false)),
            (
                "next",
                block("data_changevariableby", Some("set"), &json!({"VALUE": [1, [4, "1"]]}), &to("count"), false),
            ),
            ("set", block("data_setvariableto", Some("if"), &value_of("numbered"), &to("longer"), false)),
            ("numbered", block("operator_join", None, &joined("count"), &none, false)),
            // To see a letter, the machine must write out the text.
            (
                "if",
                block("control_if", None, &json!({"CONDITION": [2, "equals"], "SUBSTACK": [2, "add"]}), &none, false),
            ),
            ("equals", block("operator_equals", None, &is_zero, &none, false)),
            ("letter", block("operator_letter_of", None, &letter, &none, false)),
            ("add", block("data_addtolist", None, &item, &json!({"LIST": ["items", "items"]}), false)),
        ],
    )
}

/// Inserts at the front of the list in every tick.
pub(super) fn insertions() -> Map<String, Value> {
    let inputs = json!({"ITEM": [1, [10, "x"]], "INDEX": [1, [7, "1"]]});
    for_ever(("insert", block("data_insertatlist", None, &inputs, &json!({"LIST": ["items", "items"]}), false)))
}

/// Says the text in every tick.
pub(super) fn shouting() -> Map<String, Value> {
    for_ever(("say", block("looks_say", None, &json!({"MESSAGE": held("text")}), &json!({}), false)))
}

/// Carries out a block in every tick.
fn for_ever(inner: (&str, Value)) -> Map<String, Value> {
    let loops = json!({"SUBSTACK": [2, inner.0]});
    script(vec![flag("loop"), ("loop", block("control_forever", None, &loops, &json!({}), false)), inner])
}

/// Moves, with names of properties that every object inherits for ids; a sound program.
pub(super) fn named_as_inherited() -> Map<String, Value> {
    let steps = json!({"STEPS": [1, [4, "1"]]});
    script(vec![
        ("constructor", block("event_whenflagclicked", Some("hasOwnProperty"), &json!({}), &json!({}), true)),
        ("hasOwnProperty", block("motion_movesteps", Some("valueOf"), &steps, &json!({}), false)),
        ("valueOf", block("motion_movesteps", None, &steps, &json!({}), false)),
    ])
}

/// Moves, with this id for what follows the green flag; whether such a block is there or not.
pub(super) fn next_is(id: &str, is_there: bool) -> Map<String, Value> {
    let mut blocks = script(vec![flag(id)]);
    if is_there {
        let steps = json!({"STEPS": [1, [4, "1"]]});
        blocks.insert(id.to_owned(), block("motion_movesteps", None, &steps, &json!({}), false));
    }
    blocks
}

/// The value of a variable, in a slot for text.
fn held(variable: &str) -> Value {
    json!([3, [12, variable, variable], [10, ""]])
}
