//! A page in which scripts are drawn, of one project after another.
//!
//! Each picture begins with loading its project, so that nothing depends on what was drawn before. Opening the editor takes longer than
//! drawing.

use tokio::sync::Mutex;

use super::picture::draw_scripts;
use super::{BuildError, MarkedPicture, MarkedScript};
use crate::session::{Fleet, Lease};

/// Draws scripts in one page, which is opened for the first of them.
#[derive(Debug)]
pub struct DrawingPage {
    fleet: Fleet,
    page: Mutex<Option<Lease>>,
}

impl DrawingPage {
    /// Draws in a page of this fleet.
    pub fn new(fleet: Fleet) -> Self {
        Self { fleet, page: Mutex::default() }
    }

    /// Draws scripts of one target, which is named as projects name it, the stage `Stage`. The pictures are in the order of the scripts.
    ///
    /// # Errors
    /// When the editor can't load the project, a script is not there, and when the page is lost. The next picture is then drawn in another
    /// page.
    pub async fn draw_scripts(
        &self,
        sb3: &[u8],
        target: &str,
        scripts: Vec<MarkedScript>,
    ) -> Result<Vec<MarkedPicture>, BuildError> {
        let mut place = self.page.lock().await;
        let lease = match place.take() {
            Some(lease) => lease,
            None => self.fleet.acquire().await?,
        };
        // The lease stays in place while it works, so that a cancelled caller does not lose it.
        let drawn = draw_scripts(&place.insert(lease).page, sb3, target, scripts).await;
        if let Some(failed) = place.take_if(|_| drawn.is_err()) {
            self.fleet.release(failed).await;
        }
        drawn
    }

    /// Gives the page back; drawing goes on with a new one.
    pub async fn clear(&self) {
        if let Some(lease) = self.page.lock().await.take() {
            self.fleet.release(lease).await;
        }
    }
}
