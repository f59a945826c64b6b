//! Tests of `task_build`.

use super::*;

fn files(texts: &[&str], out: Option<&str>) -> Result<Vec<Option<PathBuf>>, String> {
    let texts: Vec<PathBuf> = texts.iter().map(PathBuf::from).collect();
    let jobs = jobs(&texts, out.map(Path::new)).map_err(|failure| failure.code().to_owned())?;
    Ok(jobs.into_iter().map(|job| job.file).collect())
}

#[test]
fn project_files_are_named_like_their_texts_and_none_takes_the_place_of_another() {
    let some = |path: &str| Some(PathBuf::from(path));
    assert_eq!(files(&["a/golden.txt"], Some("x.sb3")), Ok(vec![some("x.sb3")]));
    assert_eq!(files(&["a/golden.txt"], None), Ok(vec![None]));
    assert_eq!(files(&["a/one.txt", "a/two.txt"], Some("out")), Ok(vec![some("out/one.sb3"), some("out/two.sb3")]));
    let both = [some("out/a_golden.sb3"), some("out/b_golden.sb3")];
    assert_eq!(files(&["a/golden.txt", "b/golden.txt"], Some("out")), Ok(both.to_vec()));
    assert_eq!(files(&["x/a/golden.txt", "y/a/golden.txt"], Some("out")), Err("same_name".to_owned()));
    assert_eq!(files(&["a/one.txt", "a/two.txt"], Some(file!())), Err("not_a_folder".to_owned()));
}
