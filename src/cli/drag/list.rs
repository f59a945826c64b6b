//! `scratchbed drag list` and `scratchbed drag show`: which scenes there are, and what one is.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use crate::arms::drags::SceneArgs;
use crate::arms::drags::sessions::{SceneSessions, Visit};
use crate::arms::files;
use crate::arms::output::Output;
use crate::flags::failure::{Failure, Status};
use crate::flags::named::named;
use crate::flags::settings::Settings;
use scratchbed::benchmarks::drag::figures::SceneClass;
use scratchbed::benchmarks::drag::{DragError, Scene, ScenePack, SceneProject, Stage, picture, published_points};
use scratchbed::model::{EditorGeneration, pluralise};
use scratchbed::report::plain_table as table;

/// Which scenes are listed.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// The folder of the scenes; the bundled ones by default.
    #[arg(long, value_name = "DIR")]
    pack: Option<PathBuf>,
}

/// Which scene is shown.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The scene's name.
    id: String,
    /// The folder of the scenes; the bundled ones by default.
    #[arg(long, value_name = "DIR")]
    pack: Option<PathBuf>,
    /// The editor that shows it, as for `drag run`.
    #[arg(long, value_parser = named::<EditorGeneration>())]
    editor: Option<EditorGeneration>,
    /// Where the picture goes; `runs/drag-pictures/ID.png` by default.
    #[arg(long, value_name = "PNG")]
    picture: Option<PathBuf>,
}

/// Lists scenes; no browser is needed.
pub fn list(args: &ListArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let folder = args.pack.clone().unwrap_or_else(|| settings.root.scenes());
    let pack = ScenePack::read(&folder)?;
    let rows = pack.scenes().iter().map(|scene| {
        let class = SceneClass::of(scene);
        let [interaction, kind, origin] =
            [class.interaction(), class.kind(), class.origin()].map(|split| split.to_string());
        [scene.id.to_string(), interaction, kind, origin, scene.instruction.clone()]
    });
    out.say(table(&["scene", "type", "kind", "from", "instruction"], rows).to_string());
    let scenes = pluralise(pack.scenes().len(), "scene");
    out.say(format!("{scenes}; `scratchbed drag show SCENE` draws one"));
    out.answer(&json!({"pack": folder, "scenes": pack.scenes().iter().map(shown).collect::<Vec<_>>()}));
    Ok(Status::Success)
}

/// Shows a scene, with a picture of it in the editor.
pub async fn show(args: ShowArgs, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let usual = || settings.root.runs().join("drag-pictures").join(format!("{}.png", args.id));
    let file = args.picture.clone().unwrap_or_else(usual);
    let which = SceneArgs { scenes: vec![args.id], pack: args.pack, editor: args.editor };
    let sessions = SceneSessions::start(&which, 1, settings).await?;
    let scenes = sessions.pack.chosen(&which.scenes)?;
    let drawn = sessions.each(&scenes, async |visit| draw(visit).await).await?;
    for (scene, drawn) in scenes.iter().zip(&drawn) {
        files::write(&file, &drawn.png)?;
        let published = published_points(&sessions.pack, &scene.id)?;
        let mut shown = shown(scene);
        out.say(format!("{}: {}", scene.id, scene.instruction));
        out.say(format!(
            "type      {}, {}, from the {}",
            text(&shown, "type"),
            text(&shown, "kind"),
            text(&shown, "from")
        ));
        out.say(format!("project   {}", text(&shown, "project")));
        out.say(format!("editor    {}", sessions.editor()));
        out.say(format!("regions   {} pixels to press at, {} offsets to let go at", drawn.start, drawn.ends));
        if let Some(points) = &published {
            let (starts, ends) = (pluralise(points.starts.len(), "point"), points.ends.len());
            out.say(format!("published {starts} to press at, {ends} to let go at; start and end go by these"));
        }
        out.say(format!("picture   {} (start green, end blue, one drag red)", file.display()));
        shown["regions"] = json!({"start_px": drawn.start, "end_px": drawn.ends});
        shown["published"] =
            json!(published.map(|points| json!({"starts": points.starts.len(), "ends": points.ends.len()})));
        shown["editor"] = json!(sessions.editor());
        shown["picture"] = json!(file);
        out.answer(&shown);
    }
    Ok(Status::Success)
}

/// A scene as it is drawn, with the sizes of its regions.
struct Drawn {
    png: Vec<u8>,
    start: u32,
    ends: u32,
}

async fn draw(visit: Visit<'_>) -> Result<Drawn, DragError> {
    let mut stage = Stage::new(visit.handle, visit.scene, visit.sb3);
    stage.set_up().await?;
    // Of a published scene they may be empty, and it is shown all the same.
    let regions = stage.truth().await?;
    let png = picture(&stage.picture().await?, &regions)?;
    Ok(Drawn { png, start: regions.start.area(), ends: regions.ends.area() })
}

fn shown(scene: &Scene) -> Value {
    let class = SceneClass::of(scene);
    let project = match &scene.project {
        SceneProject::Task(task) => format!("{} ({:?})", task.id, task.version).to_lowercase(),
        SceneProject::File(file) => Path::new(file).display().to_string(),
    };
    json!({
        "id": scene.id,
        "type": class.interaction(),
        "kind": class.kind(),
        "from": class.origin(),
        "project": project,
        "instruction": scene.instruction,
    })
}

fn text<'a>(shown: &'a Value, name: &str) -> &'a str {
    shown[name].as_str().unwrap_or_default()
}
