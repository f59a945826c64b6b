//! What can be said of a program and of a patch before anything runs: what statements write, read and show, and in which order
//! (`effects`), and what looks wrong about it (`lint`; ScratchEval, section 10.1). Pure functions. How a patch is applied is `project`'s
//! work, and which verdicts follow from a run, `forge`'s.

pub mod effects;
pub mod lint;
