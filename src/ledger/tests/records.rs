//! What is kept of experiments and can be taken out of the ledger or put back. `databases` runs these on each database.

use super::calls::FIRST;
use super::fixture::*;
use crate::*;

/// Enters the small experiment and decides its first cell.
async fn one_decided(ledger: &Ledger) -> Lease {
    ledger.enter(&plan(1, 2, 4)).await.unwrap();
    ledger.release(None, 1).await.unwrap();
    let lease = begin(ledger, FIRST, "w").await;
    ledger.end(&lease, &finish(Class::Counts, 7)).await.unwrap();
    lease
}

pub async fn later_grades_stand_beside_each_other(ledger: &Ledger) {
    let lease = one_decided(ledger).await;
    let judged = ledger.judged("e").await.unwrap();
    let place = (judged[0].item.as_str(), judged[0].epoch, judged[0].worker.as_str());
    assert_eq!((judged.len(), place, &judged[0].attempt), (1, ("item-0", 1, "w"), &lease.attempt));
    let grade = |grading: &str, outcome: &str, passed| Grade {
        attempt: lease.attempt.clone(),
        grading: grading.to_owned(),
        outcome: outcome.to_owned(),
        passed,
        total: 3,
    };
    ledger.add_grades(&[grade("a", "failed", 1), grade("b", "passed", 3)]).await.unwrap();
    ledger.add_grades(&[grade("a", "failed", 2)]).await.unwrap();
    assert_eq!(ledger.grades("e").await.unwrap().len(), 2, "a judge has one grade");
    assert!(ledger.grades("e").await.unwrap().contains(&grade("a", "failed", 2)));
    let unknown = Grade { attempt: "nobody's".to_owned(), ..grade("c", "passed", 3) };
    ledger.add_grades(&[grade("c", "passed", 3), unknown]).await.unwrap_err();
    assert_eq!(ledger.grades("e").await.unwrap().len(), 2, "all or none");
}

pub async fn a_try_is_told_of_those_before_it_whoever_made_them(ledger: &Ledger) {
    ledger.enter(&plan(1, 2, 4)).await.unwrap();
    for (number, worker) in [(1, "one"), (2, "other")] {
        ledger.release(None, 2).await.unwrap();
        let lease = begin(ledger, FIRST, worker).await;
        let told = ledger.earlier_records(&lease).await.unwrap();
        assert_eq!(told, vec![serde_json::json!({"a": 1}); number - 1]);
        ledger.end(&lease, &finish(Class::Infra, 7)).await.unwrap();
    }
}

fn kept(item: usize, number: u64, class: Option<Class>) -> KeptAttempt {
    let finish = class.map(|class| finish(class, 10));
    KeptAttempt { arm: 0, item: format!("item-{item}"), epoch: 1, number, worker: "files".to_owned(), finish }
}

