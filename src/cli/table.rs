//! Plain tables for people.

use comfy_table::{Table, presets};

/// A table with a head; columns are as wide as their content.
pub fn table<R, C>(head: &[&str], rows: R) -> Table
where
    R: IntoIterator<Item = C>,
    C: Into<comfy_table::Row>,
{
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(head.to_vec()).add_rows(rows);
    table
}
