//! What starts an evaluation in a page.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::page_run::Frame;
use super::{Conditions, Play};
use crate::model::{Clock, Scenario, StageSize};
use crate::page::PageFn;
use crate::page_fn;
use crate::taskset::SourceFile;

/// Starts an evaluation and returns at once.
pub(super) const START: PageFn<StartEvaluation, ()> = page_fn!("judge", "start-evaluation");
#[derive(Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "the page function's arguments, as Conditions has them")]
pub(super) struct StartEvaluation {
    /// An .sb3 file in base64.
    project: String,
    script: Source,
    prelude: Option<Source>,
    helpers: Vec<Source>,
    seed: u64,
    clock: Clock,
    case_ms: u32,
    task_ms: u32,
    stage: StageSize,
    trace: bool,
    draw: bool,
    drive: bool,
    stop_at_first_failure: bool,
    play: Option<PlayArgs>,
}

#[derive(Debug, Serialize)]
struct PlayArgs {
    scenario: Scenario,
    /// Ticks between two looks.
    every: u64,
    /// Ticks after which the stage is drawn.
    pictures: Vec<u64>,
}

#[derive(Debug, Serialize)]
struct Source {
    name: String,
    source: String,
}

impl From<&SourceFile> for Source {
    fn from(file: &SourceFile) -> Self {
        Self { name: file.name.clone(), source: file.source.clone() }
    }
}

impl StartEvaluation {
    /// For a script, an .sb3 file and these conditions.
    pub(super) fn of(frame: &Frame<'_>, sb3: &[u8], how: &Conditions) -> Self {
        let sources = frame.sources;
        Self {
            project: STANDARD.encode(sb3),
            script: (&sources.script).into(),
            prelude: sources.prelude.as_ref().map(Source::from),
            helpers: sources.helpers.iter().map(Source::from).collect(),
            seed: how.seed,
            clock: how.clock,
            case_ms: frame.case_ms,
            task_ms: frame.task_ms,
            stage: frame.stage,
            trace: how.trace,
            draw: how.draw,
            drive: how.drive,
            stop_at_first_failure: how.stop_at_first_failure,
            play: frame.play.map(|Play { scenario, every, pictures, .. }| PlayArgs {
                scenario: scenario.clone(),
                every,
                pictures: pictures.to_vec(),
            }),
        }
    }
}
