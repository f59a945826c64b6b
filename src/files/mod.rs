//! Files for all rooms: where they are in a checkout, and how they are written atomically.
//!
//! Their contents are not the business of this room.

mod checkout;
mod whole;

pub use checkout::Checkout;
pub use whole::write_whole;
