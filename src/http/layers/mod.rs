//! What holds for many routes: which connections are let in, where a request comes from, who calls, and how failures are
//! told. None of them knows what a route does.

pub mod crowd;
pub mod log;
pub mod origin;
pub mod token;
