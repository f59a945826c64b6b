//! Finding things in the palette, which is one long list that scrolls.

use super::player::{Player, Stuck};
use crate::model::{ElementType, Point, Rect};

/// Pixels that the palette is scrolled at a time.
const PAGE: f64 = 350.0;
/// How often it is scrolled for one thing.
const PAGES: u32 = 5;

impl Player {
    /// Scrolls the palette until a thing is seen from its upper edge on.
    pub async fn show_in_palette(
        &mut self,
        category: &str,
        what: &str,
        find: impl Fn(&Self) -> Option<Rect> + Send,
    ) -> Result<Rect, Stuck> {
        if let Some(place) = self.whole(&find)? {
            return Ok(place);
        }
        self.press(ElementType::CategoryMenu, category).await?;
        for _ in 0..PAGES {
            if let Some(place) = self.whole(&find)? {
                return Ok(place);
            }
            let canvas = self.canvas()?;
            let at = Point::new(f64::from(canvas.x) - 100.0, f64::from(canvas.y) + f64::from(canvas.height) / 2.0);
            self.scroll(at, "down", PAGE).await?;
        }
        Err(Stuck(format!("the palette does not show {what}")))
    }

    /// A thing, if neither edge of the palette cuts it off where it is grasped.
    fn whole(&self, find: &(impl Fn(&Self) -> Option<Rect> + Send)) -> Result<Option<Rect>, Stuck> {
        let canvas = self.canvas()?;
        let (top, bottom) = (canvas.y + 2, canvas.y + canvas.height - 30);
        Ok(find(self).filter(|place| place.y > top && place.y < bottom))
    }
}
