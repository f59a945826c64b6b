//! Samples candidates if there are too many: operators in turn, and within an operator blocks in turn, in an order that
//! the seed decides.

use std::collections::BTreeMap;

use super::operators::Candidate;
use crate::model::sha256_hex;

pub(super) type Named = (String, Candidate);

/// All candidates in the order in which they are to be taken.
pub(super) fn order(candidates: Vec<Named>, seed: u64) -> Vec<Named> {
    let mut strata: BTreeMap<&'static str, Vec<Named>> = BTreeMap::new();
    for candidate in candidates {
        strata.entry(candidate.1.operator).or_default().push(candidate);
    }
    in_turns(strata.into_values().map(|stratum| by_block(stratum, seed)).collect())
}

/// One of each block, then a second one of each, and so on.
fn by_block(candidates: Vec<Named>, seed: u64) -> Vec<Named> {
    let rank = |name: &str| sha256_hex(format!("{seed} {name}").as_bytes());
    let mut blocks: BTreeMap<String, Vec<Named>> = BTreeMap::new();
    for (name, candidate) in candidates {
        blocks.entry(rank(&candidate.block)).or_default().push((name, candidate));
    }
    for block in blocks.values_mut() {
        block.sort_by_key(|(name, _)| rank(name));
    }
    in_turns(blocks.into_values().collect())
}

fn in_turns(groups: Vec<Vec<Named>>) -> Vec<Named> {
    let mut open: Vec<_> = groups.into_iter().map(Vec::into_iter).collect();
    let mut all = Vec::new();
    loop {
        let round: Vec<Named> = open.iter_mut().filter_map(Iterator::next).collect();
        if round.is_empty() {
            return all;
        }
        all.extend(round);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(names: &[(&'static str, &str, &str)]) -> Vec<Named> {
        let make = |(operator, block, variant): &(&'static str, &str, &str)| {
            let candidate = Candidate {
                operator,
                path: (*block).to_owned(),
                variant: (*variant).to_owned(),
                target: 0,
                unrecorded: false,
                block: (*block).to_owned(),
                steps: Vec::new(),
                declares: None,
                renames: None,
            };
            (format!("{operator}:{block}:{variant}"), candidate)
        };
        names.iter().map(make).collect()
    }

    #[test]
    fn each_operator_and_each_block_comes_before_a_second_one() {
        let mut all = vec![("delete", "z", "block")];
        all.extend(["a", "b", "c"].iter().flat_map(|block| [("operand", *block, "more"), ("operand", *block, "less")]));
        for seed in 0..20 {
            let order = order(candidates(&all), seed);
            assert_eq!(order.len(), 7);
            assert_eq!(order[0].1.operator, "delete");
            let mut first: Vec<&str> = order[1..4].iter().map(|(_, found)| found.block.as_str()).collect();
            first.sort_unstable();
            assert_eq!(first, ["a", "b", "c"]);
        }
    }

    #[test]
    fn the_seed_decides_and_nothing_else() {
        let blocks: Vec<String> = (0..30).map(|n| n.to_string()).collect();
        let all: Vec<_> = blocks.iter().map(|block| ("operand", block.as_str(), "more")).collect();
        let names = |seed| order(candidates(&all), seed).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names(1), names(1));
        assert_ne!(names(1), names(2));
    }
}
