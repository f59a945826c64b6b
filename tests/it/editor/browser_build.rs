//! Project text to `.sb3` and back, through `notation-catalogue.js` and `build-scripts.js` in the real editor.

use std::path::{Path, PathBuf};
use std::time::Duration;

use scratchbed::compile::{BuildError, NOTATION_CATALOGUE, Source, compile, compile_noting, decompile, draw};
use scratchbed::model::Coded;
use scratchbed::project::Project;
use scratchbed::project::catalogue::{Catalogue, Entry, Part};
use serde_json::{Map, Value, json};

use crate::support::browsers::{fleet, in_shared_browsers, own_fleet};
use crate::support::{MODEL_TASKS, of_the_day, project_texts, root};

const SAMPLES: [&str; 3] = ["kite", "music-box", "names"];

fn sample(name: &str) -> Source {
    Source::read(&root().join("tests/fixtures/projects").join(name).join("project.txt")).unwrap()
}

#[test]
fn the_snapshot_of_the_catalogue_is_that_of_the_editor() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let page = &lease.page;
        let live = page.call(&NOTATION_CATALOGUE, &()).await.unwrap();
        let file = root().join("src/project/catalogue.json");
        if std::env::var_os("SCRATCHBED_UPDATE_CATALOGUE").is_some() {
            let text = serde_json::to_string_pretty(&live).unwrap();
            std::fs::write(&file, text + "\n").unwrap();
        }
        // The table is too long to be printed on failure.
        assert!(live == *Catalogue::pinned(), "run this test with SCRATCHBED_UPDATE_CATALOGUE=1 and build again");
        fleet.release(lease).await;
    });
}

/// One of the browsers is that of all tests, the other one is new.
#[test]
fn canonical_text_comes_back_the_same_and_two_browsers_build_the_same_bytes() {
    in_shared_browsers(async {
        let mut builds: Vec<Vec<Vec<u8>>> = Vec::new();
        let mut order = SAMPLES.to_vec();
        for fleet in [fleet().await, own_fleet().await] {
            let lease = fleet.acquire().await.unwrap();
            let page = &lease.page;
            let mut built = Vec::new();
            for name in &order {
                let source = sample(name);
                let sb3 = compile(page, &source).await.unwrap().write().unwrap();
                let (text, parts) = decompile(&sb3).unwrap();
                assert_eq!(text, source.text, "{name}");
                assert_eq!(parts.missing, Vec::<String>::new());
                for (file, bytes) in parts.files {
                    assert_eq!(Some(bytes), source.asset(&file), "{file}");
                }
                built.push(sb3);
            }
            builds.push(built);
            fleet.release(lease).await;
            fleet.shutdown().await;
            // The second browser builds them in another order.
            order.reverse();
        }
        builds[1].reverse();
        assert!(builds[0] == builds[1]);
    });
}

/// Task texts are written by people and need not be canonical; what they build must come back the same all the same.
#[test]
fn the_bundled_projects_build_and_come_back_the_same() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let page = &lease.page;
        let texts = task_texts();
        assert!(texts.len() >= 8, "four tasks with an initial and a golden project each");
        // Half of them on each day.
        for path in of_the_day(&texts, texts.len().div_ceil(2)) {
            let first =
                compile(page, &Source::read(path).unwrap()).await.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let first = first.write().unwrap();
            let folder = tempfile::tempdir().unwrap();
            let canonical = unpack(&first, folder.path());
            let second = compile(page, &canonical).await.unwrap().write().unwrap();
            assert!(first == second, "{} changes on its way through text", path.display());
            assert_eq!(decompile(&second).unwrap().0, canonical.text);
        }
        fleet.release(lease).await;
    });
}

/// The texts of the bases and of the model tasks.
fn task_texts() -> Vec<PathBuf> {
    let entries = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let is_base = |folder: &Path| folder.parent().is_some_and(|parent| parent.ends_with("bases"));
    let is_model = |folder: &Path| MODEL_TASKS.iter().any(|id| folder.ends_with(id));
    let tasks = entries(root().join("tasks")).flat_map(entries).filter(|folder| is_base(folder) || is_model(folder));
    let mut texts: Vec<PathBuf> =
        tasks.flat_map(entries).filter(|path| path.extension().is_some_and(|end| end == "txt")).collect();
    texts.sort();
    texts
}

