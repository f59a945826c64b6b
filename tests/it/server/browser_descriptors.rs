//! A server that may have few files open: it says so, and answers while somebody keeps connections open and silent.

use std::time::Duration;

use tokio::net::TcpStream;

use crate::support::program::Scratchbed;

/// Enough for what the program opens itself, and for a few connections.
const FEW: u32 = 96;

#[tokio::test]
async fn health_is_answered_where_silent_connections_would_take_all_descriptors() {
    let serve = ["serve", "--port", "0", "--warm", "0"];
    let (mut server, answer) = Scratchbed::new().call(&serve).with_open_files(FEW).announced().await;
    server.line(|line| line.contains("ulimit -n 1024")).await;
    let url = answer["url"].as_str().unwrap();
    let address = url.strip_prefix("http://").unwrap();
    let mut silent = Vec::new();
    for _ in 0..2 * FEW {
        silent.push(TcpStream::connect(address).await.unwrap());
    }
    let client = scratchbed::agent::http_client().no_proxy().build().unwrap();
    // Less than the minute after which silent connections are closed anyway.
    let asked = client.get(format!("{url}/health")).timeout(Duration::from_secs(30)).send();
    assert_eq!(asked.await.expect("the oldest connection gives way").status(), 200);
    drop(silent);
    server.stop().await;
}