pub async fn what_counts_is_decided_anew_from_what_is_kept(ledger: &Ledger) {
    use Class::{Counts, Infra, Provider};
    let attempts = [
        kept(0, 2, Some(Counts)),
        kept(0, 1, Some(Infra)),
        // A result that came too late, and a newer try that was broken off.
        kept(1, 1, Some(Counts)),
        kept(1, 2, None),
        kept(2, 1, Some(Infra)),
        kept(2, 2, Some(Infra)),
        kept(2, 3, Some(Infra)),
        kept(3, 1, Some(Provider)),
        kept(9, 1, Some(Counts)),
    ];
    let plan = plan(1, 5, 4);
    let rebuilt = ledger.rebuild(&plan, Some(1_000), &attempts).await.unwrap();
    assert_eq!(rebuilt, Rebuilt { attempts: 8, broken_off: 1, left_out: 1 });
    let cells = ledger.cells("e").await.unwrap();
    let of = |at: usize| (cells[at].state, cells[at].tries, cells[at].infra, cells[at].provider);
    assert_eq!(of(0), (CellState::Decided, 2, 1, 0));
    assert_eq!(cells[0].won.as_deref(), Some("e:0000000000000000#2"));
    assert_eq!(of(1), (CellState::Wanted, 2, 0, 0), "only the newest try can count");
    assert_eq!(of(2), (CellState::Dead, 3, 3, 0));
    assert_eq!(of(3), (CellState::Wanted, 1, 0, 1));
    assert_eq!(of(4), (CellState::Wanted, 0, 0, 0));
    let status = ledger.status("e").await.unwrap();
    assert_eq!((status.spent.micro_usd, status.state), (70, Gate::Open), "what does not count was paid, too");
    assert!(status.age_ms > 1_000_000, "it began when its first arm did");
    let refused = ledger.rebuild(&plan, None, &attempts).await.unwrap_err();
    assert!(matches!(refused, LedgerError::Exists(_)), "{refused}");
    // The next try has the number after the last one, and what is decided needs nobody.
    ledger.release(None, 9).await.unwrap();
    assert_eq!(begin(ledger, "e:0000000000000001", "w").await.number, 3);
    assert_eq!(ledger.begin(FIRST, "w").await.unwrap(), Begun::NotWanted);
    assert_eq!(ledger.enter(&plan).await.unwrap(), Entered { is_resumed: true, new_cells: 0 });
}

pub async fn an_experiment_is_taken_out_whole_and_only_when_nothing_runs(ledger: &Ledger) {
    let lease = one_decided(ledger).await;
    let other = Plan { id: "other".to_owned(), name: "other".to_owned(), ..plan(1, 2, 4) };
    ledger.enter(&other).await.unwrap();
    ledger.set_gate("e", &Scope::Experiment, Gate::Open, "me", None).await.unwrap();
    let grade = Grade {
        attempt: lease.attempt.clone(),
        grading: "g".to_owned(),
        outcome: "failed".to_owned(),
        passed: 0,
        total: 1,
    };
    ledger.add_grades(&[grade]).await.unwrap();
    ledger.release(Some("e"), 9).await.unwrap();
    let refused = ledger.remove("e", &ledger.rows("e").await.unwrap()).await.unwrap_err();
    assert!(matches!(refused, LedgerError::Busy { cells: 1, .. }), "{refused}");
    ledger.interrupted("e").await.unwrap();
    let before = ledger.rows("e").await.unwrap();
    ledger.set_gate("e", &Scope::Experiment, Gate::Paused, "me", None).await.unwrap();
    let refused = ledger.remove("e", &before).await.unwrap_err();
    assert!(matches!(refused, LedgerError::Changed(_)), "{refused}");
    let rows = ledger.rows("e").await.unwrap();
    let tables: Vec<serde_json::Value> = rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
    let of = |name: &str| tables.iter().filter(|row| row["table"] == name).collect::<Vec<_>>();
    let sizes = ["experiment", "arm", "cell", "attempt", "grade", "spend", "orders"].map(|name| of(name).len());
    assert_eq!(sizes, [1, 1, 2, 1, 1, 1, 2]);
    let attempt = &of("attempt")[0]["row"];
    assert_eq!((&attempt["record"]["a"], &attempt["usd"], &attempt["code"]), (&1.into(), &7.into(), &().into()));
    assert!(!rows.iter().any(|row| row.contains(&lease.token)), "no tokens");
    ledger.remove("e", &rows).await.unwrap();
    assert!(matches!(ledger.rows("e").await.unwrap_err(), LedgerError::UnknownExperiment(_)));
    assert_eq!(ledger.experiments().await.unwrap(), ["other"], "others stay");
    assert_eq!(ledger.status("other").await.unwrap().cells.wanted, 2);
    assert_eq!((ledger.orders("e").await.unwrap(), ledger.spent("e").await.unwrap()), (Vec::new(), Spent::default()));
}

