//! A client that knows the reference server's contract and nothing of ours, on a real port, over the real editor.
//!
//! Through the routes it exercises page functions in both editors: `numbering` (each composite call), `small-stage`
//! (toggle_stage), `elements`, `blocks`, `select-category`, `run-project`, `page-script` and `page-html`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::Method;
use scratchbed::model::EditorGeneration;
use scratchbed::scratchworld::ScratchWorldOptions;
use serde_json::{Value, json};

use crate::api::scratchworld_input::{input_reaches_the_page, without_a_session};
use crate::support::browsers::in_shared_browsers;
use crate::support::composite_editor::todays_editors;
use crate::support::reference_client::{Reference, Server, place};

#[test]
fn a_client_of_the_reference_solves_a_task_in_either_mode() {
    in_shared_browsers(async {
        for editor in todays_editors() {
            solves_in_either_mode(editor).await;
        }
    });
}

async fn solves_in_either_mode(editor: EditorGeneration) {
    let server = Server::in_editor(editor, ScratchWorldOptions { evaluate: true, page_scripts: false }).await;
    let mut client = server.client();
    solves_in_composite_mode(&server, &mut client).await;
    solves_in_primitive_mode(editor, &mut client).await;
    server.stop().await;
}

async fn solves_in_composite_mode(server: &Server, client: &mut Reference) {
    client.open("stuck_ferry.sb3").await;
    let id = client.session.clone().unwrap();
    assert!(server.state.sessions.inspect(&id).await.is_ok(), "one list of sessions for both dialects");
    assert_eq!(client.refused("custom_js", json!({"fn": "() => 1"})).await, "UNSUPPORTED");
    client.composite("select_sprite", json!({"name": " ticket "})).await;
    assert_eq!(client.refused("delete_block", json!({"blockIndex": 1})).await, "INVALID_STATE");
    let seen = client.composite("get_blocks_pseudocode", json!({})).await;
    let (text, blocks) = (seen["pseudocode"].as_str().unwrap(), seen["idxToBlock"].as_object().unwrap());
    let numbers = |opcode: &str| -> Vec<u64> {
        blocks
            .iter()
            .filter(|(_, block)| block["opcode"] == opcode)
            .map(|(number, _)| number.parse().unwrap())
            .collect()
    };
    let (ifs, broadcast) = (numbers("control_if"), numbers("event_broadcast"));
    assert!(text.contains(&format!("#{} [top] event_broadcast", broadcast[0])), "{text}");
    assert_eq!(client.evaluate("stuck_ferry").await["success"], false);
    client.connect(broadcast[0], *ifs.iter().max().unwrap(), "statement_into", Some("SUBSTACK")).await;
    let verdict = client.evaluate("stuck_ferry").await;
    assert_eq!(verdict["success"], true, "{verdict:#}");
    assert_eq!(verdict["passed_tests"], verdict["total_tests"]);
    client.close().await;
}

/// What to drag is known from the rows, where to is known from the text and the rows.
async fn solves_in_primitive_mode(editor: EditorGeneration, client: &mut Reference) {
    client.open("stuck_ferry.sb3").await;
    // The reference editor keeps the menu of a tile in it.
    let tile = if editor.is_current() { "Ticket" } else { "Ticket duplicate export delete" };
    let [x, y, width, height] = place(&client.rows().await, "sprites", tile);
    let clicked = client.acted("click", json!({"x": x + width / 2, "y": (y + height / 2).to_string()})).await;
    assert_eq!(clicked["requested_action"]["args"], json!({"x": x + width / 2, "y": y + height / 2, "button": "left"}));
    let rows = client.rows().await;
    let [bx, by, _, bh] = place(&rows, "blocks", "event_broadcast on canvas");
    let [ex, ey, _, eh] = place(&rows, "blocks", "operator_equals on canvas");
    let drag = json!({"start_x": bx + 8, "start_y": by + bh / 2, "end_x": ex, "end_y": ey + eh + 8 + bh / 2});
    let dragged = client.acted("drag_and_drop", drag).await;
    assert_eq!(dragged["executed_action"]["args"]["duration"], 0.5);
    let verdict = client.evaluate("stuck_ferry").await;
    assert_eq!(verdict["success"], true, "{verdict:#}");
    let exported = client.json(Method::POST, "export_project", &[("output_name", "mine.sb3")], None).await;
    let sb3 = STANDARD.decode(exported["data_base64"].as_str().unwrap()).unwrap();
    assert_eq!((&exported["filename"], exported["size"].as_u64().unwrap()), (&json!("mine.sb3"), sb3.len() as u64));
    assert!(sb3.starts_with(b"PK"));
    client.close().await;
}

