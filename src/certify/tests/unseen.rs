//! Certificates of tasks with sprites that must be seen: each of them must have been tried unseen.

use super::*;
use crate::certify::UnseenTrial;

fn blind() -> FakeJudge {
    FakeJudge { blind: true, ..FakeJudge::new(fair) }
}

#[tokio::test]
async fn a_judge_that_asks_what_a_player_sees_refuses_a_sprite_that_nobody_does() {
    let certificate = checked(fair, false).await;
    let wanted = UnseenTrial { reads: true, refused: vec!["Kite".to_owned()], ..UnseenTrial::default() };
    assert_eq!((certificate.certified, certificate.unseen), (true, Some(wanted)));
}

#[tokio::test]
async fn a_judge_that_passes_what_nobody_sees_is_refused_whatever_the_author_says() {
    let blindly = "its script looks at sprites, and passes whichever of them is never seen";
    let certificate = certify(&entry(), &projects(false), &&blind(), OPTIONS, None, &|_| ()).await.unwrap();
    let reason = "it passes though nobody sees Kite, and equivalent.json gives no reason for unseen:Kite";
    assert_eq!((certificate.certified, certificate.reasons), (false, vec![reason.to_owned(), blindly.to_owned()]));
    assert_eq!(certificate.unseen.unwrap().passed, ["Kite"]);

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("equivalent.json"), r#"{"unseen:Kite": "the instruction lets it hide"}"#)
        .unwrap();
    let entry = entry_in(folder.path());
    let certificate = certify(&entry, &projects(false), &&blind(), OPTIONS, None, &|_| ()).await.unwrap();
    let trial = certificate.unseen.unwrap();
    assert_eq!((trial.passed.len(), trial.allowed["Kite"].as_str()), (0, "the instruction lets it hide"));
    assert_eq!(certificate.reasons, [blindly]);
}

#[tokio::test]
async fn a_reason_for_a_sprite_that_is_never_shown_names_no_mutant() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("equivalent.json"), r#"{"unseen:Owl": "it is decoration"}"#).unwrap();
    let judge = FakeJudge::new(fair);
    let certificate =
        certify(&entry_in(folder.path()), &projects(false), &&judge, OPTIONS, None, &|_| ()).await.unwrap();
    assert_eq!(certificate.reasons, ["equivalent.json names no mutant: unseen:Owl"]);
}

#[tokio::test]
async fn an_earlier_certificate_without_such_trials_gets_them_and_nothing_is_judged_again() {
    let folder = tempfile::tempdir().unwrap();
    let entry = entry_in(folder.path());
    let judge = FakeJudge::new(fair);
    let whole = certify(&entry, &projects(false), &&judge, OPTIONS, None, &|_| ()).await.unwrap();
    let old = Certificate { unseen: None, editor: crate::judge::editor(), ..whole.clone() };
    std::fs::write(folder.path().join(CERTIFICATE_FILE), serde_json::to_vec(&old).unwrap()).unwrap();
    let stale = current(&entry, OPTIONS).unwrap_err();
    assert_eq!(stale, Stale::Changed("each of its sprites was to be tried unseen"));

    judge.calls.store(0, Ordering::SeqCst);
    let kept = still_good(&entry, OPTIONS).unwrap();
    let again = certify(&entry, &projects(false), &&judge, OPTIONS, Some(kept), &|_| ()).await.unwrap();
    assert_eq!((again.certified, &again.unseen), (true, &whole.unseen));
    assert_eq!(judge.calls.load(Ordering::SeqCst), 1);
}
