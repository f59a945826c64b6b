//! Estimates of energy from what processes used (EcoScratch, section 9): pure functions.

use super::coefficients::{Tdp, Vcpu};
use super::machine::Machine;
use super::watch::Used;

/// Seconds of an hour: joules of a watt-hour.
const HOUR: f64 = 3600.0;

impl Vcpu {
    /// Watt-hours, and those without what an idle machine uses too. Of the latter, each of `jobs` bears its part.
    pub fn wh(&self, used: &Used, machine: &Machine, jobs: f64) -> (f64, f64) {
        let busy = used.cpu_s * (self.max_watts - self.min_watts);
        let idle = machine.vcpus * self.min_watts * used.wall_s / jobs;
        let memory = used.gib_seconds * self.watts_per_gib;
        (self.pue * (busy + idle + memory) / HOUR, self.pue * (busy + memory) / HOUR)
    }
}

impl Tdp {
    /// Watt-hours.
    pub fn wh(&self, used: &Used, machine: &Machine) -> f64 {
        let busy = self.watts * used.cpu_s / machine.cpus;
        let memory = self.modules(machine) * self.watts_per_module * used.gib_seconds / machine.memory_gib;
        (busy + memory) / HOUR
    }

    /// How many modules of memory a machine likely has.
    fn modules(&self, machine: &Machine) -> f64 {
        (machine.memory_gib / self.gib_per_module).ceil().max(f64::from(self.least_modules))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::Coefficients;

    const MACHINE: Machine = Machine { vcpus: 2.0, cpus: 4.0, memory_gib: 16.0 };
    /// Ten seconds of processor time in 100 s with 4 GiB.
    const USED: Used = Used { cpu_s: 10.0, wall_s: 100.0, gib_seconds: 400.0 };

    fn near(found: f64, joules: f64) {
        assert!((found * 3600.0 - joules).abs() < 1e-9, "{} J, not {joules}", found * 3600.0);
    }

    #[test]
    fn a_virtual_processor_uses_its_idle_watts_more_when_busy_and_memory() {
        let vcpu = Coefficients::bundled().unwrap().vcpu;
        // 10 x (3.5 - 0.74) = 27.6, 2 x 0.74 x 100 = 148, 400 x 0.392 = 156.8.
        let (wh, marginal) = vcpu.wh(&USED, &MACHINE, 1.0);
        near(wh, 332.4);
        near(marginal, 184.4);
        let (wh, marginal) = vcpu.wh(&USED, &MACHINE, 4.0);
        near(wh, 27.6 + 37.0 + 156.8);
        near(marginal, 184.4);
        let (wh, marginal) = Vcpu { pue: 1.5, ..vcpu }.wh(&USED, &MACHINE, 1.0);
        near(wh, 498.6);
        near(marginal, 276.6);
    }

    #[test]
    fn a_processor_uses_its_design_power_by_its_load_and_memory_by_its_share() {
        let tdp = Coefficients::bundled().unwrap().tdp;
        // 85 x 10 / 4 = 212.5; 2 modules of 5 W, a quarter of which is held for 100 s: 250.
        near(tdp.wh(&USED, &MACHINE), 462.5);
        // 100 GiB are four modules: 4 x 5 x 400 / 100 = 80.
        near(tdp.wh(&USED, &Machine { memory_gib: 100.0, ..MACHINE }), 292.5);
    }

    #[test]
    fn nothing_used_is_no_energy() {
        let Coefficients { vcpu, tdp, .. } = Coefficients::bundled().unwrap();
        let nothing = Used::default();
        assert_eq!((vcpu.wh(&nothing, &MACHINE, 1.0), tdp.wh(&nothing, &MACHINE)), ((0.0, 0.0), 0.0));
    }
}
