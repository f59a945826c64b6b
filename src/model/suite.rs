//! Test suites of forged faults: scenarios, and assertions about what is seen while they are played (ScratchEval, section 4).
//! Whether an assertion holds in a trace, `grade` finds out.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Column, Scenario};

/// Version of the format of suites. From 2 on they have all scenarios of the project.
pub const SUITE_FORMAT: u32 = 2;
/// Ticks that a scenario goes on after the last of what is asserted of it is decided.
const TAIL: u64 = 300;

/// Scenarios with what must be seen when they are played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Version of this format; [`SUITE_FORMAT`].
    pub format: u32,
    /// Seeds of the runs, each of which must pass.
    pub seeds: Vec<u64>,
    /// Ticks that no run exceeds.
    pub horizon: u64,
    /// Ticks between checkpoints.
    pub every: u64,
    /// At least this share of gold's runs show what is asserted, and at most this share of the buggy project's.
    pub theta: (f64, f64),
    /// Digest of what judged.
    pub engine: String,
    /// Version of the editor.
    pub editor: String,
    /// All scenarios of the project at full length, also those that nothing is asserted of: how far a project's behaviour is from gold's
    /// shows in all of them.
    pub scenarios: Vec<Scenario>,
    pub assertions: Vec<Assertion>,
    /// Golden behaviour that a repair must leave as it is, looked at under the first seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guards: Vec<Guard>,
}

/// Golden behaviour that must survive a repair (pass to pass).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Guard {
    /// Its name within the suite, such as `g1`.
    pub id: String,
    /// The scenario whose run it is about.
    pub scenario: String,
    /// What holds in gold's runs under every seed, and in those of everything that does the same as gold.
    pub feature: Feature,
    /// Whether the buggy project breaks it: it passes again with the repair, as everything that the fault hides.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub broken_by_fault: bool,
    /// The same in words.
    pub says: String,
}

/// One thing that must be seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Assertion {
    /// Its name within the suite, such as `a1`.
    pub id: String,
    /// The scenario whose run it is about.
    pub scenario: String,
    #[serde(flatten)]
    pub feature: Feature,
    /// The share of gold's runs that show it.
    pub p_golden: f64,
    /// The share of the buggy project's runs that show it.
    pub p_buggy: f64,
    /// The same in words.
    pub says: String,
}

/// A predicate over the trace of one run (ScratchEval, section 4.4). `after`, `by` and `until` count ended ticks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Feature {
    /// A signal has this value then.
    Equals { signal: String, after: u64, value: Value },
    /// Something, such as a message, has happened exactly so often.
    EventCount { event: String, name: Value, after: u64, n: u64 },
    /// Something has happened so often at least.
    Event { event: String, name: Value, by: u64, n: u64 },
    /// The value was shown at a checkpoint by then.
    Reached { signal: String, value: Value, by: u64 },
    /// The value was shown at no checkpoint until then.
    Never { signal: String, value: Value, until: u64 },
    /// Something has not happened until then.
    NeverEvent { event: String, name: Value, until: u64 },
    /// The values at two checkpoints differ, or are the same.
    Changed {
        signal: String,
        from: u64,
        to: u64,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        same: bool,
    },
    /// A number is not above the bound.
    AtMost { signal: String, after: u64, bound: f64 },
    /// A number is not below the bound.
    AtLeast { signal: String, after: u64, bound: f64 },
    /// The first of one event comes before the first of another.
    Before { event: String, first: Value, second: Value },
    /// Until then, no value but these lasts from one checkpoint to the next. What a single checkpoint meets may be a matter of chance.
    Only { signal: String, values: Vec<Value>, until: u64 },
    /// The least and the greatest number until then are within the margin of these.
    Spans { signal: String, low: f64, high: f64, margin: f64, until: u64 },
    /// All changes of a number until then, up and down, add up to this, give or take the margin.
    Travels { signal: String, way: f64, margin: f64, until: u64 },
    /// At each checkpoint until then, the signal has a value that gold shows at most so many ticks before or after, and the other way
    /// round. A single checkpoint may be off. With a margin, any number between the least and the greatest of that time counts as shown,
    /// give or take the margin. The signal may be the count of an event, such as `events/sound:Moth: pop`.
    Follows {
        signal: String,
        gold: Column,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        margin: Option<f64>,
        shift: u64,
        until: u64,
    },
}

