//! The endurance test: sessions that work concurrently for some minutes while Chromium is killed now and then.
//!
//! It shows that every call is answered, that only sessions of a killed browser report a lost page, as an infrastructure
//! error, that no session starves, and that nothing is left behind.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use futures::future::join_all;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::bench::BenchError;
use super::median;
use crate::action::perform;
use crate::meter::process_tree;
use crate::model::{ActionCall, Mode};
use crate::session::{SessionHandle, Sessions, Start};

/// No session may wait more than so many times the median.
const FAIR: f64 = 3.0;
/// Memory at the end may be this many times what it was after a quarter of the time.
const FLAT: f64 = 1.2;
/// Waits under this mean are fair whatever the median is, in milliseconds.
const NO_WAIT_MS: f64 = 50.0;
/// So many more processes or open files at rest may be Chromium's own helpers and connections that still close.
const SLACK: usize = 2;
/// How often memory is read.
const SAMPLE: Duration = Duration::from_secs(5);
/// How long a look at a session may take.
const LOOK_LIMIT: Duration = Duration::from_secs(10);
/// How long the tree may take to come to rest.
const REST_LIMIT: Duration = Duration::from_secs(90);

#[derive(Debug, Clone, Copy)]
pub struct EndurancePlan {
    /// Sessions that work at once.
    pub sessions: usize,
    pub time: Duration,
    /// How often a Chromium is killed, at even distances.
    pub kills: u32,
}

/// What one session saw.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Worked {
    /// Calls sent.
    pub calls: u64,
    /// Calls answered, with success or without.
    pub answered: u64,
    /// Calls answered as the testbed's trouble.
    pub infrastructure: u64,
    /// How often its page was lost.
    pub page_lost: u64,
    /// How often a browser of its own was killed.
    pub killed: u64,
    /// Mean wait for a turn, in milliseconds.
    pub wait_ms: f64,
    /// The longest wait, in milliseconds.
    pub longest_wait_ms: f64,
    /// Mean time in service, in milliseconds.
    pub service_ms: f64,
}

/// What was seen in all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EnduranceReport {
    /// Each session.
    pub sessions: Vec<Worked>,
    /// Chromium processes killed.
    pub kills: u32,
    /// Median over the sessions of their mean waits, in milliseconds.
    pub median_wait_ms: f64,
    /// Memory of the process tree while at work: after a quarter of the time, and at the end, in MB.
    pub memory_mb: (f64, f64),
    /// Processes at rest before and after.
    pub processes: (usize, usize),
    /// Our own open files at rest before and after.
    pub files: (usize, usize),
    /// Browsers' folders among the temporary files, before and after.
    pub profiles: (usize, usize),
    /// What is not as it must be, one line each.
    pub breaches: Vec<String>,
    /// How long it took, in seconds.
    pub seconds: f64,
}

impl EnduranceReport {
    /// Whether all is as it must be.
    pub const fn passed(&self) -> bool {
        self.breaches.is_empty()
    }
}

/// What the sessions share while they work.
struct Workload<'a> {
    sessions: &'a Sessions,
    until: Instant,
    /// Per session name the browser that was killed under it, as often as it happened.
    killed: Mutex<BTreeMap<String, u64>>,
    breaches: Mutex<Vec<String>>,
}

/// Lets the sessions work as planned; `progress` gets the elapsed seconds.
///
/// # Errors
/// When the sessions can't be created to begin with.
pub async fn run(
    sessions: &Sessions,
    plan: EndurancePlan,
    progress: impl Fn(u64),
) -> Result<EnduranceReport, BenchError> {
    let started = Instant::now();
    rest(sessions).await;
    let before = Leftovers::now();
    let mut open = Vec::new();
    for _ in 0..plan.sessions {
        open.push(sessions.get(&sessions.create(Start::default()).await?.id).await?);
    }
    let workload =
        Workload { sessions, until: Instant::now() + plan.time, killed: Mutex::default(), breaches: Mutex::default() };
    let work = join_all(open.iter().enumerate().map(|(number, session)| workload.work(number, session)));
    let (worked, memory_mb, kills) =
        tokio::join!(work, workload.watch(plan.time, progress), workload.kill(&open, plan));
    for session in &open {
        sessions.delete(session.id()).await?;
    }
    drop(open);
    rest(sessions).await;
    let after = Leftovers::now();
    let mut report = EnduranceReport {
        median_wait_ms: median(worked.iter().map(|session| session.wait_ms).collect()),
        sessions: worked,
        kills,
        memory_mb,
        processes: (before.processes, after.processes),
        files: (before.files, after.files),
        profiles: (before.profiles, after.profiles),
        breaches: workload.breaches.into_inner().unwrap_or_default(),
        seconds: started.elapsed().as_secs_f64(),
    };
    judge(&mut report, plan);
    Ok(report)
}

