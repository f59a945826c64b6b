//! Where a key may be sent: the host of an endpoint.

use std::fmt;

use super::ModelError;
use super::client::base_address;

/// Scheme, host and port of an endpoint's address. Two are equal if requests to both go to the same server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin(String);

impl Origin {
    /// That of an endpoint, read as the client reads it that asks there.
    ///
    /// # Errors
    /// [`ModelError::BadEndpoint`] when the address is not a URL.
    pub fn of(endpoint: &str) -> Result<Self, ModelError> {
        Ok(Self(base_address(endpoint)?.origin().ascii_serialization()))
    }

    /// One that is given alone, such as `https://api.example.com` or `http://127.0.0.1:8000`.
    ///
    /// # Errors
    /// As [`Origin::of`]; also when there is more to the address, which would not be heeded.
    pub fn alone(text: &str) -> Result<Self, ModelError> {
        let url = base_address(text)?;
        if url.path() == "/" && url.query().is_none() && url.fragment().is_none() {
            return Ok(Self(url.origin().ascii_serialization()));
        }
        let reason = "it has more than scheme, host and port".to_owned();
        Err(ModelError::BadEndpoint { endpoint: text.to_owned(), reason })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_compared_after_they_are_parsed() {
        let own = Origin::alone("https://models.example").unwrap();
        assert_eq!(own.to_string(), "https://models.example");
        for same in
            ["https://models.example/v1", "https://models.example:443/v1/", "HTTPS://Models.Example/chat/completions"]
        {
            assert_eq!(Origin::of(same).unwrap(), own, "{same}");
        }
        for other in [
            "http://models.example/v1",
            "https://models.example:8443/v1",
            "https://models.example.evil.test/v1",
            "https://models.example./v1",
            "https://evil.test/https://models.example/v1",
            "https://evil.test/v1?https://models.example",
            "https://evil.test#@models.example",
            "https://evil.test\\@models.example/v1",
        ] {
            assert_ne!(Origin::of(other).unwrap(), own, "{other}");
        }
        for none in ["https://models.example@evil.test/v1", "https://models.example:x@evil.test/v1", "models.example"] {
            assert!(Origin::of(none).is_err(), "{none}");
        }
        assert_eq!(Origin::of("http://0x7f.1:80/v1").unwrap(), Origin::alone("http://127.0.0.1").unwrap());
    }

    #[test]
    fn a_host_that_is_given_alone_is_no_more_than_that() {
        for more in
            ["https://a.example/v1", "https://a.example?x", "https://a.example#x", "a.example", "ftp://a.example", ""]
        {
            assert!(Origin::alone(more).is_err(), "{more}");
        }
        assert!(Origin::alone("http://[::1]:8000/").is_ok());
    }
}
