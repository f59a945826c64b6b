//! What the statements of a project do to one another: where each stands and what starts it, who writes and reads a variable, which
//! statements let others run before the next one does, what each changes of variables and of what is seen, and what it reads or shows.
//!
//! `program` is the list of statements, `touches` what a single one changes and reads, `influence` what a script can change through all others, `order` whether two may change places and
//! whether a message needs a barrier. All of it is read from the file; what a run does is not known here.

mod influence;
mod order;
mod program;
#[cfg(test)]
mod tests;
mod touches;

pub use influence::Influence;
pub use order::{Awaited, awaited, commute, is_instant};
pub use program::{Line, Program, Script, Uses, condition, is_loop, is_yield};
pub use touches::{Aspect, Thing, Touches};
