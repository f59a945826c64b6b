//! What estimates need to know of the machine.

use procfs::{Current as _, CurrentSI as _, KernelStats, Meminfo};

use super::MeterError;

/// Bytes of a GiB.
pub(super) const GIB: f64 = 1_073_741_824.0;

/// A machine's processors and memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Machine {
    /// Processors that this process may use: those that the virtual machine or container was given.
    pub vcpus: f64,
    /// Logical processors of the machine, all of which the thermal design power is for.
    pub cpus: f64,
    /// GiB of memory.
    pub memory_gib: f64,
}

impl Machine {
    /// This machine.
    pub fn read() -> Result<Self, MeterError> {
        let unknown = |source| MeterError::MachineUnknown { source };
        let stats = KernelStats::current().map_err(unknown)?;
        let memory = Meminfo::current().map_err(unknown)?.mem_total;
        let vcpus = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Ok(Self { vcpus: count(vcpus), cpus: count(stats.cpu_time.len().max(1)), memory_gib: bytes(memory) / GIB })
    }
}

#[expect(clippy::cast_precision_loss, reason = "no machine has 2^53 processors")]
const fn count(processors: usize) -> f64 {
    processors as f64
}

/// Bytes as a float.
#[expect(clippy::cast_precision_loss, reason = "2^53 bytes are eight million GiB")]
pub(super) const fn bytes(bytes: u64) -> f64 {
    bytes as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_processors_and_memory() {
        let machine = Machine::read().unwrap();
        assert!(machine.vcpus >= 1.0 && machine.cpus >= machine.vcpus && machine.memory_gib > 0.1, "{machine:?}");
    }
}
