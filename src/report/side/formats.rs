//! Tables as text, Markdown, CSV and LaTeX.

use std::fmt::Write as _;

use comfy_table::presets;

use super::page;
use super::plot::Plot;
use super::table::Table;
use crate::files::CsvTable;
use crate::report::ReportError;

/// How tables are written.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    strum::EnumIter,
    strum::EnumMessage,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::Display,
)]
#[strum(serialize_all = "lowercase")]
pub enum Format {
    /// For a terminal.
    #[default]
    Text,
    /// Tables of GitHub's Markdown.
    Markdown,
    /// Comma-separated values, `'` before formulas; titles and notes are lines with `#`, an empty line separates tables.
    Csv,
    /// Tables for the package booktabs.
    Latex,
    /// A page with plots, in one file.
    Html,
}

/// The letters that mean something in LaTeX.
const LATEX: [(char, &str); 11] = [
    ('\\', r"\textbackslash{}"),
    ('&', r"\&"),
    ('%', r"\%"),
    ('$', r"\$"),
    ('#', r"\#"),
    ('_', r"\_"),
    ('{', r"\{"),
    ('}', r"\}"),
    ('~', r"\textasciitilde{}"),
    ('^', r"\textasciicircum{}"),
    ('–', "--"),
];

/// Tables in a format; plots are for the page.
///
/// # Errors
/// When the page can't be made, or a row is no CSV.
pub(super) fn written(tables: &[Table], plots: &[Plot], format: Format) -> Result<String, ReportError> {
    match format {
        Format::Text => Ok(text(tables)),
        Format::Markdown => Ok(markdown(tables)),
        Format::Csv => csv(tables),
        Format::Latex => Ok(latex(tables)),
        Format::Html => page::html(tables, plots),
    }
}

/// Tables for a terminal.
pub(in crate::report) fn text(tables: &[Table]) -> String {
    let one = |table: &Table| {
        let notes = table.notes.iter().map(|note| format!("note: {note}\n")).collect::<Vec<_>>().concat();
        format!("{}\n{}\n{notes}", table.title, grid(table, presets::NOTHING, str::to_owned))
    };
    tables.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn markdown(tables: &[Table]) -> String {
    let escaped = |cell: &str| cell.replace('\\', r"\\").replace('|', r"\|").replace('<', "&lt;");
    let one = |table: &Table| {
        let note = |text: &String| format!("\n*{}*\n", escaped(text).replace('*', r"\*"));
        let notes = table.notes.iter().map(note).collect::<Vec<_>>().concat();
        format!("### {}\n\n{}\n{notes}", table.title, grid(table, presets::ASCII_MARKDOWN, escaped))
    };
    tables.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn grid(table: &Table, style: comfy_table::TableStyle, cell: impl Fn(&str) -> String) -> comfy_table::Table {
    let row = |cells: &[String]| cells.iter().map(|text| cell(text)).collect::<Vec<_>>();
    let mut grid = comfy_table::Table::new();
    grid.load_style(style).set_header(row(&table.head)).add_rows(table.rows.iter().map(|cells| row(cells)));
    grid
}

fn csv(tables: &[Table]) -> Result<String, ReportError> {
    let mut out = String::new();
    for table in tables {
        if !out.is_empty() {
            out.push('\n');
        }
        for line in std::iter::once(&table.title).chain(&table.notes) {
            // Writing to a String can't fail.
            let _ = writeln!(out, "# {line}");
        }
        let mut rows = CsvTable::of_rows(csv::Terminator::Any(b'\n'));
        for row in std::iter::once(&table.head).chain(&table.rows) {
            rows.texts(row)?;
        }
        out.push_str(&String::from_utf8_lossy(&rows.finish()?));
    }
    Ok(out)
}

fn latex(tables: &[Table]) -> String {
    let mut out = "% Needs \\usepackage{booktabs}.\n".to_owned();
    for table in tables {
        let row = |cells: &[String]| cells.iter().map(|cell| in_latex(cell)).collect::<Vec<_>>().join(" & ");
        let caption: Vec<String> =
            std::iter::once(&table.title).chain(&table.notes).map(|text| in_latex(text)).collect();
        let columns = format!("l{}", "r".repeat(table.head.len().saturating_sub(1)));
        // Writing to a String can't fail.
        let _ = write!(
            out,
            "\n\\begin{{table}}\n\\centering\n\\caption{{{}.}}\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n{} \\\\\n\\midrule\n",
            caption.join(". "),
            row(&table.head)
        );
        for cells in &table.rows {
            let _ = writeln!(out, "{} \\\\", row(cells));
        }
        out.push_str("\\bottomrule\n\\end{tabular}\n\\end{table}\n");
    }
    out
}

fn in_latex(text: &str) -> String {
    let letter =
        |c: char| LATEX.iter().find(|(meant, _)| *meant == c).map_or_else(|| c.to_string(), |(_, is)| (*is).to_owned());
    text.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Vec<Table> {
        let row = ["a|b_\u{1b}[2J", "50.00", ""].map(str::to_owned).to_vec();
        let other = ["\"x\", 5 %", "–", ""].map(str::to_owned).to_vec();
        vec![Table::new("Title\n=1", &["agent", "SR", "set"], vec![row, other], &["sets differ".to_owned()])]
    }

    #[test]
    fn each_format_has_its_escapes_and_all_have_the_notes() {
        let csv = csv(&table()).unwrap();
        assert_eq!(csv, "# Title\u{fffd}=1\n# sets differ\nagent,SR\na|b_\u{fffd}[2J,50.00\n\"\"\"x\"\", 5 %\",–\n");
        let markdown = markdown(&table());
        assert!(
            markdown.contains(r"a\|b_") && markdown.contains("|---") && markdown.contains("*sets differ*"),
            "{markdown}"
        );
        let latex = latex(&table());
        assert!(latex.contains(r"a|b\_") && latex.contains(r"5 \% & -- \\") && latex.contains("{lr}"), "{latex}");
        assert!(latex.contains("\\caption{Title\u{fffd}=1. sets differ.}"), "{latex}");
        let text = text(&table());
        assert!(text.contains("note: sets differ") && !text.contains('\u{1b}') && !text.contains("set "), "{text}");
    }
}
