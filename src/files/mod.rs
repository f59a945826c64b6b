//! Files for all rooms: where they are in a checkout, how they are written atomically, and whether there is room for more.
//!
//! Their contents are not the business of this room.

mod checkout;
mod room;
mod whole;

pub use checkout::Checkout;
pub use room::has_room;
pub use whole::write_whole;
