//! Has the projects of an instance played and drawn.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use indexmap::IndexMap;
use strum::{EnumMessage as _, IntoEnumIterator as _};

use super::film::{drawn, film};
use super::marks::marked;
use super::patch::in_words;
use super::players::Players;
use super::suite::table;
use super::{FaultViewError, InstancePage, ScriptView};
use crate::bugs::Instance;
use crate::compile::{DrawingPage, MarkedScript};
use crate::inject::Pattern;
use crate::judge::Judges;
use crate::notation::diff::diff;
use crate::project::Project;
use crate::session::retry::while_broken;
use crate::taskset::EvaluationSources;

/// Percent of the size at which the editor shows blocks.
const LARGER: u32 = 130;

/// Gathers all that the page of an instance says: plays its scenarios under the first seed, and has its scripts drawn. `sources` is the
/// script that plays scenarios.
///
/// # Errors
/// When a project is broken, does not do what it did before, or no page holds.
pub async fn instance_page(
    instance: &Instance,
    (judges, drawing): (&Judges, &DrawingPage),
    sources: &EvaluationSources,
) -> Result<InstancePage, FaultViewError> {
    let (suite, truth) = (&instance.suite.decided(), &instance.truth);
    let players = Players { judges, sources, every: suite.every, seed: suite.seeds.first().copied().unwrap_or(1) };
    let both = [instance.golden.as_slice(), &instance.buggy];
    let mut pairs = Vec::new();
    for scenario in &suite.scenarios {
        pairs.push(players.both(both, scenario, &[]).await?);
    }
    let first = suite.assertions.first();
    let at = first.and_then(|first| suite.scenarios.iter().position(|scenario| scenario.id == first.scenario));
    let mut strip = None;
    if let (Some(first), Some(at)) = (first, at) {
        let scenario = &suite.scenarios[at];
        let [gold, buggy] = players.both(both, scenario, &drawn(scenario, first, suite.every)).await?;
        if [&gold, &buggy].into_iter().zip(&pairs[at]).any(|(again, before)| again.hash != before.hash) {
            return Err(FaultViewError::Unsteady { id: instance.entry.id.clone(), scenario: scenario.id.clone() });
        }
        strip = Some(film(scenario, first, suite.every, [&gold, &buggy]));
    }
    let (gold, buggy) = (Project::read(&instance.golden)?, Project::read(&instance.buggy)?);
    let scripts = || scripts(drawing, instance, &gold, &buggy);
    let scripts = while_broken("drawing scripts", FaultViewError::is_broken, scripts).await?;
    let patch = |project, patch| {
        in_words(project, patch).map_err(|source| FaultViewError::Patch { id: instance.entry.id.clone(), source })
    };
    Ok(InstancePage {
        id: instance.entry.id.clone(),
        project: instance.entry.project.clone(),
        pattern: truth.pattern.replace('_', " "),
        means: meaning(&truth.pattern),
        operator: truth.operator.clone(),
        difficulty: truth.difficulty.to_string(),
        sprite: truth.site.sprite_id.clone(),
        report: instance.report.clone(),
        pictures: instance.pictures.clone(),
        fault: patch(&gold, &truth.forward)?,
        repair: patch(&buggy, &truth.inverse)?,
        scripts,
        lines: lines(&gold, &buggy),
        film: strip,
        suite: table(suite, &pairs),
        licence: instance.licence.clone(),
    })
}

/// What a pattern means.
fn meaning(pattern: &str) -> &'static str {
    let known = Pattern::iter().find(|known| known.to_string() == pattern);
    known.and_then(|known| known.get_documentation()).unwrap_or_default()
}

/// Pictures of the scripts that differ, of gold and of the buggy project.
async fn scripts(
    drawing: &DrawingPage,
    instance: &Instance,
    gold: &Project,
    buggy: &Project,
) -> Result<[Vec<ScriptView>; 2], FaultViewError> {
    let truth = &instance.truth;
    let one = pictures(drawing, &instance.golden, marked(gold, &truth.inverse, &truth.forward)).await?;
    let other = pictures(drawing, &instance.buggy, marked(buggy, &truth.forward, &truth.inverse)).await?;
    Ok([one, other])
}

pub(crate) async fn pictures(
    drawing: &DrawingPage,
    sb3: &[u8],
    wanted: IndexMap<String, Vec<MarkedScript>>,
) -> Result<Vec<ScriptView>, FaultViewError> {
    let mut views = Vec::new();
    for (sprite, scripts) in wanted {
        let counts: Vec<(usize, usize)> = scripts.iter().map(|one| (one.marks.len(), one.gaps.len())).collect();
        let drawn = drawing.draw_scripts(sb3, &sprite, scripts).await?;
        views.extend(drawn.into_iter().zip(counts).map(|(picture, (marks, gaps))| ScriptView {
            sprite: sprite.clone(),
            svg: STANDARD.encode(picture.svg),
            width: picture.width * LARGER / 100,
            height: picture.height * LARGER / 100,
            marks,
            gaps,
        }));
    }
    Ok(views)
}

/// Lines of the scripts that differ, each with its sign.
pub(crate) fn lines(gold: &Project, buggy: &Project) -> Vec<(char, String)> {
    let mut lines = Vec::new();
    for target in diff(gold, buggy) {
        for script in target.scripts {
            if !lines.is_empty() {
                lines.push((' ', String::new()));
            }
            lines.extend(script.lines.into_iter().map(|(change, line)| (change.sign().unwrap_or(' '), line)));
        }
    }
    lines
}
