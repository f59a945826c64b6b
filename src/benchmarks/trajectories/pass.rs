//! One attempt of a trajectory (EcoScratch, section 1): plan, prompt, call, parse, apply, verify. It ends in exactly one layer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

use super::ask::Answers;
use super::course::{Course, Energy, Ground, Log};
use super::kept::request_digest;
use crate::agent::model::AnswerForm;
use crate::agent::{Question, Response};
use crate::experiment::{RunError, said};
use crate::json_patch::{
    Aliases, End, Limits, Operation, Profile as Members, answer_schema, apply, bindings, check, read, refuse,
};
use crate::model::{
    CandidateRecord, Coded as _, ControllerMode, Cost, ImageAudit, Layer, PatchRecord, PlanId, RepairAttempt,
    RequestRecord, ResponseRecord, UsageRecord, VerificationRecord, sha256_hex,
};
use crate::project::Project;
use crate::trajectory::{
    Allowance, Evidence, Hints, Ids, OracleError, Plan, Profile, Prompts, Source, Spent, Verified, Wanted, dollars,
    prompts, view,
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

/// Why an attempt ended before it was verified.
struct Fault {
    layer: Layer,
    code: String,
    detail: String,
}

impl Fault {
    fn new(layer: Layer, code: &str, detail: String) -> Self {
        Self { layer, code: code.to_owned(), detail }
    }
}

/// What an answer became on its way to a candidate.
struct Built {
    operations: Vec<Operation>,
    project: Project,
    counts: PatchRecord,
}

impl Pass<'_> {
    fn number(&self) -> u32 {
        u32::try_from(self.earlier.len()).unwrap_or(u32::MAX)
    }

    fn plan(&self) -> &Plan {
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
        let mut aliases = Aliases::of(&self.course.case.buggy.json, NEW_IDS);
        let (question, images, leak) = self.question(&aliases)?;
        let mut attempt = self.blank(images, leak);
        attempt.seconds.insert("prompt".to_owned(), began.elapsed().as_secs_f64());
        let worst = self.worst(&question, &attempt);
        if !matches!(self.course.answers, Answers::Oracle | Answers::Floor(_))
            && let Some(budget) = spent.lacks(&self.course.manner.plans.budget, &worst)
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
        let built = self.built(&said, &mut aliases, &mut made);
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
    fn question(&self, aliases: &Aliases) -> Result<(Question, ImageAudit, u8), RunError> {
        let (manner, case, plan) = (self.course.manner, self.course.case, self.plan());
        let own = manner.profile == Profile::Own;
        let hints = Hints::of(&case.buggy.json, &case.report.words());
        let signals = &self.ground.probe.signals;
        let source = Source {
            report: &case.report,
            hints: &hints,
            signals,
            seen: self.ground.probe.seen.as_ref(),
            attempts: self.earlier,
        };
        let evidence = Evidence::of(source, if own { plan.trace } else { 0 }, manner.max_leak);
        // Which signals differ is known by comparison with gold.
        let is_told = own && manner.max_leak >= Evidence::EXPECTED;
        let differing = if is_told { signals.differing.as_slice() } else { &[] };
        let wanted = Wanted { hints: &hints, trigger: &case.report.trigger, differing };
        let shown = match manner.ids {
            Ids::Raw => view(&case.buggy.json, wanted, plan.view),
            Ids::Alias => view(&aliases.shown(&case.buggy.json), wanted, plan.view),
        };
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
        Ok((Question { system, user, pictures, form, about }, images, leak))
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

    fn limits(&self) -> Limits {
        let cap = usize::try_from(self.plan().operations).ok();
        let profile = if self.course.manner.profile == Profile::Own { Members::Own } else { Members::Paper };
        Limits { operations: if self.course.answers.is_exempt() { None } else { cap }, profile }
    }

    fn worst(&self, question: &Question, attempt: &RepairAttempt) -> Allowance {
        let chars = question.system.chars().count() + question.user.chars().count();
        let (name, price) = match self.course.answers {
            Answers::Asked { name, price, .. } | Answers::Replayed { name, price, .. } => {
                (name.as_str(), price.as_ref())
            }
            Answers::Oracle | Answers::Floor(_) => ("", None),
        };
        let pictures = (attempt.images.inserted, attempt.images.bytes);
        Allowance::of(chars as u64, pictures, self.plan(), (name, price))
    }

    /// The answer; `None` where there is none, which the attempt then says.
    async fn called(
        &self,
        question: &Question,
        worst: &Allowance,
        made: &mut Passed,
        log: &mut Log,
    ) -> Result<Option<Response>, RunError> {
        let (course, a) = (self.course, self.number());
        if let Some(told) = course.answers.built_in(course.case, (course.replicate, a)) {
            made.attempt.usage.usd = Some(0.0);
            return Ok(match told {
                Ok(text) => Some(Response::whole(text, Cost::default())),
                Err(why) => {
                    made.attempt.fail(Fault::new(Layer::Request, "no_difference", why));
                    None
                }
            });
        }
        let (digest, chars) = self.keep_request(question)?;
        made.attempt.request =
            Some(RequestRecord { file: format!("a{a}.request.json"), digest: digest.clone(), chars });
        log.note("request", &json!({"a": a, "digest": digest, "chars": chars}))?;
        let began = Instant::now();
        let known = course.kept.answer(&digest)?;
        let replayed = known.is_some();
        let answered = match known {
            Some(kept) => {
                Ok(Response { text: kept.text, is_cut: kept.is_cut, is_filtered: kept.is_filtered, cost: kept.cost })
            }
            None => self.bought(question, &digest).await?,
        };
        made.attempt.seconds.insert("call".to_owned(), began.elapsed().as_secs_f64());
        match answered {
            Ok(said) => {
                self.settle(&said, replayed, made)?;
                log.note("answer", &json!({"a": a, "replayed": replayed, "cut": said.is_cut}))?;
                Ok(Some(said))
            }
            Err((error, cost)) => {
                // Nobody tells what a call that failed has used.
                if cost.calls > 0 {
                    made.attempt.usage = worst.booked(self.price().is_some());
                }
                made.cost = cost;
                made.attempt.fail(Fault::new(Layer::Request, "no_answer", error));
                Ok(None)
            }
        }
    }

    fn price(&self) -> Option<&crate::grade::Price> {
        match self.course.answers {
            Answers::Asked { price, .. } | Answers::Replayed { price, .. } => price.as_ref(),
            Answers::Oracle | Answers::Floor(_) => None,
        }
    }

    /// Asks, and keeps the answer before anything is done with it.
    async fn bought(&self, question: &Question, digest: &str) -> Result<Result<Response, (String, Cost)>, RunError> {
        let Answers::Asked { asker, .. } = self.course.answers else {
            return Ok(Err(("its answer is not kept".to_owned(), Cost::default())));
        };
        let answered = said(asker.ask(question).await)?;
        if let Ok(said) = &answered {
            self.course.kept.keep_answer(digest, said)?;
        }
        Ok(answered)
    }

    fn keep_request(&self, question: &Question) -> Result<(String, u64), RunError> {
        let nothing = Value::Null;
        let who = match self.course.answers {
            Answers::Asked { name, options, .. } | Answers::Replayed { name, options, .. } => (name.as_str(), options),
            Answers::Oracle | Answers::Floor(_) => ("", &nothing),
        };
        let mode = (!self.course.manner.shares_answers).then_some(self.course.manner.mode);
        let mode = mode.map(|mode: ControllerMode| mode.to_string()).unwrap_or_default();
        let digest = request_digest(who, question, (&mode, self.course.replicate, self.number()));
        let request = json!({
            "system": question.system,
            "user": question.user,
            "max_tokens": question.form.max_tokens,
            "schema": question.form.schema.as_deref(),
            "pictures": question.pictures.iter().map(|png| sha256_hex(png.as_slice())).collect::<Vec<_>>(),
        });
        self.course.dir.keep_json(&format!("a{}.request.json", self.number()), &request)?;
        Ok((digest, (question.system.chars().count() + question.user.chars().count()) as u64))
    }

    /// Books an answer. One that was paid for before costs its price again on paper, and nothing in calls.
    fn settle(&self, said: &Response, replayed: bool, made: &mut Passed) -> Result<(), RunError> {
        let (a, cost) = (self.number(), said.cost);
        let file = format!("a{a}.response.json");
        self.course
            .dir
            .keep_json(&file, &json!({"text": said.text, "cut": said.is_cut, "filtered": said.is_filtered}))?;
        let is_silent = cost.input_tokens + cost.output_tokens == 0;
        made.attempt.usage = UsageRecord {
            input: cost.input_tokens,
            cached_input: cost.cached_tokens,
            output: cost.output_tokens,
            reasoning: cost.reasoning_tokens,
            usd: self.price().filter(|_| !is_silent).map(|price| dollars(price.of(&cost))),
            settled: true,
        };
        made.attempt.response =
            Some(ResponseRecord { file, cut: said.is_cut, tries: cost.calls, replayed, seconds: cost.seconds });
        made.cost = if replayed { Cost::default() } else { cost };
        Ok(())
    }

    /// Reads and applies an answer, in Rust alone.
    fn built(&self, said: &Response, aliases: &mut Aliases, made: &mut Passed) -> Result<Built, Fault> {
        let (manner, buggy) = (self.course.manner, &self.course.case.buggy);
        let end = match (said.is_filtered, said.is_cut) {
            (true, _) => End::Refused,
            (_, true) => End::Cut,
            _ => End::Complete,
        };
        let answer = read(&said.text, end, &self.limits())
            .map_err(|error| Fault::new(error.layer(), error.code(), error.to_string()))?;
        let raw = answer.operations.len();
        let operations = if manner.ids == Ids::Alias { aliases.restore(&answer.operations) } else { answer.operations };
        let counted = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let mut counts = answer.counts;
        let mut record = PatchRecord {
            file: format!("a{}.patch.json", self.number()),
            raw_ops: counted(raw),
            ops: counted(operations.len()),
            coerced: counted(counts.coerced),
            normalised: counted(counts.normalised),
            unescaped: counted(counts.unescaped),
        };
        made.patch = Some(operations.clone());
        made.attempt.patch = Some(record.clone());
        let applied = apply(&buggy.json, &operations)
            .map_err(|error| Fault::new(Layer::Application, error.code(), error.to_string()))?;
        counts += applied.counts;
        (record.ops, record.normalised) = (counted(applied.operations.len()), counted(counts.normalised));
        (record.coerced, record.unescaped) = (counted(counts.coerced), counted(counts.unescaped));
        made.patch = Some(applied.operations.clone());
        made.attempt.patch = Some(record.clone());
        let project = Project { json: applied.project, assets: buggy.assets.clone() };
        let invalid = |error: crate::json_patch::PatchError| {
            let code = error.code().to_owned();
            Fault::new(Layer::Application, &code, error.to_string())
        };
        check(buggy, &project).map_err(invalid)?;
        if manner.profile == Profile::Own {
            refuse(bindings(&buggy.json, &project.json)).map_err(invalid)?;
        }
        Ok(Built { operations: applied.operations, project, counts: record })
    }

    fn keep_patch(&self, made: &Passed) -> Result<(), RunError> {
        if let Some(patch) = &made.patch {
            self.course.dir.keep_json(&format!("a{}.patch.json", self.number()), patch)?;
        }
        Ok(())
    }

    /// Verifies what was built; the layer says how far it came.
    async fn verified(
        &self,
        built: Built,
        made: &mut Passed,
        log: &mut Log,
    ) -> Result<Result<(), OracleError>, RunError> {
        let a = self.number();
        made.attempt.patch = Some(built.counts);
        let sb3 = match built.project.pack() {
            Ok(sb3) => sb3,
            Err(error) => {
                made.attempt.fail(Fault::new(Layer::Application, "unloadable", error.to_string()));
                return Ok(Ok(()));
            }
        };
        let verified = match self.course.case.oracle.verify(&sb3, self.plan().precheck).await {
            Ok(verified) => verified,
            Err(error) => return Ok(Err(error)),
        };
        let Verified { unloadable, precheck, full, seconds: [quick, whole] } = verified;
        if let Some(message) = unloadable {
            made.attempt.fail(Fault::new(Layer::Application, "unloadable", message));
            return Ok(Ok(()));
        }
        let file = format!("a{a}.sb3");
        self.course.dir.keep(&file, &sb3)?;
        made.attempt.candidate = Some(CandidateRecord { file, sha256: sha256_hex(&sb3) });
        made.candidate = Some(built.project.json);
        made.attempt.seconds.insert("precheck".to_owned(), quick);
        made.attempt.seconds.insert("full".to_owned(), whole);
        let stage = full.as_ref().or(precheck.as_ref());
        let outcome = stage.map(|stage| stage.outcome.clone()).unwrap_or_default();
        let detail = stage.and_then(|stage| stage.failures.first().cloned()).unwrap_or_default();
        let layer = match (&full, outcome.as_str()) {
            (Some(_), "pass") => Layer::StrictSuccess,
            (Some(_), _) => Layer::Full,
            (None, _) => Layer::Precheck,
        };
        let verification = VerificationRecord { precheck, full };
        self.course.dir.keep_json(&format!("a{a}.verify.json"), &verification)?;
        log.note("verified", &json!({"a": a, "layer": layer}))?;
        made.attempt.verification = Some(verification);
        if layer == Layer::StrictSuccess {
            made.attempt.layer = layer;
        } else {
            made.attempt.fail(Fault::new(layer, &outcome, detail));
        }
        Ok(Ok(()))
    }
}

/// An attempt that ends somewhere.
trait Fail {
    fn fail(&mut self, fault: Fault);
}

impl Fail for RepairAttempt {
    fn fail(&mut self, fault: Fault) {
        self.layer = fault.layer;
        self.code = Some(fault.code);
        self.detail = (!fault.detail.is_empty()).then_some(fault.detail);
    }
}
