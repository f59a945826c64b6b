//! The one place where HTTP clients begin: reqwest is built without a TLS provider, so that ring is compiled and not
//! the larger default. What a client is for (limits, proxies, keys) is set by its owner.

/// A builder of HTTP clients that speak TLS by ring; make clients nowhere else, since a bare builder has no TLS
/// provider and fails.
#[must_use = "a builder sends nothing"]
pub fn http_client() -> reqwest::ClientBuilder {
    // The process has one provider; an error says that an earlier call has installed it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
}
