//! Each call in the situations that matter, one at a time. `databases` runs them on each database.

use super::fixture::*;
pub use super::records::*;
use crate::*;

pub const FIRST: &str = "e:0000000000000000";

pub async fn an_experiment_is_entered_once_and_grows(ledger: &Ledger) {
    assert_eq!(ledger.enter(&plan(2, 3, 4)).await.unwrap(), Entered { is_resumed: false, new_cells: 6 });
    assert_eq!(ledger.enter(&plan(2, 3, 4)).await.unwrap(), Entered { is_resumed: true, new_cells: 0 });
    assert_eq!(ledger.enter(&plan(3, 4, 4)).await.unwrap(), Entered { is_resumed: true, new_cells: 6 });
    let mut grown = Plan { file: "grown".to_owned(), pins: serde_json::json!({"version": "2"}), ..plan(4, 4, 4) };
    grown.cells.truncate(0);
    ledger.enter(&grown).await.unwrap();
    ledger
        .enter(&Plan { file: "fewer".to_owned(), pins: serde_json::json!({"version": "3"}), ..plan(1, 1, 4) })
        .await
        .unwrap();
    let (file, pins) = (ledger.file("e").await.unwrap(), ledger.pins("e").await.unwrap());
    assert_eq!((file.as_str(), &pins["version"]), ("grown", &"3".into()), "workers find each arm in the file");
    assert_eq!((ledger.specs("e").await.unwrap().len(), ledger.wanting().await.unwrap()), (4, vec!["e".to_owned()]));
    let mut other = plan(1, 1, 4);
    other.arms[0].digest = "changed".to_owned();
    let error = ledger.enter(&other).await.unwrap_err();
    assert!(matches!(error, LedgerError::Differs { .. }), "{error}");
    let cells = ledger.cells("e").await.unwrap();
    assert_eq!((cells.len(), cells[0].seed), (12, u64::MAX));
}

pub async fn what_runs_is_within_lane_slots_and_pauses(ledger: &Ledger) {
    ledger.enter(&plan(2, 5, 4)).await.unwrap();
    let released = ledger.release(None, 3).await.unwrap();
    let cells: Vec<&str> = released.tickets.iter().map(|ticket| ticket.cell.as_str()).collect();
    assert_eq!(cells, [FIRST, "e:0000000100000000", "e:0000000000000001"], "arms take turns, item by item");
    assert_eq!(released.bounds, [Bound::Slots]);
    let released = ledger.release(None, 3).await.unwrap();
    assert_eq!((released.tickets.len(), released.bounds), (1, vec![Bound::Lane("lane".to_owned())]));
    ledger.set_gate("e", &Scope::Lane("lane".to_owned()), Gate::Open, "me", None).await.unwrap();
    ledger.set_limit("e", &Scope::Lane("lane".to_owned()), Limit::InFlight, Some(9), "me").await.unwrap();
    ledger.set_gate("e", &Scope::Arm("arm-1".to_owned()), Gate::Paused, "me", Some("why")).await.unwrap();
    let released = ledger.release(None, 9).await.unwrap();
    assert!(released.tickets.iter().all(|ticket| ticket.cell.contains("00000000")), "{released:?}");
    assert_eq!(released.tickets.len(), 3, "the other arm's");
    ledger.set_gate("e", &Scope::Experiment, Gate::Paused, "me", None).await.unwrap();
    assert_eq!(ledger.release(None, 9).await.unwrap().tickets, []);
    assert_eq!(ledger.orders("e").await.unwrap().len(), 4);
}

