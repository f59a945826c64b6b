//! Tests of starting tasks, in a root with one base of each kind. That create and compute drafts pass and fail as they
//! should is tested in a browser.

use std::fs;

use super::*;
use crate::model::Coded;
use crate::taskset::TaskSet;

const CODE: &str = "scratchbed project 1\n\nstage\n  backdrop \"b\" file \"assets/b.svg\" center 240 180\n\nsprite \"O'Hare\"\n  \
                    costume \"c\" file \"assets/c.svg\" center 1 1\n\n  script\n    when green flag clicked\n    show\n";

struct Root(tempfile::TempDir);

impl Root {
    fn new() -> Self {
        let root = Self(tempfile::tempdir().unwrap());
        root.write("tasks/bases/game/project.txt", CODE);
        root.write("tasks/bases/scene/project.txt", CODE.split("\n  script").next().unwrap());
        root.write("eval-scripts/lib/suite.js", "");
        root
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.0.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn scaffold(&self, category: Category, id: &str, base: Option<&str>) -> Result<Draft, AuthorError> {
        let base = base.map(|base| base.parse().unwrap());
        scaffold(&Checkout::at(self.0.path()), &NewTask { category, id: id.parse().unwrap(), title: None, base })
    }
}

#[test]
fn a_draft_of_each_category_is_valid_as_it_stands() {
    let root = Root::new();
    for (category, id, base) in [
        (Category::Create, "new_create", None),
        (Category::Create, "scene_create", Some("scene")),
        (Category::Compute, "new_compute", None),
        (Category::Compute, "scene_compute", Some("scene")),
        (Category::Debug, "new_debug", Some("game")),
        (Category::Extend, "new_extend", Some("game")),
    ] {
        let draft = root.scaffold(category, id, base).unwrap();
        assert!(draft.folder.ends_with(format!("tasks/drafts/{category}/{id}")), "{draft:?}");
        let judge = fs::read_to_string(&draft.judge).unwrap();
        assert!(judge.contains(&format!("Judge of {category}/{id}:")) && !judge.contains("{{"), "{judge}");
        assert!(draft.files.iter().all(|file| draft.folder.join(file).is_file()));
    }
    let drafts = TaskSet::read_drafts(root.0.path()).unwrap();
    assert_eq!(drafts.unfinished(), []);
    assert_eq!(drafts.all().len(), 6);
    for entry in drafts.all() {
        for project in [entry.initial(), entry.golden()].into_iter().chain(entry.slow_solutions()) {
            crate::notation::parse(&fs::read_to_string(project).unwrap()).unwrap();
        }
        assert_eq!(entry.slow_solutions().len(), usize::from(entry.task.category == Category::Create));
        assert!(!entry.task.instruction.contains("{{"), "{}", entry.task.instruction);
    }
    let task = &drafts.find("scene_create").unwrap().task;
    assert_eq!((task.title.as_str(), task.initial.as_str()), ("Scene create", "project.txt"));
    assert!(task.instruction.contains("one sprite, O'Hare, and no code"), "{}", task.instruction);
    let left = fs::read_dir(root.0.path().join("tasks/drafts/create")).unwrap().count();
    assert_eq!(left, 2, "nothing but drafts is left behind");
}

#[test]
fn names_of_sprites_stay_inside_the_quotes_of_the_judge() {
    let root = Root::new();
    let judge = root.scaffold(Category::Debug, "quoted", Some("game")).unwrap().judge;
    assert!(fs::read_to_string(judge).unwrap().contains("player.sprite('O\\'Hare')"));
}

#[test]
fn taken_names_and_unfit_bases_are_refused() {
    let root = Root::new();
    root.scaffold(Category::Create, "first", None).unwrap();
    root.write("eval-scripts/judged.js", "");
    root.write("tasks/compute/listed/task.json", "{}");
    let code = |category, id, base| root.scaffold(category, id, base).unwrap_err().code().to_owned();
    for id in ["first", "judged", "listed"] {
        assert_eq!(code(Category::Compute, id, None), "task_id_taken", "{id}");
    }
    assert_eq!(code(Category::Create, "x", Some("game")), "base_has_code");
    assert_eq!(code(Category::Debug, "x", None), "base_needed");
    let error = root.scaffold(Category::Debug, "x", Some("scene")).unwrap_err();
    assert_eq!((error.code(), error.hint().as_deref()), ("base_without_code", Some("bases with code: game")));
    let error = root.scaffold(Category::Extend, "x", Some("pond")).unwrap_err();
    assert_eq!((error.code(), error.hint().as_deref()), ("unknown_base", Some("known bases: game, scene")));
    root.write("tasks/bases/game/project.txt", "nonsense");
    assert_eq!(code(Category::Debug, "x", Some("game")), "base_invalid");
    assert!(!root.0.path().join("tasks/drafts/debug").exists());
}
