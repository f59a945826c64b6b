//! What of an earlier check still counts.

use super::*;

#[tokio::test]
async fn a_certificate_counts_until_something_changes() {
    let folder = tempfile::tempdir().unwrap();
    let entry = entry_in(folder.path());
    assert_eq!(current(&entry, OPTIONS), Err(Stale::Missing));
    let judge = FakeJudge::new(fair);
    let certificate = certify(&entry, &projects(false), &&judge, OPTIONS, None, &|_| ()).await.unwrap();
    let keep = |certificate: &Certificate| {
        std::fs::write(folder.path().join(CERTIFICATE_FILE), serde_json::to_vec(certificate).unwrap()).unwrap();
    };
    keep(&Certificate { editor: crate::judge::editor(), ..certificate.clone() });
    assert_eq!(current(&entry, OPTIONS).unwrap().hashes, certificate.hashes);
    let elsewhere = tempfile::tempdir().unwrap();
    assert_eq!(current_in(&entry, elsewhere.path(), OPTIONS), Err(Stale::Missing));
    let kept = elsewhere.path().join(CERTIFICATE_FILE);
    std::fs::copy(folder.path().join(CERTIFICATE_FILE), kept).unwrap();
    assert_eq!(current_in(&entry, elsewhere.path(), OPTIONS).unwrap().hashes, certificate.hashes);
    assert!(matches!(current(&entry, CheckOptions { seeds: 4, ..OPTIONS }), Err(Stale::Changed(_))));
    assert!(matches!(current(&entry, CheckOptions { mutants: 41, ..OPTIONS }), Err(Stale::Changed(_))));
    for more in [
        CheckOptions { behaviours: 21, ..OPTIONS },
        CheckOptions { collateral: 41, ..OPTIONS },
        CheckOptions { benign: 11, ..OPTIONS },
        CheckOptions { late: 11, ..OPTIONS },
    ] {
        assert!(matches!(current(&entry, more), Err(Stale::Changed(_))));
    }
    std::fs::write(entry.golden(), "another").unwrap();
    assert!(matches!(current(&entry, OPTIONS), Err(Stale::Changed(_))));
    std::fs::write(entry.golden(), "").unwrap();
    keep(&Certificate { editor: "another".to_owned(), ..certificate.clone() });
    assert!(matches!(current(&entry, OPTIONS), Err(Stale::Changed(_))));
    keep(&Certificate { certified: false, ..certificate });
    assert_eq!(current(&entry, OPTIONS), Err(Stale::Refused));
}

#[tokio::test]
async fn judgements_are_reused_unless_fresh_ones_are_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let judge = FakeJudge::new(fair);
    let calls = async |fresh: bool, surroundings: &str| {
        let before = judge.calls.load(Ordering::SeqCst);
        let kept = KeptJudge::new(&judge, folder.path().to_owned(), surroundings.to_owned(), fresh);
        let certificate = certify(&entry(), &projects(true), &kept, OPTIONS, None, &|_| ()).await.unwrap();
        assert!(certificate.initial_failed);
        judge.calls.load(Ordering::SeqCst) - before
    };
    let first = calls(false, "editor 1").await;
    assert!(first > 10);
    assert_eq!(calls(false, "editor 1").await, 0);
    assert_eq!(calls(true, "editor 1").await, first);
    assert_eq!(calls(false, "editor 2").await, first);
}
