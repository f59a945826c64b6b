//! The coefficients of estimates, with their digest: `assets/meter/coefficients.toml`, or a file of the same form.

use serde::Deserialize;

use crate::model::{Blame, Coded, sha256_hex};

/// The file that comes with the program.
const BUNDLED: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/meter/coefficients.toml"));

/// Coefficients of estimates can't be used.
#[derive(Debug, thiserror::Error)]
pub enum CoefficientsError {
    /// The file has another form.
    #[error("{name} has no coefficients of energy")]
    Malformed { name: String, source: toml::de::Error },
    /// A value makes no sense.
    #[error("{name}: {problem}")]
    Senseless { name: String, problem: &'static str },
}

impl Coded for CoefficientsError {
    fn code(&self) -> &'static str {
        match self {
            Self::Malformed { .. } => "coefficients_malformed",
            Self::Senseless { .. } => "coefficients_senseless",
        }
    }

    fn hint(&self) -> Option<String> {
        Some("assets/meter/coefficients.toml shows the form".to_owned())
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

/// Coefficients of both kinds of estimates.
#[derive(Debug, Clone, PartialEq)]
pub struct Coefficients {
    pub(super) vcpu: Vcpu,
    pub(super) tdp: Tdp,
    digest: String,
}

/// What a virtual processor and its memory use.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vcpu {
    /// Where the values come from; for people who check them.
    #[serde(rename = "source")]
    pub _source: String,
    /// Watts of an idle virtual processor.
    pub min_watts: f64,
    /// Watts of a busy one.
    pub max_watts: f64,
    pub watts_per_gib: f64,
    /// Share of what a data centre uses over what its machines do, at least 1.
    pub pue: f64,
}

/// What a processor and its memory modules use.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tdp {
    /// Where the values come from; for people who check them.
    #[serde(rename = "source")]
    pub _source: String,
    /// Thermal design power of the whole processor.
    pub watts: f64,
    pub watts_per_module: f64,
    pub least_modules: u32,
    /// Memory of one module.
    pub gib_per_module: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    vcpu: Vcpu,
    tdp: Tdp,
}

impl Coefficients {
    /// Those that come with the program.
    ///
    /// # Errors
    /// Never, as a test shows.
    pub fn bundled() -> Result<Self, CoefficientsError> {
        Self::read("assets/meter/coefficients.toml", BUNDLED)
    }

    /// Those of a file of this name with this text.
    ///
    /// # Errors
    /// When the text has another form, or a value makes no sense.
    pub fn read(name: &str, text: &str) -> Result<Self, CoefficientsError> {
        let malformed = |source| CoefficientsError::Malformed { name: name.to_owned(), source };
        let File { vcpu, tdp } = toml::from_str(text).map_err(malformed)?;
        match problem(&vcpu, &tdp) {
            Some(problem) => Err(CoefficientsError::Senseless { name: name.to_owned(), problem }),
            None => Ok(Self { vcpu, tdp, digest: sha256_hex(text.as_bytes()) }),
        }
    }

    /// SHA-256 of the file.
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

/// What is wrong with the values.
fn problem(vcpu: &Vcpu, tdp: &Tdp) -> Option<&'static str> {
    let watts = [vcpu.min_watts, vcpu.max_watts, vcpu.watts_per_gib, tdp.watts, tdp.watts_per_module];
    if watts.iter().any(|watts| !watts.is_finite() || *watts < 0.0) {
        return Some("watts are numbers from 0");
    }
    if vcpu.max_watts < vcpu.min_watts {
        return Some("`max_watts` is less than `min_watts`");
    }
    if !vcpu.pue.is_finite() || vcpu.pue < 1.0 {
        return Some("`pue` is a number from 1");
    }
    (!tdp.gib_per_module.is_finite() || tdp.gib_per_module <= 0.0).then_some("`gib_per_module` is more than 0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_values_are_those_of_the_specification() {
        let Coefficients { vcpu, tdp, digest } = Coefficients::bundled().unwrap();
        assert_eq!((vcpu.min_watts, vcpu.max_watts, vcpu.watts_per_gib, vcpu.pue), (0.74, 3.5, 0.392, 1.0));
        assert_eq!((tdp.watts, tdp.watts_per_module, tdp.least_modules), (85.0, 5.0, 2));
        assert_eq!(digest, sha256_hex(BUNDLED.as_bytes()));
    }

    #[test]
    fn other_values_have_another_digest_and_senseless_ones_are_refused() {
        let read = |from: &str, to: &str| {
            let text = BUNDLED.replace(from, to);
            assert_ne!(text, BUNDLED, "{from}");
            Coefficients::read("own.toml", &text)
        };
        let own = read("watts = 85.0", "watts = 65.0").unwrap();
        assert_ne!(own.digest(), Coefficients::bundled().unwrap().digest());
        for (from, to) in [
            ("max_watts = 3.5", "max_watts = 0.5"),
            ("min_watts = 0.74", "min_watts = -1.0"),
            ("watts = 85.0", "watts = nan"),
            ("pue = 1.0", "pue = 0.5"),
            ("gib_per_module = 32.0", "gib_per_module = 0.0"),
        ] {
            assert_eq!(read(from, to).unwrap_err().code(), "coefficients_senseless", "{to}");
        }
        for (from, to) in [("pue = 1.0", ""), ("pue = 1.0", "pue = 1.0\nco2 = 2.0")] {
            let error = read(from, to).unwrap_err();
            assert_eq!((error.code(), error.blame()), ("coefficients_malformed", Blame::Input));
        }
    }
}
