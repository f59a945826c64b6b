//! Hostile files before the judge. After each of them the solution of another task is judged, which must pass with the
//! trace that it had at first: what a file does to a page reaches no later verdict.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rand::SeedableRng as _;
use rand_pcg::Pcg64;
use reqwest::Method;
use tokio::process::Command;

use super::answers::{Meaning, Reply};
use super::foreign;
use super::server::Server;
use super::tally::{Tally, Whose};
use super::{ChaosError, ChaosPlan};
use crate::taskset::TaskSet;

/// The task whose solution is judged again and again.
const TASK: &str = "stuck_ferry";
/// The task that hostile files are judged for.
const FOREIGN_TASK: &str = "kite_gusts";
/// No verdict may take longer: two tries at a program that never pauses, and a solution to compare, on a busy machine.
const LIMIT: Duration = Duration::from_secs(900);
/// Pause before a verdict is asked for again that a harm has voided.
const PAUSE: Duration = Duration::from_secs(1);
/// Who asks, in the report.
const WHO: &str = "the judge's caller";

pub(super) struct Witness<'a> {
    server: &'a Server,
    solution: Vec<u8>,
    /// What its trace was at first.
    trace_hash: String,
}

impl<'a> Witness<'a> {
    /// Builds the solution and has it judged twice at once, so that all pages of the judge are there.
    ///
    /// # Errors
    /// [`ChaosError::NoWitness`] when it can't be built, or does not pass both times with the same trace.
    pub(super) async fn new(server: &'a Server, plan: &ChaosPlan) -> Result<Self, ChaosError> {
        let solution = solution(plan, server.folder()).await?;
        let (one, other) = tokio::join!(verdict(server, TASK, &solution), verdict(server, TASK, &solution));
        match (passed(&one), passed(&other)) {
            (Some(trace_hash), Some(again)) if trace_hash == again => Ok(Self { server, solution, trace_hash }),
            _ => Err(ChaosError::NoWitness(format!("{}; {}", one.words(), other.words()))),
        }
    }

    /// Has files of all kinds judged, one after another, until the time is up; the last judgement may go on for longer.
    pub(super) async fn judge_foreign_files(&self, seed: u64, until: Instant) -> Tally {
        let (mut random, mut tally) = (Pcg64::seed_from_u64(seed ^ 0x6a75_6467), Tally::default());
        for (kind, make) in foreign::KINDS.iter().cycle() {
            if Instant::now() >= until {
                break;
            }
            let reply = verdict(self.server, FOREIGN_TASK, &make(&mut random)).await;
            tally.note(WHO, &format!("judge {kind}"), &reply, Whose::OwnFile, &self.server.harms);
            self.testify(kind, &mut tally).await;
        }
        tally
    }

    /// The solution passes as ever. A verdict that a harm has voided is asked for again.
    async fn testify(&self, after: &str, tally: &mut Tally) {
        loop {
            let reply = verdict(self.server, TASK, &self.solution).await;
            tally.note(WHO, "judge the solution", &reply, Whose::Others, &self.server.harms);
            match self.is_as_ever(&reply) {
                Testimony::Missing if self.server.harms.explain(reply.began, reply.ended) => {
                    tokio::time::sleep(PAUSE).await;
                }
                // One that is missing without a harm has been counted as void.
                Testimony::Same | Testimony::Missing => return,
                Testimony::Other(what) => {
                    tally.lost.verdicts += 1;
                    return tally.breach(WHO, &format!("after {after}: the solution {what}: {}", reply.words()));
                }
            }
        }
    }

    fn is_as_ever(&self, reply: &Reply) -> Testimony {
        match passed(reply) {
            Some(trace_hash) if trace_hash == self.trace_hash => Testimony::Same,
            Some(_) => Testimony::Other("passed with another trace"),
            None if reply.meaning() != Meaning::Done => Testimony::Missing,
            // Two pages that break during one judgement are taken for the project's fault.
            None if self.server.harms.explain(reply.began, reply.ended) => Testimony::Missing,
            None => Testimony::Other("did not pass"),
        }
    }
}

/// What the verdict on the solution is worth.
enum Testimony {
    Same,
    /// Nothing: there is none.
    Missing,
    Other(&'static str),
}

async fn verdict(server: &Server, task: &str, sb3: &[u8]) -> Reply {
    let request = server.ask_as_judge(Method::POST, &format!("/tasks/{task}/verdict")).timeout(LIMIT);
    Reply::to(request.header("content-type", "application/x.scratch.sb3").body(sb3.to_vec())).await
}

/// The digest of the trace, if the project passed.
fn passed(reply: &Reply) -> Option<String> {
    let verdict = reply.json();
    let hash = verdict["trace_hash"].as_str().map(str::to_owned);
    hash.filter(|_| verdict["outcome"] == "passed")
}

/// The solution's project file, built by the program itself.
async fn solution(plan: &ChaosPlan, folder: &Path) -> Result<Vec<u8>, ChaosError> {
    let unbuilt = |why: &dyn std::fmt::Display| ChaosError::NoWitness(why.to_string());
    let tasks = TaskSet::read(&plan.root).map_err(|error| unbuilt(&error))?;
    let text = tasks.find(TASK).map_err(|error| unbuilt(&error))?.golden();
    let file = folder.join("solution.sb3");
    let mut command = Command::new(&plan.program);
    command.arg("--root").arg(&plan.root).args(["task", "build"]).arg(text).arg("--out").arg(&file);
    command.stdin(Stdio::null()).kill_on_drop(true);
    let built = command.output().await.map_err(|error| unbuilt(&error))?;
    if !built.status.success() {
        return Err(unbuilt(&String::from_utf8_lossy(&built.stderr)));
    }
    std::fs::read(file).map_err(|error| unbuilt(&error))
}
