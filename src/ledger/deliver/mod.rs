//! From the steward to the workers and back: who hears of a released cell, who works on it, who keeps the books. Delivery decides
//! nothing: what counts rests on the four calls.
//!
//! Parts: `queue` delivers tickets over Postgres, `inbox` is a worker's end of it (where there is no queue, it looks for
//! released cells), `worker` makes attempts in its `slots`, `steward` releases.

mod inbox;
mod queue;
mod slots;
mod steward;
mod worker;

pub use inbox::{Delivered, Inbox};
pub use queue::Queue;
pub(super) use queue::push;
pub use steward::{Steward, Tended};
pub use worker::{Call, Given, Made, Pace, Served, Stop, Work, serve};
