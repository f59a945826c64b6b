//! Another try after trouble of the testbed: alone, so that nothing of ours is in its way. Only what then comes again is told.

use super::PlayError;
use crate::session::retry::while_broken;

/// Who else works while a project is loaded or played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Company {
    /// As many as there are lanes.
    Others,
    /// Nobody, in a page that has judged nothing.
    Alone,
}

/// Tries something beside others, and alone whenever the testbed was at fault, or our own script was in trouble.
///
/// # Errors
/// The last error.
pub(super) async fn again_alone<T, F: Future<Output = Result<T, PlayError>>>(
    what: &str,
    mut attempt: impl FnMut(Company) -> F,
) -> Result<T, PlayError> {
    let mut company = Company::Others;
    let is_trouble = |error: &PlayError| error.is_passing() || matches!(error, PlayError::Broke(_));
    while_broken(what, is_trouble, || attempt(std::mem::replace(&mut company, Company::Alone))).await
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::page::{Loss, PageError};

    /// What each try met, the last of them again and again, with who was there.
    async fn tried(outcomes: &[fn() -> Result<u8, PlayError>]) -> (Result<u8, PlayError>, Vec<Company>) {
        let mut companies = Vec::new();
        let attempt = |company| {
            let outcome = outcomes[companies.len().min(outcomes.len() - 1)];
            companies.push(company);
            std::future::ready(outcome())
        };
        let result = again_alone("a test", attempt).await;
        (result, companies)
    }

    fn watchdog() -> Result<u8, PlayError> {
        Err(PageError::Timeout { what: "the page's work".to_owned(), limit: Duration::from_secs(60) }.into())
    }

    fn lost() -> Result<u8, PlayError> {
        Err(PageError::Lost(Loss::Renderer).into())
    }

    fn hung() -> Result<u8, PlayError> {
        Err(PlayError::Hung("the program kept the page busy".to_owned()))
    }

    fn broke() -> Result<u8, PlayError> {
        Err(PlayError::Broke("no report".to_owned()))
    }

    #[tokio::test]
    async fn after_a_watchdog_the_work_is_tried_again_alone() {
        let (result, companies) = tried(&[watchdog, || Ok(7)]).await;
        assert_eq!((result.unwrap(), companies), (7, vec![Company::Others, Company::Alone]));
    }

    #[tokio::test]
    async fn trouble_that_stays_is_an_error_of_the_testbed_and_none_of_the_project() {
        let (result, companies) = tried(&[watchdog]).await;
        let error = result.unwrap_err();
        assert!(error.is_passing() && !error.is_of_project() && !error.is_property_of_project(), "{error}");
        assert_eq!(companies, [Company::Others, Company::Alone, Company::Alone]);
        let (result, companies) = tried(&[lost]).await;
        assert!(result.unwrap_err().is_passing() && companies.len() == 3);
    }

    #[tokio::test]
    async fn what_the_project_did_is_not_tried_again_and_what_our_script_met_is_not_the_projects() {
        let (result, companies) = tried(&[hung]).await;
        assert!(result.unwrap_err().is_property_of_project() && companies == [Company::Others]);
        let (result, companies) = tried(&[broke]).await;
        assert!(!result.unwrap_err().is_property_of_project() && companies.len() == 3);
    }
}
