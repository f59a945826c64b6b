//! Lanes: how many attempts may ask an endpoint at a time, and what its answers change about that.

use sqlx::Row as _;

use super::LedgerError;
use super::database::{Tx, count, word};
use super::leases::LaneReport;
use super::spent::whole;
use super::states::Gate;

/// What too many requests leave of a lane's limit, at most once in [`CUT_PAUSE_MS`].
const CUT: f64 = 0.8;
/// How far apart two cuts are, in milliseconds, unless the provider asks for more.
const CUT_PAUSE_MS: i64 = 15_000;
/// What a minute without refusals adds to a lane's limit.
const GROWTH: f64 = 1.05;
const MINUTE_MS: i64 = 60_000;
/// Failures in a row, of at least [`FAILING_ATTEMPTS`], that close a lane for a while.
const FAILURES: u64 = 20;
const FAILING_ATTEMPTS: usize = 3;
/// For how long a lane is closed the first time, and at most, in milliseconds.
const FIRST_PAUSE_MS: i64 = 60_000;
const LONGEST_PAUSE_MS: i64 = 15 * 60_000;

/// What of a lane changes by its answers.
#[derive(Debug, Clone, PartialEq)]
pub struct LaneState {
    /// Attempts at a time, as configured.
    pub in_flight: u64,
    /// Attempts at a time, as the provider bears it; never above `in_flight`.
    pub now_limit: f64,
    /// Failures since the last success.
    pub failures: u64,
    /// Attempts that failed since the last success.
    pub failing: Vec<String>,
    /// How often it was closed since the last success.
    pub opened: u32,
    /// Nothing is released before this, in milliseconds.
    pub open_until: i64,
    /// When the limit was last cut, and last grew.
    pub cut: i64,
    pub grown: i64,
    pub gate: Gate,
    pub why: Option<String>,
}

impl LaneState {
    /// How many attempts may run in it now. After a pause one attempt tries whether the endpoint answers again.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small positive number, cut on purpose"
    )]
    pub fn limit(&self, at: i64) -> u64 {
        if self.gate != Gate::Open || at < self.open_until {
            0
        } else if self.opened > 0 {
            1.min(self.in_flight)
        } else {
            (self.now_limit as u64).clamp(1.min(self.in_flight), self.in_flight)
        }
    }

    /// The lane after a report.
    #[must_use]
    pub fn after(mut self, report: &LaneReport, at: i64) -> Self {
        if report.is_unauthorized {
            self.gate = Gate::Paused;
            self.why = Some("the endpoint refuses the key".to_owned());
        }
        if report.succeeded > 0 {
            self.failures = 0;
            self.failing.clear();
            self.opened = 0;
            self.open_until = 0;
        }
        self.limited(report, at);
        self.failed(report, at);
        self
    }

    fn limited(&mut self, report: &LaneReport, at: i64) {
        let most = f64::from(u32::try_from(self.in_flight).unwrap_or(u32::MAX));
        let asked = i64::try_from(report.asked_ms).unwrap_or(i64::MAX);
        if report.limited > 0 {
            if at - self.cut >= CUT_PAUSE_MS.max(asked) {
                self.now_limit = (self.now_limit * CUT).max(1.0);
                self.cut = at;
            }
            self.grown = at;
        } else if report.succeeded > 0 && at - self.grown >= MINUTE_MS && at - self.cut >= MINUTE_MS {
            self.now_limit = (self.now_limit * GROWTH).max(self.now_limit + 1.0 / 20.0);
            self.grown = at;
        }
        self.now_limit = self.now_limit.min(most).max(1.0_f64.min(most));
    }

    fn failed(&mut self, report: &LaneReport, at: i64) {
        if report.failed == 0 || report.succeeded > 0 {
            return;
        }
        self.failures += report.failed;
        for attempt in &report.failing {
            if self.failing.len() < FAILING_ATTEMPTS && !self.failing.contains(attempt) {
                self.failing.push(attempt.clone());
            }
        }
        let is_broken = self.failures >= FAILURES && self.failing.len() >= FAILING_ATTEMPTS;
        // One failure is enough for a lane that was closed and is only tried.
        if (is_broken || self.opened > 0) && at >= self.open_until {
            let pause = (FIRST_PAUSE_MS << self.opened.min(8)).min(LONGEST_PAUSE_MS);
            self.open_until = at + pause;
            self.opened += 1;
            self.why = Some(format!("{} requests in a row failed", self.failures));
        }
    }
}

/// A lane's row.
pub(super) fn read(row: &sqlx::any::AnyRow) -> Result<LaneState, LedgerError> {
    let failing: String = row.try_get("failing")?;
    Ok(LaneState {
        in_flight: count(row, "in_flight")?,
        now_limit: row.try_get("now_limit")?,
        failures: count(row, "failures")?,
        failing: failing.split(' ').filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        opened: u32::try_from(count(row, "opened")?).unwrap_or(u32::MAX),
        open_until: row.try_get("open_until")?,
        cut: row.try_get("cut")?,
        grown: row.try_get("grown")?,
        gate: word(row, "state")?,
        why: row.try_get("why")?,
    })
}

