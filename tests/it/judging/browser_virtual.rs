//! Virtual time against the real VM: heavy programs end in time, drawing changes no trace, and neither do the
//! judgements before it. It exercises lib/virtual-clock.js and what hangs on it in the page.

use std::path::Path;
use std::time::Instant;

use scratchbed::compile::{build_file, kept};
use scratchbed::files::Checkout;
use scratchbed::judge::{Conditions, Judges};
use scratchbed::model::{Clock, Outcome, StageSize, Verdict};
use scratchbed::session::Fleet;
use scratchbed::taskset::{TaskEntry, TaskSet};

use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::{of_the_day, root};

/// Scripts that go on for ever, with what is told of them: an engine that searches a text has no place to halt at.
const ENDLESS: [(&str, &str, &str); 2] = [
    ("endless", "module.exports = async vm => {\n  while (true) vm.start();\n};", "eval-scripts/endless.js:2"),
    (
        "search",
        "module.exports = async () => 'a'.repeat(1 << 25).includes('a'.repeat(1 << 22) + 'b' + 'a'.repeat(1 << 22));",
        "could not be halted",
    ),
];

fn task(id: &str) -> TaskEntry {
    TaskSet::read(root()).unwrap().find(id).unwrap().clone()
}

/// A task with this script in the place of its own, and a minute of project time.
fn with_script(scripts: &Path, name: &str) -> TaskEntry {
    let mut entry = task("kite_gusts");
    name.clone_into(&mut entry.task.evaluation);
    (entry.task.limits.case_ms, entry.task.limits.task_ms) = (10_000, 60_000);
    scripts.clone_into(&mut entry.scripts);
    entry
}

/// The project of a text, from the checkout's cache if it was built before.
async fn built(fleet: &Fleet, text: &Path) -> Vec<u8> {
    kept(&Checkout::at(root()).projects(), text, async || build_file(fleet, text).await).await.unwrap()
}

async fn judge(judges: &Judges, entry: &TaskEntry, sb3: &[u8], how: Conditions) -> Verdict {
    judges.judge(entry, sb3, &how).await.unwrap().verdict
}

#[test]
fn heavy_programs_and_endless_scripts_end_and_leave_no_trace_in_the_next_judgement() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        let how = Conditions::seeded(1);
        let kite = task("kite_gusts");
        let golden = built(&fleet, &kite.golden()).await;
        let before = judge(&judges, &kite, &golden, how).await;
        assert_eq!(before.outcome, Outcome::Passed, "{before:#?}");

        let scripts = tempfile::tempdir().unwrap();
        std::fs::create_dir(scripts.path().join("lib")).unwrap();
        let fixtures = root().join("tests/fixtures/judging");
        std::fs::copy(fixtures.join("heavy.js"), scripts.path().join("heavy.js")).unwrap();
        for (name, source, _) in ENDLESS {
            std::fs::write(scripts.path().join(format!("{name}.js")), source).unwrap();
        }
        std::fs::write(
            scripts.path().join("spoiler.js"),
            "Array.prototype.map = null; Math.random = () => 4; delete Object.keys;\nmodule.exports = async () => 1;",
        )
        .unwrap();

        let heavy = built(&fleet, &fixtures.join("heavy.txt")).await;
        // `a_trace_depends_on_the_seed_and_not_on_drawing` shows that programs leave the same trace each time.
        let ended = judge(&judges, &with_script(scripts.path(), "heavy"), &heavy, how).await;
        assert_eq!(ended.outcome, Outcome::Passed, "{ended:#?}");

        for (name, _, told) in of_the_day(&ENDLESS, 1) {
            let endless = judge(&judges, &with_script(scripts.path(), name), &golden, how).await;
            assert_eq!(endless.outcome, Outcome::JudgeError, "{endless:#?}");
            assert!(endless.error.as_ref().is_some_and(|error| error.contains(told)), "{endless:#?}");
        }
        let spoiler = judge(&judges, &with_script(scripts.path(), "spoiler"), &golden, how).await;
        assert_eq!(spoiler.outcome, Outcome::JudgeError, "{spoiler:#?}");

        let after = judge(&judges, &kite, &golden, how).await;
        assert_eq!((after.outcome, after.trace_hash), (before.outcome, before.trace_hash));
        judges.close().await;
        fleet.shutdown().await;
    });
}

#[test]
fn what_a_program_drew_on_leaves_no_trace_in_the_next_judgement() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        let mut hashes = Vec::new();
        // The lantern speaks, the snail draws: bubbles and the pen's sheet lie among the sprites' layers.
        for id in ["porch_lantern", "snail_fence", "snail_fence", "porch_lantern"] {
            let entry = task(id);
            let golden = built(&fleet, &entry.golden()).await;
            let verdict = judge(&judges, &entry, &golden, Conditions::seeded(1)).await;
            assert_eq!(verdict.outcome, Outcome::Passed, "{verdict:#?}");
            hashes.push(verdict.trace_hash.unwrap());
        }
        assert_eq!((&hashes[0], &hashes[1]), (&hashes[3], &hashes[2]));
        judges.close().await;
        fleet.shutdown().await;
    });
}

