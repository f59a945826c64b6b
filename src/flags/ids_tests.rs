//! Tests of `ids`.

use super::*;

fn names(ids: &[&str]) -> Result<Vec<String>, Failure> {
    IdsArgs { ids: ids.iter().map(|id| (*id).to_owned()).collect() }.names()
}

#[test]
fn names_come_from_the_line_and_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ids");
    fs::write(&file, "b, c # the hard ones\n\n# d\ne\tf\n").unwrap();
    let file = format!("@{}", file.display());
    assert_eq!(names(&["a", &file]).unwrap(), ["a", "b", "c", "e", "f"]);
    assert!(names(&[]).unwrap().is_empty());
}

#[test]
fn naming_nothing_is_an_error_and_not_everything() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ids");
    fs::write(&file, "# none\n").unwrap();
    for ids in [&format!("@{}", file.display()), "", "@/no/such/file"] {
        assert!(names(&[ids]).is_err(), "{ids}");
    }
}
