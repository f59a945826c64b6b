//! Who answers in a trajectory: a model or program, or a floor that sees no more than a model does; the oracle sees gold. An answer that was
//! paid for is kept before anything is done with it.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

use super::course::Log;
use super::kept::request_digest;
use super::measure::{Fail as _, Fault};
use super::pass::{Pass, Passed};
use crate::agent::{Asker, Question, Response};
use crate::bugs::BugReport;
use crate::experiment::{RunError, said};
use crate::forge::text_search;
use crate::grade::Price;
use crate::json_patch::{Operation, difference, wire_form};
use crate::mend::mutated;
use crate::model::{ControllerMode, Cost, Layer, RequestRecord, ResponseRecord, UsageRecord, sha256_hex};
use crate::project::edit::{Edit, apply};
use crate::trajectory::{Allowance, Case, dollars};

/// Who repairs.
pub enum Answers {
    /// A model or a program.
    Asked(Respondent),
    /// The difference of buggy project and gold. Its patches are exempt from the cap.
    Oracle,
    /// What needs no model.
    Floor(Floor),
}

/// A model or a program.
pub struct Respondent {
    /// Its name, and what else decides its answers: dialect, decoding.
    pub name: String,
    pub options: Value,
    /// By which it is paid; absent where that is unknown.
    pub price: Option<Price>,
    /// Who asks it; nobody in a replay, where an answer that is not kept is a call that failed.
    pub asker: Option<Arc<dyn Asker>>,
}

/// A repair without a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Floor {
    /// No operation.
    Nothing,
    /// One operator near what the report names, by chance from this seed.
    Mutate(u64),
    /// The report's wrong value is searched for, and the expected one written.
    Search,
}

impl Answers {
    /// The model or program, if there is one.
    pub const fn respondent(&self) -> Option<&Respondent> {
        match self {
            Self::Asked(respondent) => Some(respondent),
            Self::Oracle | Self::Floor(_) => None,
        }
    }

    /// Whether patches may be longer than the plan allows.
    pub const fn is_exempt(&self) -> bool {
        matches!(self, Self::Oracle)
    }

    /// The answer of those that need not be asked; `None` where somebody must be. The seed of chance is another one for each attempt.
    pub fn built_in(&self, case: &Case, (replicate, attempt): (u32, u32)) -> Option<Result<String, String>> {
        let told = |operations: &[Operation]| wire_form(operations).to_string();
        match self {
            Self::Asked(_) => None,
            Self::Oracle => Some(
                difference(&case.buggy.json, &case.golden.json)
                    .map(|operations| told(&operations))
                    .map_err(|error| error.to_string()),
            ),
            Self::Floor(Floor::Nothing) => Some(Ok(told(&[]))),
            Self::Floor(Floor::Mutate(seed)) => {
                let seed = seed.wrapping_mul(10_000).wrapping_add(u64::from(replicate * 100 + attempt));
                let edits = mutated(&case.buggy.json, &report_of(case), seed);
                Some(Ok(told(&operations_of(case, &edits))))
            }
            Self::Floor(Floor::Search) => {
                let edits = text_search(&case.buggy.json, &report_of(case));
                Some(Ok(told(&operations_of(case, &edits))))
            }
        }
    }
}

/// What a case is told to be about, in the form of the repair track.
fn report_of(case: &Case) -> BugReport {
    BugReport {
        symptom: format!("{} {}", case.report.title, case.report.symptom),
        expected: case.report.expected.clone(),
        reproduce: case.report.trigger.clone(),
    }
}

/// What edits change, as operations; none where they do not apply.
fn operations_of(case: &Case, edits: &[Edit]) -> Vec<Operation> {
    let changed = apply(&case.buggy.json, edits).ok();
    changed.and_then(|changed| difference(&case.buggy.json, &changed).ok()).unwrap_or_default()
}

impl Pass<'_> {
    /// The answer; `None` where there is none, which the attempt then says.
    pub(super) async fn called(
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

    fn price(&self) -> Option<&Price> {
        self.course.answers.respondent().and_then(|respondent| respondent.price.as_ref())
    }

    /// Asks, and keeps the answer before anything is done with it.
    async fn bought(&self, question: &Question, digest: &str) -> Result<Result<Response, (String, Cost)>, RunError> {
        let asker = self.course.answers.respondent().and_then(|respondent| respondent.asker.as_ref());
        let Some(asker) = asker else {
            // A replay books what the call booked that nobody answered.
            return Ok(Err(("its answer is not kept".to_owned(), Cost { calls: 1, ..Cost::default() })));
        };
        let answered = said(asker.ask(question).await)?;
        if let Ok(said) = &answered {
            self.course.kept.keep_answer(digest, said)?;
        }
        Ok(answered)
    }

    fn keep_request(&self, question: &Question) -> Result<(String, u64), RunError> {
        let nothing = Value::Null;
        let respondent = self.course.answers.respondent();
        let who = respondent.map_or(("", &nothing), |one| (one.name.as_str(), &one.options));
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
}