impl Workload<'_> {
    fn breach(&self, what: String) {
        if let Ok(mut breaches) = self.breaches.lock() {
            breaches.push(what);
        }
    }

    async fn work(&self, number: usize, session: &SessionHandle) -> Worked {
        let mut worked = Worked::default();
        let (mut waits, mut services) = (0.0, 0.0);
        'work: for lap in 0_usize.. {
            for (mode, api, args) in lap_of(number + lap) {
                if Instant::now() >= self.until {
                    break 'work;
                }
                let Value::Object(args) = args else { continue };
                worked.calls += 1;
                match perform(session, mode, ActionCall::new(api, args)).await {
                    Ok(reply) => {
                        worked.answered += 1;
                        waits += reply.timing.wait_ms;
                        services += reply.timing.action_ms + reply.timing.settle_ms;
                        worked.longest_wait_ms = worked.longest_wait_ms.max(reply.timing.wait_ms);
                        match reply.error {
                            Some(error) if error.infrastructure => worked.infrastructure += 1,
                            Some(error) => {
                                self.breach(format!("session {number}: {api}: {}: {}", error.code, error.message));
                            }
                            None => {}
                        }
                    }
                    Err(error) => self.breach(format!("session {number}: {api} was not answered: {error}")),
                }
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
        let calls = worked.answered.max(1) as f64;
        worked.wait_ms = waits / calls;
        worked.service_ms = services / calls;
        worked.page_lost = self.sessions.inspect(session.id()).await.map_or(0, |info| info.page_lost);
        worked.killed = self.killed.lock().map_or(0, |killed| killed.get(session.id()).copied().unwrap_or(0));
        worked
    }

    /// Kills the browser of another session each time.
    async fn kill(&self, open: &[SessionHandle], plan: EndurancePlan) -> u32 {
        let pause = plan.time / (plan.kills + 1);
        let mut kills = 0;
        for round in 0..plan.kills {
            tokio::time::sleep(pause).await;
            let mut homes = Vec::new();
            for session in open {
                let id =
                    session.run_unlogged(LOOK_LIMIT, |live| Box::pin(async move { live.browser_process_id() })).await;
                homes.push((session.id().to_owned(), id.ok()));
            }
            let Some((_, Some(doomed))) = homes.get(round as usize * open.len() / plan.kills as usize) else {
                continue;
            };
            let Ok(process) = i32::try_from(*doomed) else { continue };
            if let Ok(mut killed) = self.killed.lock() {
                for (id, _) in homes.iter().filter(|(_, home)| *home == Some(*doomed)) {
                    *killed.entry(id.clone()).or_default() += 1;
                }
            }
            let ended = nix::sys::signal::kill(nix::unistd::Pid::from_raw(process), nix::sys::signal::Signal::SIGKILL);
            kills += u32::from(ended.is_ok());
        }
        kills
    }

    /// Reads memory while the sessions work: the mean of the second quarter and of the last, in MB.
    async fn watch(&self, time: Duration, progress: impl Fn(u64)) -> (f64, f64) {
        let started = Instant::now();
        let (mut early, mut late) = (Vec::new(), Vec::new());
        while Instant::now() < self.until {
            tokio::time::sleep(SAMPLE.min(self.until.saturating_duration_since(Instant::now()))).await;
            progress(started.elapsed().as_secs());
            let part = started.elapsed().as_secs_f64() / time.as_secs_f64();
            let memory = tokio::task::spawn_blocking(|| process_tree::memory(std::process::id())).await;
            #[expect(clippy::cast_precision_loss, reason = "megabytes for people")]
            let megabytes = memory.unwrap_or_default() as f64 / 1e6;
            if (0.2..0.5).contains(&part) {
                early.push(megabytes);
            } else if part >= 0.7 {
                late.push(megabytes);
            }
        }
        (median(early), median(late))
    }
}

/// What currently exists and could be left behind.
struct Leftovers {
    processes: usize,
    files: usize,
    profiles: usize,
}

impl Leftovers {
    fn now() -> Self {
        let tree = process_tree::tree(std::process::id());
        let count = |folder: &std::path::Path, prefix: &str| {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix)).count()
        };
        // Other testbeds on this machine have profiles too: only those of our own guards count.
        let guards = tree.iter().filter_map(|process| std::fs::read(format!("/proc/{}/cmdline", process.id)).ok());
        let profiles = guards.filter(|line| line.windows(9).any(|part| part == b"--profile")).count();
        Self { processes: tree.len(), files: count("/proc/self/fd".as_ref(), ""), profiles }
    }
}

/// Waits until no page is lent and the pool is full, and the number of processes stays the same for a while.
async fn rest(sessions: &Sessions) {
    let deadline = Instant::now() + REST_LIMIT;
    let (mut last, mut same) = (0, 0);
    while same < 5 && Instant::now() < deadline {
        let count = process_tree::tree(std::process::id()).len();
        let still = sessions.fleet().is_at_rest() && count == last;
        same = if still { same + 1 } else { 0 };
        last = count;
        tokio::time::sleep(Duration::from_millis(400)).await;
    }
}

