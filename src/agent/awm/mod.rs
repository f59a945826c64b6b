//! An agent with workflow memory, after the published one (paper, appendix on agents; Wang et al., 2024): it carries its own
//! notes from turn to turn, judges itself when an attempt is over, and writes down what worked for later attempts.
//!
//! `answer` reads the three parts of an answer; `path` keeps the turns of an attempt; `prompts` makes what is sent; `agent` is
//! the loop, and `learning` what follows it: the self-judgement, and the induction of workflows from the trajectories of
//! attempts that were judged successes.
//!
//! What the published agent does and this one does, too: a request is the system message and this turn's alone; the last
//! five turns are in it as text; nothing of an answer is repaired, and what can't be read is a lost turn; coordinates are
//! pixels whatever the model's own convention; results of actions are not shown.
//! What can't work there is mended: the self-judgement looks again if the last action came after the last look; `Status:`
//! must be the word `success`, not merely contain it; an induction without an answer leaves the workflows as they are;
//! which trajectories are taken is decided by a seed; memory belongs to a run, and no attempt overwrites another's.

mod agent;
mod answer;
mod learning;
mod path;
mod prompts;

pub use agent::{AwmAgent, Learning};
pub use prompts::AwmPrompts;
