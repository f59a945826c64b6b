//! Items for unit tests, and a run of them whose answers were given elsewhere.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;

use super::items::SetWriter;
use super::*;
use crate::experiment::fakes::{arm, played};
use crate::experiment::{Plan, RunOptions};
use crate::store::RunDir;

pub(super) fn item_of(id: &str, tag: Tag, truth: &str) -> Item {
    Item {
        id: id.parse().unwrap(),
        task_type: tag.task_type(),
        tag,
        instruction: "Is there any `hide` block that is visible in the canvas?".to_owned(),
        screenshot: "001.png".to_owned(),
        ground_truth: truth.to_owned(),
    }
}

pub(super) fn item(tag: Tag) -> Item {
    item_of("7", tag, "secret")
}

pub(super) fn reply(id: &str, response: Option<&str>) -> Reply {
    Reply { id: id.to_owned(), response: response.map(str::to_owned), error: None }
}

#[tokio::test]
async fn answers_given_elsewhere_are_recorded_and_a_picture_is_kept_once() {
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set");
    let writer = SetWriter::create(&set, false).unwrap();
    writer.picture("001.png", b"a picture").unwrap();
    let items: Vec<Item> = (0..14).map(|id| item_of(&id.to_string(), Tag::ConnectionYes, "secret")).collect();
    writer.finish(Origin::Imported, items).unwrap();
    let set = PerceptionSet::read(&set).unwrap();
    let answers = BTreeMap::from([
        ("0".to_owned(), Ok("secret".to_owned())),
        ("1".to_owned(), Ok("other".to_owned())),
        ("2".to_owned(), Err("no credit".to_owned())),
    ]);
    let benchmark = Questions { set, answers: Answers::Given(answers) };
    let plan = Plan { benchmark: Questions::NAME, attempts: 2, items: benchmark.items(), ..Plan::default() };
    let dir = plan.open(&folder.path().join("runs"), None).unwrap();
    let manner = RunOptions { jobs: 3, retries: 2, retry_failed_calls: false };
    // Eleven items in a row without an answer: no agent is asked that could be gone.
    let arm = arm(benchmark, &dir);
    let records = played(&arm, manner).await.unwrap();
    let benchmark = &arm.benchmark;
    let ends: Vec<Outcome> = records.iter().step_by(2).take(4).map(|record| record.outcome).collect();
    let silent = Outcome::CallFailed;
    assert_eq!(ends, [Outcome::Passed, Outcome::Failed, silent, silent]);
    assert_eq!(benchmark.reason(&records[2]).as_deref(), Some("said other"));
    assert_eq!(benchmark.reason(&records[4]).as_deref(), Some("no credit"));
    assert_eq!(benchmark.reason(&records[0]), None);
    let seen = dir.path().join(RunDir::place(&records[15])).join(ask::SEEN);
    assert_eq!(fs::read(&seen).unwrap(), b"a picture");
    assert_eq!(fs::metadata(seen).unwrap().nlink(), 29, "28 attempts and the one that they share");
}
