//! Figures of numpy, scipy and statsmodels that ours must agree with; `tests/fixtures/statistics/make.py` wrote them.

use serde::Deserialize;

use super::bootstrap::ratio_over;
use super::passes::all_of;
use super::{Proportion, holm, mcnemar, paired, quantile};

const FIXTURES: &str = include_str!("../../tests/fixtures/statistics/fixtures.json");
const NEAR: f64 = 1e-6;

#[derive(Deserialize)]
struct Fixtures {
    mcnemar: Vec<Pair>,
    holm: Vec<Family>,
    wilson: Vec<Share>,
    quantile: Vec<Sample>,
    ratio: Vec<Ratio>,
    pass_hat: Vec<Passes>,
}

#[derive(Deserialize)]
struct Pair {
    one: u32,
    other: u32,
    p: f64,
}

#[derive(Deserialize)]
struct Family {
    p: Vec<f64>,
    adjusted: Vec<f64>,
}

#[derive(Deserialize)]
struct Share {
    hits: u32,
    n: u32,
    interval: (f64, f64),
}

#[derive(Deserialize)]
struct Sample {
    values: Vec<f64>,
    low: f64,
    high: f64,
}

/// What was spent and reached, and which items were drawn: a digit each.
#[derive(Deserialize)]
struct Ratio {
    items: Vec<(f64, f64)>,
    draws: Vec<String>,
    value: f64,
    low: f64,
    high: f64,
}

#[derive(Deserialize)]
struct Passes {
    n: usize,
    c: usize,
    k: usize,
    share: f64,
}

fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < NEAR, "{found} is not {wanted}");
}

#[test]
fn statistics_agree_with_scipy_and_statsmodels() {
    let fixtures: Fixtures = serde_json::from_str(FIXTURES).unwrap();
    for Pair { one, other, p } in fixtures.mcnemar {
        near(mcnemar(one, other), p);
        near(mcnemar(other, one), p);
    }
    for Family { p, adjusted } in fixtures.holm {
        holm(&p).into_iter().zip(adjusted).for_each(|(found, wanted)| near(found, wanted));
    }
    for Share { hits, n, interval } in fixtures.wilson {
        let found = Proportion::of(hits, n).interval.unwrap();
        near(found.0, interval.0);
        near(found.1, interval.1);
    }
    for Sample { mut values, low, high } in fixtures.quantile {
        values.sort_by(f64::total_cmp);
        near(quantile(&values, 0.025), low);
        near(quantile(&values, 0.975), high);
    }
    for Ratio { items, draws, value, low, high } in fixtures.ratio {
        let all = draws.concat();
        let mut places = all.chars().map(|digit| digit.to_digit(10).unwrap() as usize);
        let found = ratio_over(&items, draws.len(), &mut || places.next().unwrap()).unwrap();
        near(found.value, value);
        near(found.low, low);
        near(found.high, high);
        assert_eq!(places.next(), None, "all draws are used");
    }
    for Passes { n, c, k, share } in fixtures.pass_hat {
        near(all_of(k, n, c), share);
    }
}

#[test]
fn a_comparison_says_what_so_many_items_can_tell() {
    let of = |first: usize, second: usize| {
        let pairs = (0..83).map(|item| (item < first, (first..first + second).contains(&item)));
        paired(pairs)
    };
    let close = of(17, 8);
    assert!(close.p > 0.05 && close.least.unwrap() > close.difference, "{close:?}");
    let clear = of(18, 7);
    assert!(clear.p < 0.05 && (clear.least.unwrap() - clear.difference).abs() < 1e-9, "{clear:?}");
    assert_eq!((of(0, 0).least, of(3, 0).least), (None, None), "three items tell nothing");
}
