//! Who may join a fleet: a worker that would measure an experiment in another way is refused with what differs.

use scratchbed::ledger::{ArmPlan, Budget, CellPlan, LanePlan, Ledger, Plan, Retry};
use serde_json::{Value, json};

use crate::support::fleet_machines::{Machines, file};

/// An experiment as another program entered it.
fn entered(pins: Value, spec: Value) -> Plan {
    Plan {
        id: "elsewhere".to_owned(),
        name: "elsewhere".to_owned(),
        file: file("elsewhere").0,
        run: None,
        pins,
        budget: Budget::default(),
        retry: Retry::default(),
        lanes: vec![LanePlan { name: "local".to_owned(), in_flight: 2, rpm: None, tpm: None }],
        arms: vec![ArmPlan {
            label: "oracle-composite".to_owned(),
            spec,
            digest: "of another set".to_owned(),
            lane: "local".to_owned(),
            is_stream: false,
            cap_micro_usd: None,
            cap_tokens: None,
        }],
        cells: vec![CellPlan {
            arm: 0,
            item: "stuck_ferry".to_owned(),
            epoch: 1,
            seed: 1,
            key: "of another cell".to_owned(),
        }],
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_with_another_program_or_task_set_is_refused_before_it_takes_anything() {
    let machines = Machines::start();
    let ledger = Ledger::connect(machines.queue(), None).await.unwrap().with_queue(machines.queue(), 1).await.unwrap();
    let pins = json!({"version": "0.0.1", "build": "b", "editor": "1.2.3", "judge": "j"});
    ledger.enter(&entered(pins, json!({"set": "another", "mode": "composite"}))).await.unwrap();
    let worker = ["worker", "--queue", "env:SCRATCHBED_TEST_QUEUE", "--slots", "1"];
    let refused = machines.call(&worker).answer().await;
    assert_eq!((refused.code, refused["error"]["code"].as_str()), (3, Some("worker_differs")), "{refused:#}");
    let message = refused["error"]["message"].as_str().unwrap();
    for part in [
        r#"elsewhere: version: "0.0.1" there"#,
        r#"elsewhere: build: "b" there"#,
        r#"elsewhere: editor: "1.2.3" there"#,
        r#"elsewhere: oracle-composite: set: "another" there"#,
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(!message.contains("oracle-composite: mode"), "that is alike: {message}");
    assert!(ledger.workers().await.unwrap().is_empty() && ledger.attempts("elsewhere").await.unwrap().is_empty());
    ledger.close().await;
}