#[test]
fn a_trace_depends_on_the_seed_and_not_on_drawing() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        for &id in of_the_day(&["hungry_beetle", "stuck_ferry"], 1) {
            let entry = task(id);
            let golden = built(&fleet, &entry.golden()).await;
            let plain = judge(&judges, &entry, &golden, Conditions::seeded(1)).await;
            let drawn = judge(&judges, &entry, &golden, Conditions { draw: true, ..Conditions::seeded(1) }).await;
            assert!(plain.trace_hash.is_some());
            assert_eq!(plain.trace_hash, drawn.trace_hash, "{id}");
            let driven = judge(&judges, &entry, &golden, Conditions { drive: true, ..Conditions::seeded(1) }).await;
            assert_ne!(driven.trace_hash, plain.trace_hash, "{id}");
        }
        let heavy = root().join("tests/fixtures/judging/heavy.txt");
        let dots = built(&fleet, &heavy).await;
        let entry = task("kite_gusts");
        let driven = |seed| Conditions { drive: true, ..Conditions::seeded(seed) };
        let hash = |verdict: Verdict| verdict.trace_hash.unwrap();
        let one = hash(judge(&judges, &entry, &dots, driven(1)).await);
        assert_eq!(one, hash(judge(&judges, &entry, &dots, driven(1)).await));
        assert_ne!(one, hash(judge(&judges, &entry, &dots, driven(2)).await), "clones turn by chance");
        judges.close().await;
        fleet.shutdown().await;
    });
}

#[test]
fn virtual_time_is_told_in_the_verdict_and_passes_faster_than_real_time() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        let scripts = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(root().join("eval-scripts/lib"), scripts.path().join("lib")).unwrap();
        let script = "const {suite} = require('./lib/suite.js');\nmodule.exports = suite([{name: 'three seconds', run: \
                      async player => {\n  await player.flag();\n  await player.ticks.pass(90);\n}}]);\n";
        std::fs::write(scripts.path().join("passes.js"), script).unwrap();
        let entry = with_script(scripts.path(), "passes");
        let golden = built(&fleet, &entry.golden()).await;
        let started = Instant::now();
        let real = judge(&judges, &entry, &golden, Conditions { clock: Clock::Real, ..Conditions::seeded(1) }).await;
        let in_real_time = started.elapsed();
        let started = Instant::now();
        let fast = judge(&judges, &entry, &golden, Conditions::seeded(1)).await;
        assert!(started.elapsed() < in_real_time, "{:?} against {in_real_time:?}", started.elapsed());
        assert_eq!((real.outcome, fast.outcome), (Outcome::Passed, Outcome::Passed), "{real:#?}");
        assert_eq!((real.trace_hash, real.clock_parameters), (None, None));
        let parameters = fast.clock_parameters.unwrap();
        assert!((parameters.tick_ms - 1000.0 / 30.0).abs() < 1e-9 && parameters.epsilon_ms > 0.0);
        assert!(fast.project_ms.unwrap() > 2900.0);
        judges.close().await;
        fleet.shutdown().await;
    });
}

/// Scripts take the edges of the stage from the canvas. It is the same canvas for all judgements of a page with that size.
#[test]
fn scripts_see_a_canvas_of_the_stages_size_whatever_was_judged_before() {
    in_shared_browsers(async {
        let scripts = tempfile::tempdir().unwrap();
        let script = r"module.exports = async vm => {
        const {canvas} = vm.runtime.getTargetForStage().renderer.gl;
        const name = `${canvas.width} x ${canvas.height}`;
        canvas.width = 7;
        return {success: true, passed_tests: 1, total_tests: 1, details: [{name, passed: true}]};
    };";
        std::fs::write(scripts.path().join("canvas.js"), script).unwrap();
        let fleet = fleet().await;
        let judges = Judges::new(fleet.clone(), 1);
        let mut entry = with_script(scripts.path(), "canvas");
        let golden = built(&fleet, &entry.golden()).await;
        let (small, large) = ((StageSize::Small, "240 x 180"), (StageSize::Large, "480 x 360"));
        for clock in [Clock::Virtual, Clock::Real] {
            for (stage, size) in [small, large, small, small, large] {
                entry.task.stage = stage;
                let verdict = judge(&judges, &entry, &golden, Conditions { clock, ..Conditions::seeded(1) }).await;
                let seen: Vec<_> = verdict.details.iter().map(|case| case.name.as_str()).collect();
                assert_eq!(seen, [size], "{clock:?}: {verdict:#?}");
            }
        }
        judges.close().await;
        fleet.shutdown().await;
    });
}