pub async fn attempts_at_cells_of_equal_key_are_reused_and_paid_for_once(ledger: &Ledger) {
    let lease = one_decided(ledger).await;
    let named = |id: &str, items: usize| Plan { id: id.to_owned(), name: id.to_owned(), ..plan(1, items, 4) };
    ledger.enter(&named("again", 3)).await.unwrap();
    assert_eq!(ledger.decided_elsewhere("again").await.unwrap().len(), 1);
    assert_eq!(ledger.decided_elsewhere("e").await.unwrap().len(), 0, "its own do not matter");
    assert_eq!(ledger.reuse("again").await.unwrap(), 1);
    assert_eq!(ledger.reuse("again").await.unwrap(), 0);
    let reused = ledger.reused("again").await.unwrap();
    let (from, attempt, item) = (reused[0].from.as_str(), reused[0].attempt.as_str(), reused[0].item.as_str());
    assert_eq!((reused.len(), from, attempt, item), (1, "e", lease.attempt.as_str(), "item-0"));
    let status = ledger.status("again").await.unwrap();
    assert_eq!((status.cells.decided, status.cells.wanted, status.reused), (1, 2, 1));
    assert_eq!((status.spent.micro_usd, ledger.status("e").await.unwrap().spent.micro_usd), (0, 7));
    // One that came with the folder of an experiment decides cells of that experiment alone.
    let elsewhere = KeptAttempt { worker: ELSEWHERE.to_owned(), ..kept(1, 1, Some(Class::Counts)) };
    ledger.rebuild(&named("brought", 2), None, &[elsewhere]).await.unwrap();
    assert_eq!(ledger.status("brought").await.unwrap().cells.decided, 1);
    assert_eq!(ledger.decided_elsewhere("again").await.unwrap().len(), 1);
    assert_eq!((ledger.reuse("again").await.unwrap(), ledger.reuse("brought").await.unwrap()), (0, 1));
    // A third one finds it once, whoever counts it.
    ledger.enter(&named("third", 1)).await.unwrap();
    assert_eq!(ledger.reuse("third").await.unwrap(), 1);
    let mut stream = named("stream", 1);
    stream.arms[0].is_stream = true;
    ledger.enter(&stream).await.unwrap();
    assert_eq!(ledger.reuse("stream").await.unwrap(), 0, "an attempt of a stream builds on those before it");
    // Where it is taken back in one that reuses it, it goes on counting in the others.
    let void = |cell: &str| Requeue::Void { cell: cell.to_owned(), reason: "why".to_owned() };
    ledger.requeue("third", &void("third:0000000000000000"), "me").await.unwrap();
    assert_eq!(ledger.status("e").await.unwrap().cells.decided, 1);
    assert_eq!(ledger.reuse("third").await.unwrap(), 0, "what was taken back is not taken again");
    ledger.release(Some("third"), 1).await.unwrap();
    assert_eq!(begin(ledger, "third:0000000000000000", "w").await.number, 2);
    // Where it was made, it is void everywhere.
    ledger.requeue("e", &void(FIRST), "me").await.unwrap();
    assert_eq!(ledger.status("again").await.unwrap().cells.decided, 0);
}

pub async fn cells_are_watched_with_where_their_attempts_were_made(ledger: &Ledger) {
    let lease = one_decided(ledger).await;
    let own = ledger.changed("e", 0).await.unwrap();
    let made = |cells: &[WatchedCell]| cells.iter().map(|cell| cell.made.clone()).collect::<Vec<_>>();
    let here = Some(("e".to_owned(), "arm-0".to_owned(), 1));
    assert_eq!(made(&own), [here.clone(), None], "in the order of the plan");
    assert_eq!((own[0].outcome.as_deref(), own[0].cell.id.as_str()), (Some("passed"), lease.cell.as_str()));
    ledger.enter(&Plan { id: "again".to_owned(), name: "again".to_owned(), ..plan(1, 2, 4) }).await.unwrap();
    ledger.reuse("again").await.unwrap();
    assert_eq!(made(&ledger.changed("again", 0).await.unwrap()), [here, None], "the attempt keeps its place");
    let later = u64::try_from(ledger.now().await.unwrap()).unwrap() + 1_000;
    assert_eq!(ledger.changed("e", later).await.unwrap(), []);
}
