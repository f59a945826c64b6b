//! Tests of `budget`.

use super::*;

fn args(max_usd: Option<u64>, max_run_tokens: Option<u64>) -> BudgetArgs {
    BudgetArgs { max_usd, max_run_tokens, prices: PricesArgs { prices: None, given: None } }
}

#[test]
fn dollars_become_whole_micro_dollars() {
    assert_eq!(["0.5", "2", "0.0000001"].map(|text| micro_usd(text).unwrap()), [500_000, 2_000_000, 1]);
    for wrong in ["0", "-1", "x", "NaN", "inf", "1e12"] {
        assert!(micro_usd(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn money_is_limited_only_where_the_price_is_known_and_tokens_always() {
    assert!(args(Some(5), None).budget(Some("gpt-5")).is_ok());
    assert!(args(None, Some(5)).budget(Some("scripted\u{1b}[2J")).is_ok());
    let failure = args(Some(5), None).budget(Some("scripted\u{1b}[2J")).unwrap_err();
    assert_eq!((failure.status(), failure.code()), (Status::Usage, "price_unknown"));
    assert!(failure.text().contains("--prices FILE") && !failure.text().contains('\u{1b}'), "{}", failure.text());
    assert_eq!(args(None, Some(5)).budget(None).unwrap_err().code(), "budget_without_model");
    assert!(args(None, None).budget(None).is_ok());
}
