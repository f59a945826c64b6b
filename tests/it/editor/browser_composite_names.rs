//! Composite mode against the real editor: names, values, types and indexes are checked, never guessed. The page
//! functions, called in both editors, are `add-variable`, `select-target` and `catalogue`.

use serde_json::{Value, json};

use crate::support::browsers::in_shared_browsers;
use crate::support::composite_editor::{field_args, in_todays_editors};
use crate::support::of_the_day;

#[test]
fn values_are_checked_as_the_editor_checks_them() {
    in_shared_browsers(async {
        in_todays_editors(async |editor| {
            let sound = editor.add("sound_play").await;
            editor.refused("invalid_choice", "set_block_field", field_args(sound, "SOUND_MENU", "no such sound")).await;
            editor.refused("menu_command", "set_block_field", field_args(sound, "SOUND_MENU", "record...")).await;
            let name = editor.set(sound, "SOUND_MENU", "Meow").await;
            assert_eq!(name["value"], "Meow", "a name, not an asset id");
            let effect = editor.add("looks_seteffectto").await;
            for value in ["ghost", "WHIRL"] {
                editor.set(effect, "EFFECT", value).await;
            }
            editor.says(r#"- field EFFECT: "WHIRL""#);
            editor.refused("invalid_choice", "set_block_field", field_args(effect, "EFFECT", "sparkle")).await;
            editor.refused("unknown_field", "set_block_field", field_args(effect, "EFECT", "ghost")).await;
            editor.refused("invalid_value", "set_block_field", field_args(effect, "VALUE", "many")).await;
            editor.refused("invalid_value", "set_block_field", field_args(effect, "VALUE", json!({"a": 1}))).await;
            editor.refused("invalid_value", "set_block_field", field_args(effect, "VALUE", Value::Null)).await;
            let repeat = editor.add("control_repeat").await;
            editor.refused("invalid_value", "set_block_field", field_args(repeat, "TIMES", -1)).await;
            let colour = editor.add("sensing_touchingcolor").await;
            editor.refused("invalid_value", "set_block_field", field_args(colour, "COLOR", "red")).await;
            editor.set(colour, "COLOR", "#11AAff").await;
            editor.says("- input COLOR: #11aaff (colour_picker)");
            let edge = editor.add("sensing_touchingobject").await;
            editor.set(edge, "TOUCHINGOBJECTMENU", "edge").await;
            let broadcast = editor.add("event_broadcast").await;
            editor
                .refused("menu_command", "set_block_field", field_args(broadcast, "BROADCAST_INPUT", "New message"))
                .await;
            editor.set(broadcast, "BROADCAST_INPUT", "start round").await;
            let receive = editor.add("event_whenbroadcastreceived").await;
            editor.set(receive, "BROADCAST_OPTION", "start round").await;
            let seen = editor.ok("observe", json!({})).await;
            assert!(seen["broadcasts"].as_array().unwrap().contains(&json!("start round")));
            assert_eq!(
                seen["variables"],
                json!([{"name": "my variable", "scope": "all", "value": "0", "shown": false}]),
                "messages are no variables"
            );
            let stop = editor.stack(&["control_stop"]).await;
            editor.set(stop, "STOP_OPTION", "other scripts in sprite").await;
            let bounce = editor.add("motion_ifonedgebounce").await;
            editor.connect(bounce, stop, "stack_after", None).await;
            editor.refused("invalid_choice", "set_block_field", field_args(stop, "STOP_OPTION", "all")).await;
        })
        .await;
    });
}

#[test]
fn an_observation_tells_what_the_targets_have() {
    in_shared_browsers(async {
        in_todays_editors(async |editor| {
            editor.ok("add_variable", json!({"name": "left, right", "scope": "sprite"})).await;
            editor.ok("add_list", json!({"name": "notes", "scope": "all"})).await;
            let jump = json!({"procedureName": "jump %s if %b", "argumentNames": ["height", "awake"]});
            editor.ok("add_block", json!({"blockType": "procedures_definition", "creation": jump})).await;
            editor.stack(&["looks_say", "control_repeat"]).await;
            let seen = editor.ok("observe", json!({})).await;
            let own = seen["targets"]
                .as_array()
                .unwrap()
                .iter()
                .find(|target| target["name"] == seen["target"]["name"])
                .unwrap();
            assert_eq!(own["blocks"], seen["sizes"]["blocks"], "as many as are numbered");
            assert_eq!(seen["targets"][0]["blocks"], 0);
            assert!(seen["costumes"].as_array().unwrap().contains(&seen["costume"]), "{seen}");
            assert!(!seen["sounds"].as_array().unwrap().is_empty(), "{seen}");
            let text = seen["text"].as_str().unwrap();
            for line in [
                r#"name: "left, right", scope: sprite, value: 0"#,
                "name: notes, scope: all, items: 0",
                &format!("Stage (0 blocks), {} ({} blocks)", seen["target"]["name"].as_str().unwrap(), own["blocks"]),
            ] {
                assert!(text.lines().any(|found| found == line), "no line {line:?} in\n{text}");
            }
        })
        .await;
    });
}

#[test]
fn what_nobody_can_type_is_no_value_and_no_name() {
    in_shared_browsers(async {
        in_todays_editors(async |editor| {
            let say = editor.add("looks_say").await;
            let untypable = ["two\nlines".to_owned(), "\u{0}".to_owned(), "x".repeat(2001)];
            for text in &untypable {
                editor.refused("invalid_value", "set_block_field", field_args(say, "MESSAGE", text.as_str())).await;
                editor
                    .refused("invalid_name", "add_variable", json!({"name": format!("a{text}a"), "scope": "all"}))
                    .await;
                editor.refused("invalid_name", "add_list", json!({"name": format!("a{text}a"), "scope": "all"})).await;
                let argument = json!({"procedureName": "jump %s", "argumentNames": [text]});
                editor
                    .refused(
                        "invalid_name",
                        "add_block",
                        json!({"blockType": "procedures_definition", "creation": argument}),
                    )
                    .await;
            }
            let words = json!({"procedureName": "jump \u{7}high"});
            editor
                .refused("invalid_name", "add_block", json!({"blockType": "procedures_definition", "creation": words}))
                .await;
            editor.set(say, "MESSAGE", "x".repeat(2000)).await;
        })
        .await;
    });
}

#[test]
fn variables_and_lists_are_named_and_nothing_is_guessed() {
    in_shared_browsers(async {
        in_todays_editors(async |editor| {
            editor.refused("unknown_list", "add_block", json!({"blockType": "data_addtolist"})).await;
            editor.refused("missing_argument", "add_block", json!({"blockType": "data_variable"})).await;
            editor
                .refused(
                    "unknown_variable",
                    "add_block",
                    json!({"blockType": "data_variable", "creation": {"variableName": "My variable"}}),
                )
                .await;
            let made = editor.ok("add_variable", json!({"name": "fuel", "scope": "sprite"})).await;
            assert_eq!(made["created"]["created"], true);
            let again = editor.ok("add_variable", json!({"name": "fuel", "scope": "sprite"})).await;
            assert_eq!(again["created"]["created"], false);
            editor.refused("name_taken", "add_variable", json!({"name": "fuel", "scope": "all"})).await;
            editor.refused("name_taken", "add_variable", json!({"name": "my variable", "scope": "sprite"})).await;
            editor.refused("invalid_name", "add_variable", json!({"name": "  ", "scope": "all"})).await;
            editor.refused("invalid_arguments", "add_variable", json!({"name": "x", "scope": "world"})).await;
            editor.ok("add_list", json!({"name": "trips", "scope": "all"})).await;
            let project = editor.project().await;
            let names =
                |value: &Value| value.as_object().unwrap().values().map(|entry| entry[0].clone()).collect::<Vec<_>>();
            assert_eq!(names(&project[1]["variables"]), [json!("fuel")]);
            assert_eq!(names(&project[0]["lists"]), [json!("trips")]);
            let get = editor.add_with("data_variable", json!({"variableName": "fuel"})).await;
            editor.says(r#"- field VARIABLE: "fuel""#);
            let set = editor.add("data_setvariableto").await;
            editor.set(set, "VARIABLE", "my variable").await;
            editor.refused("unknown_variable", "set_block_field", field_args(set, "VARIABLE", "fule")).await;
            editor.set(get, "VARIABLE", "my variable").await;
            let list = editor.add_with("data_listcontents", json!({"listName": "trips"})).await;
            editor.refused("unknown_list", "set_block_field", field_args(list, "LIST", "fuel")).await;
            let ignored =
                editor.ok("add_block", json!({"blockType": "looks_show", "creation": {"variableName": "fuel"}})).await;
            assert_eq!(ignored["ignored"], json!(["creation.variableName"]));
            // Undoing the creation of a variable takes it away from the VM too.
            editor.ok("add_variable", json!({"name": "brief", "scope": "all"})).await;
            editor.undo().await;
            assert_eq!(names(&editor.project().await[0]["variables"]), [json!("my variable")]);
            editor.ok("select_stage", json!({})).await;
            editor.refused("scope_unavailable", "add_variable", json!({"name": "own", "scope": "sprite"})).await;
        })
        .await;
    });
}

#[test]
fn targets_types_and_indexes_are_checked() {
    in_shared_browsers(async {
        in_todays_editors(async |editor| {
            editor.refused("unknown_block_type", "add_block", json!({"blockType": "looks_cleargraphicseffects"})).await;
            let inherited = json!({"blockType": "constructor", "creation": {"argumentName": "x"}});
            editor.refused("unknown_block_type", "add_block", inherited).await;
            editor.refused("block_unavailable", "add_block", json!({"blockType": "event_whenstageclicked"})).await;
            editor.refused("block_unavailable", "add_block", json!({"blockType": "math_number"})).await;
            editor.refused("invalid_arguments", "add_block", json!({"blockType": "looks_show", "x": 1})).await;
            editor.refused("unknown_action", "add_sprite", json!({})).await;
            editor.add("looks_show").await;
            editor.add("looks_hide").await;
            editor.refused("unknown_index", "delete_block", json!({"blockIndex": 3})).await;
            editor.refused("unknown_index", "delete_block", json!({"blockIndex": 0})).await;
            editor.refused("unknown_sprite", "select_sprite", json!({"name": "O'Nobody"})).await;
            let stage = editor.ok("select_stage", json!({})).await;
            assert_eq!(stage["selected"], "Stage");
            editor.shows(&[]);
            // The numbering is the Stage's now: an index of the sprite is refused, not taken for another block.
            editor.refused("unknown_index", "delete_block", json!({"blockIndex": 1})).await;
            editor.refused("block_unavailable", "add_block", json!({"blockType": "motion_movesteps"})).await;
            editor.add("event_whenstageclicked").await;
            editor.shows(&["^whenstageclicked"]);
            editor.ok("select_sprite", json!({"name": "sprite1"})).await;
            editor.shows(&["^show", "^hide"]);
            // Blocks changed by other means: the old numbers are refused until the next look.
            editor.ok("delete_block", json!({"blockIndex": 1})).await;
            editor.press_undo().await;
            editor.refused("stale_index", "delete_block", json!({"blockIndex": 1})).await;
            editor.ok("observe", json!({})).await;
            editor.ok("delete_block", json!({"blockIndex": 1})).await;
        })
        .await;
    });
}

#[test]
fn own_blocks_are_defined_called_shown_and_kept_while_in_use() {
    in_shared_browsers(async {
        in_todays_editors(async |editor| {
    let creation = json!({"procedureName": "jump %s if %b", "argumentNames": ["height", "awake"], "warp": true});
    editor.refused("argument_mismatch", "add_block",
        json!({"blockType": "procedures_definition", "creation": {"procedureName": "jump %s", "argumentNames": []}})).await;
    editor
        .refused(
            "unknown_procedure",
            "add_block",
            json!({"blockType": "procedures_call", "creation": {"procedureName": "jump"}}),
        )
        .await;
    let define = editor.add_with("procedures_definition", creation.clone()).await;
    editor
        .refused("name_taken", "add_block", json!({"blockType": "procedures_definition", "creation": creation}))
        .await;
    editor.says(r#"- procedure: "jump %s if %b" {"arguments":["height","awake"],"warp":true}"#);
    let call = editor.add_with("procedures_call", json!({"procedureName": "jump if"})).await;
    editor.set(call, "height", "12").await;
    editor.says(r#"- input height: "12" (text)"#);
    let flag = editor.add("event_whenflagclicked").await;
    editor.connect(call, flag, "stack_after", None).await;
    let mouse = editor.add("sensing_mousedown").await;
    editor.connect(mouse, 3, "value_into", Some("awake")).await;
    let change = editor.add("motion_changeyby").await;
    editor.connect(change, define, "stack_after", None).await;
    let argument = editor.add_with("argument_reporter_string_number", json!({"argumentName": "height"})).await;
    editor.connect(argument, 2, "value_into", Some("DY")).await;
    editor.shows(&["^definition", "changeyby", "  reporter_string_number", "^whenflagclicked", "call", "  mousedown"]);
    editor
        .refused(
            "unknown_argument",
            "add_block",
            json!({"blockType": "argument_reporter_boolean", "creation": {"argumentName": "height"}}),
        )
        .await;
    editor.refused("definition_in_use", "delete_block", json!({"blockIndex": 1})).await;
    let program = editor.program().await;
    let called = program.iter().find(|block| block["opcode"] == "procedures_call").unwrap();
    assert_eq!(called["mutation"]["proccode"], "jump %s if %b");
    editor.ok("delete_block", json!({"blockIndex": 5})).await;
    editor.ok("delete_block", json!({"blockIndex": 1})).await;
    editor.shows(&["^whenflagclicked"]);
    })
    .await;
    });
}

#[test]
fn extensions_load_on_demand_and_the_catalogue_is_the_palettes() {
    in_shared_browsers(async {
        in_todays_editors(async |editor| {
            let catalogue = editor.ok("block_catalogue", json!({"extensions": ["music"]})).await;
            let categories = catalogue["categories"].as_array().unwrap();
            let size = |id: &str| {
                categories.iter().find(|each| each["id"] == id).map(|each| each["blocks"].as_array().unwrap().len())
            };
            assert_eq!(size("motion"), Some(18));
            assert_eq!(size("variables"), Some(17));
            assert_eq!(size("myBlocks"), Some(4));
            assert_eq!(size("music"), Some(7));
            assert_eq!(size("pen"), None);
            editor.refused("unknown_extension", "block_catalogue", json!({"extensions": ["translate"]})).await;
            let pen = editor.ok("add_block", json!({"blockType": "pen_setPenColorParamTo"})).await;
            assert_eq!(pen["extension"], "pen");
            editor.set(1, "COLOR_PARAM", "brightness").await;
            editor.set(1, "VALUE", 20).await;
            let drum = editor.add("music_playDrumForBeats").await;
            editor.set(drum, "DRUM", 3).await;
            // Every block of the catalogue can be made, but for those that need a name.
            let opcodes: Vec<String> = categories
                .iter()
                .flat_map(|each| each["blocks"].as_array().unwrap())
                .filter(|block| block["creation"] == json!([]))
                .map(|block| block["opcode"].as_str().unwrap().to_owned())
                .collect();
            assert!(opcodes.len() > 120, "{}", opcodes.len());
            editor.ok("add_list", json!({"name": "trips", "scope": "all"})).await;
            // A part of them on each day.
            let chosen = of_the_day(&opcodes, 15);
            for opcode in &chosen {
                editor.add(opcode).await;
            }
            assert_eq!(
                editor.program().await.iter().filter(|block| block["topLevel"] == true).count(),
                chosen.len() + 2
            );
        })
        .await;
    });
}
