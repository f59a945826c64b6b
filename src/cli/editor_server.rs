//! Serves the editor to our own browsers for as long as the process lives.

use std::path::Path;

use super::failure::Failure;
use crate::http::editor::{EditorFiles, routes};

/// Starts serving on a free port of the loopback interface and returns the address of the editor's page.
pub async fn start(root: &Path) -> Result<String, Failure> {
    let failed = |error: std::io::Error| Failure::infrastructure("no_port", &error);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let app = routes(&EditorFiles::of_checkout(root));
    tokio::spawn(async move { axum::serve(listener, app).await });
    Ok(format!("http://{address}/editor?driven"))
}
