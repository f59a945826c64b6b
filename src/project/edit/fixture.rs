//! A small game for tests, written as the editor saves it.

use serde_json::{Value, json};

use super::canonical;

/// A moth that is caught for points, and a stage that ends the game.
pub(crate) fn project() -> Value {
    let mut project = json!({"targets": [
        {"isStage": true, "name": "Stage", "variables": {"score0": ["score", 0], "lives0": ["lives", 3]}, "lists": {},
         "broadcasts": {"over0": "game over", "start0": "start"}, "comments": {}, "blocks": {
            "flag": {"opcode": "event_whenflagclicked", "next": "init", "parent": null, "inputs": {}, "fields": {},
                "shadow": false, "topLevel": true, "x": 10, "y": 20},
            "init": {"opcode": "data_setvariableto", "next": "wait", "parent": "flag",
                "inputs": {"VALUE": [1, [10, "0"]]}, "fields": {"VARIABLE": ["score", "score0"]},
                "shadow": false, "topLevel": false},
            "wait": {"opcode": "control_wait", "next": "send", "parent": "init", "inputs": {"DURATION": [1, [5, "0.5"]]},
                "fields": {}, "shadow": false, "topLevel": false},
            "send": {"opcode": "event_broadcastandwait", "next": "loop", "parent": "wait",
                "inputs": {"BROADCAST_INPUT": [1, [11, "start", "start0"]]}, "fields": {}, "shadow": false, "topLevel": false},
            "loop": {"opcode": "control_forever", "next": null, "parent": "send", "inputs": {"SUBSTACK": [2, "if"]},
                "fields": {}, "shadow": false, "topLevel": false},
            "if": {"opcode": "control_if", "next": null, "parent": "loop",
                "inputs": {"CONDITION": [2, "less"], "SUBSTACK": [2, "end"]}, "fields": {}, "shadow": false, "topLevel": false},
            "less": {"opcode": "operator_lt", "next": null, "parent": "if",
                "inputs": {"OPERAND1": [3, [12, "lives", "lives0"], [10, ""]], "OPERAND2": [1, [10, "1"]]}, "fields": {},
                "shadow": false, "topLevel": false},
            "end": {"opcode": "event_broadcast", "next": "stop", "parent": "if",
                "inputs": {"BROADCAST_INPUT": [1, [11, "game over", "over0"]]}, "fields": {}, "shadow": false, "topLevel": false},
            "stop": {"opcode": "control_stop", "next": null, "parent": "end", "inputs": {}, "fields": {"STOP_OPTION": ["this script", null]},
                "shadow": false, "topLevel": false, "mutation": {"tagName": "mutation", "children": [], "hasnext": "false"}}
         }},
        {"isStage": false, "name": "Moth", "variables": {}, "lists": {}, "broadcasts": {}, "comments": {}, "blocks": {
            "hear": {"opcode": "event_whenbroadcastreceived", "next": "show", "parent": null, "inputs": {},
                "fields": {"BROADCAST_OPTION": ["start", "start0"]}, "shadow": false, "topLevel": true, "x": 0, "y": 0},
            "show": {"opcode": "looks_show", "next": "wear", "parent": "hear", "inputs": {}, "fields": {},
                "shadow": false, "topLevel": false},
            "wear": {"opcode": "looks_switchcostumeto", "next": "glide", "parent": "show", "inputs": {"COSTUME": [1, "menu"]},
                "fields": {}, "shadow": false, "topLevel": false},
            "menu": {"opcode": "looks_costume", "next": null, "parent": "wear", "inputs": {}, "fields": {"COSTUME": ["up", null]},
                "shadow": true, "topLevel": false},
            "glide": {"opcode": "motion_changexby", "next": null, "parent": "wear", "inputs": {"DX": [3, "random", [4, "10"]]},
                "fields": {}, "shadow": false, "topLevel": false},
            "random": {"opcode": "operator_random", "next": null, "parent": "glide",
                "inputs": {"FROM": [1, [4, "1"]], "TO": [1, [4, "10"]]}, "fields": {}, "shadow": false, "topLevel": false},
            "click": {"opcode": "event_whenthisspriteclicked", "next": "gate", "parent": null, "inputs": {}, "fields": {},
                "shadow": false, "topLevel": true, "x": 300, "y": 0},
            "gate": {"opcode": "control_if", "next": "hide", "parent": "click",
                "inputs": {"CONDITION": [2, "touching"], "SUBSTACK": [2, "count"]}, "fields": {}, "shadow": false, "topLevel": false},
            "touching": {"opcode": "sensing_mousedown", "next": null, "parent": "gate", "inputs": {}, "fields": {},
                "shadow": false, "topLevel": false},
            "count": {"opcode": "data_changevariableby", "next": "say", "parent": "gate", "inputs": {"VALUE": [1, [4, "1"]]},
                "fields": {"VARIABLE": ["score", "score0"]}, "shadow": false, "topLevel": false},
            "say": {"opcode": "looks_say", "next": null, "parent": "count", "inputs": {"MESSAGE": [1, [10, "got me"]]},
                "fields": {}, "shadow": false, "topLevel": false},
            "hide": {"opcode": "looks_hide", "next": null, "parent": "gate", "inputs": {}, "fields": {},
                "shadow": false, "topLevel": false}
         }}
    ]});
    canonical(&mut project);
    project
}
