//! Comma-separated values that a spreadsheet shows and never carries out.

use std::borrow::Cow;

use csv::{ReaderBuilder, Terminator, Writer, WriterBuilder};
use serde::Serialize;

/// First letters of what spreadsheets take for a formula, or skip before one.
const OBEYED: [u8; 7] = [b'=', b'+', b'-', b'@', b'\t', b'\r', b'\n'];
/// Full-width forms of the signs among them, which some spreadsheets take for the same.
const WIDE: [&str; 4] = ["\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}"];
/// Stands before such a text, so that it is shown as it is.
const PLAIN: u8 = b'\'';

/// A table of comma-separated values (RFC 4180). A text that a spreadsheet would take for a formula gets a `'` before
/// it; numbers stay numbers. All CSV files are written by this type, because names in them come from anywhere.
#[derive(Debug)]
pub struct CsvTable {
    rows: Writer<Vec<u8>>,
    terminator: Terminator,
}

impl CsvTable {
    /// Begins a table whose first row is the names of the fields of the others.
    pub fn of_fields() -> Self {
        Self::begun(true, Terminator::Any(b'\n'))
    }

    /// Begins a table whose first row is given like the others.
    pub fn of_rows(terminator: Terminator) -> Self {
        Self::begun(false, terminator)
    }

    fn begun(has_headers: bool, terminator: Terminator) -> Self {
        Self { rows: WriterBuilder::new().has_headers(has_headers).from_writer(Vec::new()), terminator }
    }

    /// Adds a row of texts.
    ///
    /// # Errors
    /// When the row has another length than the first one.
    pub fn texts(&mut self, row: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Result<(), csv::Error> {
        self.rows.write_record(row)
    }

    /// Adds the fields of a value as a row.
    ///
    /// # Errors
    /// When the row has another length than the first one, or a field is neither a text nor a number.
    pub fn row(&mut self, row: impl Serialize) -> Result<(), csv::Error> {
        self.rows.serialize(row)
    }

    /// Returns the table as text in UTF-8.
    ///
    /// # Errors
    /// Never with what was added by this type.
    pub fn finish(self) -> Result<Vec<u8>, csv::Error> {
        let written = bytes(self.rows)?;
        let mut rows = ReaderBuilder::new().has_headers(false).from_reader(written.as_slice());
        let mut harmless = WriterBuilder::new().terminator(self.terminator).from_writer(Vec::new());
        for row in rows.byte_records() {
            harmless.write_record(row?.iter().map(plain))?;
        }
        bytes(harmless)
    }
}

fn bytes(rows: Writer<Vec<u8>>) -> Result<Vec<u8>, csv::Error> {
    rows.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}

/// A cell that no spreadsheet obeys.
fn plain(cell: &[u8]) -> Cow<'_, [u8]> {
    let begins = cell.first().is_some_and(|first| OBEYED.contains(first))
        || WIDE.iter().any(|wide| cell.starts_with(wide.as_bytes()));
    let is_obeyed = begins && !is_number(cell) && !is_pass_at(cell);
    if is_obeyed { Cow::Owned([&[PLAIN], cell].concat()) } else { Cow::Borrowed(cell) }
}

/// Returns true for the name of a column of Pass@k, such as `@3`, which is no formula.
fn is_pass_at(cell: &[u8]) -> bool {
    cell.strip_prefix(b"@").is_some_and(|k| !k.is_empty() && k.iter().all(u8::is_ascii_digit))
}

/// Returns true for a decimal number, with or without a sign, a fraction and an exponent.
fn is_number(cell: &[u8]) -> bool {
    let has_letters_of_numbers = cell.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
    has_letters_of_numbers && str::from_utf8(cell).is_ok_and(|text| text.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_never_formulas_and_numbers_stay_numbers() {
        for (cell, written) in [
            ("=HYPERLINK(\"http://x\")", "\"'=HYPERLINK(\"\"http://x\"\")\""),
            ("=1+1", "'=1+1"),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("-2+3", "'-2+3"),
            ("-", "'-"),
            ("-inf", "'-inf"),
            ("@SUM(A1:A2)", "'@SUM(A1:A2)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""),
            ("\n=1", "\"'\n=1\""),
            ("\u{ff1d}1+1", "'\u{ff1d}1+1"),
            ("\u{ff0b}1", "'\u{ff0b}1"),
            ("\u{ff0d}1", "'\u{ff0d}1"),
            ("\u{ff20}SUM(A1)", "'\u{ff20}SUM(A1)"),
            ("+1.00 [0.50, 1.50]", "\"'+1.00 [0.50, 1.50]\""),
            ("-12", "-12"),
            ("-0.5", "-0.5"),
            ("+3.25", "+3.25"),
            ("-1.5e-7", "-1.5e-7"),
            ("a=b", "a=b"),
            ("'", "'"),
            ("–", "–"),
        ] {
            let mut table = CsvTable::of_rows(Terminator::Any(b'\n'));
            table.texts(["x", cell]).unwrap();
            assert_eq!(String::from_utf8(table.finish().unwrap()).unwrap(), format!("x,{written}\n"), "{cell:?}");
        }
    }

    #[test]
    fn fields_of_values_are_written_by_their_types() {
        #[derive(Serialize)]
        struct Row {
            name: &'static str,
            gap: f64,
            note: Option<&'static str>,
        }
        let mut table = CsvTable::of_fields();
        table.row(Row { name: "=1", gap: -2.5, note: None }).unwrap();
        table.row(Row { name: "a, b", gap: 0.0, note: Some("@x\ny") }).unwrap();
        let text = String::from_utf8(table.finish().unwrap()).unwrap();
        assert_eq!(text, "name,gap,note\n'=1,-2.5,\n\"a, b\",0.0,\"'@x\ny\"\n");
        let mut windows = CsvTable::of_rows(Terminator::CRLF);
        windows.texts(["a"]).unwrap();
        windows.row(("=1",)).unwrap();
        assert_eq!(windows.finish().unwrap(), b"a\r\n'=1\r\n");
        let mut uneven = CsvTable::of_fields();
        uneven.texts(["a"]).unwrap();
        assert!(uneven.texts(["a", "b"]).is_err());
    }
}
