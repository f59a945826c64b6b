//! Tables and pages of the published figures, and of a matrix with holes.

use super::*;
use crate::grade::budgeted::published::{rows, rows_of_table_3};
use crate::grade::budgeted::{CaseRow, Energy, figures};
use crate::model::ControllerMode;

/// The cells of the row of a table that begins with a name, in text.
fn row<'a>(text: &'a str, title: &str, name: &str) -> Vec<&'a str> {
    let table = text.split(title).nth(1).unwrap();
    let line = table.lines().map(str::trim).find(|line| line.starts_with(name)).unwrap();
    line[name.len()..].split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

/// A percentage without its interval.
fn bare<'a>(cell: &'a &str) -> &'a str {
    cell.split(" [").next().unwrap()
}

#[test]
fn published_counts_print_as_the_papers_tables_with_n_and_intervals() {
    let rows = rows_of_table_3();
    let figures = figures(&rows, &[]);
    let text = budgeted_text(&Budgeted { figures: &figures, missing: &[], notes: &["cases of the paper".to_owned()] });
    assert!(text.starts_with("note: cases of the paper\n"), "{text}");
    let heuristic = row(&text, "Table 3", "Heuristic");
    assert_eq!(
        heuristic.iter().map(bare).collect::<Vec<_>>(),
        ["1200", "0", "30.3", "8.0", "0.00409", "0.90", "1.12", "0.36"]
    );
    assert!(heuristic[2].contains(" [") && heuristic[3].ends_with(']'), "{heuristic:?}");
    let always = row(&text, "Table 7", "Always-on multimodal");
    assert_eq!(always.iter().map(bare).collect::<Vec<_>>(), ["1200", "320", "81", "25.3", "78.0"]);
    let success = row(&text, "Cost of a success", "Heuristic");
    assert_eq!(success, ["0.0511", "0.0135", "4.50", "1.19", "yes"]);
    assert_eq!(row(&text, "Cost of a success", "Fixed multimodal")[4], "no");
    assert_eq!(row(&text, "Where trajectories end", "request"), ["1008", "140", "145", "146"]);
    assert_eq!(row(&text, "Where trajectories end", "N"), ["1200", "1200", "1200", "1200"]);
    assert!(!text.contains("est."), "the paper's energy is measured");
}

#[test]
fn published_models_print_as_tables_4_to_6() {
    let figures = figures(&rows(), &[]);
    let text = budgeted_text(&Budgeted { figures: &figures, missing: &[], notes: &[] });
    let fixed = row(&text, "Table 4", "Fixed multimodal");
    let fixed: Vec<&str> = fixed.iter().map(bare).collect();
    assert_eq!(fixed, ["400", "24.3", "0.00442", "0.54", "800", "24.1", "0.00765", "0.56"], "Gemini comes first");
    assert_eq!(
        row(&text, "Table 5", "Heuristic vs. Always-on multimodal"),
        ["12/12", "11/12, 1 tie", "12/12", "12/12", "+3.0 to +4.0", "37.1 to 50.2", "40.2 to 43.8"]
    );
    assert_eq!(
        row(&text, "Table 5", "Heuristic vs. Fixed multimodal"),
        ["12/12", "12/12", "12/12", "12/12", "+5.0 to +7.0", "34.0 to 48.5", "32.4 to 36.6"]
    );
    let nano = row(&text, "Table 6", "4.1-nano");
    assert_eq!(nano[..4], ["OpenAI", "+3.0", "47.3", "43.8"]);
    assert_eq!(nano[6..9], ["+5.0", "44.8", "36.6"]);
    let all = row(&text, "Differences between modes", "Heuristic vs. Always-on multimodal");
    assert!(all[0] == "1200" && all[1].starts_with("+3.6 [") && all[3].starts_with("41.2 ["), "{all:?}");
}

fn estimated(mut row: CaseRow) -> CaseRow {
    row.energy = row.energy.map(|energy| Energy { is_estimated: true, ..energy });
    row
}

#[test]
fn what_was_not_run_is_a_dash_what_is_estimated_says_so_and_what_is_missing_is_named() {
    let own =
        rows().into_iter().filter(|row| row.key.mode == ControllerMode::Heuristic && row.key.provider == "gemini");
    let rows: Vec<CaseRow> = own.map(estimated).collect();
    let missing: Vec<_> = rows.iter().take(60).map(|row| row.key.clone()).collect();
    let figures = figures(&rows[60..], &missing[..2]);
    let text = budgeted_text(&Budgeted { figures: &figures, missing: &missing, notes: &[] });
    assert_eq!(row(&text, "Table 3", "Fixed multimodal"), ["–"; 8]);
    assert_eq!(row(&text, "Table 5", "Heuristic vs. Fixed multimodal"), ["–"; 7]);
    assert_eq!(row(&text, "Table 3", "Heuristic")[..2], ["340", "2"]);
    assert!(text.contains("energy (Wh, est.)") && text.contains("per strict success (Wh, est.)"));
    assert!(text.contains("energy saved % (est.)") && text.contains("A: energy % (est.)"), "comparisons say so too");
    assert!(!text.contains("Value"), "no row for a mode of our own that nobody ran");
    assert!(
        text.contains("60 places of the matrix have no trajectory") && text.contains("10 more are named in the export")
    );
}

#[test]
fn the_page_has_all_tables_and_draws_every_cell() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = rows();
    for row in &mut rows {
        if row.key.model == "4o" {
            row.key.model = "<4o>".to_owned();
        }
    }
    let figures = figures(&rows, &[]);
    let report = Budgeted { figures: &figures, missing: &[], notes: &["A & B".to_owned()] };
    let path = write_budgeted_report(folder.path(), &report).unwrap();
    let html = std::fs::read_to_string(path).unwrap();
    for title in (3..=7).map(|number| format!("<h2>Table {number}: ")) {
        assert!(html.contains(&title), "{title}");
    }
    let dots = html.matches("<path class=\"dot").count() - 3 * 2;
    assert_eq!(dots, 48 + 48 + 24, "cells by cost and by energy, and models against two baselines");
    assert_eq!(html.matches("<path class=\"line").count(), 4 + 4, "curves and their signs");
    assert!(html.contains("A &amp; B.") && html.contains("&lt;4o&gt;") && !html.contains("<4o>"));
    assert!(!html.contains("NaN") && !html.contains("inf"), "all points have a place");
}

#[test]
fn of_nothing_there_is_a_page_too() {
    let folder = tempfile::tempdir().unwrap();
    let figures = figures(&[], &[]);
    let report = Budgeted { figures: &figures, missing: &[], notes: &[] };
    let html = std::fs::read_to_string(write_budgeted_report(folder.path(), &report).unwrap()).unwrap();
    assert!(html.contains("Table 3") && !html.contains("<figure"));
    assert!(budgeted_text(&report).contains("Table 7"));
}
