//! `scratchbed drag regions --method bfs` for published scenes: where the published points are true.

use serde_json::json;

use crate::arms::drags::sessions::{SceneSessions, Visit};
use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use scratchbed::benchmarks::drag::{
    DragError, Fared, PublishedPoints, Scene, Share, Stage, TrialRecord, published_points, steps_of, try_published,
};
use scratchbed::judge::editor;
use scratchbed::report::plain_table as table;
use scratchbed::setup::reference_version;

/// What became of one scene.
struct Tried {
    id: String,
    record: TrialRecord,
    starts: Fared,
    ends: Fared,
    kept: bool,
}

/// Makes the drags that are not kept yet; the status is positive only if all published points do.
pub async fn run(
    sessions: &SceneSessions,
    scenes: &[&Scene],
    (step, fresh): (Option<i32>, bool),
    out: Output,
) -> Result<Status, Failure> {
    let all = sessions.each(scenes, async |visit| one(sessions, visit, step, fresh).await).await?;
    let share = |fared: &Fared| format!("{} of {}", fared.published.inside, fared.published.of);
    let rows = all.iter().map(|tried| {
        [
            tried.id.clone(),
            tried.record.editor.to_string(),
            share(&tried.starts),
            tried.starts.more.to_string(),
            share(&tried.ends),
            tried.ends.more.to_string(),
            tried.record.drags.to_string(),
            if tried.kept { "kept".to_owned() } else { format!("{:.0}", tried.record.seconds) },
        ]
    });
    let head = ["scene", "editor", "published starts", "more", "published ends", "more", "drags", "s"];
    out.say(table(&head, rows).to_string());
    for tried in &all {
        for (which, fared) in [("start", &tried.starts), ("end", &tried.ends)] {
            for pixel in &fared.wrong {
                out.say(format!("{}: the published {which} {pixel:?} does not", tried.id));
            }
        }
    }
    let whole = |Share { inside, of }: Share| inside == of;
    let agree = all.iter().all(|tried| whole(tried.starts.published) && whole(tried.ends.published));
    let objects = all.iter().map(|tried| {
        json!({"id": tried.id, "kept": tried.kept, "starts": tried.starts, "ends": tried.ends, "trials": tried.record})
    });
    out.answer(&json!({"editor": sessions.editor(), "scenes": objects.collect::<Vec<_>>(), "agree": agree}));
    Ok(Status::of(agree))
}

async fn one(sessions: &SceneSessions, visit: Visit<'_>, step: Option<i32>, fresh: bool) -> Result<Tried, DragError> {
    let id = &visit.scene.id;
    let points = published_points(&sessions.pack, id)?.ok_or_else(|| DragError::Unpublished { id: id.to_string() })?;
    let steps = steps_of(&points, step);
    let version = if sessions.editor().is_current() { editor() } else { reference_version() };
    let known = sessions.pack.trials(sessions.editor(), id)?;
    let known = known.filter(|known| !fresh && known.steps == steps && known.version == version);
    if let Some(record) = known {
        return Ok(told(id.to_string(), record, &points, true));
    }
    let mut stage = Stage::new(visit.handle, visit.scene, visit.sb3);
    stage.set_up().await?;
    let record = try_published(&mut stage, &points, steps, &version).await?;
    sessions.pack.keep_trials(id, &record)?;
    Ok(told(id.to_string(), record, &points, false))
}

fn told(id: String, record: TrialRecord, points: &PublishedPoints, kept: bool) -> Tried {
    let (starts, ends) = (record.starts.fared(&points.starts), record.ends.fared(&points.ends));
    Tried { id, record, starts, ends, kept }
}
