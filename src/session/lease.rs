//! A page on loan, and what is left of it when it comes back.
//!
//! `fleet.rs` lends pages and closes those that come back.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::browsers::Reservation;
use super::places::SessionPlace;
use crate::page::{ContextId, Loss, Page, PageError};

/// What an editor that is opened for a caller begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beginning {
    /// Its default project.
    Default,
    /// The project that the caller loads next.
    Awaited,
}

impl Beginning {
    /// For a caller that brings this project, if any.
    pub(super) const fn of<T>(project: Option<&T>) -> Self {
        if project.is_some() { Self::Awaited } else { Self::Default }
    }
}

/// A leased page. Dropping it returns it; [`super::Fleet::release`] also waits until it is closed.
#[derive(Debug)]
pub struct Lease {
    /// The page, ready for use.
    pub page: Page,
    /// `None` once it was handed over.
    reservation: Option<Reservation>,
    /// The session's place that the page is lent for.
    place: Option<Arc<SessionPlace>>,
    returns: mpsc::UnboundedSender<Returned>,
    product: String,
    process_id: u32,
}

/// What is left of a lease: a context to close, then a reservation to give back, and a place that is free from then on.
#[derive(Debug)]
pub(super) struct Returned {
    pub(super) context: ContextId,
    pub(super) loss: Option<Loss>,
    pub(super) reservation: Reservation,
    pub(super) place: Option<Arc<SessionPlace>>,
}

impl Lease {
    pub(super) fn new(page: Page, reservation: Reservation, returns: mpsc::UnboundedSender<Returned>) -> Self {
        let (product, process_id) = (reservation.chromium().product().to_owned(), reservation.chromium().process_id());
        Self { page, reservation: Some(reservation), place: None, returns, product, process_id }
    }

    /// The same page, lent for a session's place, which is not free before the page is closed.
    pub(super) fn lent_for(mut self, place: Option<Arc<SessionPlace>>) -> Self {
        self.place = place;
        self
    }

    /// What it is lent for.
    pub(super) fn place(&self) -> Option<Arc<SessionPlace>> {
        self.place.clone()
    }

    /// Product string of the browser that shows the page.
    pub fn browser_product(&self) -> &str {
        &self.product
    }

    /// Process id of the browser that shows the page.
    pub const fn browser_process_id(&self) -> u32 {
        self.process_id
    }

    /// Makes the page's processor time known.
    ///
    /// # Errors
    /// When the browser or the page does not answer.
    pub async fn watch_processor(&mut self) -> Result<(), PageError> {
        match &self.reservation {
            Some(reservation) => reservation.chromium().watch_processor(&mut self.page).await,
            None => Ok(()),
        }
    }

    /// Gives up a page that does not answer, and its browser too if that does not answer either. The page first: it is lost for its
    /// own sake, whatever becomes of its browser, and only the other pages there are lost with their browser.
    pub(super) async fn give_up(&self) {
        self.page.give_up().await;
        if let Some(reservation) = &self.reservation {
            reservation.chromium().give_up_unless_it_answers().await;
        }
    }

    pub(super) fn hand_over(&mut self) -> Option<Returned> {
        let (context, loss, place) = (self.page.context().clone(), self.page.loss(), self.place.take());
        self.reservation.take().map(|reservation| Returned { context, loss, reservation, place })
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(returned) = self.hand_over() {
            // Without a fleet there is no browser.
            let _ = self.returns.send(returned);
        }
    }
}
