//! One attempt of a trajectory as a person reads it, from its record and the files that were kept of it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::Source;
use super::blocks::{Blocks, blocks};
use super::reason::reason;
use super::spent::{Fact, of_attempt};
use crate::compile::DrawingPage;
use crate::json_patch::Operation;
use crate::model::{Layer, PatchRecord, PlanId, RepairAttempt, ResponseRecord, StageRecord, pluralise};
use crate::project::Project;
use crate::report::ReportError;
use crate::trajectory::{Plan, Precheck};

/// What the leak levels mean (EcoScratch, section 3).
const LEAKS: [&str; 4] =
    ["report and project alone", "figures compared with gold", "behaviour of the buggy project", "what gold expects"];

/// Stages of an attempt.
const STAGES: [&str; 5] = ["prompt", "call", "apply", "precheck", "full"];

/// What the page says of an attempt.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct AttemptView {
    /// From 1.
    number: u32,
    plan: PlanId,
    why: String,
    /// What the plan allows; where the plans of the run are not known, the cap of operations alone.
    allows: Vec<Fact>,
    leak: u8,
    leak_says: &'static str,
    layer: Layer,
    is_strict: bool,
    code: Option<String>,
    detail: Option<String>,
    /// Absent of those that need not be asked.
    prompt: Option<Prompt>,
    pictures: Vec<Picture>,
    answer: Option<Answer>,
    /// Absent where no patch could be read.
    operations: Option<Vec<OperationView>>,
    /// What had to be mended in the patch as it was written.
    mended: Vec<String>,
    /// Absent without a candidate.
    blocks: Option<Blocks>,
    stages: Vec<StageView>,
    spent: Vec<Fact>,
    /// Names of stages of the work with their seconds.
    seconds: Vec<(String, String)>,
}

/// What was asked.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
struct Prompt {
    system: String,
    user: String,
    #[serde(default)]
    max_tokens: Option<u32>,
}

/// A picture that was shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Picture {
    file: String,
    /// A PNG in base64; absent where the file is gone.
    png: Option<String>,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Answer {
    text: String,
    notes: Vec<&'static str>,
    seconds: String,
}

#[derive(Debug, Deserialize)]
struct KeptAnswer {
    text: String,
    cut: bool,
    filtered: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct OperationView {
    op: &'static str,
    path: String,
    /// As JSON; absent of a removal.
    value: Option<String>,
}

/// A stage of verification.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct StageView {
    name: &'static str,
    /// Why it was not run; absent of one that was.
    skipped: Option<&'static str>,
    stage: StageRecord,
}

/// Gathers what is known of an attempt. `buggy` is what its patch is for; scripts are drawn where there is a page for it.
pub(super) async fn attempt(
    source: &Source<'_>,
    attempt: &RepairAttempt,
    (buggy, drawing): (&Project, Option<&DrawingPage>),
) -> Result<AttemptView, ReportError> {
    let candidate = match &attempt.candidate {
        Some(candidate) => source.bytes(&candidate.file).map(|sb3| Project::read(&sb3)).transpose()?,
        None => None,
    };
    let blocks = match &candidate {
        Some(candidate) => Some(blocks(buggy, candidate, drawing).await?),
        None => None,
    };
    let patch: Option<Vec<Operation>> = match &attempt.patch {
        Some(patch) => source.json(&patch.file)?,
        None => None,
    };
    let prompt = match &attempt.request {
        Some(request) => source.json(&request.file)?,
        None => None,
    };
    let answer = match &attempt.response {
        Some(response) => source.json(&response.file)?.map(|kept| Answer::of(kept, response)),
        None => None,
    };
    Ok(AttemptView {
        number: attempt.a + 1,
        plan: attempt.plan,
        why: reason(source.trajectory, attempt, source.forced()),
        allows: allows(source.plans.map(|plans| plans.plan(attempt.plan)), attempt.ops_cap),
        leak: attempt.leak,
        leak_says: LEAKS.get(usize::from(attempt.leak)).copied().unwrap_or_default(),
        layer: attempt.layer,
        is_strict: attempt.layer.is_strict(),
        code: attempt.code.clone(),
        detail: attempt.detail.clone(),
        prompt,
        pictures: attempt.images.files.iter().map(|file| source.picture(file)).collect(),
        answer,
        operations: patch.map(|patch| patch.iter().map(OperationView::of).collect()),
        mended: attempt.patch.as_ref().map(mended).unwrap_or_default(),
        blocks,
        stages: stages(attempt),
        spent: of_attempt(&attempt.usage, &attempt.images),
        seconds: seconds(attempt),
    })
}

