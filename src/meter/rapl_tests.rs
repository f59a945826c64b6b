//! Made up powercap trees.

use tempfile::TempDir;

use super::*;
use crate::model::Coded as _;

/// The range of the made up counters.
const RANGE: u64 = 262_143_328_850;

fn read_file(file: &Path) -> std::io::Result<String> {
    std::fs::read_to_string(file)
}

/// What the kernel does for all but root.
fn read_as_another(file: &Path) -> std::io::Result<String> {
    if file.ends_with("energy_uj") { Err(ErrorKind::PermissionDenied.into()) } else { read_file(file) }
}

fn domain(tree: &TempDir, path: &str, name: &str, microjoules: &str) {
    let folder = tree.path().join(path);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("name"), format!("{name}\n")).unwrap();
    std::fs::write(folder.join("max_energy_range_uj"), format!("{RANGE}\n")).unwrap();
    set(tree, path, microjoules);
}

/// As the kernel does it: nobody sees half a number.
fn set(tree: &TempDir, path: &str, microjoules: &str) {
    let folder = tree.path().join(path);
    std::fs::write(folder.join("next"), format!("{microjoules}\n")).unwrap();
    std::fs::rename(folder.join("next"), folder.join("energy_uj")).unwrap();
}

/// Two packages with parts, the platform that has both, and the same counters in another way.
fn tree() -> TempDir {
    let tree = tempfile::tempdir().unwrap();
    domain(&tree, "intel-rapl:0", "package-0", "1000000");
    domain(&tree, "intel-rapl:1", "package-1", "5000000");
    for (path, name) in [
        ("intel-rapl:0:0", "core"),
        ("intel-rapl:0/intel-rapl:0:1", "dram"),
        ("intel-rapl:2", "psys"),
        ("intel-rapl-mmio:0", "package-0"),
        ("intel-rapl", "package-all"),
    ] {
        domain(&tree, path, name, "0");
    }
    tree
}

#[test]
fn packages_are_summed_and_what_they_contain_or_are_part_of_does_not_count() {
    let tree = tree();
    let mut rapl = Rapl::find(tree.path(), read_file).unwrap();
    assert_eq!((rapl.packages.len(), rapl.used().unwrap()), (2, 0.0));
    set(&tree, "intel-rapl:0", "3500000");
    set(&tree, "intel-rapl:1", "6000000");
    for other in ["intel-rapl:0:0", "intel-rapl:0/intel-rapl:0:1", "intel-rapl:2", "intel-rapl-mmio:0", "intel-rapl"] {
        set(&tree, other, "77000000");
    }
    assert_eq!(rapl.used().ok(), Some(3.5));
    assert_eq!(rapl.used().ok(), Some(3.5), "nothing is counted twice");
}

#[test]
fn a_counter_that_begins_anew_loses_nothing() {
    let tree = tree();
    set(&tree, "intel-rapl:0", &(RANGE - 1_500_000).to_string());
    let mut rapl = Rapl::find(tree.path(), read_file).unwrap();
    set(&tree, "intel-rapl:0", "500000");
    assert_eq!(rapl.used().ok(), Some(2.0));
    set(&tree, "intel-rapl:0", "1500000");
    assert_eq!(rapl.used().ok(), Some(3.0));
}

#[test]
fn a_counter_with_nothing_behind_it_is_noticed_under_load() {
    let tree = tree();
    let mut rapl = Rapl::find(tree.path(), read_file).unwrap();
    // One of the two moves.
    set(&tree, "intel-rapl:0", "1000001");
    let error = rapl.moves(Duration::from_millis(50)).unwrap_err();
    assert_eq!(error.code(), "energy_counter_still");
    assert!(error.to_string().contains("intel-rapl:1/energy_uj"), "{error}");
    set(&tree, "intel-rapl:1", "5000001");
    rapl.moves(Duration::ZERO).unwrap();
}

#[test]
fn a_counter_that_moves_only_under_load_is_waited_for() {
    let tree = tree();
    let mut rapl = Rapl::find(tree.path(), read_file).unwrap();
    let began = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| {
            set(&tree, "intel-rapl:0", "2000000");
            set(&tree, "intel-rapl:1", "6000000");
        });
        rapl.moves(Duration::from_secs(600)).unwrap();
    });
    assert!(began.elapsed() < Duration::from_secs(60), "it ends when both have moved: {:?}", began.elapsed());
    assert_eq!(rapl.used().ok(), Some(2.0));
}

#[test]
fn a_counter_that_only_root_may_read_says_so() {
    let error = Rapl::find(tree().path(), read_as_another).unwrap_err();
    assert_eq!(error.code(), "energy_counter_denied");
    assert!(error.to_string().ends_with("intel-rapl:0/energy_uj may not be read"), "{error}");
    assert!(error.hint().unwrap().contains("root"));
}

#[test]
fn no_tree_no_packages_and_rubbish_are_told_apart() {
    let code = |folder: &Path| Rapl::find(folder, read_file).unwrap_err().code().to_owned();
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(code(&empty.path().join("none")), "no_energy_counters");
    assert_eq!(code(empty.path()), "no_energy_counters");
    domain(&empty, "intel-rapl:0", "psys", "5");
    assert_eq!(code(empty.path()), "no_energy_counters");
    domain(&empty, "intel-rapl:1", "package-0", "five");
    assert_eq!(code(empty.path()), "energy_counter_unreadable");
    std::fs::remove_file(empty.path().join("intel-rapl:1/energy_uj")).unwrap();
    assert_eq!(code(empty.path()), "energy_counter_unreadable");
}