pub async fn a_result_decides_a_cell_once_and_the_same_call_again_changes_nothing(ledger: &Ledger) {
    ledger.enter(&plan(1, 1, 4)).await.unwrap();
    assert_eq!(ledger.begin(FIRST, "w").await.unwrap(), Begun::NotWanted, "it is not released");
    ledger.release(None, 1).await.unwrap();
    let lease = begin(ledger, FIRST, "w").await;
    assert_eq!(ledger.begin(FIRST, "v").await.unwrap(), Begun::Busy);
    let finish = finish(Class::Counts, 7);
    assert_eq!(ledger.end(&Lease { token: "forged".to_owned(), ..lease.clone() }, &finish).await.unwrap(), Ended::Void);
    for _ in 0..2 {
        assert_eq!(ledger.end(&lease, &finish).await.unwrap(), Ended::Counted);
    }
    assert_eq!(ledger.begin(FIRST, "v").await.unwrap(), Begun::NotWanted);
    let status = ledger.status("e").await.unwrap();
    assert_eq!((status.cells.decided, status.spent.micro_usd, status.spent.tokens), (1, 7, 8));
    let error = ledger.requeue("e", &Requeue::Cells(vec![FIRST.to_owned()]), "me").await.unwrap_err();
    assert!(matches!(error, LedgerError::Decided(_)));
    let void = Requeue::Void { cell: FIRST.to_owned(), reason: "a wrong judge".to_owned() };
    assert_eq!(ledger.requeue("e", &void, "me").await.unwrap().0, 1);
    assert_eq!(ledger.status("e").await.unwrap().cells.wanted, 1);
    assert_eq!(ledger.status("e").await.unwrap().spent.micro_usd, 7, "what is voided stays paid");
}

pub async fn a_silent_worker_loses_its_attempt_and_its_late_result_is_kept_only_where_nobody_began_anew(
    ledger: &Ledger,
) {
    ledger.enter(&plan(1, 2, 4)).await.unwrap();
    set_clock(ledger, 1_000_000).await;
    ledger.release(None, 2).await.unwrap();
    let (first, second) = (begin(ledger, FIRST, "w").await, begin(ledger, "e:0000000000000001", "w").await);
    wind(ledger, 44_000).await;
    assert_eq!(ledger.reap().await.unwrap(), 0);
    wind(ledger, 2_000).await;
    assert_eq!(ledger.reap().await.unwrap(), 2);
    let pulse = Pulse { beats: vec![Beat { lease: first.clone(), usage: used(3) }], ..Pulse::default() };
    assert_eq!(ledger.beat("w", &pulse).await.unwrap().orders[&first.attempt], Orders::Cancel);
    assert_eq!(ledger.end(&second, &finish(Class::Counts, 5)).await.unwrap(), Ended::Counted, "nobody has begun anew");
    ledger.release(None, 2).await.unwrap();
    let newer = begin(ledger, FIRST, "v").await;
    assert_eq!(ledger.end(&first, &finish(Class::Counts, 4)).await.unwrap(), Ended::Void);
    assert_eq!(ledger.end(&newer, &finish(Class::Counts, 1)).await.unwrap(), Ended::Counted);
    assert_eq!(ledger.status("e").await.unwrap().spent.micro_usd, 10, "void attempts cost, too");
}

pub async fn failures_are_counted_apart_and_make_a_cell_dead_while_giving_back_moves_nothing(ledger: &Ledger) {
    ledger.enter(&plan(1, 1, 4)).await.unwrap();
    let mut answers = Vec::new();
    for turn in 1..=3 {
        ledger.release(None, 1).await.unwrap();
        let lease = begin(ledger, FIRST, "w").await;
        ledger.give_back(&lease, &used(1), "drained").await.unwrap();
        ledger.release(None, 1).await.unwrap();
        let lease = begin(ledger, FIRST, "w").await;
        let ended = ledger.end(&lease, &finish(Class::Infra, 0)).await.unwrap();
        assert_eq!(ended, if turn < 3 { Ended::Owed } else { Ended::Dead });
        answers.push((lease, ended));
    }
    for (lease, ended) in &answers {
        let again = ledger.end(lease, &finish(Class::Infra, 0)).await.unwrap();
        assert_eq!(again, *ended, "the cell is dead now, which is not what this caller was told");
    }
    let status = ledger.status("e").await.unwrap();
    assert_eq!((status.cells.dead, status.spent.micro_usd, &status.failures[0].0[..]), (1, 3, "given_back"));
    assert_eq!(ledger.requeue("e", &Requeue::Code("trouble".to_owned()), "me").await.unwrap().0, 1);
    ledger.release(None, 1).await.unwrap();
    let lease = begin(ledger, FIRST, "w").await;
    assert_eq!(ledger.end(&lease, &finish(Class::Provider, 0)).await.unwrap(), Ended::Owed);
}

