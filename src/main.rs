//! The `scratchbed` binary.

fn main() {}