impl Feature {
    /// What it looks at: a signal, or an event with its name, such as `events/broadcast:game over`.
    pub fn signal(&self) -> String {
        match self {
            Self::Equals { signal, .. }
            | Self::Reached { signal, .. }
            | Self::Never { signal, .. }
            | Self::Changed { signal, .. }
            | Self::AtMost { signal, .. }
            | Self::AtLeast { signal, .. }
            | Self::Only { signal, .. }
            | Self::Spans { signal, .. }
            | Self::Travels { signal, .. }
            | Self::Follows { signal, .. } => signal.clone(),
            Self::EventCount { event, name, .. }
            | Self::Event { event, name, .. }
            | Self::NeverEvent { event, name, .. } => {
                format!("events/{event}:{}", plain(name))
            }
            Self::Before { event, first, .. } => format!("events/{event}:{}", plain(first)),
        }
    }

    /// Ended ticks after which it is decided; `None` where the whole run counts.
    pub const fn decided_after(&self) -> Option<u64> {
        match self {
            Self::Equals { after, .. }
            | Self::EventCount { after, .. }
            | Self::AtMost { after, .. }
            | Self::AtLeast { after, .. } => Some(*after),
            Self::Event { by, .. } | Self::Reached { by, .. } => Some(*by),
            Self::Never { until, .. }
            | Self::NeverEvent { until, .. }
            | Self::Only { until, .. }
            | Self::Spans { until, .. }
            | Self::Travels { until, .. }
            | Self::Follows { until, .. } => Some(*until),
            Self::Changed { to, .. } => Some(*to),
            Self::Before { .. } => None,
        }
    }
}

