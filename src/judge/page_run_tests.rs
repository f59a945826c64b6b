//! What our clocks say of a page that is being stopped: nothing.

use super::*;
use crate::page::Loss;

/// A command that a page was too busy to answer.
fn unanswered() -> PageError {
    PageError::Timeout { what: "halting the page's script".to_owned(), limit: LAST_WORD }
}

/// What it comes to when a page is asked that answers so at first and is halted then, and how often it was asked.
async fn asked(errors: Vec<PageError>) -> (Result<u8, PageError>, u32) {
    let (mut errors, mut count) = (errors.into_iter(), 0);
    let ask = || {
        count += 1;
        std::future::ready(errors.next().map_or(Ok(7), Err))
    };
    let result = until_answered(ask).await;
    (result, count)
}

#[tokio::test]
async fn a_page_that_is_too_busy_to_be_halted_is_asked_again_and_a_lost_one_is_not() {
    assert!(matches!(asked(vec![unanswered(), unanswered()]).await, (Ok(7), 3)));
    for loss in [Loss::Hung, Loss::Renderer] {
        let (result, count) = asked(vec![PageError::Lost(loss)]).await;
        assert!(matches!(result, Err(PageError::Lost(found)) if found == loss) && count == 1, "{loss:?}");
    }
}

/// Nothing tells of the page once the limit of its own processor time has come first.
#[tokio::test]
async fn asking_ends_with_the_processor_time_of_the_page_alone() {
    let mut asking = Box::pin(until_answered(|| async {
        tokio::task::yield_now().await;
        Err::<u8, _>(unanswered())
    }));
    for _ in 0..1000 {
        assert!(futures::poll!(asking.as_mut()).is_pending());
    }
}

#[test]
fn a_page_that_can_not_be_stopped_ends_as_it_would_have() {
    assert!(matches!(but_for_clocks(Ok(Some(7))), Ok(Some(7))));
    assert!(matches!(but_for_clocks::<u8>(Err(unanswered())), Ok(None)));
    let lost = but_for_clocks::<u8>(Err(PageError::Lost(Loss::Renderer)));
    assert!(matches!(lost, Err(PageError::Lost(Loss::Renderer))));
}
