//! Files for all rooms: where they are in a checkout, how they are written atomically, which folders are for their owner
//! alone, whether there is room for more,
//! how many may be open, who may change one at a time (`lock`), and tables that no spreadsheet obeys.
//!
//! Their contents are not the business of this room.

mod checkout;
mod csv_table;
mod descriptors;
mod lock;
mod private;
mod room;
mod whole;

pub use checkout::Checkout;
pub use csv_table::CsvTable;
pub use descriptors::most_open_files;
pub use lock::hold_lock;
pub use private::{make_private_folder, make_private_folders};
pub use room::{has_room, has_room_for};
pub use whole::{write_private, write_whole};
