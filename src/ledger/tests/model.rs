//! The four calls in any order, with crashes at any point: exactly one attempt of a cell counts, the newest that could, and the
//! spend is the sum over all attempts.

use std::collections::BTreeMap;

use proptest::prelude::*;
use sqlx::Row as _;

use super::fixture::{finish, plan, set_clock, used, wind};
use crate::*;

/// Interleavings that `make test` tries; `PROPTEST_CASES` asks for more.
const CASES: u32 = 100;
const CELLS: usize = 3;

/// One thing that happens. `heard` is false when the caller dies before it hears the answer.
#[derive(Debug, Clone)]
enum Step {
    Release(u64),
    Begin { cell: usize, worker: u8, heard: bool },
    Beat { lease: usize, usd: u64 },
    End { lease: usize, class: Class, usd: u64, heard: bool },
    GiveBack { lease: usize, usd: u64 },
    Wind(i64),
    Reap,
    Requeue(usize),
    Enter,
}

fn class() -> impl Strategy<Value = Class> {
    prop_oneof![3 => Just(Class::Counts), 1 => Just(Class::Infra), 1 => Just(Class::Provider)]
}

fn step() -> impl Strategy<Value = Step> {
    let lease = 0_usize..6;
    prop_oneof![
        3 => (1_u64..4).prop_map(Step::Release),
        6 => (0..CELLS, 0_u8..3, prop::bool::weighted(0.8)).prop_map(|(cell, worker, heard)| Step::Begin { cell, worker, heard }),
        3 => (lease.clone(), 0_u64..50).prop_map(|(lease, usd)| Step::Beat { lease, usd }),
        4 => (lease.clone(), class(), 0_u64..50, prop::bool::weighted(0.8))
            .prop_map(|(lease, class, usd, heard)| Step::End { lease, class, usd, heard }),
        1 => (lease, 0_u64..50).prop_map(|(lease, usd)| Step::GiveBack { lease, usd }),
        2 => prop_oneof![Just(1_000_i64), Just(20_000), Just(46_000), Just(601_000)].prop_map(Step::Wind),
        2 => Just(Step::Reap),
        1 => (0..CELLS).prop_map(Step::Requeue),
        1 => Just(Step::Enter),
    ]
}

/// What callers know.
#[derive(Default)]
struct World {
    /// Leases that were given, dead callers' included: a late or repeated call may come from any.
    leases: Vec<Lease>,
    /// Which attempt was told that it counts, by cell.
    told: BTreeMap<String, String>,
}

fn cell(number: usize) -> String {
    format!("e:00000000{number:08}")
}

async fn take(ledger: &Ledger, world: &mut World, step: &Step) {
    let lease = |number: &usize| world.leases.iter().rev().nth(*number).cloned();
    match step {
        Step::Release(slots) => drop(ledger.release(None, *slots).await.unwrap()),
        Step::Begin { cell: number, worker, heard } => {
            if let Begun::Yes(lease) = ledger.begin(&cell(*number), &format!("w{worker}")).await.unwrap()
                && *heard
            {
                world.leases.push(lease);
            }
        }
        Step::Beat { lease: number, usd } => {
            let Some(lease) = lease(number) else { return };
            let beats = vec![Beat { lease, usage: used(*usd) }];
            ledger.beat("w0", &Pulse { beats, ..Pulse::default() }).await.unwrap();
        }
        Step::End { lease: number, class, usd, heard } => {
            let Some(lease) = lease(number) else { return };
            let ended = ledger.end(&lease, &finish(*class, *usd)).await.unwrap();
            if !heard {
                assert_eq!(ledger.end(&lease, &finish(*class, *usd)).await.unwrap(), ended, "the same call again");
            }
            if ended == Ended::Counted {
                let before = world.told.insert(lease.cell.clone(), lease.attempt.clone());
                assert!(before.is_none_or(|before| before == lease.attempt), "two attempts count");
            }
        }
        Step::GiveBack { lease: number, usd } => {
            let Some(lease) = lease(number) else { return };
            ledger.give_back(&lease, &used(*usd), "drained").await.unwrap();
        }
        Step::Wind(ms) => wind(ledger, *ms).await,
        Step::Reap => drop(ledger.reap().await.unwrap()),
        Step::Requeue(number) => {
            let asked = ledger.requeue("e", &Requeue::Cells(vec![cell(*number)]), "me").await;
            assert!(asked.is_ok() || matches!(asked, Err(LedgerError::Decided(_))), "{asked:?}");
        }
        Step::Enter => assert_eq!(ledger.enter(&plan(1, CELLS, 3)).await.unwrap().new_cells, 0),
    }
}

