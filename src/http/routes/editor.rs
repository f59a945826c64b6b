//! Serves the Scratch editor: our host page, the npm package and the notation parser.
//!
//! Nothing in these pages may be fetched from elsewhere: a content security policy enforces this in every
//! browser. Files come from fixed folders only; requests can't name others.

use std::path::{Path, PathBuf};

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderValue};
use axum_server::Handle;
use tower_http::services::{ServeDir, ServeFile};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::files::Checkout;
use crate::http::layers::connection_places::{ConnectionLimits, Places};
use crate::http::{ServeLimits, listen};
use crate::model::EditorGeneration;

/// The editor evaluates code and makes blobs and data URLs of its own, but needs no other host.
const POLICY: &str = "default-src 'self' data: blob:; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; \
    style-src 'self' 'unsafe-inline'; worker-src 'self' blob:; connect-src 'self' data: blob:; \
    form-action 'none'; frame-src 'self' blob: data:; frame-ancestors 'none'; base-uri 'self'";

/// Package files change only with the pinned version.
const PACKAGE_CACHE: &str = "public, max-age=86400";
/// Our own files change with the checkout.
const HOST_CACHE: &str = "no-cache";

/// Our own browsers show no token, so that half of these is for them: far more than all pages of a machine open.
/// Programs of agents on this machine, which may find the port, then take no more.
const OURS: ConnectionLimits = ConnectionLimits { total: 2048, per_address: 2048 };

/// Where the editor's files are.
#[derive(Debug, Clone)]
pub struct EditorFiles {
    scratch_gui: PathBuf,
    /// The host page below it, and the folder of the built editor.
    shown: (&'static str, PathBuf),
}

impl EditorFiles {
    /// The files of a checkout of this project, with an editor of that generation.
    pub fn of_checkout(root: &Path, editor: EditorGeneration) -> Self {
        let checkout = Checkout::at(root);
        Self { scratch_gui: checkout.scratch_gui(), shown: checkout.editor(editor) }
    }
}

/// Serves the editor to our own browsers, on a free port of the loopback interface, for as long as the
/// runtime lives. Returns the address of the page that the driver opens.
///
/// # Errors
/// When no port is available.
pub async fn serve_to_ourselves(files: &EditorFiles) -> std::io::Result<String> {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let limits = ServeLimits { connections: OURS, ..ServeLimits::default() };
    tokio::spawn(listen(listener, routes(files), limits, Places::new(limits.connections), Handle::new())?);
    Ok(format!("http://{address}/editor?driven"))
}

pub fn routes<S: Clone + Send + Sync + 'static>(files: &EditorFiles) -> Router<S> {
    let (page, dist) = &files.shown;
    let host = files.scratch_gui.join("host");
    let package = Router::new()
        .nest_service("/gui", ServeDir::new(dist).precompressed_gzip())
        .nest_service("/static", ServeDir::new(dist.join("static")))
        .nest_service("/chunks", ServeDir::new(dist.join("chunks")))
        .nest_service("/scratchblocks", ServeDir::new(files.scratch_gui.join("node_modules/scratchblocks")))
        .layer(header(CACHE_CONTROL, PACKAGE_CACHE));
    Router::new()
        .route_service("/editor", ServeFile::new(host.join(page)))
        .nest_service("/host", ServeDir::new(&host))
        .layer(header(CACHE_CONTROL, HOST_CACHE))
        .merge(package)
        .layer(header(CONTENT_SECURITY_POLICY, POLICY))
}

fn header(name: axum::http::HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
}