/// A value as people write it.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl Suite {
    /// The scenarios that something is asserted of, each until all of that is decided and a little longer.
    pub fn asserted(&self) -> Vec<Scenario> {
        let cut = |scenario: &Scenario| {
            let own = self.assertions.iter().filter(|one| one.scenario == scenario.id);
            let decided = own.map(|one| one.feature.decided_after().unwrap_or(scenario.length)).max()?;
            Some(scenario.until((decided + TAIL).min(scenario.length)))
        };
        self.scenarios.iter().filter_map(cut).collect()
    }

    /// The scenarios that [`asserted`](Self::asserted) has not at all, or only until all is decided: at full length.
    pub fn beyond_asserted(&self) -> Vec<&Scenario> {
        let asserted = self.asserted();
        self.scenarios.iter().filter(|scenario| !asserted.contains(scenario)).collect()
    }

    /// The suite without what nothing is asserted of.
    #[must_use]
    pub fn decided(&self) -> Self {
        Self { scenarios: self.asserted(), ..self.clone() }
    }

    /// The scenarios that guards are about, at full length.
    pub fn guarded(&self) -> Vec<&Scenario> {
        let is_guarded = |scenario: &&Scenario| self.guards.iter().any(|one| one.scenario == scenario.id);
        self.scenarios.iter().filter(is_guarded).collect()
    }

    /// Reads a suite, in which no member is unknown.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn read(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let suite: Self = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
        if suite.format != SUITE_FORMAT {
            let forge = if suite.format < SUITE_FORMAT { "; forge the benchmark again" } else { "" };
            return Err(format!("it has format {}, this program reads {SUITE_FORMAT}{forge}", suite.format));
        }
        suite.refuse_strange_members(&value)?;
        suite.refuse_broken_courses()?;
        let known: BTreeSet<&str> = suite.scenarios.iter().map(|scenario| scenario.id.as_str()).collect();
        let assertions = suite.assertions.iter().map(|one| ("assertion", &one.id, &one.scenario));
        let guards = suite.guards.iter().map(|one| ("guard", &one.id, &one.scenario));
        match assertions.chain(guards).find(|(_, _, scenario)| !known.contains(scenario.as_str())) {
            Some((kind, id, scenario)) => Err(format!("{kind} {id} is about scenario {scenario}, which is not here")),
            None => Ok(suite),
        }
    }

    fn refuse_broken_courses(&self) -> Result<(), String> {
        let guards = self.guards.iter().map(|one| ("guard", &one.id, &one.feature));
        let mut all = self.assertions.iter().map(|one| ("assertion", &one.id, &one.feature)).chain(guards);
        let broken = all.find(|(_, _, feature)| matches!(feature, Feature::Follows { gold, .. } if !gold.is_whole()));
        broken.map_or(Ok(()), |(kind, id, _)| Err(format!("{kind} {id} has ticks that do not fit its values")))
    }

    /// Assertions share their object with their feature, so serde lets strange members pass.
    fn refuse_strange_members(&self, value: &Value) -> Result<(), String> {
        for (assertion, written) in self.assertions.iter().zip(value["assertions"].as_array().into_iter().flatten()) {
            let known = serde_json::to_value(assertion).map_err(|error| error.to_string())?;
            let strange = written.as_object().into_iter().flatten().find(|(name, value)| {
                // What is false may be left out.
                known.get(name.as_str()).is_none() && !(name.as_str() == "same" && **value == Value::Bool(false))
            });
            if let Some((name, _)) = strange {
                return Err(format!("assertion {} has the unknown member `{name}`", assertion.id));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written() -> Value {
        json!({"format": 2, "seeds": [1, 2, 3, 4, 5], "horizon": 2000, "every": 10, "theta": [0.9, 0.1], "engine": "e", "editor": "15.1.1",
            "scenarios": [{"id": "s2", "template": "restart", "length": 1000, "answers": [],
                "steps": [{"at": 0, "do": "flag"}, {"at": 60, "do": "key", "key": "right arrow", "ticks": 20}, {"at": 450, "do": "flag"}]}],
            "assertions": [{"id": "a1", "scenario": "s2", "kind": "equals", "signal": "Stage/variable/score", "after": 700, "value": 0,
                "p_golden": 1.0, "p_buggy": 0.0, "says": "score is 0 after the second flag"}]})
    }

    #[test]
    fn the_contracts_example_is_read_and_written_again() {
        let suite = Suite::read(&written().to_string()).unwrap();
        assert_eq!(suite.assertions[0].feature.signal(), "Stage/variable/score");
        assert_eq!(serde_json::to_value(&suite).unwrap(), written());
    }

    #[test]
    fn guards_are_read_and_written_and_are_about_scenarios_that_are_here() {
        let mut suite = written();
        let feature = json!({"kind": "only", "signal": "Moth/visible", "values": [true], "until": 1000});
        suite["guards"] =
            json!([{"id": "g1", "scenario": "s2", "feature": feature, "says": "Moth shows all the time"}]);
        let read = Suite::read(&suite.to_string()).unwrap();
        assert_eq!((read.guards[0].feature.signal().as_str(), read.guards[0].broken_by_fault), ("Moth/visible", false));
        assert_eq!((read.guarded().len(), Suite::read(&written().to_string()).unwrap().guarded().len()), (1, 0));
        assert_eq!(serde_json::to_value(&read).unwrap(), suite);
        suite["guards"][0]["scenario"] = json!("s9");
        assert_eq!(Suite::read(&suite.to_string()).unwrap_err(), "guard g1 is about scenario s9, which is not here");
        for (ticks, values) in [(json!([9, 19]), json!([1])), (json!([19, 9]), json!([1, 2]))] {
            let gold = json!({"t": ticks, "v": values});
            let mut broken = suite.clone();
            broken["guards"][0] = json!({"id": "g1", "scenario": "s2", "says": "…",
                "feature": {"kind": "follows", "signal": "Moth/x", "gold": gold, "shift": 60, "until": 900}});
            assert_eq!(Suite::read(&broken.to_string()).unwrap_err(), "guard g1 has ticks that do not fit its values");
        }
        suite["guards"][0]["weight"] = json!(1);
        assert!(Suite::read(&suite.to_string()).unwrap_err().contains("weight"));
    }

    #[test]
    fn what_is_asserted_of_is_played_until_it_is_decided_and_the_rest_is_kept_whole() {
        let mut suite = Suite::read(&written().to_string()).unwrap();
        suite.scenarios[0].length = 2000;
        suite.scenarios[0].steps.push(crate::Step::Flag { at: 1500 });
        suite.scenarios.insert(0, Scenario { id: "s1".to_owned(), ..suite.scenarios[0].clone() });
        let [cut] = suite.asserted().try_into().unwrap();
        assert_eq!((cut.id.as_str(), cut.length, cut.steps.len()), ("s2", 1000, 3), "300 ticks after it is decided");
        assert_eq!(suite.scenarios[1].length, 2000);
        suite.assertions[0].feature =
            Feature::Before { event: "say".to_owned(), first: json!("a"), second: json!("b") };
        assert_eq!(suite.asserted()[0].length, 2000, "the whole run decides it");
    }

    #[test]
    fn what_is_unknown_is_refused() {
        let refused = |at: &str, value: Value| {
            let mut suite = written();
            *suite.pointer_mut(at).unwrap() = value;
            Suite::read(&suite.to_string()).unwrap_err()
        };
        let mut strange = written()["assertions"][0].clone();
        strange["before"] = json!(1);
        assert!(refused("/assertions/0", strange).contains("unknown member `before`"));
        assert!(refused("/assertions/0/scenario", json!("s9")).contains("s9"));
        assert!(refused("/format", json!(1)).contains("format 1, this program reads 2; forge the benchmark again"));
        assert!(refused("/format", json!(3)).ends_with("format 3, this program reads 2"));
        let mut strange = written()["scenarios"][0].clone();
        strange["speed"] = json!(1);
        assert!(refused("/scenarios/0", strange).contains("speed"));
    }
}
