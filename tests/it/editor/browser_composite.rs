//! Composite mode against the real editor: scripts are built, taken apart and brought back by undo, and the VM
//! keeps step. The page functions, called in both editors, are `composite-observation`, `add-block`, `connect-blocks`,
//! `detach-blocks`, `delete-block` and `set-block-field`.

use serde_json::json;

use crate::support::browsers::in_shared_browsers;
use crate::support::composite_editor::{connection, field_args, in_todays_editors};

#[test]
fn the_papers_example_is_built_and_runs_in_the_vm() {
    in_shared_browsers(async {
        in_todays_editors(async |editor| {
    for block_type in ["event_whenflagclicked", "looks_sayforsecs", "control_repeat", "motion_turnright"] {
        editor.add(block_type).await;
    }
    editor.connect(2, 1, "stack_after", None).await;
    editor.connect(3, 2, "stack_after", None).await;
    editor.connect(4, 3, "statement_into", Some("SUBSTACK")).await;
    editor.set(2, "MESSAGE", "Hi").await;
    editor.set(2, "SECS", 0.5).await;
    editor.set(3, "TIMES", 4).await;
    assert_eq!(
        editor.pseudocode,
        concat!(
            "#1 [top] event_whenflagclicked\n",
            "#2 looks_sayforsecs\n",
            "- input MESSAGE: \"Hi\" (text)\n",
            "- input SECS: 0.5 (math_number)\n",
            "#3 control_repeat\n",
            "- input TIMES: 4 (math_whole_number)\n",
            "- SUBSTACK:\n",
            "  #4 motion_turnright\n",
            "  - input DEGREES: 15 (math_number)\n",
        )
    );
    let program = editor.program().await;
    let say = program.iter().find(|block| block["opcode"] == "looks_sayforsecs").unwrap();
    assert_eq!(say["inputs"]["SECS"], json!([1, [4, "0.5"]]));
    assert_eq!(program.iter().filter(|block| block["topLevel"] == true).count(), 1);
    let seen = editor.ok("observe", json!({})).await;
    let text = seen["text"].as_str().unwrap();
    assert!(
        text.starts_with(
            "## Current Editing Target\nSprite1\n\n## Target Variables In Scope\nname: my variable, scope: all, value: 0\n"
        ),
        "{text}"
    );
    })
    .await;
    });
}

#[test]
fn stacks_keep_their_order_in_every_placement_and_undo_takes_one_call_back() {
    in_shared_browsers(async {
        in_todays_editors(async |editor| {
            editor.stack(&["motion_turnright", "motion_turnleft"]).await;
            editor.stack(&["looks_show", "looks_hide"]).await;
            let apart = ["^turnright", "turnleft", "^show", "hide"];
            editor.shows(&apart);
            let before = editor.program().await;
            editor.connect(3, 1, "stack_after", None).await;
            editor.shows(&["^turnright", "show", "hide", "turnleft"]);
            editor.undo().await;
            editor.shows(&apart);
            assert_eq!(before.len(), editor.program().await.len());
            editor.connect(3, 2, "stack_before", None).await;
            editor.shows(&["^turnright", "show", "hide", "turnleft"]);
            editor.undo().await;
            editor.connect(3, 1, "stack_before", None).await;
            editor.shows(&["^show", "hide", "turnright", "turnleft"]);
            editor.refused("invalid_argument", "connect_blocks", connection(1, 3, "stack_after", None)).await;
            editor.refused("invalid_argument", "connect_blocks", connection(1, 1, "stack_after", None)).await;
            // Within one stack.
            editor.connect(4, 1, "stack_after", None).await;
            editor.shows(&["^show", "turnleft", "hide", "turnright"]);
            // Into a slot that holds something already, and above its first block.
            let repeat = editor.add("control_repeat").await;
            editor.connect(3, repeat, "statement_into", Some("SUBSTACK")).await;
            editor.shows(&["^show", "turnleft", "^repeat", "  hide", "  turnright"]);
            editor.connect(1, 3, "statement_into", Some("SUBSTACK")).await;
            editor.shows(&["^repeat", "  show", "  turnleft", "  hide", "  turnright"]);
            editor.stack(&["looks_nextcostume", "looks_nextbackdrop"]).await;
            editor.connect(6, 2, "stack_before", None).await;
            editor.shows(&[
                "^repeat",
                "  nextcostume",
                "  nextbackdrop",
                "  show",
                "  turnleft",
                "  hide",
                "  turnright",
            ]);
            editor.ok("detach_blocks", json!({"blockIndex": 4})).await;
            editor.shows(&["^repeat", "  nextcostume", "  nextbackdrop", "^show", "turnleft", "hide", "turnright"]);
            editor.refused("not_attached", "detach_blocks", json!({"blockIndex": 4})).await;
            let gone = editor.ok("delete_block", json!({"blockIndex": 5})).await;
            assert_eq!(gone["deletedBlocks"], 3);
            editor.shows(&["^repeat", "  nextcostume", "  nextbackdrop", "^show"]);
            editor.undo().await;
            editor.shows(&["^repeat", "  nextcostume", "  nextbackdrop", "^show", "turnleft", "hide", "turnright"]);
        })
        .await;
    });
}

