//! Duration of actions, from the call to the settled page.

use serde_json::{Value, json};

use super::{BenchError, Budget, REPEATS, open, timed};
use crate::model::Mode;
use crate::session::{SessionHandle, Sessions};

/// Where the first block of the palette lies when an editor of either generation opens.
const PALETTE_BLOCK: (i32, i32) = (88, 146);
/// Two places on the canvas so far apart that a drag takes all 15 moves.
const FAR: [(i32, i32); 2] = [(400, 640), (690, 130)];
/// Two places on the canvas so near that a drag takes the fewest moves, 4.
const NEAR: [(i32, i32); 2] = [(400, 640), (480, 540)];
/// How long reading the project may take.
const EXPORT_LIMIT: std::time::Duration = std::time::Duration::from_secs(20);

pub(super) async fn measure(sessions: &Sessions) -> Result<Vec<Budget>, BenchError> {
    let mut budgets = measure_input(sessions).await?;
    let (info, session) = open(sessions).await?;
    budgets.extend(composite(&session).await?);
    sessions.delete(&info.id).await?;
    Ok(budgets)
}

/// Mouse and keyboard.
pub(super) async fn measure_input(sessions: &Sessions) -> Result<Vec<Budget>, BenchError> {
    let (info, session) = open(sessions).await?;
    let mut budgets = drags(&session).await?;
    budgets.extend(inputs(&session).await?);
    sessions.delete(&info.id).await?;
    Ok(budgets)
}

async fn inputs(session: &SessionHandle) -> Result<Vec<Budget>, BenchError> {
    let sprite_name = json!({"x": 900, "y": 492});
    let calls = [
        ("click", sprite_name),
        ("type", json!({"text": "a"})),
        ("key", json!({"key": "left"})),
        ("scroll", json!({"direction": "down", "amount": 120, "at": {"x": 180, "y": 400}})),
    ];
    let mut budgets = Vec::new();
    for (api, args) in calls {
        let mut times = Vec::new();
        for _ in 0..REPEATS {
            times.push(timed(session, Mode::Primitive, api, args.clone()).await?);
        }
        budgets.push(Budget::median_ms(api, times, 120.0));
    }
    Ok(budgets)
}

/// One block is taken from the palette and then dragged to and fro on the canvas.
async fn drags(session: &SessionHandle) -> Result<Vec<Budget>, BenchError> {
    timed(session, Mode::Primitive, "drag_and_drop", drag(PALETTE_BLOCK, FAR[0])).await?;
    Ok(vec![
        to_and_fro(session, "drag_4_moves", NEAR, 400.0).await?,
        to_and_fro(session, "drag_15_moves", FAR, 900.0).await?,
    ])
}

async fn to_and_fro(
    session: &SessionHandle,
    name: &str,
    ends: [(i32, i32); 2],
    budget: f64,
) -> Result<Budget, BenchError> {
    let mut times = Vec::new();
    for _ in 0..REPEATS / 2 {
        let before = place(session).await?;
        times.push(timed(session, Mode::Primitive, "drag_and_drop", drag(ends[0], ends[1])).await?);
        if before.is_none() || place(session).await? == before {
            return Err(BenchError::BlockNotMoved);
        }
        times.push(timed(session, Mode::Primitive, "drag_and_drop", drag(ends[1], ends[0])).await?);
    }
    Ok(Budget::median_ms(name, times, budget))
}

fn drag(from: (i32, i32), to: (i32, i32)) -> Value {
    json!({"start_x": from.0, "start_y": from.1, "end_x": to.0, "end_y": to.1})
}

/// Where the project says that its first top-level block lies.
async fn place(session: &SessionHandle) -> Result<Option<(Value, Value)>, BenchError> {
    let project = session.run(EXPORT_LIMIT, |live| Box::pin(live.export())).await??;
    let sprite = project.json["targets"].as_array().and_then(|targets| targets.last());
    let blocks = sprite.and_then(|sprite| sprite["blocks"].as_object());
    let top = blocks.and_then(|blocks| blocks.values().find(|block| block["topLevel"] == true));
    Ok(top.map(|block| (block["x"].clone(), block["y"].clone())))
}

/// A script written, altered and taken away, as an agent works. Calls that rebuild the palette take longest
/// and are reported once more by themselves.
async fn composite(session: &SessionHandle) -> Result<Vec<Budget>, BenchError> {
    let (mut all, mut variables, mut selections) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..REPEATS {
        for (api, args) in script(number) {
            let time = timed(session, Mode::Composite, api, args).await?;
            all.push(time);
            match api {
                "add_variable" => variables.push(time),
                "select_stage" | "select_sprite" => selections.push(time),
                _ => {}
            }
        }
    }
    Ok(vec![
        Budget::median_ms("composite_action", all, 80.0),
        Budget::median_ms("composite_add_variable", variables, 80.0),
        Budget::median_ms("composite_select", selections, 80.0),
    ])
}

fn script(number: usize) -> Vec<(&'static str, Value)> {
    let variable = format!("laps {number}");
    let after = json!({"kind": "stack_after"});
    let add = |block: &str| ("add_block", json!({"blockType": block}));
    let connect = |block: u32, to: u32| {
        ("connect_blocks", json!({"sourceBlockIndex": block, "targetBlockIndex": to, "placement": after}))
    };
    vec![
        ("add_variable", json!({"name": variable, "scope": "all"})),
        add("event_whenflagclicked"),
        ("add_block", json!({"blockType": "data_setvariableto", "creation": {"variableName": variable}})),
        connect(2, 1),
        add("motion_gotoxy"),
        connect(3, 2),
        ("set_block_field", json!({"blockIndex": 3, "fieldName": "X", "value": -100})),
        ("select_stage", json!({})),
        ("select_sprite", json!({"name": "Sprite1"})),
        ("delete_block", json!({"blockIndex": 3})),
        ("delete_block", json!({"blockIndex": 2})),
        ("delete_block", json!({"blockIndex": 1})),
    ]
}