pub async fn a_budget_is_reserved_before_release_and_raised_while_it_runs(ledger: &Ledger) {
    let budget = Budget { micro_usd: Some(250), ..Budget::default() };
    ledger.enter(&Plan { budget, ..plan(1, 9, 9) }).await.unwrap();
    let released = ledger.release(None, 9).await.unwrap();
    assert_eq!((released.tickets.len(), released.bounds), (2, vec![Bound::Budget("e".to_owned())]));
    let lease = begin(ledger, &released.tickets[0].cell, "w").await;
    ledger.end(&lease, &finish(Class::Counts, 40)).await.unwrap();
    assert_eq!(ledger.release(None, 9).await.unwrap().tickets.len(), 1, "40 are spent, 100 reserved, 100 more fit");
    assert_eq!(ledger.release(None, 9).await.unwrap().tickets.len(), 0);
    ledger.set_limit("e", &Scope::Experiment, Limit::Usd, Some(1_000), "me").await.unwrap();
    assert_eq!(ledger.release(None, 9).await.unwrap().tickets.len(), 6);
}

pub async fn cells_of_a_stream_go_one_after_another(ledger: &Ledger) {
    let mut stream = plan(1, 3, 9);
    stream.arms[0].is_stream = true;
    ledger.enter(&stream).await.unwrap();
    for item in 0..3 {
        let released = ledger.release(None, 9).await.unwrap();
        assert_eq!(released.tickets.len(), 1);
        assert!(released.tickets[0].cell.ends_with(&item.to_string()));
        assert_eq!(ledger.release(None, 9).await.unwrap().tickets.len(), 0);
        let lease = begin(ledger, &released.tickets[0].cell, "w").await;
        ledger.end(&lease, &finish(Class::Counts, 0)).await.unwrap();
    }
    assert!(ledger.status("e").await.unwrap().cells.is_over());
}

pub async fn workers_get_their_share_of_a_lane_are_held_and_drained(ledger: &Ledger) {
    ledger.enter(&plan(1, 3, 9)).await.unwrap();
    let worker = |id: &str| Worker {
        id: id.to_owned(),
        host: "h".to_owned(),
        build: "b".to_owned(),
        pins: serde_json::json!({}),
        slots: 4,
    };
    ledger.join(&worker("v")).await.unwrap();
    ledger.join(&worker("w")).await.unwrap();
    assert_eq!(ledger.free_slots().await.unwrap(), 8);
    let tickets = ledger.release(None, 9).await.unwrap().tickets;
    assert_eq!(ledger.free_slots().await.unwrap(), 5);
    let mut beats = Vec::new();
    for (ticket, worker) in tickets.iter().zip(["v", "v", "w"]) {
        beats.push(Beat { lease: begin(ledger, &ticket.cell, worker).await, usage: used(1) });
    }
    let pulse = Pulse { beats, ..Pulse::default() };
    assert_eq!(ledger.beat("v", &pulse).await.unwrap().shares["lane"].rpm, Some(400));
    ledger.set_gate("e", &Scope::Experiment, Gate::Held, "me", None).await.unwrap();
    ledger.drain_worker("v", Some("five failures in a row")).await.unwrap();
    let beaten = ledger.beat("v", &pulse).await.unwrap();
    assert!(beaten.drains && beaten.orders.values().all(|order| *order == Orders::Hold));
    assert_eq!(ledger.free_slots().await.unwrap(), 1);
    let rows = ledger.workers().await.unwrap();
    assert_eq!((rows[0].running, rows[0].state, rows[1].running), (2, Gate::Draining, 1));
}

/// Requests of an attempt, each tried five times within half a minute unless it is held.
struct Asking {
    lease: Lease,
    tries: u32,
    next: i64,
    is_held: bool,
}