/// Whether the lane of an attempt was closed by failures, and none of its requests has succeeded since.
pub(super) async fn is_broken(tx: &mut Tx, attempt: &str) -> Result<bool, LedgerError> {
    let sql =
        "SELECT COUNT(*) FROM attempt JOIN lane ON lane.name = attempt.lane WHERE attempt.id = $1 AND lane.opened > 0";
    let broken: i64 = sqlx::query_scalar(sql).bind(attempt).fetch_one(&mut **tx).await?;
    Ok(broken > 0)
}

/// Whether it is this attempt that tries whether an endpoint answers again: the oldest that runs in the lane.
pub(super) async fn is_probe(tx: &mut Tx, name: &str, attempt: &str) -> Result<bool, LedgerError> {
    let oldest: Option<String> =
        sqlx::query_scalar("SELECT id FROM attempt WHERE lane = $1 AND state = 'running' ORDER BY begun, id LIMIT 1")
            .bind(name)
            .fetch_optional(&mut **tx)
            .await?;
    Ok(oldest.as_deref() == Some(attempt))
}

/// Takes a worker's report of a lane. The row is locked first: reports are taken one after the other.
pub(super) async fn report(tx: &mut Tx, name: &str, report: &LaneReport, at: i64) -> Result<(), LedgerError> {
    if *report == LaneReport::default() {
        return Ok(());
    }
    let row = sqlx::query(
        "UPDATE lane SET now_limit = now_limit WHERE name = $1 \
         RETURNING in_flight, now_limit, failures, failing, opened, open_until, cut, grown, state, why",
    )
    .bind(name)
    .fetch_optional(&mut **tx)
    .await?;
    let Some(row) = row else { return Ok(()) };
    let lane = read(&row)?.after(report, at);
    sqlx::query(
        "UPDATE lane SET now_limit = $2, failures = $3, failing = $4, opened = $5, open_until = $6, cut = $7, grown = $8, \
         state = $9, why = $10 WHERE name = $1",
    )
    .bind(name)
    .bind(lane.now_limit)
    .bind(whole(lane.failures))
    .bind(lane.failing.join(" "))
    .bind(i64::from(lane.opened))
    .bind(lane.open_until)
    .bind(lane.cut)
    .bind(lane.grown)
    .bind(lane.gate.to_string())
    .bind(lane.why.as_deref())
    .execute(&mut **tx)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(in_flight: u32) -> LaneState {
        LaneState {
            in_flight: in_flight.into(),
            now_limit: in_flight.into(),
            failures: 0,
            failing: Vec::new(),
            opened: 0,
            open_until: 0,
            cut: 0,
            grown: 0,
            gate: Gate::Open,
            why: None,
        }
    }

    fn failed(count: u64, attempts: &[&str]) -> LaneReport {
        LaneReport {
            failed: count,
            failing: attempts.iter().map(|name| (*name).to_owned()).collect(),
            ..LaneReport::default()
        }
    }

    const LIMITED: LaneReport =
        LaneReport { succeeded: 0, limited: 3, asked_ms: 0, failed: 0, failing: Vec::new(), is_unauthorized: false };
    const FINE: LaneReport =
        LaneReport { succeeded: 9, limited: 0, asked_ms: 0, failed: 0, failing: Vec::new(), is_unauthorized: false };

    #[test]
    fn too_many_requests_cut_a_lane_once_in_fifteen_seconds_and_clean_minutes_widen_it() {
        let cut = lane(40).after(&LIMITED, 100_000);
        assert_eq!(cut.limit(100_000), 32);
        assert_eq!(cut.clone().after(&LIMITED, 114_000).limit(114_000), 32, "one burst is one cut");
        let twice = cut.after(&LIMITED, 115_000);
        assert_eq!(twice.limit(115_000), 25);
        let mut wide = twice;
        for minute in 1..=10 {
            wide = wide.after(&FINE, 115_000 + minute * 60_000);
        }
        assert_eq!(wide.limit(800_000), 40, "never above what is configured");
        let asked = LaneReport { asked_ms: 60_000, ..LIMITED };
        assert_eq!(
            lane(40).after(&LIMITED, 100_000).after(&asked, 130_000).limit(130_000),
            32,
            "the provider said when"
        );
    }

    #[test]
    fn a_lane_never_falls_below_one_and_none_stays_none() {
        let mut small = lane(2);
        for turn in 1..=20 {
            small = small.after(&LIMITED, turn * 20_000);
        }
        assert_eq!(small.limit(500_000), 1);
        assert_eq!(lane(0).after(&FINE, 70_000).limit(70_000), 0);
    }

    #[test]
    fn failures_of_several_attempts_close_a_lane_for_longer_and_longer() {
        let one = lane(9).after(&failed(30, &["a"]), 1_000);
        assert_eq!(one.limit(1_000), 9, "one attempt proves nothing");
        let closed = one.after(&failed(1, &["b", "c"]), 2_000);
        assert_eq!((closed.limit(2_000), closed.limit(61_999), closed.limit(62_000)), (0, 0, 1));
        let again = closed.after(&failed(1, &["b"]), 62_000);
        assert_eq!((again.limit(181_999), again.limit(182_000)), (0, 1), "two minutes the second time");
        let open = again.after(&FINE, 182_000);
        assert_eq!((open.limit(182_000), open.opened), (9, 0));
    }

    #[test]
    fn a_refused_key_stops_the_lane() {
        let stopped = lane(9).after(&LaneReport { is_unauthorized: true, ..LaneReport::default() }, 1);
        assert_eq!((stopped.limit(9_999_999), stopped.gate), (0, Gate::Paused));
    }
}
