//! The secret seed of a run's judgements. Scripts and their tasks' seeds are public, so a program may answer from a table of
//! what is asked under them; what is asked under a seed that was drawn for the run is in no table.

use uuid::Uuid;

use crate::sha256_hex;

/// Tasks have small seeds. With this bit none of them is drawn, and seeds have the 32 bits that random streams take.
const DRAWN: u32 = 1 << 31;

/// Which secret seed a run is begun with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum JudgeSeed {
    /// None: no script judges, or the run was begun before there were secret seeds.
    #[default]
    Absent,
    /// One that is drawn when the run is begun.
    Drawn,
    /// This one, so that an earlier run can be made or judged again.
    Given(u64),
}

impl JudgeSeed {
    /// The seed for the record of a new run.
    pub fn chosen(self) -> Option<u64> {
        match self {
            Self::Absent => None,
            Self::Drawn => Some(Self::draw()),
            Self::Given(seed) => Some(seed),
        }
    }

    /// A seed by the operating system's chance: 2^31 to 2^32 - 1.
    pub fn draw() -> u64 {
        // The last bytes of an identifier of version 4 are random throughout.
        let bytes = Uuid::new_v4().into_bytes();
        let [.., a, b, c, d] = bytes;
        Self::of_bytes([a, b, c, d])
    }

    /// The seed that belongs to a text and a key, in the range of drawn ones. Who does not have the key can't tell it, also not from
    /// seeds of other texts.
    pub fn keyed(key: &str, text: &str) -> u64 {
        let digest = sha256_hex(format!("{key}\n{text}").as_bytes());
        let part = digest.get(..8).and_then(|part| u32::from_str_radix(part, 16).ok());
        Self::of_bytes(part.unwrap_or_default().to_be_bytes())
    }

    fn of_bytes(bytes: [u8; 4]) -> u64 {
        u64::from(u32::from_be_bytes(bytes) | DRAWN)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn drawn_seeds_differ_from_each_other_and_from_all_that_tasks_have() {
        let drawn: BTreeSet<u64> = (0..100).map(|_| JudgeSeed::draw()).collect();
        assert!(drawn.len() > 98, "{drawn:?}");
        assert!(drawn.iter().all(|seed| (1 << 31..1 << 32).contains(seed)), "{drawn:?}");
        assert_eq!((JudgeSeed::Absent.chosen(), JudgeSeed::Given(7).chosen()), (None, Some(7)));
        assert!(JudgeSeed::Drawn.chosen().is_some());
        let keyed = |key, text| JudgeSeed::keyed(key, text);
        assert_eq!(keyed("k", "a"), keyed("k", "a"));
        assert!(keyed("k", "a") != keyed("k", "b") && keyed("k", "a") != keyed("l", "a"));
        assert!((1 << 31..1 << 32).contains(&keyed("k", "a")));
    }
}
