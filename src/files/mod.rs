//! Files as all rooms deal with them: where they lie in a checkout, and how they are written whole or not at all.
//!
//! What is in them is no business of this room.

mod checkout;
mod whole;

pub use checkout::Checkout;
pub use whole::write_whole;