/// What the session's log says of a call: its name and the code of its answer.
async fn noted(server: &Server, client: &Reference, id: &str) -> Vec<(String, String)> {
    let url = format!("{}/sessions/{id}/events", server.main);
    let read = async |query: String| -> Value {
        client.http.get(format!("{url}?{query}")).send().await.unwrap().json().await.unwrap()
    };
    // The last call's reply is noted a little after it is sent.
    let mut page = read(String::new()).await;
    while page["events"].as_array().unwrap().last().is_none_or(|event| event["kind"] != "reply") {
        read(format!("after={}&wait_ms=10000", page["last_seq"])).await;
        page = read(String::new()).await;
    }
    let of_kind = |kind: &'static str, field: &'static str| {
        let events = page["events"].as_array().unwrap().iter().filter(move |event| event["kind"] == kind);
        events.map(move |event| event[field].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    of_kind("request", "api").into_iter().zip(of_kind("reply", "code")).collect()
}

#[test]
fn refused_calls_are_in_the_log_by_their_code() {
    in_shared_browsers(async {
        let server = Server::start(ScratchWorldOptions::default()).await;
        let mut client = server.client();
        let id = client.create().await;
        for made_up in ["foo1", "foo2"] {
            assert_eq!(client.refused(made_up, json!({})).await, "UNSUPPORTED");
        }
        assert_eq!(client.refused("delete_block", json!({"blockIndex": 1})).await, "INVALID_STATE");
        assert_eq!(client.act("key", json!({"key": "hyperspace"})).await["error"]["code"], "INVALID_ARG");
        client.acted("key", json!({"key": "a"})).await;
        let noted = noted(&server, &client, &id).await;
        let noted: Vec<(&str, &str)> = noted.iter().map(|(api, code)| (api.as_str(), code.as_str())).collect();
        assert_eq!(noted[..2], [("unknown", "UNSUPPORTED"); 2], "{noted:?}");
        assert_eq!((noted[2].0, noted[3]), ("delete_block", ("key", "INVALID_ARG")), "{noted:?}");
        assert!(noted[2].1 != "ok" && noted[4] == ("key", "ok"), "{noted:?}");
        client.close().await;
        server.stop().await;
    });
}

/// The worked examples of the contract, section 2.6, letter by letter.
#[test]
fn the_contracts_examples_are_shown_letter_by_letter_and_the_references_faults_are_not_repeated() {
    in_shared_browsers(async {
        for editor in todays_editors() {
            shows_the_contracts_examples(editor).await;
        }
    });
}

async fn shows_the_contracts_examples(editor: EditorGeneration) {
    let server = Server::in_editor(editor, ScratchWorldOptions { evaluate: false, page_scripts: true }).await;
    let mut client = server.client();
    client.create().await;
    assert_eq!(client.pseudocode().await, "");
    example_a(&client).await;
    mended(&client).await;
    // It loads a project of its own.
    example_c(&server, &client).await;
    input_reaches_the_page(&client).await;
    client.close().await;
    client.create().await;
    example_b(&client).await;
    client.close().await;
    without_a_session(&client).await;
    server.stop().await;
}

async fn example_a(client: &Reference) {
    for block_type in ["event_whenflagclicked", "looks_sayforsecs", "control_repeat", "motion_turnright"] {
        client.add(block_type, json!({})).await;
    }
    client.connect(2, 1, "stack_after", None).await;
    client.connect(3, 2, "stack_after", None).await;
    client.connect(4, 3, "statement_into", Some("SUBSTACK")).await;
    client.set(2, "MESSAGE", json!("Hi")).await;
    client.set(2, "SECS", json!(0.5)).await;
    client.set(3, "TIMES", json!(4)).await;
    let expected = "\
#1 [top] event_whenflagclicked
#2 looks_sayforsecs
- input MESSAGE: \"Hi\" (text)
- input SECS: 0.5 (math_number)
#3 control_repeat
- input TIMES: 4 (math_whole_number)
- SUBSTACK:
  #4 motion_turnright
  - input DEGREES: 15 (math_number)
";
    assert_eq!(client.pseudocode().await, expected);
    let structure = client.composite("get_blocks_structure", json!({})).await;
    let turn = &structure["blocks"]["4"];
    assert_eq!((&turn["opcode"], &turn["parent"]), (&json!("motion_turnright"), &structure["blocks"]["3"]["id"]));
    assert!(turn["screenBoundingBox"]["width"].as_f64().unwrap() > 50.0, "{turn}");
    let id = turn["id"].as_str().unwrap();
    assert!(structure["pseudocode"].as_str().unwrap().contains(&format!("#4 motion_turnright [ID: {id}]")));
    assert_eq!(structure["idToBlock"][id], *turn);
}

/// Faults 10.13 to 10.18 of the contract, over example A.
async fn mended(client: &Reference) {
    let opcodes = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| line.trim_start().starts_with('#'))
            .map(|line| line.split('_').next_back().unwrap().to_owned())
            .collect()
    };
    client.add("looks_show", json!({})).await;
    client.add("looks_hide", json!({})).await;
    client.connect(6, 5, "stack_after", None).await;
    let text = client.connect(5, 1, "stack_after", None).await;
    assert_eq!(opcodes(&text), ["whenflagclicked", "show", "hide", "sayforsecs", "repeat", "turnright"]);
    assert_eq!(client.refused("add_block", json!({"blockType": "looks_fly"})).await, "NOT_FOUND");
    let unknown = json!({"blockType": "data_variable", "creation": {"variableName": "nobody"}});
    assert_eq!(client.refused("add_block", unknown).await, "NOT_FOUND");
    let answer = client.add("sensing_answer", json!({})).await;
    client.connect(answer, 4, "value_into", Some("MESSAGE")).await;
    let detached = client.composite("detach_blocks", json!({"blockIndex": 5})).await;
    assert_eq!((&detached["detached"], &detached["blockId"]), (&json!(true), &detached["topId"]));
    let text = client.pseudocode().await;
    assert!(text.contains("[top] sensing_answer") && text.contains("- input MESSAGE: \"Hi\" (text)"), "{text}");
    let play = client.add("sound_play", json!({})).await;
    let project = "(h) => h.vm.editingTarget.sprite.sounds[0].name";
    let sound = client.composite("custom_js", json!({"fn": project})).await["value"].as_str().unwrap().to_owned();
    client.set(play, "SOUND_MENU", json!(sound)).await;
    assert!(client.pseudocode().await.contains(&format!("- input SOUND_MENU: {sound} (sound_sounds_menu)")));
    for (field, value) in [("SOUND_MENU", "no such sound"), ("NOWHERE", "x")] {
        let args = json!({"blockIndex": play, "fieldName": field, "value": value});
        let code = client.refused("set_block_field", args).await;
        assert_eq!(code, if field == "NOWHERE" { "INPUT_NOT_FOUND" } else { "SET_FAILED" });
    }
    assert_eq!(client.refused("delete_block", json!({"blockIndex": 99})).await, "NOT_FOUND");
    assert_eq!(client.refused("delete_block", json!({"blockIndex": 1.0})).await, "INVALID_ARG");
    assert_eq!(client.refused("fly", json!({})).await, "UNSUPPORTED");
    assert_eq!(client.refused(" ", json!({})).await, "INVALID_ARG");
    assert_eq!(client.refused("select_sprite", json!({"name": "o'clock"})).await, "NOT_FOUND");
    assert_eq!(client.refused("custom_js", json!({"fn": "5"})).await, "INVALID_JS_FN");
    assert_eq!(client.refused("custom_js", json!({"fn": "() => nothing.at.all"})).await, "CUSTOM_JS_ERROR");
    assert_eq!(
        client.composite("custom_js", json!({"fn": "async h => h.payload", "payload": {"a": 1}})).await,
        json!({"a": 1})
    );
    assert_eq!(client.composite("run_project", json!({})).await, json!({"value": "started"}));
    assert_eq!(client.composite("stop_project", json!({})).await, json!({"value": "stopped"}));
    assert_eq!(
        client.composite("select_category", json!({"category": "Operator"})).await,
        json!({"category": "operators"})
    );
    assert_eq!(client.refused("select_category", json!({"category_name": "Cooking"})).await, "INVALID_ARG");
    place(&client.rows().await, "blocks", "operator_add");
    // The reference wraps the whole script, which must not begin with a hat.
    let forever = client.add("control_forever", json!({})).await;
    let wrap =
        |target: u64| json!({"sourceBlockIndex": forever, "targetBlockIndex": target, "placement": {"kind": "wrap"}});
    assert_eq!(client.refused("connect_blocks", wrap(3)).await, "CONNECTION_MISMATCH");
    client.composite("select_stage", json!({})).await;
    assert_eq!(client.refused("connect_blocks", wrap(3)).await, "INVALID_STATE");
}

