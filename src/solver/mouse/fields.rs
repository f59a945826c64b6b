//! Typing into fields and choosing from menus.

use serde_json::json;

use super::colour;
use super::player::{Player, Stuck};
use super::words::{self, squeezed};
use crate::model::{ElementType, Point, Rect};
use crate::solver::derive::Id;

/// How often one value is tried.
const TRIES: u32 = 4;
/// Pixels that an open menu is scrolled at a time: less than it shows.
const PAGE: f64 = 200.0;
/// How often it is scrolled for one choice.
const PAGES: u32 = 12;
/// The choice of a menu of messages that makes a new one.
const NEW_MESSAGE: &str = "New message";

/// Whether a field is set by mixing a colour.
fn is_colour(name: &str, shown: &str, wanted: &str) -> bool {
    name.starts_with("COLOR") && [shown, wanted].iter().all(|value| colour::parts(value).is_some())
}

impl Player {
    /// Has a field show a value.
    pub async fn set(&mut self, id: Id, name: &str, value: &str) -> Result<(), Stuck> {
        let wanted = words::shown(&self.sheet.nodes[id].opcode, name, value).to_owned();
        let key = (id, name.to_owned());
        for number in 0..TRIES {
            if number > 0 {
                self.counts.replan();
            }
            let matched = self
                .bring(name, |player, matched| {
                    let Some(shown) = matched.shown.get(&key) else {
                        return Some(vec![player.corner(matched, player.sheet.statement_of(id))?]);
                    };
                    Some(vec![shown.place.center(), Point::new(f64::from(shown.place.x), f64::from(shown.place.y))])
                })
                .await?;
            let Some(shown) = matched.shown.get(&key) else {
                return Err(Stuck(format!("{name} of {} is not seen", self.sheet.nodes[id].opcode)));
            };
            if words::is_same(&shown.value, &wanted) {
                self.sheet.note(id, name, value);
                return Ok(());
            }
            let known = matched.faults.len();
            self.click_on(shown.place).await?;
            if is_colour(name, &shown.value, &wanted) {
                self.mix(&wanted).await?;
                self.leave().await?;
            } else if shown.is_menu {
                self.choose(&wanted).await?;
            } else {
                if words::has_dial(&self.sheet.nodes[id].opcode, name) {
                    // The dial that opens takes the keys away from the field.
                    self.click_on(shown.place).await?;
                }
                self.overwrite(&wanted).await?;
                self.key("Enter").await?;
            }
            if !self.look().shown.contains_key(&key) {
                // A dial stays open, and may lie on the field.
                self.leave().await?;
            }
            let before = self.sheet.clone();
            self.sheet.note(id, name, value);
            let matched = self.look();
            if matched.faults.len() <= known && matched.shown.contains_key(&key) {
                return Ok(());
            }
            tracing::debug!(faults = ?matched.faults, name, value, "a value was not taken");
            self.counts.miss();
            self.sheet = before;
            self.leave().await?;
        }
        Err(Stuck(format!("{name} of {} can't be set to {value:?}", self.sheet.nodes[id].opcode)))
    }

    /// Closes what is open on the canvas by a click beside it.
    async fn leave(&mut self) -> Result<(), Stuck> {
        match self.free_place(10.0, 10.0) {
            Some(free) => self.click(free).await,
            None => self.key("Escape").await,
        }
    }

    /// Clicks on a choice of the open menu; a message that is not there is made.
    pub async fn choose(&mut self, wanted: &str) -> Result<(), Stuck> {
        let mut seen: Vec<String> = Vec::new();
        for _ in 0..PAGES {
            if let Some(place) = self.choice(wanted) {
                return self.click_on(place).await;
            }
            let Some((first, last)) = self.menu_ends() else {
                return Err(Stuck(format!("no menu opened for {wanted:?}")));
            };
            let items: Vec<String> = self.scene.all(ElementType::MenuItems).map(|(text, _)| text.to_owned()).collect();
            if items == seen {
                break;
            }
            seen = items;
            let at = Point::new(first.center().x, f64::midpoint(first.center().y, last.center().y));
            self.scroll(at, "down", PAGE).await?;
        }
        if let Some(place) = self.choice(NEW_MESSAGE) {
            self.click_on(place).await?;
            self.act("type", json!({"text": wanted})).await?;
            return self.key("Enter").await;
        }
        self.key("Escape").await?;
        Err(Stuck(format!("the menu has no {wanted:?}")))
    }

    /// A choice that is well in sight.
    fn choice(&self, wanted: &str) -> Option<Rect> {
        let is_it = |text: &str| {
            let bare = text.strip_suffix(" (selected)").unwrap_or(text);
            squeezed(bare) == squeezed(wanted)
        };
        self.scene.search(ElementType::MenuItems, is_it).filter(|place| place.height >= 12)
    }

    fn menu_ends(&self) -> Option<(Rect, Rect)> {
        let mut items = self.scene.all(ElementType::MenuItems).map(|(_, place)| place);
        let first = items.next()?;
        Some((first, items.last().unwrap_or(first)))
    }
}