/// The breaches that a report shows.
fn judge(report: &mut EnduranceReport, plan: EndurancePlan) {
    let mut breaches = Vec::new();
    for (number, session) in report.sessions.iter().enumerate() {
        if session.answered < session.calls {
            breaches.push(format!("session {number}: {} calls not answered", session.calls - session.answered));
        }
        if session.page_lost != session.killed {
            let Worked { page_lost, killed, .. } = session;
            breaches.push(format!(
                "session {number}: lost its page {page_lost} times, its browser was killed {killed} times"
            ));
        }
        if session.infrastructure != session.killed {
            let Worked { infrastructure, killed, .. } = session;
            breaches.push(format!("session {number}: {infrastructure} infrastructure errors, {killed} kills"));
        }
        if session.wait_ms > (report.median_wait_ms * FAIR).max(NO_WAIT_MS) {
            let (wait, median) = (session.wait_ms, report.median_wait_ms);
            breaches.push(format!("session {number}: waits {wait:.0} ms, the median is {median:.0} ms"));
        }
    }
    if report.kills != plan.kills {
        breaches.push(format!("{} of {} kills", report.kills, plan.kills));
    }
    let (early, late) = report.memory_mb;
    if late > early * FLAT {
        breaches.push(format!("memory grew from {early:.0} MB to {late:.0} MB"));
    }
    for (what, (before, after), slack) in
        [("processes", report.processes, SLACK), ("open files", report.files, SLACK), ("profiles", report.profiles, 0)]
    {
        if after > before + slack {
            breaches.push(format!("{what}: {before} before, {after} after"));
        }
    }
    report.breaches.extend(breaches);
}

/// Mouse, keyboard and blocks on the default project, leaving it as it was. A lap may find a project that an
/// interrupted lap left behind, so nothing in it depends on what there is.
fn lap_of(number: usize) -> Vec<(Mode, &'static str, Value)> {
    let primitive = |api, args| (Mode::Primitive, api, args);
    let composite = |api, args| (Mode::Composite, api, args);
    let mut lap = vec![
        primitive("click", json!({"x": 31, "y": 160})),
        primitive("click", json!({"x": 31, "y": 115})),
        primitive("drag_and_drop", json!({"start_x": 420, "start_y": 640, "end_x": 600, "end_y": 500})),
        primitive("scroll", json!({"direction": "down", "amount": 200, "at": {"x": 180, "y": 400}})),
        primitive("scroll", json!({"direction": "up", "amount": 200, "at": {"x": 180, "y": 400}})),
        primitive("observe", json!({"ocr": "off"})),
        primitive("key", json!({"key": "escape"})),
        composite("select_stage", json!({})),
        composite("select_sprite", json!({"name": "Sprite1"})),
        composite("add_block", json!({"blockType": "event_whenflagclicked"})),
        composite("observe", json!({})),
        composite("delete_block", json!({"blockIndex": 1})),
    ];
    // Not all do the same at the same time.
    let turn = number % lap.len().min(7);
    lap[..7].rotate_left(turn.min(6));
    lap
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(sessions: Vec<Worked>) -> EnduranceReport {
        EnduranceReport {
            median_wait_ms: median(sessions.iter().map(|session| session.wait_ms).collect()),
            sessions,
            kills: 1,
            memory_mb: (1000.0, 1100.0),
            processes: (12, 12),
            files: (40, 41),
            profiles: (1, 1),
            breaches: Vec::new(),
            seconds: 1.0,
        }
    }

    #[test]
    fn each_breach_is_reported() {
        let plan = EndurancePlan { sessions: 2, time: Duration::from_secs(1), kills: 1 };
        let fine = Worked { calls: 5, answered: 5, wait_ms: 100.0, ..Worked::default() };
        let lost = Worked { infrastructure: 1, page_lost: 1, killed: 1, ..fine.clone() };
        let mut good = report(vec![fine.clone(), lost, fine.clone()]);
        judge(&mut good, plan);
        assert_eq!(good.breaches, Vec::<String>::new());

        let silent = Worked { answered: 4, ..fine.clone() };
        let touched = Worked { page_lost: 1, infrastructure: 1, ..fine.clone() };
        let starved = Worked { wait_ms: 301.0, ..fine.clone() };
        let mut bad = report(vec![fine.clone(), silent, touched, starved, fine.clone(), fine]);
        bad.kills = 0;
        bad.memory_mb.1 = 1300.0;
        bad.processes.1 = 20;
        judge(&mut bad, plan);
        assert_eq!(bad.breaches.len(), 7, "{:#?}", bad.breaches);
    }
}
