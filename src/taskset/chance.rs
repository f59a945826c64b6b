//! Whether an evaluation script draws what it asks. What chance decides in a script comes from the seed of its judgement, and
//! can be had in two ways alone: from `Math.random`, and from the seed itself.

use std::sync::LazyLock;

use regex::Regex;

use super::EvaluationSources;

/// `Math` with the member that is used; without one it is handed on, taken apart, or asked for a computed member.
static MATH: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\bMath\b(?:\s*\.\s*(\w+))?").ok());
/// The seed of the judgement, as a member or taken out of an object; and the one source of chance that has no seed.
static SEED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"\.\s*seed\b|[{,]\s*seed\s*[,}:=]|["'`]seed["'`]|\bcrypto\b"#).ok());

impl EvaluationSources {
    /// Whether what is asked of a project may depend on the seed. A script in which that can't be told may.
    pub fn draws(&self) -> bool {
        std::iter::once(&self.script).chain(&self.prelude).chain(&self.helpers).any(|file| may_draw(&file.source))
    }
}

fn may_draw(source: &str) -> bool {
    let (Some(math), Some(seed)) = (MATH.as_ref(), SEED.as_ref()) else { return true };
    let is_chance = |member: Option<regex::Match<'_>>| member.is_none_or(|member| member.as_str() == "random");
    seed.is_match(source) || math.captures_iter(source).any(|found| is_chance(found.get(1)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::taskset::TaskSet;

    #[test]
    fn chance_is_found_however_a_script_comes_to_it() {
        for source in [
            "const roll = Math.random();",
            "const {random} = Math;",
            "const chance = Math['random'];",
            "Math?.random()",
            "Math . random ()",
            "const m = Math; m.random();",
            "module.exports = async (vm, config) => vm.say(config.seed);",
            "module.exports = async (vm, {seed, caseMs}) => report(seed);",
            "crypto.getRandomValues(bytes)",
            "const seed = config['seed'];",
        ] {
            assert!(may_draw(source), "{source}");
        }
        for source in [
            "Math.max(1, Math.round(x))",
            "places should be random",
            "for (const seed of seeds(player)) seen.set(seed, presses);",
            "expect(seed.visible)",
        ] {
            assert!(!may_draw(source), "{source}");
        }
    }

    #[test]
    fn of_the_bundled_judges_those_draw_that_use_the_helper_for_it() {
        let set = TaskSet::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let mut drawing = 0;
        for entry in set.all() {
            let sources = entry.evaluation().unwrap();
            let has_helper = sources.helpers.iter().any(|helper| helper.name == "lib/draw.js");
            assert_eq!(sources.draws(), has_helper, "{}", entry.task.id);
            drawing += usize::from(has_helper);
        }
        assert!(drawing >= 25, "{drawing}");
    }
}
