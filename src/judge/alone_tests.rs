//! What is tried again, with whom beside it, and whose trouble it is in the end.

use serde_json::json;

use super::super::PlayError;
use super::*;
use crate::model::{Hashes, Outcome};

/// What each try met, the last of them again and again, with who was there.
async fn tried<T, E: Display>(
    is_trouble: impl FnMut(&E) -> bool,
    outcomes: &[fn() -> Result<T, E>],
) -> (Result<T, E>, Vec<Company>) {
    let mut companies = Vec::new();
    let attempt = |company| {
        let outcome = outcomes[companies.len().min(outcomes.len() - 1)];
        companies.push(company);
        std::future::ready(outcome())
    };
    let result = again_alone("a test", is_trouble, attempt).await;
    (result, companies)
}

async fn played(outcomes: &[fn() -> Result<u8, PlayError>]) -> (Result<u8, PlayError>, Vec<Company>) {
    tried(PlayError::is_trouble, outcomes).await
}

fn timeout() -> PageError {
    PageError::Timeout { what: "the page's work".to_owned(), limit: Duration::from_secs(60) }
}

fn watchdog() -> Result<u8, PlayError> {
    Err(timeout().into())
}

fn lost() -> Result<u8, PlayError> {
    Err(PageError::Lost(Loss::Renderer).into())
}

/// A page that has lost what it was asked for, or the answer to it.
fn refused() -> PageError {
    let message = "this page has not been given the project".to_owned();
    PageError::Refused { code: "not_loading".to_owned(), message, hint: None }
}

fn hung() -> Result<u8, PlayError> {
    Err(PlayError::Hung("the program kept the page busy".to_owned()))
}

fn broke() -> Result<u8, PlayError> {
    Err(PlayError::Broke("no report".to_owned()))
}

/// A judgement that met trouble.
fn judged_with(trouble: Trouble) -> Result<u8, Spoilt> {
    let verdict: Verdict = serde_json::from_value(json!({
        "task": "day_of_year", "outcome": Outcome::InfraError, "passed_tests": 0, "total_tests": 0, "details": [], "seed": 1,
        "clock": "virtual", "console": [], "hashes": Hashes::default(),
    }))
    .unwrap();
    Err(spoilt(verdict, trouble, "the page's work did not end".to_owned()))
}

#[tokio::test]
async fn after_a_watchdog_the_work_is_tried_again_alone() {
    let (result, companies) = played(&[watchdog, || Ok(7)]).await;
    assert_eq!((result.unwrap(), companies), (7, vec![Company::Others, Company::Alone]));
}

#[tokio::test]
async fn a_load_whose_answer_was_lost_is_trouble_of_ours_and_the_file_is_sent_to_another_page() {
    let (result, companies) = played(&[|| Err(refused().into()), || Ok(7)]).await;
    assert_eq!((result.unwrap(), companies), (7, vec![Company::Others, Company::Alone]));
    let (result, companies) = played(&[|| Err(refused().into())]).await;
    let error = result.unwrap_err();
    assert!(error.is_passing() && !error.is_of_project() && companies.len() == 3, "{error}");
}

#[tokio::test]
async fn trouble_that_stays_is_an_error_of_the_testbed_and_none_of_the_project() {
    let (result, companies) = played(&[watchdog]).await;
    let error = result.unwrap_err();
    assert!(error.is_passing() && !error.is_of_project(), "{error}");
    assert_eq!(companies, [Company::Others, Company::Alone, Company::Alone]);
    let (result, companies) = played(&[lost]).await;
    assert!(result.unwrap_err().is_passing() && companies.len() == 3);
}

#[tokio::test]
async fn what_the_project_did_is_not_tried_again_and_what_our_script_met_is_not_the_projects() {
    let (result, companies) = played(&[hung]).await;
    assert!(result.unwrap_err().is_of_project() && companies == [Company::Others]);
    let (result, companies) = played(&[broke]).await;
    assert!(!result.unwrap_err().is_of_project() && companies.len() == 3);
}

#[tokio::test]
async fn a_judgement_is_tried_again_alone_and_ends_as_trouble_unless_it_brought_down_two_pages() {
    let testbed: fn() -> Result<u8, Spoilt> = || judged_with(Trouble::Testbed);
    let page: fn() -> Result<u8, Spoilt> = || judged_with(Trouble::Page);
    let (result, companies) = tried(Spoilt::is_tried_again, &[testbed, || Ok(7)]).await;
    assert_eq!((result.ok(), companies), (Some(7), vec![Company::Others, Company::Alone]));
    let (result, companies) = tried(Spoilt::is_tried_again, &[testbed]).await;
    let error = result.unwrap_err();
    assert_eq!((error.0.verdict.outcome, error.0.trouble), (Outcome::InfraError, Some(Trouble::Testbed)));
    assert_eq!(companies, [Company::Others, Company::Alone, Company::Alone]);
    assert_eq!(error.to_string(), "the page's work did not end");
    let (result, companies) = tried(Spoilt::is_tried_again, &[testbed, page]).await;
    assert_eq!((result.unwrap_err().0.trouble, companies.len()), (Some(Trouble::Page), 2));
}

#[test]
fn only_two_pages_that_were_lost_for_their_own_sake_may_be_their_projects_doing() {
    const USED: Duration = Duration::from_secs(3);
    let own = PageError::Lost(Loss::Renderer);
    let others = [timeout(), PageError::Lost(Loss::Hung), PageError::Lost(Loss::Browser)];
    let tries = Tries::after(USED);
    let others_are_ours = || others.iter().all(|error| tries.broke(USED, error) == Trouble::Testbed);
    assert!(others_are_ours());
    assert_eq!(tries.spent(), USED, "what a clock of ours has ended takes nothing from the project");
    assert_eq!(tries.broke(USED, &own), Trouble::Testbed, "it may have been chance");
    assert!(others_are_ours());
    assert_eq!(tries.broke(USED, &own), Trouble::Page);
    tries.ended(USED);
    assert_eq!(tries.spent(), 4 * USED);
}
