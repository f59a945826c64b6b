//! Keys that a server lends to files from the network: each is sent to the host that its operator names, and to no other.

use std::fmt;

use super::failure::{Failure, Status};
use scratchbed::agent::model::Origin;

/// A variable with a key, and the host that the key is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LentKey {
    /// The environment variable that holds the key.
    pub variable: String,
    host: Origin,
}

impl LentKey {
    /// Reads `NAME=https://HOST`, which `place` gives.
    pub fn read(text: &str, place: &str) -> Result<Self, Failure> {
        let Some((variable, address)) = text.split_once('=') else {
            let message = format!("{place} {text}: it is not said where the key may be sent");
            return Err(Failure::new(Status::Usage, "key_without_host", message)
                .hinted(format!("name the only host that may get it, such as {text}=https://api.example.com")));
        };
        let host = Origin::alone(address).map_err(|error| {
            Failure::of(Status::Usage, "key_host_invalid", &error)
                .hinted(format!("give scheme, host and port alone, such as {variable}=https://api.example.com"))
        })?;
        Ok(Self { variable: variable.to_owned(), host })
    }

    /// Whether the key may be sent to an endpoint.
    pub fn is_for(&self, endpoint: &str) -> bool {
        Origin::of(endpoint).is_ok_and(|origin| origin == self.host)
    }
}

impl fmt::Display for LentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.variable, self.host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_one_host_and_one_without_is_refused() {
        let key = LentKey::read("MODEL_KEY=https://models.example:8443", "--key-env").unwrap();
        assert_eq!(
            (key.variable.as_str(), key.to_string().as_str()),
            ("MODEL_KEY", "MODEL_KEY=https://models.example:8443")
        );
        assert!(key.is_for("https://models.example:8443/v1"));
        for other in ["https://models.example/v1", "https://models.example:8443.evil.test/v1", "no address"] {
            assert!(!key.is_for(other), "{other}");
        }
        for (text, code) in [
            ("MODEL_KEY", "key_without_host"),
            ("MODEL_KEY=", "key_host_invalid"),
            ("MODEL_KEY=models.example", "key_host_invalid"),
            ("MODEL_KEY=https://models.example/v1", "key_host_invalid"),
        ] {
            assert_eq!(LentKey::read(text, "--key-env").unwrap_err().code(), code, "{text}");
        }
    }
}
