//! An .sb3 file; what must hold is in `targets.rs`.
#![no_main]

#[path = "../targets.rs"]
#[expect(dead_code, reason = "each program runs one target of them")]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::archive(data));