async fn example_b(client: &Reference) {
    client.composite("add_variable", json!({"name": "fuel", "scope": "sprite"})).await;
    client.composite("add_list", json!({"name": "trips", "scope": "all"})).await;
    client.add("event_whenkeypressed", json!({})).await;
    client.add("control_if_else", json!({})).await;
    client.connect(2, 1, "stack_after", None).await;
    let index = client.add("operator_gt", json!({})).await;
    client.connect(index, 2, "value_into", Some("CONDITION")).await;
    let index = client.add("data_variable", json!({"variableName": "fuel"})).await;
    client.connect(index, 3, "value_into", Some("OPERAND1")).await;
    client.set(3, "OPERAND2", json!("3")).await;
    let index = client.add("data_changevariableby", json!({"variableName": "my variable"})).await;
    client.connect(index, 2, "statement_into", Some("SUBSTACK")).await;
    client.set(5, "VALUE", json!(-2)).await;
    let index = client.add("data_addtolist", json!({"listName": "trips"})).await;
    client.connect(index, 5, "stack_after", None).await;
    let index = client.add("looks_say", json!({})).await;
    client.connect(index, 2, "statement_into", Some("SUBSTACK2")).await;
    let index = client.add("operator_join", json!({})).await;
    client.connect(index, 7, "value_into", Some("MESSAGE")).await;
    client.set(8, "STRING1", json!("left: ")).await;
    client.set(8, "STRING2", json!("none")).await;
    let keys = ["space", "up arrow", "down arrow", "right arrow", "left arrow", "any"].map(str::to_owned);
    let keys: Vec<String> = keys.into_iter().chain(('a'..='z').chain('0'..='9').map(String::from)).collect();
    assert_eq!(keys.len(), 42);
    let expected = "\
#1 [top] event_whenkeypressed
- field KEY_OPTION: \"space\" {choices: {\"keyoptionOptions\":KEYS}}
#2 control_if_else
- input CONDITION:
  #3 operator_gt
  - input OPERAND1:
    #4 data_variable
    - field VARIABLE: \"fuel\" {choices: {\"variables\":[\"fuel\",\"my variable\"]}}
  - input OPERAND2: \"3\" (text)
- SUBSTACK:
  #5 data_changevariableby
  - field VARIABLE: \"my variable\" {choices: {\"variableOptions\":[\"fuel\",\"my variable\",\"Rename variable\",\"Delete the \\\"my variable\\\" variable\"]}}
  - input VALUE: -2 (math_number)
  #6 data_addtolist
  - field LIST: \"trips\" {choices: {\"listOptions\":[\"trips\",\"Rename list\",\"Delete the \\\"trips\\\" list\"]}}
  - input ITEM: \"thing\" (text)
- SUBSTACK2:
  #7 looks_say
  - input MESSAGE:
    #8 operator_join
    - input STRING1: \"left: \" (text)
    - input STRING2: \"none\" (text)
";
    let seen = client.composite("get_blocks_pseudocode", json!({})).await;
    assert_eq!(seen["pseudocode"], expected.replace("KEYS", &json!(keys).to_string()));
    let scopes = json!([{"name": "fuel", "scope": "sprite"}, {"name": "my variable", "scope": "all"}]);
    assert_eq!(
        (&seen["targetVariables"], &seen["targetLists"]),
        (&scopes, &json!([{"name": "trips", "scope": "all"}]))
    );
    assert_eq!(seen["availableTargets"][0]["isStage"], true);
}

