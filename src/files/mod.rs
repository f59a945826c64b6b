//! Files as all rooms deal with them: where they lie in a checkout, and how they are written whole or not at all.
//!
//! Their contents are not the business of this room.

mod checkout;
mod whole;

pub use checkout::Checkout;
pub use whole::write_whole;
