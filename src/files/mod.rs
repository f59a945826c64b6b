//! Files as all rooms deal with them: written whole or not at all.
//!
//! What is in them is no business of this room.

mod whole;

pub use whole::write_whole;