/// Turns a project file into its text, with the assets in a folder.
fn unpack(sb3: &[u8], folder: &Path) -> Source {
    let (text, parts) = decompile(sb3).unwrap();
    for (file, bytes) in parts.files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    Source { text, folders: vec![folder.to_owned()], path: None }
}

#[test]
fn every_block_of_the_editor_survives_the_way_through_text() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let page = &lease.page;
        let project = all_blocks();
        let folder = tempfile::tempdir().unwrap();
        let first = unpack(&project.write().unwrap(), folder.path());
        let built = compile(page, &first).await.unwrap();
        let (second, _) = decompile(&built.write().unwrap()).unwrap();
        assert_eq!(first.text, second);
        assert_eq!(opcodes(&project), opcodes(&built));
        fleet.release(lease).await;
    });
}

#[test]
fn faults_in_scripts_are_named_with_their_line() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let page = &lease.page;
        for (script, code, wanted, at) in [
            ("jump (10) times", "unknown_block", ":: custom", 0),
            ("mvoe (10) steps", "unknown_block", "did you mean: move (STEPS) steps", 0),
            ("hide\n    wait (0.5) secnds", "unknown_block", "did you mean: wait (DURATION) seconds", 1),
            ("when [spcae v] key pressed", "bad_choice", "did you mean \"space\"?", 0),
            ("set [scoer v] to [0]", "unknown_variable", "did you mean \"score\"?", 0),
            ("hide\n    show\n    delete all of [song v]", "unknown_list", "list \"song\"", 2),
            ("say (scoer)", "unknown_reporter", "did you mean \"score\"?", 0),
            ("if [yes] then\n    end", "bad_slot", "", 0),
            ("move (mouse-pointer v) steps", "bad_slot", "", 0),
            ("forever\n    end\n    hide", "bad_script", "`script`", 2),
            ("forever\n      hide", "missing_end", "`end`", 0),
            ("opcode motion_fly [X] (1)", "unknown_opcode", "translate", 0),
            ("say (opcode weather_getSunshine)", "unknown_opcode", "extensions", 0),
            ("opcode motion_movesteps [FAR] (1)", "unknown_input", "STEPS", 0),
            ("say (when green flag clicked)", "unknown_reporter", "", 0),
            ("hide\n    wait until <(1) + (2)>\n    show", "block_refused", "compare it: <((1) + (2)) = [1]>", 1),
            ("if (score) then\n      hide\n    end", "block_refused", "compare it: <(score) = [1]>", 0),
            ("hide\n    set size to (40 %\n    show", "unclosed_bracket", "bracket", 1),
            ("switch costume to (cloud)", "unknown_reporter", "did you mean (cloud v)?", 0),
            ("forever\n\thide\n    end", "bad_indentation", "", 1),
        ] {
            let mut source = sample("kite");
            let first = source.text.lines().count() + 3;
            source.text.extend(["\n  script\n    ", script, "\n"]);
            let error = compile(page, &source).await.unwrap_err();
            assert_eq!(error.code(), code, "{script}: {error}");
            assert!(error.hint().unwrap_or_default().contains(wanted), "{script}: {:?}", error.hint());
            assert!(error.to_string().contains(&format!("project.txt:{}: ", first + at)), "{script}: {error}");
        }
        // The page works on after each of them.
        compile(page, &sample("kite")).await.unwrap();
        fleet.release(lease).await;
    });
}

