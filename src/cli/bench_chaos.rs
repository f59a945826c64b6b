//! `scratchbed bench --chaos`: attacks a server of its own, and prints what was done, answered, lost and voided.

use std::time::Duration;

use serde_json::json;

use crate::arms::output::Output;
use crate::arms::signs::bar;
use crate::flags::failure::{Failure, Status};
use crate::flags::settings::Settings;
use scratchbed::model::pluralise;
use scratchbed::perf::chaos::{self, AnswerCounts, ChaosPlan, ChaosReport, Rest, Tally, Voids};
use scratchbed::report::plain_table as table;

/// Attacks a server for so many minutes while this many agents use it.
pub async fn run(minutes: u32, agents: usize, seed: u64, settings: &Settings, out: Output) -> Result<Status, Failure> {
    let time = Duration::from_secs(u64::from(minutes) * 60);
    let program = std::env::current_exe().map_err(|error| Failure::infrastructure("no_program", &error))?;
    let log = std::env::temp_dir().join(format!("scratchbed-chaos-{seed}.log"));
    let plan = ChaosPlan { program, root: settings.root.to_path_buf(), log, agents, time, seed };
    let progress = bar("seconds", time.as_secs());
    let report = Box::pin(chaos::run(&plan, |seconds| progress.set_position(seconds))).await;
    progress.finish_and_clear();
    let report = report?;
    for part in in_parts(&report) {
        out.say(part);
    }
    out.say(format!("the server's log is {}", plan.log.display()));
    out.answer(&json!({"chaos": report, "passed": report.passed()}));
    Ok(Status::of(report.passed()))
}

/// The report as tables and lines.
fn in_parts(report: &ChaosReport) -> Vec<String> {
    let Tally { sessions, lost, voided, .. } = &report.agents;
    let mut parts = vec![
        format!("seed {}: {} in {:.0} s", report.seed, pluralise(*sessions, "session"), report.seconds),
        answers(&report.agents),
        table(&["harm", "times"], report.harms.iter().map(|(kind, times)| [kind.clone(), times.to_string()]))
            .to_string(),
        format!(
            "lost: {}, {}, {}",
            pluralise(lost.sessions, "session"),
            pluralise(lost.projects, "project"),
            pluralise(lost.verdicts, "verdict")
        ),
        voids(voided),
        memory(report),
        at_rest(report),
    ];
    parts.extend(report.breaches.iter().map(|breach| format!("breach: {breach}")));
    let more = report.agents.breach_count.saturating_sub(report.agents.breaches.len() as u64);
    parts.extend((more > 0).then(|| format!("and {more} more of the agents' kind")));
    parts
}

fn voids(voids: &Voids) -> String {
    let Voids { harms, own_programs, own_calls, own_files, others } = voids;
    format!(
        "voided: {own_programs} by programs in their own sessions, {own_calls} by the agent's own calls, {own_files} by \
         the judged file, {others} by others; {harms} by harms to the server"
    )
}

/// What was sent, by kinds.
fn answers(tally: &Tally) -> String {
    let row = |kind: &str, counts: &AnswerCounts| {
        let AnswerCounts { sent, done, refused, turned_away, trouble, void, wrong, cut, longest_ms } = *counts;
        let numbers = [sent, done, refused, turned_away, trouble, void, wrong, cut, longest_ms.div_ceil(1000)];
        let cells = numbers.map(|number| number.to_string());
        std::iter::once(kind.to_owned()).chain(cells).collect::<Vec<String>>()
    };
    let head = ["request", "sent", "done", "refused", "later", "trouble", "void", "wrong", "cut", "longest s"];
    let rows = tally.kinds.iter().map(|(kind, counts)| row(kind, counts));
    table(&head, rows.chain([row("all", &tally.total())])).to_string()
}

