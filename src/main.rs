//! The `scratchbed` binary: the command line over the library. The rooms `cli`, `forging`, `arms` and `flags` are its own, so that a
//! change of a command compiles them alone.

use std::process::ExitCode;

mod arms;
mod cli;
mod flags;
mod forging;

fn main() -> ExitCode {
    share_one_heap();
    cli::main()
}

/// Has all threads allocate from one heap. glibc gives them several, each of which keeps what its largest work took: a server that
/// had seen twenty sessions held twice as much memory, and no work took less time.
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "the only way to tell glibc, but for a variable of the environment")]
fn share_one_heap() {
    // SAFETY: no other thread has been started yet, and the argument is one that glibc documents.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

#[cfg(not(target_env = "gnu"))]
const fn share_one_heap() {}
