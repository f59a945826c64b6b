//! Pointer moves, and keys that stay down from one call to the next.

use crate::action::ActionError;
use crate::action::primitive::outside_viewport;
use crate::model::{Point, VIEWPORT};
use crate::page::{KeyStroke, MouseInput};
use crate::session::Live;

/// Moves the pointer from where it is in this many steps, the last one at the point itself.
///
/// # Errors
/// `outside_viewport`, or when the page is lost.
pub async fn move_to(live: &mut Live, point: Point, steps: u32) -> Result<(), ActionError> {
    let (width, height) = VIEWPORT;
    if !point.is_inside(width, height) {
        return Err(outside_viewport("", point));
    }
    let page = live.page();
    let start = page.pointer().unwrap_or(point);
    let steps = if start == point { 1 } else { steps.max(1) };
    for step in 1..=steps {
        page.mouse(MouseInput::Move(start.towards(point, f64::from(step) / f64::from(steps)))).await?;
    }
    Ok(())
}

/// Presses a key that stays down until [`release_key`], or until the session's page is replaced.
///
/// # Errors
/// When the page is lost.
pub async fn hold_key(live: &mut Live, key: &KeyStroke) -> Result<(), ActionError> {
    live.page().key_down_for_good(key).await?;
    Ok(())
}

/// Lets a key go.
///
/// # Errors
/// When the page is lost.
pub async fn release_key(live: &mut Live, key: &KeyStroke) -> Result<(), ActionError> {
    live.page().key_up(key).await?;
    Ok(())
}
