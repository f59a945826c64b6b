//! One attempt of a trajectory (EcoScratch, section 1): plan, prompt, call, parse, apply, verify. It ends in exactly one layer. The call is
//! in `ask`, what becomes of the answer in `measure`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

use super::course::{Course, Ground, Log};
use super::energy::Energy;
use super::measure::Fail as _;
use crate::agent::Question;
use crate::agent::model::AnswerForm;
use crate::experiment::RunError;
use crate::json_patch::{Aliases, Limits, Operation, Profile as Members, answer_schema};
use crate::model::{Cost, ImageAudit, Layer, PlanId, RepairAttempt, UsageRecord};
use crate::trajectory::{
    Allowance, Evidence, Hints, Ids, OracleError, Plan, Profile, Prompts, Source, Spent, Wanted, prompts, suspects,
    view,
};

/// Seed of the ids that aliases of new blocks stand for.
const NEW_IDS: u64 = 1;

/// An attempt in the making.
pub(super) struct Pass<'a> {
    pub course: &'a Course<'a>,
    pub ground: &'a Ground,
    pub id: PlanId,
    pub earlier: &'a [RepairAttempt],
}

/// An attempt that was made.
pub(super) struct Passed {
    pub attempt: RepairAttempt,
    /// The patch as it was applied, if one could be read.
    pub patch: Option<Vec<Operation>>,
    /// The patched project, if there is one that loads.
    pub candidate: Option<Value>,
    pub cost: Cost,
}

/// Either an attempt, or the name of the budget that it would pass.
pub(super) type MadeOrNot = Result<Passed, &'static str>;