fn memory(report: &ChaosReport) -> String {
    let memory = &report.memory;
    let points = memory.points.iter().map(|point| [format!("{:.0}", point.seconds), format!("{:.0}", point.mb)]);
    let level = match memory.is_level {
        Some(true) => "level",
        Some(false) => "NOT LEVEL",
        None => "too short to tell whether it is level",
    };
    let (first, last, slope) = (memory.first_third_mb, memory.last_third_mb, memory.slope_mb_per_h);
    format!(
        "{}\nmemory after the warm-up, median of the first third {first:.0} MB, of the last {last:.0} MB, \
         {slope:+.0} MB an hour: {level}",
        table(&["seconds", "memory MB"], points)
    )
}

fn at_rest(report: &ChaosReport) -> String {
    let row = |when: &str, rest: &Rest| {
        [
            when.to_owned(),
            rest.sessions.to_string(),
            rest.browsers.to_string(),
            rest.processes.to_string(),
            rest.files.to_string(),
            rest.temporary.to_string(),
            format!("{:.0}", rest.memory_mb),
        ]
    };
    let head = ["at rest", "sessions", "browsers", "processes", "open files", "temporary files", "memory MB"];
    table(&head, [row("before", &report.before), row("after", &report.after)]).to_string()
}

#[cfg(test)]
mod tests {
    use scratchbed::perf::chaos::{Losses, MemoryReport, MemorySample};

    use super::*;

    fn rest() -> Rest {
        Rest { sessions: 0, browsers: 1, processes: 9, files: 40, temporary: 1, memory_mb: 500.0 }
    }

    fn report(breaches: Vec<String>) -> ChaosReport {
        let typed = AnswerCounts { sent: 16, done: 11, refused: 5, longest_ms: 61_200, ..AnswerCounts::default() };
        let put = AnswerCounts { sent: 3, refused: 3, cut: 1, ..AnswerCounts::default() };
        let agents = Tally {
            sessions: 40,
            kinds: [("put monitor __proto__".to_owned(), put), ("type at once".to_owned(), typed)].into(),
            lost: Losses { verdicts: 1, ..Losses::default() },
            voided: Voids { harms: 2, own_calls: 3, ..Voids::default() },
            breaches: breaches.clone(),
            breach_count: breaches.len() as u64,
            ..Tally::default()
        };
        let memory = MemoryReport {
            points: vec![MemorySample { seconds: 0.0, mb: 1500.4 }, MemorySample { seconds: 1800.0, mb: 2100.0 }],
            first_third_mb: 1800.0,
            last_third_mb: 2000.0,
            slope_mb_per_h: 667.0,
            is_level: Some(false),
        };
        let harms = vec![("kill browser".to_owned(), 4)];
        ChaosReport { seed: 7, agents, harms, memory, before: rest(), after: rest(), breaches, seconds: 1900.0 }
    }

    #[test]
    fn the_report_tells_what_was_answered_lost_and_voided_and_how_memory_went() {
        let text = in_parts(&report(vec!["memory is not level".to_owned()])).join("\n");
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let row = |begin: &str| words(text.lines().find(|line| line.trim_start().starts_with(begin)).unwrap());
        assert_eq!(row("type at once")[3..], ["16", "11", "5", "0", "0", "0", "0", "0", "62"]);
        assert_eq!(row("all")[1..], ["19", "11", "8", "0", "0", "0", "0", "1", "62"]);
        assert_eq!(row("kill browser")[2], "4");
        assert!(text.contains("lost: 0 sessions, 0 projects, 1 verdict"));
        assert!(text.contains("3 by the agent's own calls") && text.contains("2 by harms to the server"));
        assert_eq!(row("1800"), ["1800", "2100"]);
        assert!(text.contains("first third 1800 MB, of the last 2000 MB, +667 MB an hour: NOT LEVEL"));
        assert!(text.contains("breach: memory is not level"));
    }

    #[test]
    fn a_breach_is_what_makes_it_fail() {
        assert!(report(Vec::new()).passed());
        assert!(!report(vec!["agent 1: lost".to_owned()]).passed());
    }
}