#[test]
fn all_faults_of_a_text_are_told_at_once_by_line_and_warnings_with_what_is_built() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let page = &lease.page;
        let mut source = sample("kite");
        let first = source.text.lines().count() + 1;
        source.text.push_str(
            "  sound \"gone\" file \"assets/gone.wav\"\n  wings 2\n  script\n    jump\n    forever\n      fly\n",
        );
        source
            .text
            .push_str("  costume \"odd\" file \"assets/stage/chime.svg\"\n  script\n    wait until <(1) + (2)>\n");
        let error = compile(page, &source).await.unwrap_err();
        let BuildError::Faulty(found) = &error else { panic!("{error}") };
        let told: Vec<(usize, &str)> =
            found.faults.iter().map(|fault| (fault.line - first, fault.code.as_str())).collect();
        let wanted = [
            (0, "missing_file"),
            (1, "bad_text_line"),
            (3, "unknown_block"),
            (4, "missing_end"),
            (5, "unknown_block"),
            (6, "missing_file"),
        ];
        assert_eq!(told, wanted, "{error}");
        let text = error.to_string();
        assert!(
            text.starts_with(&format!("{}: the text has 6 faults\n", source.path.as_ref().unwrap().display())),
            "{text}"
        );
        assert!(
            text.contains(&format!("project.txt:{first}: the file \"assets/gone.wav\" is missing\n  hint: ")),
            "{text}"
        );

        let mut source = sample("kite");
        source.text.push_str("\n  script\n    switch costume to (kite pu v)\n    broadcast [nobody v]\n");
        let compiled = compile_noting(page, &source).await.unwrap();
        let codes: Vec<&str> = compiled.warnings.iter().map(|warning| warning.code.as_str()).collect();
        assert!(codes.contains(&"names_nothing") && codes.contains(&"message_not_received"), "{codes:?}");
        fleet.release(lease).await;
    });
}

/// What a program names is meant to be there: a task whose text has a typo is a broken task.
#[test]
fn the_bundled_texts_name_nothing_that_is_not_there() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let page = &lease.page;
        let mut strange = Vec::new();
        let texts = project_texts(&root().join("tasks"));
        // A part of them on each day.
        for path in of_the_day(&texts, 40) {
            let compiled = compile_noting(page, &Source::read(path).unwrap()).await.unwrap();
            // A message that only the solution sends, or receives, is no typo.
            let names = compiled.warnings.into_iter().filter(|warning| warning.code == "names_nothing");
            strange.extend(names.map(|warning| format!("{}: {warning}", path.display())));
        }
        assert_eq!(strange, [""; 0]);
        fleet.release(lease).await;
    });
}

/// Most projects have some dozens of blocks; this one has more than 1,200, in scripts of the usual length.
#[test]
fn a_long_text_is_built() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let page = &lease.page;
        let mut source = sample("kite");
        for script in 0..20 {
            source.text.push_str("\n  script\n    when green flag clicked\n");
            source.text.push_str(&format!("    change x by (({script}) + (1))\n").repeat(30));
        }
        let started = std::time::Instant::now();
        let built = compile(page, &source).await.unwrap();
        let blocks = built.json["targets"].as_array().unwrap().last().unwrap()["blocks"].as_object().unwrap().len();
        assert!(blocks > 1200, "{blocks}");
        assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
        fleet.release(lease).await;
    });
}

/// A project with each block of the catalogue once, in a script of its own.
fn all_blocks() -> Project {
    let sample = Project::read(&empty_sample()).unwrap();
    let mut json = sample.json;
    let sprite = &mut json["targets"][1];
    sprite["variables"] = json!({"var": ["a variable", 0]});
    sprite["lists"] = json!({"list": ["a list", [1]]});
    let mut blocks = Map::new();
    for (opcode, entry) in &Catalogue::pinned().blocks {
        // Menus and plain values are what slots hold; they never stand alone.
        let slot_only = entry.hash == "_";
        if !slot_only {
            add_block(&mut blocks, opcode, entry);
        }
    }
    sprite["blocks"] = Value::Object(blocks);
    Project { json, assets: sample.assets }
}

fn empty_sample() -> Vec<u8> {
    use scratchbed::notation::{parse, skeleton};
    let source = sample("kite");
    let mut document = parse(&source.text).unwrap();
    document.targets.iter_mut().for_each(|target| target.scripts.clear());
    let open = |file: &str| source.asset(file);
    skeleton(&document, &open).unwrap().write().unwrap()
}