/// An endpoint that is gone for ten minutes, with sixteen attempts in flight.
pub async fn an_outage_of_ten_minutes_holds_a_lane_and_costs_no_cell_its_tries(ledger: &Ledger) {
    const BACK: i64 = 600_000;
    ledger.enter(&plan(1, 20, 16)).await.unwrap();
    set_clock(ledger, 0).await;
    let (mut asking, mut lane, mut requests): (Vec<Asking>, _, u32) = (Vec::new(), LaneReport::default(), 0);
    let mut at = 0;
    while !ledger.status("e").await.unwrap().cells.is_over() {
        for ticket in ledger.release(None, 20 - asking.len() as u64).await.unwrap().tickets {
            let lease = begin(ledger, &ticket.cell, "w").await;
            asking.push(Asking { lease, tries: 0, next: at, is_held: false });
        }
        let beats = asking.iter().map(|one| Beat { lease: one.lease.clone(), usage: used(0) }).collect();
        let lanes = [("lane".to_owned(), std::mem::take(&mut lane))].into();
        let orders = ledger.beat("w", &Pulse { beats, lanes }).await.unwrap().orders;
        for one in &mut asking {
            one.is_held = orders[&one.lease.attempt] == Orders::Hold;
        }
        for mut one in std::mem::take(&mut asking) {
            if one.is_held || one.next > at {
                asking.push(one);
            } else if at >= BACK {
                lane.succeeded += 1;
                ledger.end(&one.lease, &finish(Class::Counts, 1)).await.unwrap();
            } else {
                (requests, lane.failed, one.tries) = (requests + 1, lane.failed + 1, one.tries + 1);
                lane.failing.push(one.lease.attempt.clone());
                one.next = at + (1_000 << one.tries);
                match one.tries {
                    5 => drop(ledger.end(&one.lease, &finish(Class::Provider, 0)).await.unwrap()),
                    _ => asking.push(one),
                }
            }
        }
        assert!(at < 2 * BACK, "it does not end");
        at += 5_000;
        wind(ledger, 5_000).await;
    }
    let (status, cells) = (ledger.status("e").await.unwrap(), ledger.cells("e").await.unwrap());
    assert_eq!((status.cells.decided, status.cells.dead), (20, 0));
    assert!(cells.iter().all(|cell| cell.provider == 0 && cell.tries <= 3), "{cells:?}");
    assert!(requests < 60, "an endpoint that is gone was asked {requests} times");
}

pub async fn there_is_one_steward_until_it_is_silent(ledger: &Ledger) {
    set_clock(ledger, 5_000).await;
    assert!(ledger.be_steward("a").await.unwrap());
    assert!(!ledger.be_steward("b").await.unwrap());
    wind(ledger, 29_000).await;
    assert!(ledger.be_steward("a").await.unwrap());
    wind(ledger, 30_001).await;
    assert!(ledger.be_steward("b").await.unwrap());
    assert!(!ledger.be_steward("a").await.unwrap());
}

pub async fn who_takes_over_from_the_dead_goes_on_at_once(ledger: &Ledger) {
    ledger.enter(&plan(1, 3, 9)).await.unwrap();
    ledger.release(Some("other"), 9).await.unwrap();
    assert_eq!(ledger.status("e").await.unwrap().cells.wanted, 3, "the other's are not ours");
    ledger.release(Some("e"), 9).await.unwrap();
    begin(ledger, FIRST, "w").await;
    let finished = begin(ledger, "e:0000000000000001", "w").await;
    let unended = ledger.unended("e").await.unwrap();
    assert_eq!((unended.len(), &unended[1].lease, &unended[1].item[..]), (2, &finished, "item-1"));
    assert_eq!(ledger.end(&unended[1].lease, &finish(Class::Counts, 2)).await.unwrap(), Ended::Counted);
    assert_eq!(ledger.interrupted("e").await.unwrap(), 1);
    let status = ledger.status("e").await.unwrap();
    assert_eq!((status.cells.wanted, status.cells.decided, status.cells.released), (2, 1, 0));
    assert_eq!(ledger.cells("e").await.unwrap()[0].infra, 0, "being killed is no failure of the testbed");
}