impl Picture {
    pub(super) fn of(file: &str, png: Option<Vec<u8>>) -> Self {
        Self { file: file.to_owned(), png: png.map(|png| STANDARD.encode(png)) }
    }
}

impl Answer {
    fn of(kept: KeptAnswer, response: &ResponseRecord) -> Self {
        let notes = [
            (kept.cut, "cut off at its token limit"),
            (kept.filtered, "withheld by a filter"),
            (response.replayed, "paid for before, and taken from the store"),
            (response.tries > 1, "asked for more than once"),
        ];
        let notes = notes.into_iter().filter(|(is, _)| *is).map(|(_, words)| words).collect();
        Self { text: kept.text, notes, seconds: format!("{:.1} s", response.seconds) }
    }
}

impl OperationView {
    fn of(operation: &Operation) -> Self {
        let op = match operation {
            Operation::Add { .. } => "add",
            Operation::Remove { .. } => "remove",
            Operation::Replace { .. } => "replace",
        };
        Self { op, path: operation.path().to_owned(), value: operation.value().map(ToString::to_string) }
    }
}

fn allows(plan: Option<&Plan>, operations: u32) -> Vec<Fact> {
    let Some(plan) = plan else { return vec![("operations", format!("up to {operations}"))] };
    let precheck = match plan.precheck {
        None => "none".to_owned(),
        Some(Precheck { scenarios: 0, horizon }) => format!("all scenarios, {}, one seed", pluralise(horizon, "tick")),
        Some(Precheck { scenarios, horizon }) => {
            format!("{}, {}, one seed", pluralise(scenarios, "scenario"), pluralise(horizon, "tick"))
        }
    };
    vec![
        ("pictures", format!("up to {}", plan.images)),
        ("operations", format!("up to {operations}")),
        ("project", format!("up to {} characters", plan.view)),
        ("answer", format!("up to {} tokens", plan.tokens)),
        ("precheck", precheck),
    ]
}

/// Seconds of the stages in the order in which they come; others after them.
fn seconds(attempt: &RepairAttempt) -> Vec<(String, String)> {
    let place = |name: &str| STAGES.iter().position(|stage| *stage == name).unwrap_or(STAGES.len());
    let mut all: Vec<(&String, &f64)> = attempt.seconds.iter().collect();
    all.sort_by_key(|(name, _)| place(name));
    all.into_iter().map(|(name, seconds)| (name.clone(), format!("{seconds:.2} s"))).collect()
}

/// What had to be mended in a patch before it was one.
fn mended(patch: &PatchRecord) -> Vec<String> {
    let counted = [
        (patch.coerced, "values that were no JSON and count as texts"),
        (patch.normalised, "deviations from the form"),
        (patch.unescaped, "pointers without escapes"),
    ];
    let mut said: Vec<String> =
        counted.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{what}: {count}")).collect();
    if patch.raw_ops != patch.ops {
        said.push(format!("operations as written: {}", patch.raw_ops));
    }
    said
}

fn stages(attempt: &RepairAttempt) -> Vec<StageView> {
    let Some(verification) = &attempt.verification else { return Vec::new() };
    let view = |name, stage: &Option<StageRecord>, why| StageView {
        name,
        skipped: if stage.is_none() { Some(why) } else { None },
        stage: stage.clone().unwrap_or_default(),
    };
    vec![
        view("precheck", &verification.precheck, "the plan has none"),
        view("full", &verification.full, "the precheck failed before it"),
    ]
}