async fn example_c(server: &Server, client: &Reference) {
    let id = client.session.clone().unwrap();
    let handle = server.state.sessions.get(&id).await.unwrap();
    let limit = std::time::Duration::from_secs(20);
    let mut project = handle.run(limit, |live| Box::pin(live.export())).await.unwrap().unwrap();
    let variables = project.json["targets"][0]["variables"].as_object().unwrap();
    let variable = variables.keys().next().unwrap().clone();
    let block = |opcode: &str, next: Value, parent: Value, inputs: Value| {
        let top = parent.is_null();
        let at = if top { json!(30) } else { json!(0) };
        json!({"opcode": opcode, "next": next, "parent": parent, "inputs": inputs, "fields": {}, "shadow": false, "topLevel": top, "x": at, "y": at})
    };
    let no = Value::Null;
    let mut blocks = json!({
        "a": block("event_whenflagclicked", json!("b"), no.clone(), json!({})),
        "b": block("procedures_call", json!("d"), json!("a"), json!({})),
        "d": block("motion_movesteps", no.clone(), json!("b"), json!({"STEPS": [3, "e", [4, "10"]]})),
        "e": block("argument_reporter_string_number", no.clone(), json!("d"), json!({})),
        "p": block("procedures_definition", json!("q"), no.clone(), json!({"custom_block": [1, "r"]})),
        "q": block("looks_show", no.clone(), json!("p"), json!({})),
        "r": block("procedures_prototype", no.clone(), json!("p"), json!({})),
        "s": block("sensing_answer", no.clone(), no.clone(), json!({})),
        "v": [12, "my variable", variable, 30, 90],
    });
    let mutation = json!({"tagName": "mutation", "children": [], "proccode": "hop", "argumentids": "[]", "argumentnames": "[]", "argumentdefaults": "[]", "warp": "false"});
    blocks["a"]["comment"] = json!("c");
    blocks["b"]["mutation"] = mutation.clone();
    blocks["e"]["fields"] = json!({"VALUE": ["n", null]});
    blocks["r"]["mutation"] = mutation;
    blocks["r"]["shadow"] = json!(true);
    project.json["targets"][1]["blocks"] = blocks;
    project.json["targets"][1]["comments"] = json!({"c": {"blockId": "a", "x": 300, "y": 30, "width": 200, "height": 100, "minimized": false, "text": "why"}});
    server.state.sessions.load(&id, project.write().unwrap()).await.unwrap();
    let expected = "\
#1 [top] event_whenflagclicked
#2 motion_movesteps
- input STEPS: n (argument_reporter_string_number)

#3 [top] sensing_answer

#4 [top] data_variable
- field VARIABLE: \"my variable\" {choices: {\"variables\":[\"my variable\"]}}
";
    assert_eq!(client.pseudocode().await, expected);
    // The number leads past the call and the definition, which the registry counts.
    let gone =
        client.composite("delete_block", json!({"index": 3, "comment": "unknown arguments are passed over"})).await;
    assert_eq!(
        (&gone["deleted"], &gone["index"], &gone["blockInfo"]["opcode"]),
        (&json!(true), &json!(3), &json!("sensing_answer"))
    );
}