fn add_block(blocks: &mut Map<String, Value>, opcode: &str, entry: &Entry) {
    let mut inputs = Map::new();
    let mut fields = Map::new();
    for part in &entry.parts {
        match part {
            Part::Field { field, kind, options, .. } => {
                let value = match kind.as_str() {
                    "variable" => json!(["a variable", "var"]),
                    "list" => json!(["a list", "list"]),
                    "broadcast" => json!(["a message", "message"]),
                    _ => json!([options.last().map_or("this script", |(_, value)| value), null]),
                };
                fields.insert(field.clone(), value);
            }
            Part::Input { input, boolean: false, shadow, .. } => {
                let value = match shadow.as_deref() {
                    Some("text") => json!([1, [10, "text"]]),
                    Some("colour_picker") => json!([1, [9, "#12ab34"]]),
                    Some("event_broadcast_menu") => json!([1, [11, "a message", "message"]]),
                    Some(menu) if !menu.starts_with("math_") && menu != "note" => {
                        let id = format!("{opcode}-{input}");
                        blocks.insert(id.clone(), menu_block(menu, opcode));
                        json!([1, id])
                    }
                    _ => json!([1, [4, "12"]]),
                };
                inputs.insert(input.clone(), value);
            }
            _ => {}
        }
    }
    let block = json!({
        "opcode": opcode, "next": null, "parent": null, "inputs": inputs, "fields": fields, "shadow": false, "topLevel": true, "x": 10, "y": 10
    });
    blocks.insert(opcode.to_owned(), block);
}

fn menu_block(menu: &str, parent: &str) -> Value {
    let entry = &Catalogue::pinned().blocks[menu];
    let Some(Part::Field { field, options, .. }) = entry.parts.first() else { panic!("{menu} is no menu") };
    let value = options.last().map_or("kite up", |(_, value)| value);
    json!({
        "opcode": menu, "next": null, "parent": parent, "inputs": {}, "fields": {field: [value, null]}, "shadow": true, "topLevel": false
    })
}

/// Opcodes of the first blocks of the first sprite's scripts, in order.
fn opcodes(project: &Project) -> Vec<String> {
    let blocks = project.json["targets"][1]["blocks"].as_object().unwrap();
    let first = blocks.values().filter(|block| block["topLevel"] == json!(true));
    first.map(|block| block["opcode"].as_str().unwrap().to_owned()).collect()
}

/// It exercises draw-project.js.
#[test]
fn a_project_is_drawn_with_its_stage_and_its_scripts() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let lease = fleet.acquire().await.unwrap();
        let page = &lease.page;
        let kite = root().join("tasks/create/kite_gusts");
        let golden = compile(page, &Source::read(&kite.join("golden.txt")).unwrap()).await.unwrap().write().unwrap();
        let initial = compile(page, &Source::read(&kite.join("initial.txt")).unwrap()).await.unwrap().write().unwrap();
        let bare = draw(page, &initial, Duration::ZERO).await.unwrap();
        assert!(bare.scripts.is_empty());
        let drawn = draw(page, &golden, Duration::from_millis(200)).await.unwrap();
        let size = |png: &[u8]| image::load_from_memory(png).map(|image| (image.width(), image.height())).unwrap();
        assert_eq!((size(&bare.stage), size(&drawn.stage)), ((480, 360), (480, 360)));
        assert_ne!(bare.stage, drawn.stage, "the flag puts the kite elsewhere");
        let [kite] = drawn.scripts.as_slice() else { panic!("one sprite has scripts") };
        assert!(kite.target == "Kite" && kite.width > 100 && kite.height > 100);
        let svg = &kite.svg;
        assert!(svg.starts_with("<svg") && ["clicked", "gusts", "say"].iter().all(|word| svg.contains(word)), "{svg}");
        let addresses = svg.split("href=\"").skip(1);
        assert!(
            addresses.clone().count() > 0 && addresses.into_iter().all(|address| address.starts_with("data:image/"))
        );
        assert!(!svg.contains("class="), "it needs no style sheet");
        fleet.release(lease).await;
    });
}
