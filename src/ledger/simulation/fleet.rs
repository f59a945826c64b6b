//! Runs a simulated fleet: starts its processes, watches it idle, gives it an experiment, harms it, and measures.

use std::path::Path;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;
use tokio::time::sleep;

use super::checks::{EXPERIMENT, check, look_at_lanes, work_done};
use super::processes::{Process, end};
use super::report::{Idle, Report, read};
use super::{Address, Connections, Plan, SimulationError};
use crate::{ArmPlan, Budget, CellPlan, LanePlan, Ledger, LedgerError, Retry};

/// How often it is looked whether something is due.
const TICK: Duration = Duration::from_millis(100);
/// How often the lanes and the progress are looked at.
const LOOK: Duration = Duration::from_millis(500);
/// How long a fleet may take to join.
const JOIN: Duration = Duration::from_secs(120);
/// What the one who watches needs for itself.
const OWN: Connections = Connections { ledger: 3, queue: 1 };

/// Carries a plan out; `told` hears how many cells are decided.
///
/// # Errors
/// When the ledger fails, or processes can't be started. What does not hold is no error: the report tells.
pub async fn run(plan: &Plan, told: impl Fn(u64)) -> Result<Report, SimulationError> {
    let ledger = plan.ledger.open(plan.times.terms, OWN).await?;
    let mut processes =
        (0..=plan.processes).map(|number| Process::start(plan, number)).collect::<Result<Vec<_>, _>>()?;
    let workers = u64::from(plan.processes) * u64::from(plan.workers);
    let mut report = Report { workers, cells: plan.cells.into(), ..Report::default() };
    let all = workers * u64::from(plan.slots);
    let since = Instant::now();
    while ledger.free_slots().await? < all {
        if since.elapsed() > JOIN {
            return Err(SimulationError::NotJoined { joined: ledger.free_slots().await?, wanted: all });
        }
        if let Some(ended) = processes.iter_mut().find_map(Process::has_ended) {
            return Err(SimulationError::Ended(ended));
        }
        sleep(LOOK).await;
    }
    report.idle = idle(&ledger, plan).await?;
    ledger.enter(&experiment(plan)).await?;
    let mut fleet = Fleet { plan, ledger: &ledger, random: StdRng::seed_from_u64(plan.seed), kept: Vec::new() };
    fleet.watch(&mut processes, &mut report, told).await?;
    let kept = std::mem::take(&mut fleet.kept);
    end(&mut processes);
    report.calls = read(processes.iter().map(|process| Path::new(process.folder())));
    check(&ledger, &kept, &mut report).await?;
    if let Some(wanted) = plan.harm.kills.filter(|wanted| report.kills < u64::from(*wanted)) {
        report.breaches.push(format!("only {} of {wanted} kills took place", report.kills));
    }
    ledger.close().await;
    Ok(report)
}

/// What the fleet asks of the database while there is nothing to do.
async fn idle(ledger: &Ledger, plan: &Plan) -> Result<Option<Idle>, LedgerError> {
    if plan.idle.is_zero() || matches!(plan.ledger, Address::File(_)) {
        return Ok(None);
    }
    // The first looks come at once; then they are rarer and rarer.
    sleep(plan.times.idle + plan.times.idle_most).await;
    let (began, before) = (Instant::now(), work_done(ledger).await?);
    sleep(plan.idle).await;
    let (after, seconds) = (work_done(ledger).await?, began.elapsed().as_secs_f64());
    let rate = |after: u64, before: u64| per_second(after.saturating_sub(before), seconds);
    let statements = after.1.zip(before.1).map(|(after, before)| rate(after, before));
    Ok(Some(Idle { seconds, transactions_per_s: rate(after.0, before.0), statements_per_s: statements }))
}

struct Fleet<'a> {
    plan: &'a Plan,
    ledger: &'a Ledger,
    random: StdRng,
    /// Attempts that had ended when their process was killed.
    kept: Vec<String>,
}

