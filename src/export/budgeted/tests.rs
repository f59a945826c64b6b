//! What lands in the files, and what is refused before any of them is written.

use std::collections::BTreeMap;
use std::path::Path;

use super::fakes::{run, trajectory, write};
use super::*;
use crate::grade::budgeted::figures;
use crate::model::{CaseSize, Coded as _, ControllerMode, Distance, Layer, Trajectory};

const MODE: ControllerMode = ControllerMode::Heuristic;

/// A file as rows by column.
fn read(folder: &Path, name: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(folder.join(name)).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn head(folder: &Path, name: &str) -> String {
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    text.split("\r\n").next().unwrap().replace(',', ", ")
}

fn cases(layers: &[(&str, Layer)]) -> Vec<Option<Trajectory>> {
    layers.iter().map(|(case, layer)| Some(trajectory(case, MODE, *layer))).collect()
}

#[test]
fn tables_have_the_columns_of_the_specification_and_what_is_absent_is_empty() {
    let folder = tempfile::tempdir().unwrap();
    let mut made = cases(&[("a", Layer::StrictSuccess), ("b", Layer::Request)]);
    if let Some(Some(first)) = made.first_mut() {
        first.size = Some(CaseSize { targets: 2, scripts: 3, blocks: 40, gold_ops: Some(4) });
        first.distance = Some(Distance { d_edit: Some(1), drift: None });
    }
    if let Some(Some(second)) = made.last_mut() {
        second.totals.usd = None;
    }
    let dir = write(folder.path(), run("r", "gpt-4o", MODE, &["a", "b"]), made);
    let out = folder.path().join("out");
    let exported = trajectories(&[dir], &out).unwrap();
    assert_eq!((exported.attempts, exported.files, exported.notes.len()), (2, 6, 0));

    let place = "run, case, model, provider, mode, replicate";
    let who = place.replace("case,", "case, mechanism,");
    let reached = "generation_success, strict_verify_success, layer, stop, attempts, best_attempt, checked, failed, p_b, mis, div_tick, inst, \
                   gap, level, d_edit, drift, trace_hash";
    let spent = "tries, input_tokens, cached_input_tokens, output_tokens, usd, unsettled, image_count, image_bytes, energy_wh, \
                 energy_marginal_wh, energy_method, energy_quality, wall_s, cpu_s, price_table";
    assert_eq!(head(&out, "functional_results.csv"), format!("{who}, {reached}"));
    assert_eq!(head(&out, "cost_results.csv"), format!("{place}, attempts, {spent}"));
    assert_eq!(head(&out, "trajectory_results.csv"), format!("{who}, {reached}, {spent}"));
    assert_eq!(
        head(&out, "attempt_results.csv"),
        format!(
            "{who}, attempt, plan, ops_cap, leak, layer, code, ops, coerced, normalised, images_available, images_inserted, image_bytes, \
             tries, cut, replayed, input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, usd, settled, call_s, apply_s, \
             precheck_outcome, precheck_s, full_outcome, full_s, candidate_sha256"
        )
    );

    let rows = read(&out, "trajectory_results.csv");
    let field = |row: usize, column: &str| rows[row][column].as_str();
    assert_eq!(
        (field(0, "mechanism"), field(0, "provider"), field(0, "mode")),
        ("broken, \"event\"", "openai", "heuristic")
    );
    assert_eq!((field(0, "layer"), field(0, "failed"), field(0, "trace_hash")), ("strict_success", "0", "t1"));
    assert_eq!((field(0, "usd"), field(1, "usd"), field(1, "best_attempt")), ("0.0013", "", ""));
    assert_eq!((field(0, "d_edit"), field(0, "drift"), field(0, "energy_wh"), field(1, "failed")), ("1", "", "", ""));
    let attempts = read(&out, "attempt_results.csv");
    assert_eq!(
        (attempts[0]["call_s"].as_str(), attempts[0]["apply_s"].as_str(), attempts[0]["ops"].as_str()),
        ("2.0", "", "")
    );
    assert_eq!((attempts[0]["plan"].as_str(), attempts[0]["full_outcome"].as_str()), ("M1", "pass"));
}

#[test]
fn cases_and_cells_are_summed_and_modes_that_were_not_run_are_empty() {
    let folder = tempfile::tempdir().unwrap();
    let made = cases(&[("a", Layer::StrictSuccess), ("b", Layer::Full)]);
    let one = write(folder.path(), run("r", "gpt-4o", MODE, &["a", "b"]), made.clone());
    let fixed = run("f", "gpt-4o", ControllerMode::Fixed, &["a", "b"]);
    let other = write(folder.path(), fixed, vec![Some(trajectory("a", ControllerMode::Fixed, Layer::Schema)), None]);
    let out = folder.path().join("out");
    let exported = trajectories(&[one, other], &out).unwrap();
    assert_eq!(exported.notes, ["missing: b, gpt-4o, fixed, replicate 1"], "the testbed broke there");
    assert_eq!((exported.left_out[0].why, exported.left_out[0].count), ("infra_error", 1));
    let cells = read(&out, "cells.csv");
    assert_eq!(cells.len(), 2);
    let fixed = cells.iter().find(|cell| cell["mode"] == "fixed").unwrap();
    let of = |column: &str| fixed[column].as_str();
    assert_eq!([of("n"), of("not_counted"), of("gen"), of("with_images"), of("mean_wh")], ["1", "1", "0", "1", ""]);
    let summaries = read(&out, "case_summaries.csv");
    let of = |case: usize, column: &str| summaries[case][column].as_str();
    assert_eq!(summaries.len(), 2);
    assert_eq!([of(0, "heuristic_strict_successes"), of(1, "heuristic_generation_successes")], ["1", "1"]);
    assert_eq!([of(0, "fixed_trajectories"), of(1, "fixed_trajectories"), of(0, "text_only_mean_usd")], ["1", "", ""]);
    assert_eq!([of(0, "targets"), of(0, "level"), of(0, "images_available")], ["", "1", "3"]);
}

#[test]
fn what_would_count_twice_or_does_not_compare_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let of = |id: &str, mode, change: fn(&mut Trajectory)| {
        let mut made = trajectory("a", mode, Layer::Full);
        change(&mut made);
        write(folder.path(), run(id, "gpt-4o", mode, &["a"]), vec![Some(made)])
    };
    let same = |_: &mut Trajectory| ();
    let first = of("r1", MODE, same);
    let other_plans = |made: &mut Trajectory| drop(made.hashes.insert("plans".to_owned(), "p2".to_owned()));
    let other_case = |made: &mut Trajectory| drop(made.hashes.insert("buggy".to_owned(), "b2".to_owned()));
    let other_profile = |made: &mut Trajectory| "own".clone_into(&mut made.profile);
    let set = |mut record: crate::model::RunRecord| {
        "other".clone_into(&mut record.set);
        record
    };
    let mode = ControllerMode::Fixed;
    let of_other_set = write(folder.path(), set(run("r5", "gpt-4o", mode, &["a"])), vec![None]);
    let mut plain = run("r6", "gpt-4o", mode, &["a"]);
    "baseline".clone_into(&mut plain.setting);
    let no_mode = write(folder.path(), plain, vec![None]);
    let refused = [
        (of("r2", MODE, same), "trajectory_twice"),
        (of("r3", mode, other_plans), "digests_mixed"),
        (of("r4", mode, other_case), "digests_mixed"),
        (of("r7", mode, other_profile), "digests_mixed"),
        (of_other_set, "digests_mixed"),
        (no_mode, "no_controller_mode"),
    ];
    let out = folder.path().join("out");
    for (second, code) in refused {
        let error = trajectories(&[first.clone(), second], &out).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert!(!out.exists());
    }
}

#[test]
fn every_place_of_the_matrix_at_which_nothing_counts_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let one = write(folder.path(), run("r1", "gpt-4o", MODE, &["a", "b"]), cases(&[("a", Layer::Full)]));
    let mode = ControllerMode::Fixed;
    let other =
        write(folder.path(), run("r2", "gemini-2.5-pro", mode, &["a"]), vec![Some(trajectory("a", mode, Layer::Full))]);
    let matrix = Matrix::read(&[one, other]).unwrap();
    let missing: Vec<String> = matrix.missing().iter().map(ToString::to_string).collect();
    assert_eq!(missing.len(), 6, "2 cases, 2 models, 2 modes, and 2 of these 8 are there: {missing:?}");
    assert!(missing.contains(&"b, gpt-4o, heuristic, replicate 1".to_owned()));
    assert!(missing.contains(&"a, gpt-4o, fixed, replicate 1".to_owned()));
    let figures = figures(&matrix.rows(), &matrix.not_counted());
    assert_eq!((figures.models.len(), figures.cells.len(), figures.cases), (2, 2, 1));
}
