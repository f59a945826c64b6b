//! `scratchbed drag verify --bfs`.

use std::time::Instant;

use serde::Serialize;
use serde_json::json;

use super::verify::VerifyArgs;
use crate::arms::drags::sessions::{SceneSessions, Visit};
use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use scratchbed::benchmarks::drag::{Difference, DragError, Scene, Stage, Steps, search};
use scratchbed::report::plain_table as table;

/// Scenes that are searched unless some are named.
const SCENES: usize = 5;

/// What became of one scene.
#[derive(Debug, Serialize)]
struct BfsReport {
    id: String,
    /// Points that do, and that were tried.
    starts: (usize, usize),
    ends: (usize, usize),
    drags: usize,
    /// Seconds for the search, and for computing the same, set-up left out in both.
    search_s: f64,
    computed_s: f64,
    /// How many times faster computing was.
    factor: f64,
    differences: Vec<Difference>,
}

pub async fn run(sessions: &SceneSessions, args: &VerifyArgs, out: Output) -> Result<Status, Failure> {
    let chosen = sessions.pack.chosen(&args.which.scenes)?;
    let scenes = if args.which.scenes.is_empty() { spread(&chosen) } else { chosen };
    let reports = sessions.each(&scenes, async |visit| one(visit, args.step).await).await?;
    let rows = reports.iter().map(|report| {
        [
            report.id.clone(),
            format!("{} of {}", report.starts.0, report.starts.1),
            format!("{} of {}", report.ends.0, report.ends.1),
            format!("{:.1}", report.search_s),
            format!("{:.3}", report.computed_s),
            format!("{:.0}", report.factor),
            report.differences.len().to_string(),
        ]
    });
    let head = ["scene", "starts", "ends", "search s", "computed s", "times faster", "disagree"];
    out.say(table(&head, rows).to_string());
    for report in &reports {
        for Difference { region, pixel, foreseen, came } in &report.differences {
            out.say(format!("{}: {region} {pixel:?} foreseen {foreseen}, came {came}", report.id));
        }
    }
    let agree = reports.iter().all(|report| report.differences.is_empty());
    out.answer(&json!({"scenes": reports, "step": args.step, "agree": agree}));
    Ok(Status::of(agree))
}

/// Some of many, from all over.
fn spread<'a>(scenes: &[&'a Scene]) -> Vec<&'a Scene> {
    (0..SCENES.min(scenes.len())).map(|at| scenes[at * scenes.len() / SCENES.min(scenes.len())]).collect()
}

async fn one(visit: Visit<'_>, step: i32) -> Result<BfsReport, DragError> {
    let mut stage = Stage::new(visit.handle, visit.scene, visit.sb3);
    stage.set_up().await?;
    let began = Instant::now();
    let computed = stage.regions().await?;
    let computed_s = began.elapsed().as_secs_f64();
    let seeds = (&computed.regions, computed.seeds);
    let searched = search(&mut stage, seeds, Steps::same(step), (&[], &[])).await?;
    let search_s = searched.took.as_secs_f64();
    let count = |tried: &std::collections::BTreeMap<_, bool>| (tried.values().filter(|yes| **yes).count(), tried.len());
    Ok(BfsReport {
        id: visit.scene.id.to_string(),
        starts: count(&searched.starts),
        ends: count(&searched.ends),
        drags: searched.drags,
        search_s,
        computed_s,
        factor: search_s / computed_s,
        differences: searched.differences(&computed.regions),
    })
}
