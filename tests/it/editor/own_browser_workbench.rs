//! Projects are built although the browser is killed in the middle of the work.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use scratchbed::compile::Workbench;

use crate::editor::browser_workbench::sample;
use crate::support::browsers::own_fleet;

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_page_is_replaced_in_the_middle_of_the_work() {
    let fleet = own_fleet().await;
    let cache = tempfile::tempdir().unwrap();
    let bench = Workbench::new(fleet.clone(), cache.path().to_owned());
    bench.build(&sample("kite")).await.unwrap();
    let neighbour = fleet.acquire().await.unwrap();
    let browser = i32::try_from(neighbour.browser_process_id()).unwrap();
    kill(Pid::from_raw(browser), Signal::SIGKILL).unwrap();
    neighbour.page.wait_lost().await;
    bench.build(&sample("names")).await.unwrap();
    bench.clear().await;
    fleet.release(neighbour).await;
    fleet.shutdown().await;
}
