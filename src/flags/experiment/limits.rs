//! Limits that change while an experiment runs, named as in its file.

use super::{Amount, duration};
use crate::flags::budget::micro_usd;
use crate::flags::failure::{Failure, Status};
use scratchbed::ledger::{LedgerError, Limit, Scope};

/// A change such as `budget.usd=600`.
pub fn change(text: &str) -> Result<(Scope, Limit, Option<u64>), Failure> {
    let wrong = |why: &str| {
        Failure::new(Status::Usage, "limit_invalid", format!("`{}`: {why}", text.escape_debug())).hinted(
            "such as budget.usd=600, budget.tokens=2G, budget.wall=36h, lane.cloud.in_flight=20 or lane.cloud.rpm=none",
        )
    };
    let Some((key, value)) = text.split_once('=') else {
        return Err(wrong("give a limit and a value, with `=` between"));
    };
    let parts: Vec<&str> = key.split('.').collect();
    let (scope, limit) = match parts[..] {
        ["budget", "usd"] => (Scope::Experiment, Limit::Usd),
        ["budget", "tokens"] => (Scope::Experiment, Limit::Tokens),
        ["budget", "wall"] => (Scope::Experiment, Limit::Wall),
        ["lane", lane, "in_flight"] => (Scope::Lane(lane.to_owned()), Limit::InFlight),
        ["lane", lane, "rpm"] => (Scope::Lane(lane.to_owned()), Limit::Rpm),
        ["lane", lane, "tpm"] => (Scope::Lane(lane.to_owned()), Limit::Tpm),
        _ => return Err(wrong("there is no such limit; limits of attempts are part of what is measured")),
    };
    let refused = |error: LedgerError| wrong(&error.to_string());
    if value == "none" {
        limit.check(None).map_err(refused)?;
        return Ok((scope, limit, None));
    }
    let value = match limit {
        Limit::Usd => micro_usd(value).map_err(|why| wrong(&why))?,
        Limit::Wall => {
            let wall = duration("budget.wall", value)?;
            u64::try_from(wall.as_millis()).unwrap_or(u64::MAX)
        }
        Limit::Tokens | Limit::InFlight | Limit::Rpm | Limit::Tpm => Amount::Text(value.to_owned()).number()?,
    };
    limit.check(Some(value)).map_err(refused)?;
    Ok((scope, limit, Some(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_named_as_in_the_file() {
        for (text, expected) in [
            ("budget.usd=600", (Scope::Experiment, Limit::Usd, Some(600_000_000))),
            ("budget.tokens=2M", (Scope::Experiment, Limit::Tokens, Some(2_000_000))),
            ("budget.wall=2h", (Scope::Experiment, Limit::Wall, Some(7_200_000))),
            ("budget.wall=none", (Scope::Experiment, Limit::Wall, None)),
            ("lane.cloud.in_flight=20", (Scope::Lane("cloud".to_owned()), Limit::InFlight, Some(20))),
            ("lane.cloud.tpm=4M", (Scope::Lane("cloud".to_owned()), Limit::Tpm, Some(4_000_000))),
        ] {
            assert_eq!(change(text).unwrap(), expected, "{text}");
        }
        for wrong in [
            "budget.usd",
            "budget.eur=1",
            "budget.usd=0",
            "lane.a.in_flight=0",
            "lane.a.in_flight=none",
            "attempt.steps=3",
            "budget.wall=soon",
        ] {
            assert!(change(wrong).is_err(), "{wrong}");
        }
    }
}