#[test]
fn wrap_takes_the_target_and_what_follows_and_leaves_what_is_above() {
    in_shared_browsers(async {
        in_todays_editors(async |editor| {
            editor.stack(&["event_whenflagclicked", "looks_show", "looks_hide", "motion_ifonedgebounce"]).await;
            editor.add("control_repeat").await;
            editor.connect(5, 3, "wrap", None).await;
            editor.shows(&["^whenflagclicked", "show", "repeat", "  hide", "  ifonedgebounce"]);
            editor.undo().await;
            editor.shows(&["^whenflagclicked", "show", "hide", "ifonedgebounce", "^repeat"]);
            editor.refused("connection_mismatch", "connect_blocks", connection(5, 1, "wrap", None)).await;
            editor.refused("unknown_input", "connect_blocks", connection(5, 2, "wrap", Some("SUBSTACK2"))).await;
            editor.refused("unknown_input", "connect_blocks", connection(4, 2, "wrap", None)).await;
            let forever = editor.add("control_forever").await;
            editor.connect(forever, 2, "wrap", Some("SUBSTACK")).await;
            editor.shows(&["^whenflagclicked", "forever", "  show", "  hide", "  ifonedgebounce", "^repeat"]);
            // Nothing can follow a forever block, so it can't be put between two others.
            let second = editor.add("control_forever").await;
            editor.refused("connection_mismatch", "connect_blocks", connection(second, 1, "stack_after", None)).await;
            editor.refused("connection_mismatch", "connect_blocks", connection(6, 2, "stack_after", None)).await;
        })
        .await;
    });
}

#[test]
fn reporters_leave_their_slots_and_default_values_come_back() {
    in_shared_browsers(async {
        in_todays_editors(async |editor| {
            for block_type in ["motion_movesteps", "operator_add", "sensing_mousedown", "control_if"] {
                editor.add(block_type).await;
            }
            editor.connect(2, 1, "value_into", Some("STEPS")).await;
            editor.shows(&["^movesteps", "  add", "^mousedown", "^if"]);
            editor.says("- input CONDITION:");
            editor.says("- SUBSTACK:");
            editor.refused("slot_holds_reporter", "set_block_field", field_args(1, "STEPS", 3)).await;
            editor
                .refused("connection_refused", "connect_blocks", connection(2, 4, "value_into", Some("CONDITION")))
                .await;
            editor.refused("not_a_field", "set_block_field", field_args(4, "CONDITION", "true")).await;
            editor.refused("not_a_field", "set_block_field", field_args(4, "SUBSTACK", "x")).await;
            editor
                .refused("connection_mismatch", "connect_blocks", connection(1, 4, "value_into", Some("CONDITION")))
                .await;
            editor
                .refused("connection_mismatch", "connect_blocks", connection(2, 1, "statement_into", Some("STEPS")))
                .await;
            editor.refused("missing_argument", "connect_blocks", connection(2, 1, "value_into", None)).await;
            editor.refused("unknown_input", "connect_blocks", connection(3, 4, "value_into", Some("STEPS"))).await;
            editor.connect(3, 4, "value_into", Some("CONDITION")).await;
            editor.ok("detach_blocks", json!({"blockIndex": 2})).await;
            editor.shows(&["^movesteps", "^if", "  mousedown", "^add"]);
            editor.says("- input STEPS: 10 (math_number)");
            editor.connect(4, 1, "value_into", Some("STEPS")).await;
            let x = editor.add("motion_xposition").await;
            let data = editor.connect(x, 1, "value_into", Some("STEPS")).await;
            assert_eq!(data["displaced"]["opcode"], "operator_add");
            assert_eq!(data["displaced"]["index"], 5);
            editor.shows(&["^movesteps", "  xposition", "^if", "  mousedown", "^add"]);
            editor.ok("delete_block", json!({"blockIndex": 2})).await;
            editor.says("- input STEPS: 10 (math_number)");
            let program = editor.program().await;
            let walk = program.iter().find(|block| block["opcode"] == "motion_movesteps").unwrap();
            assert_eq!(walk["inputs"]["STEPS"], json!([1, [4, "10"]]));
        })
        .await;
    });
}

#[test]
fn comments_are_shown_and_slots_without_a_default_value_get_one() {
    in_shared_browsers(async {
        in_todays_editors(async |editor| {
    editor
        .reload(|project| {
            let sprite = &mut project["targets"][1];
            // As programs write projects: the slots have no default blocks.
            sprite["blocks"] = json!({
                "walk": {"opcode": "motion_movesteps", "next": null, "parent": null, "inputs": {"STEPS": [2, "sum"]},
                    "fields": {}, "shadow": false, "topLevel": true, "x": 10, "y": 10, "comment": "note"},
                "sum": {"opcode": "operator_add", "next": null, "parent": "walk", "inputs": {}, "fields": {},
                    "shadow": false, "topLevel": false},
            });
            sprite["comments"] = json!({
                "note": {"blockId": "walk", "x": 200, "y": 10, "width": 200, "height": 100, "minimized": false, "text": "walk on"},
                "loose": {"blockId": null, "x": 300, "y": 300, "width": 200, "height": 100, "minimized": false, "text": "a \"plan\""},
            });
        })
        .await;
    assert_eq!(
        editor.pseudocode,
        concat!(
            "#1 [top] motion_movesteps\n",
            "- comment: \"walk on\"\n",
            "- input STEPS:\n",
            "  #2 operator_add\n",
            "  - input NUM1:\n",
            "  - input NUM2:\n",
            "\n",
            "[comment] \"a \\\"plan\\\"\"\n",
        )
    );
    editor.set(2, "NUM1", 7).await;
    editor.says("- input NUM1: 7 (math_number)");
    editor.ok("detach_blocks", json!({"blockIndex": 2})).await;
    editor.says("- input STEPS: 10 (math_number)");
    let program = editor.program().await;
    let walk = program.iter().find(|block| block["opcode"] == "motion_movesteps").unwrap();
    assert_eq!(walk["inputs"]["STEPS"], json!([1, [4, "10"]]));
    })
    .await;
    });
}
