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