impl Fleet<'_> {
    /// Until every cell is decided, and enough was killed.
    async fn watch(
        &mut self,
        processes: &mut [Process],
        report: &mut Report,
        told: impl Fn(u64),
    ) -> Result<(), SimulationError> {
        let (began, harm) = (Instant::now(), self.plan.harm);
        let (mut kill, mut freeze, mut look) =
            (Due::new(harm.kill_every), Due::new(harm.freeze_every), Due::new(Some(LOOK)));
        let mut progress = Vec::new();
        loop {
            sleep(TICK).await;
            for process in processes.iter_mut() {
                process.thaw(harm.freeze_for);
            }
            let is_harmed = harm.kills.is_none_or(|most| report.kills < u64::from(most));
            if is_harmed && kill.is_now() {
                let one = self.random.random_range(0..processes.len());
                self.kept.extend(processes[one].kill()?);
                report.kills += 1;
            }
            let awake: Vec<usize> = (0..processes.len()).filter(|one| !processes[*one].is_frozen()).collect();
            if is_harmed && !awake.is_empty() && freeze.is_now() {
                processes[awake[self.random.random_range(0..awake.len())]].freeze();
                report.freezes += 1;
            }
            if !look.is_now() {
                continue;
            }
            look_at_lanes(self.ledger, report).await?;
            let cells = self.ledger.status(EXPERIMENT).await?.cells;
            progress.push((began.elapsed().as_secs_f64(), cells.decided));
            told(cells.decided);
            if cells.is_over() {
                break;
            }
            if let Some(ended) = processes.iter_mut().find_map(Process::has_ended) {
                report.breaches.push(ended);
                break;
            }
            if began.elapsed() > self.plan.limit {
                report.breaches.push(format!("it was broken off after {} s", self.plan.limit.as_secs()));
                break;
            }
        }
        report.seconds = began.elapsed().as_secs_f64();
        report.attempts_per_s = sustained(&progress);
        Ok(())
    }
}

/// Something that is done again and again.
struct Due {
    every: Option<Duration>,
    next: Instant,
}

impl Due {
    fn new(every: Option<Duration>) -> Self {
        Self { every, next: Instant::now() + every.unwrap_or_default() }
    }

    /// Whether it is to be done now; the next time is one period later.
    fn is_now(&mut self) -> bool {
        let Some(every) = self.every.filter(|_| Instant::now() >= self.next) else { return false };
        self.next = Instant::now() + every;
        true
    }
}

/// Decided cells each second between a tenth and nine tenths of all: neither the start counts, nor the last stragglers.
fn sustained(progress: &[(f64, u64)]) -> f64 {
    let all = progress.last().map_or(0, |(_, decided)| *decided);
    let at = |tenths: u64| progress.iter().find(|(_, decided)| *decided * 10 >= all * tenths);
    match (at(1), at(9)) {
        (Some((from, first)), Some((to, last))) if to > from => per_second(last - first, to - from),
        _ => 0.0,
    }
}

fn per_second(count: u64, seconds: f64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / seconds.max(f64::EPSILON)
}

/// An experiment of sleeps: an arm for each lane, and the cells spread evenly.
fn experiment(plan: &Plan) -> crate::Plan {
    let lane = |number: usize| format!("lane-{number}");
    let arm = |number: usize| ArmPlan {
        label: format!("arm-{number}"),
        spec: json!({"sleeps": true}),
        digest: "sleeps".to_owned(),
        lane: lane(number),
        is_stream: false,
        cap_micro_usd: None,
        cap_tokens: None,
    };
    let lanes = plan.lanes.len().max(1);
    let cell = |number: u32| CellPlan {
        arm: number as usize % lanes,
        item: format!("sleep-{number}"),
        epoch: 1,
        seed: number.into(),
        key: format!("{number:016}"),
    };
    crate::Plan {
        id: EXPERIMENT.to_owned(),
        name: EXPERIMENT.to_owned(),
        file: String::new(),
        run: None,
        pins: json!({}),
        budget: Budget::default(),
        // Kills are not the cells' fault, and there are many.
        retry: Retry { infra: 1_000_000, provider: 1_000_000 },
        lanes: plan
            .lanes
            .iter()
            .enumerate()
            .map(|(number, in_flight)| LanePlan {
                name: lane(number),
                in_flight: *in_flight,
                rpm: Some(60_000),
                tpm: None,
            })
            .collect(),
        arms: (0..plan.lanes.len()).map(arm).collect(),
        cells: (0..plan.cells).map(cell).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_middle() {
        let mut progress: Vec<(f64, u64)> =
            (0..=100_u32).map(|second| (f64::from(second), u64::from(second) * 10)).collect();
        progress.push((500.0, 1000));
        assert!((sustained(&progress) - 10.0).abs() < 0.2, "{}", sustained(&progress));
        assert_eq!((sustained(&[]), sustained(&[(1.0, 5)])), (0.0, 0.0));
    }
}
