//! What a session has beyond the published benchmark.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a session has beyond the published benchmark. Without any, agents see and do what its agents could.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Extras {
    /// Whether agents may add whole scripts, run the project and see the stage in composite mode.
    #[serde(skip_serializing_if = "is_false", default)]
    pub extended: bool,
    /// Whether every action is answered with a report of what it met and changed, unless the call specifies otherwise.
    #[serde(skip_serializing_if = "is_false", default)]
    pub report: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_false(value: &bool) -> bool {
    !*value
}

impl Extras {
    pub const fn is_none(&self) -> bool {
        !self.extended && !self.report
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_without_extras_says_nothing_of_them() {
        assert_eq!(serde_json::to_string(&Extras::default()).unwrap(), "{}");
        let both = Extras { extended: true, report: true };
        assert_eq!(serde_json::to_string(&both).unwrap(), r#"{"extended":true,"report":true}"#);
        assert!(Extras::default().is_none() && !both.is_none());
    }
}