impl Pass<'_> {
    pub(super) fn number(&self) -> u32 {
        u32::try_from(self.earlier.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn plan(&self) -> &Plan {
        self.course.manner.plans.plan(self.id)
    }

    /// Makes the attempt, if its worst case fits what is left.
    pub(super) async fn run(
        &self,
        spent: &Spent,
        log: &mut Log,
        energy: &mut Energy,
    ) -> Result<Result<MadeOrNot, OracleError>, RunError> {
        energy.stage("prompt").await;
        let began = Instant::now();
        let has_aliases = self.course.manner.ids == Ids::Alias;
        let mut aliases = has_aliases.then(|| Aliases::of(&self.course.case.buggy.json, NEW_IDS));
        let (question, images, leak) = self.question(aliases.as_ref())?;
        let mut attempt = self.blank(images, leak);
        attempt.seconds.insert("prompt".to_owned(), began.elapsed().as_secs_f64());
        let worst = self.worst(&question, &attempt);
        if self.course.answers.respondent().is_some()
            && let Some(budget) = spent.with_wh(energy.wh()).lacks(&self.course.manner.plans.budget, &worst)
        {
            return Ok(Ok(Err(budget)));
        }
        energy.stage("call").await;
        let mut made = Passed { attempt, patch: None, candidate: None, cost: Cost::default() };
        let Some(said) = self.called(&question, &worst, &mut made, log).await? else {
            return Ok(Ok(Ok(made)));
        };
        energy.stage("apply").await;
        let began = Instant::now();
        let built = self.built(&said, aliases.as_mut(), &mut made);
        made.attempt.seconds.insert("apply".to_owned(), began.elapsed().as_secs_f64());
        let built = match built {
            Ok(built) => built,
            Err(fault) => {
                log.note("parsed", &json!({"layer": fault.layer, "code": fault.code}))?;
                self.keep_patch(&made)?;
                made.attempt.fail(fault);
                return Ok(Ok(Ok(made)));
            }
        };
        self.keep_patch(&made)?;
        log.note("applied", &json!({"operations": built.operations.len()}))?;
        energy.stage("verify").await;
        match self.verified(built, &mut made, log).await? {
            Ok(()) => Ok(Ok(Ok(made))),
            Err(error) => Ok(Err(error)),
        }
    }

    fn blank(&self, images: ImageAudit, leak: u8) -> RepairAttempt {
        RepairAttempt {
            a: self.number(),
            plan: self.id,
            ops_cap: self.plan().operations,
            leak,
            layer: Layer::Request,
            code: None,
            detail: None,
            request: None,
            images,
            response: None,
            usage: UsageRecord { settled: true, ..UsageRecord::default() },
            patch: None,
            candidate: None,
            verification: None,
            seconds: BTreeMap::new(),
        }
    }

    /// What is asked, with the audit of its pictures and the highest leak level.
    fn question(&self, aliases: Option<&Aliases>) -> Result<(Question, ImageAudit, u8), RunError> {
        let (manner, case, plan) = (self.course.manner, self.course.case, self.plan());
        let own = manner.profile == Profile::Own;
        let signals = &self.ground.probe.signals;
        let renamed = aliases.map(|aliases| aliases.shown(&case.buggy.json));
        let project = renamed.as_ref().unwrap_or(&case.buggy.json);
        // Which signals differ is known by comparison with gold.
        let is_told = own && manner.max_leak >= Evidence::EXPECTED;
        let differing = if is_told { signals.differing.as_slice() } else { &[] };
        let suspects = suspects(project, differing);
        let hints = Hints::of(project, &case.report.words()).against(&suspects);
        let source = Source {
            report: &case.report,
            hints: &hints,
            signals,
            seen: self.ground.probe.seen.as_ref(),
            attempts: self.earlier,
        };
        let evidence = Evidence::of(source, if own { plan.trace } else { 0 }, manner.max_leak);
        let wanted = Wanted { hints: &hints, trigger: &case.report.trigger, suspects: &suspects };
        let shown = view(project, wanted, plan.view);
        let (pictures, captions, images) = self.images();
        let mut leak = evidence.leak;
        if images.inserted > 0 && images.source == "frames" {
            leak = leak.max(Evidence::OBSERVED);
        }
        if !differing.is_empty() {
            leak = leak.max(Evidence::EXPECTED);
        }
        let Prompts { system, user } = prompts(plan, manner.profile, (&shown, &captions), &evidence)
            .map_err(|error| RunError::Item { item: case.id.clone(), reason: error.to_string() })?;
        let schema = manner.has_schema.then(|| Arc::new(answer_schema(&self.limits())));
        let form = AnswerForm { max_tokens: Some(plan.tokens), schema };
        let about = [
            ("benchmark", json!("trajectory")),
            ("item", json!(case.id)),
            ("attempt", json!(self.number())),
            ("report", json!(case.report)),
        ];
        let about = about.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Ok((Question { system, user, pictures, form, about, ..Question::default() }, images, leak))
    }

    fn images(&self) -> (Vec<Arc<Vec<u8>>>, Vec<String>, ImageAudit) {
        let available = &self.ground.images;
        let is_shown = available.source != "frames" || self.course.manner.max_leak >= Evidence::OBSERVED;
        let most = if is_shown { usize::try_from(self.plan().images).unwrap_or(0) } else { 0 };
        let (mut pictures, mut captions) = (Vec::new(), Vec::new());
        let mut audit = ImageAudit {
            available: u32::try_from(available.all.len()).unwrap_or(u32::MAX),
            source: available.source.to_owned(),
            ..ImageAudit::default()
        };
        for ((caption, png), number) in available.all.iter().take(most).zip(1..) {
            captions.push(caption.clone());
            pictures.push(Arc::clone(png));
            audit.inserted += 1;
            audit.bytes += png.len() as u64;
            audit.files.push(format!("f{number}.png"));
        }
        (pictures, captions, audit)
    }

    pub(super) fn limits(&self) -> Limits {
        let cap = usize::try_from(self.plan().operations).ok();
        let profile = if self.course.manner.profile == Profile::Own { Members::Own } else { Members::Paper };
        Limits { operations: if self.course.answers.is_exempt() { None } else { cap }, profile }
    }

    fn worst(&self, question: &Question, attempt: &RepairAttempt) -> Allowance {
        let chars = question.system.chars().count() + question.user.chars().count();
        let respondent = self.course.answers.respondent();
        let name = respondent.map_or("", |one| one.name.as_str());
        let price = respondent.and_then(|one| one.price.as_ref());
        let pictures = (attempt.images.inserted, attempt.images.bytes);
        Allowance::of(chars as u64, pictures, self.plan(), (name, price))
    }
}