async fn check(ledger: &Ledger, world: &World) {
    let spent = ledger.spent("e").await.unwrap();
    let paid: i64 = sqlx::query_scalar("SELECT CAST(COALESCE(SUM(usd), 0) AS BIGINT) FROM attempt")
        .fetch_one(&ledger.pool)
        .await
        .unwrap();
    assert_eq!(i64::try_from(spent.micro_usd).unwrap(), paid, "the spend is the sum over all attempts");
    let rows = sqlx::query(
        "SELECT cell.id AS id, cell.state AS state, cell.won AS won, attempt.state AS attempt, attempt.number AS number, cell.tries AS tries, \
         (SELECT COUNT(*) FROM attempt WHERE attempt.cell = cell.id AND attempt.state = 'running') AS running \
         FROM cell LEFT JOIN attempt ON attempt.id = cell.won",
    )
    .fetch_all(&ledger.pool)
    .await
    .unwrap();
    for row in rows {
        let text = |column: &str| row.try_get::<Option<String>, _>(column).unwrap();
        let (state, won) = (text("state").unwrap(), text("won"));
        assert_eq!(state == "decided", won.is_some());
        assert_eq!(row.try_get::<i64, _>("running").unwrap(), i64::from(state == "running"));
        assert_eq!(won.as_ref(), world.told.get(&text("id").unwrap()), "who was told that it counts, counts");
        if won.is_some() {
            assert_eq!(text("attempt").as_deref(), Some("done"));
            let number = |column: &str| row.try_get::<i64, _>(column).unwrap();
            assert_eq!(number("number"), number("tries"), "only the newest can win");
        }
    }
}

/// What is left is worked on as a fleet would.
async fn finish_all(ledger: &Ledger, world: &mut World) {
    for _ in 0..40 {
        wind(ledger, 700_000).await;
        ledger.reap().await.unwrap();
        for ticket in ledger.release(None, 9).await.unwrap().tickets {
            if let Begun::Yes(lease) = ledger.begin(&ticket.cell, "last").await.unwrap() {
                assert_eq!(ledger.end(&lease, &finish(Class::Counts, 1)).await.unwrap(), Ended::Counted);
                world.told.insert(lease.cell, lease.attempt);
            }
        }
        if ledger.status("e").await.unwrap().cells.is_over() {
            return check(ledger, world).await;
        }
    }
    panic!("it does not come to an end");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES), ..ProptestConfig::default() })]

    #[test]
    fn one_attempt_of_a_cell_counts_in_any_order_of_calls_and_crashes(steps in prop::collection::vec(step(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let ledger = Ledger::in_memory().await;
            ledger.enter(&plan(1, CELLS, 3)).await.unwrap();
            set_clock(&ledger, 1_000_000).await;
            let mut world = World::default();
            for step in &steps {
                take(&ledger, &mut world, step).await;
                check(&ledger, &world).await;
            }
            finish_all(&ledger, &mut world).await;
        });
    }
}

/// Callers at the same time: each begins what is released, and ends it twice, at times late. Exactly one attempt of a cell counts.
pub async fn race(ledger: &Ledger) {
    const ALL: usize = 40;
    ledger.enter(&plan(1, ALL, 99)).await.unwrap();
    ledger.release(None, 99).await.unwrap();
    let callers = (0..6).map(|caller| {
        let ledger = ledger.clone();
        tokio::spawn(async move {
            let mut counted = Vec::new();
            for number in 0..ALL {
                let number = (number + caller * 7) % ALL;
                let Begun::Yes(lease) = ledger.begin(&cell(number), &format!("w{caller}")).await.unwrap() else {
                    continue;
                };
                let result = finish(
                    if number.is_multiple_of(5) && caller.is_multiple_of(2) { Class::Infra } else { Class::Counts },
                    3,
                );
                let (one, two) = tokio::join!(ledger.end(&lease, &result), ledger.end(&lease, &result));
                assert_eq!(one.unwrap(), two.unwrap());
                counted.push(lease.attempt);
                ledger.release(None, 9).await.unwrap();
            }
            counted
        })
    });
    let ended: Vec<String> = futures_of(callers.collect()).await.into_iter().flatten().collect();
    let mut once = ended.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), ended.len(), "no attempt was given twice");
    let spent = ledger.spent("e").await.unwrap();
    assert_eq!(spent.micro_usd, 3 * ended.len() as u64);
    let rows = ledger.cells("e").await.unwrap();
    assert!(rows.iter().all(|row| (row.state == CellState::Decided) == row.won.is_some()));
    assert!(rows.iter().filter(|row| row.state == CellState::Decided).count() > ALL / 2);
}

async fn futures_of<T>(tasks: Vec<tokio::task::JoinHandle<T>>) -> Vec<T> {
    let mut all = Vec::new();
    for task in tasks {
        all.push(task.await.unwrap());
    }
    all
}
