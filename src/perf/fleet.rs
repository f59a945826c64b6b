//! A fleet of workers whose attempts sleep: how much of the ledger and the queue it needs, and whether anything is lost while
//! processes die. The work is the ledger's own simulation; here are its measures and its goals.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use crate::ledger::Terms;
use crate::ledger::simulation::{Address, Connections, Harm, Plan, Report, Times};

/// Workers that share a process, and die with it. In a real fleet each has a machine.
const WORKERS: u32 = 50;
/// Fewer processes make no fleet.
const PROCESSES: u32 = 4;
/// How long a frozen process stays so: longer than a lease.
const FROZEN: Duration = Duration::from_secs(60);
/// How long the fleet is watched while it has nothing to do.
const IDLE: Duration = Duration::from_secs(60);
/// After so long it is broken off.
const LIMIT: Duration = Duration::from_secs(3600);

/// A fleet to measure.
#[derive(Debug, Clone, PartialEq)]
pub struct FleetPlan {
    pub workers: u32,
    /// Attempts of a worker at a time.
    pub slots: u32,
    pub cells: u32,
    /// Workers that are killed each minute. Those of one process die together, so that processes die more rarely.
    pub kills_per_min: f64,
    /// Workers that are frozen each minute for longer than a lease, together as well.
    pub freezes_per_min: f64,
    /// How long an attempt sleeps on average; each between half as long and half as long again.
    pub attempt: Duration,
    /// The database.
    pub queue: String,
    /// The program that is a member of the fleet, with its arguments.
    pub program: Vec<String>,
    pub seed: u64,
}

/// A figure with its goal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Goal {
    pub name: &'static str,
    pub value: f64,
    pub unit: &'static str,
    pub goal: f64,
    /// Whether the figure shall be the goal at least; otherwise at most.
    pub is_least: bool,
}

impl Goal {
    pub fn is_met(&self) -> bool {
        if self.is_least { self.value >= self.goal } else { self.value <= self.goal }
    }
}

/// The simulation of a fleet.
pub fn simulation(fleet: &FleetPlan, folder: &Path) -> Plan {
    let processes = fleet.workers.div_ceil(WORKERS).max(PROCESSES.min(fleet.workers)).max(1);
    let workers = fleet.workers.div_ceil(processes);
    let slots = processes * workers * fleet.slots;
    let every = |per_min: f64| (per_min > 0.0).then(|| Duration::from_secs_f64(60.0 * f64::from(workers) / per_min));
    Plan {
        ledger: Address::Postgres(fleet.queue.clone()),
        connections: Connections { ledger: (workers * 4 / 5).max(2), queue: (workers / 5).max(1) },
        program: fleet.program.clone(),
        folder: folder.to_owned(),
        processes,
        workers,
        slots: fleet.slots,
        cells: fleet.cells,
        // Together less than there are slots, so that it is the lanes that bind.
        lanes: vec![(slots / 2).max(1), (slots * 9 / 20).max(1)],
        times: Times {
            terms: Terms::default(),
            beat: Duration::from_secs(15),
            idle: Duration::from_secs(5),
            idle_most: Duration::from_secs(20),
            steward: Duration::from_secs(1),
            attempt: (fleet.attempt / 2, fleet.attempt * 3 / 2),
        },
        harm: Harm {
            kill_every: every(fleet.kills_per_min),
            freeze_every: every(fleet.freezes_per_min),
            freeze_for: FROZEN,
            kills: None,
        },
        idle: IDLE,
        seed: fleet.seed,
        limit: LIMIT,
    }
}

/// What a thousand workers shall reach on two cores.
pub fn goals(report: &Report) -> Vec<Goal> {
    let p99 = |call: &str| report.calls.get(call).map_or(f64::INFINITY, |latency| latency.p99_ms);
    let mut goals = vec![
        Goal { name: "attempts", value: report.attempts_per_s, unit: "1/s", goal: 40.0, is_least: true },
        Goal { name: "begin, p99", value: p99("begin"), unit: "ms", goal: 250.0, is_least: false },
    ];
    if let Some(idle) = report.idle {
        let value = idle.statements_per_s.unwrap_or(idle.transactions_per_s);
        let name = if idle.statements_per_s.is_some() { "idle statements" } else { "idle transactions" };
        goals.push(Goal { name, value, unit: "1/s", goal: 400.0, is_least: false });
    }
    goals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_share_processes_and_die_at_the_rate_that_was_asked_for() {
        let fleet = FleetPlan {
            workers: 1000,
            slots: 4,
            cells: 1,
            kills_per_min: 50.0,
            freezes_per_min: 10.0,
            attempt: Duration::from_secs(40),
            queue: String::new(),
            program: Vec::new(),
            seed: 1,
        };
        let plan = simulation(&fleet, Path::new(""));
        assert_eq!((plan.processes, plan.workers, &plan.lanes), (20, 50, &vec![2000, 1800]));
        assert_eq!(plan.harm.kill_every, Some(Duration::from_secs(60)));
        assert_eq!(plan.harm.freeze_every, Some(Duration::from_secs(300)));
        let small = simulation(&FleetPlan { workers: 6, kills_per_min: 0.0, ..fleet }, Path::new(""));
        assert_eq!((small.processes, small.workers, small.harm.kill_every), (4, 2, None));
    }

    #[test]
    fn figures_that_were_not_measured_meet_no_goal() {
        assert!(goals(&Report::default()).iter().all(|goal| !goal.is_met()));
    }
}
