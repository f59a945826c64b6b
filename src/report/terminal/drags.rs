//! Tables of single drags: success, then where drags began, ended and broke.

use super::{AS_THE_REFERENCE, left_out_text, plain_table, with_interval, with_missing};
use crate::benchmarks::drag::figures::{Gap, Row, Summary};
use crate::benchmarks::drag::measure::FailureType;
use crate::grade::Interval;
use crate::model::RunRecord;

/// Columns of Pass@k that fit on a terminal; the report and `--json` have all.
const MOST_COLUMNS: usize = 10;

/// The figures of a run, and those of the reference where they were asked for.
pub fn drag_text(run: &RunRecord, summary: &Summary, reference: Option<&Summary>) -> String {
    let prompt = run.prompt().map(|prompt| format!(", {prompt} prompt")).unwrap_or_default();
    let mut parts = vec![format!(
        "{} {}{prompt}, {} editor, percentages with 95 % intervals",
        run.agent,
        run.setting,
        run.editor()
    )];
    parts.extend(rows_text(summary));
    if let Some(reference) = reference {
        parts.push(AS_THE_REFERENCE.to_owned());
        parts.extend(rows_text(reference));
    }
    if summary.by_points {
        parts.push(
            "Whether a drag passed is checked as the published runner does. The columns start, end and px go by the published \
             points; in the current editor, `start, ours` and `broke at` go by our regions."
                .to_owned(),
        );
    }
    parts.join("\n")
}

fn rows_text(summary: &Summary) -> [String; 2] {
    let rows = || summary.rows.iter().chain(&summary.by_kind).chain(&summary.by_origin);
    let ks = summary.rows.iter().map(|row| row.pass_at.len()).max().unwrap_or_default().min(MOST_COLUMNS);
    let mut head: Vec<String> = ["split", "tasks", "runs"].map(str::to_owned).into();
    head.extend((1..=ks).map(|k| format!("@{k}")));
    head.push("left out".to_owned());
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let successes = plain_table(&head, rows().map(|row| success(row, ks))).to_string();
    let mut head = vec!["split", "start", "end", "start px", "end px", "failed at", "broke at"];
    let has_regions = summary.rows.iter().any(|row| row.region_start_pass.is_some());
    if has_regions {
        head.insert(2, "start, ours");
    }
    [successes, plain_table(&head, rows().map(|row| components(row, has_regions))).to_string()]
}

fn success(row: &Row, ks: usize) -> Vec<String> {
    let mut cells = vec![row.split.to_string(), with_missing(row.tasks, row.missing), row.runs.to_string()];
    cells.extend(row.pass_at.iter().take(ks).map(|interval| share(*interval)));
    cells.push(left_out_text(&row.left_out));
    cells
}

fn components(row: &Row, has_regions: bool) -> Vec<String> {
    let pixels = |gap: &Option<Gap>| gap.map_or_else(|| "n/a".to_owned(), |gap| format!("{:.2}", gap.pixels));
    let failed = row
        .failures
        .iter()
        .filter(|failed| failed.failure != FailureType::None && failed.count > 0)
        .map(|failed| format!("{} {}", failed.failure, failed.count));
    let broke = row.breaks.iter().filter(|broke| broke.count > 0);
    let broke = broke.map(|broke| format!("{} {}", broke.stage, broke.count));
    let mut cells = vec![
        row.split.to_string(),
        share(row.start_pass),
        share(row.end_pass),
        pixels(&row.start_gap),
        pixels(&row.end_gap),
        failed.collect::<Vec<_>>().join(", "),
        broke.collect::<Vec<_>>().join(", "),
    ];
    if has_regions {
        cells.insert(2, share(row.region_start_pass));
    }
    cells
}

fn share(share: Option<Interval>) -> String {
    with_interval(share.map(|share| share.percent), share.map(|share| (share.low, share.high)))
}
