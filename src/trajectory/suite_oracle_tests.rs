//! Tests of `suite_oracle`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;
use crate::project::Project;

fn project(volume: f64, blocks: &Value) -> Vec<u8> {
    let digest = "0123456789abcdef0123456789abcdef";
    let costume = json!({"name": "a", "assetId": digest, "dataFormat": "svg", "md5ext": format!("{digest}.svg")});
    let stage = json!({"isStage": true, "name": "Stage", "variables": {"v": ["v", 0.1]}, "lists": {}, "broadcasts": {},
        "blocks": blocks, "comments": {}, "currentCostume": 0, "costumes": [costume], "sounds": [], "volume": volume,
        "layerOrder": 0});
    let json = json!({"targets": [stage], "monitors": [], "extensions": [],
        "meta": {"semver": "3.0.0", "vm": "15.1.1", "agent": ""}});
    let assets = BTreeMap::from([(format!("{digest}.svg"), b"<svg/>".to_vec())]);
    Project { json, assets }.pack().unwrap()
}

#[tokio::test]
async fn a_page_gets_what_was_packed_here_as_it_is_and_nothing_that_was_refused() {
    let own = project(1.0 / 3.0, &json!({}));
    assert_eq!(checked(&own).await, Ok(own), "hashes of candidates and traces stay");
    assert!(checked(b"no project").await.is_err());
    assert!(checked(&project(100.0, &json!({"a": [99, "x"]}))).await.is_err(), "the machine would not survive it");
}
