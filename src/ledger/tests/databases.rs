//! The scenarios on both databases: one text of SQL, one behaviour.

use super::calls;
use super::fixture::sqlite;
use super::model;
use super::server::Server;
use crate::*;

macro_rules! scenarios {
    ($($name:ident),* $(,)?) => {
        mod on_sqlite {
            $(
                #[tokio::test]
                async fn $name() {
                    super::calls::$name(&super::sqlite().await.ledger).await;
                }
            )*
        }

        #[tokio::test]
        async fn all_of_them_hold_on_postgres() {
            let server = Server::shared();
            $(
                let ledger = made(server, stringify!($name)).await;
                calls::$name(&ledger).await;
                ledger.close().await;
            )*
        }
    };
}

scenarios! {
    an_experiment_is_entered_once_and_grows,
    what_runs_is_within_lane_slots_and_pauses,
    a_result_decides_a_cell_once_and_the_same_call_again_changes_nothing,
    a_silent_worker_loses_its_attempt_and_its_late_result_is_kept_only_where_nobody_began_anew,
    failures_are_counted_apart_and_make_a_cell_dead_while_giving_back_moves_nothing,
    a_budget_is_reserved_before_release_and_raised_while_it_runs,
    cells_of_a_stream_go_one_after_another,
    workers_get_their_share_of_a_lane_are_held_and_drained,
    an_outage_of_ten_minutes_holds_a_lane_and_costs_no_cell_its_tries,
    there_is_one_steward_until_it_is_silent,
    who_takes_over_from_the_dead_goes_on_at_once,
    later_grades_stand_beside_each_other,
    a_try_is_told_of_those_before_it_whoever_made_them,
    what_counts_is_decided_anew_from_what_is_kept,
    an_experiment_is_taken_out_whole_and_only_when_nothing_runs,
    attempts_at_cells_of_equal_key_are_reused_and_paid_for_once,
    cells_are_watched_with_where_their_attempts_were_made,
}

/// A ledger in a new database.
async fn made(server: &Server, name: &str) -> Ledger {
    Ledger::connect(&server.database(name), None).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_that_race_on_postgres_make_one_attempt_count() {
    let server = Server::shared();
    let ledger = made(server, "race").await;
    model::race(&ledger).await;
    ledger.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_that_race_on_sqlite_make_one_attempt_count() {
    model::race(&sqlite().await.ledger).await;
}

#[tokio::test]
async fn a_newer_ledger_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ledger.sqlite");
    let ledger = Ledger::open(&file).await.unwrap();
    sqlx::query("UPDATE _sqlx_migrations SET version = 99 WHERE version = 1").execute(&ledger.pool).await.unwrap();
    ledger.close().await;
    let error = Ledger::open(&file).await.unwrap_err();
    assert!(matches!(error, LedgerError::FormatNewer { format: 99 }), "{error}");
}
