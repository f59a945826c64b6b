//! Colours as the editor's sliders have them: hue in degrees, saturation in thousandths, brightness up to 255.

use serde_json::json;

use super::player::{Player, Stuck};
use crate::model::{ElementType, Point, Rect};

/// Width of a slider, by which its rows are distinguished from other fields, in pixels.
const SLIDER: i32 = 150;
/// How far the ends of a slider's way are from its edges, in pixels.
const END: f64 = 11.0;
/// How many keys one slider may take: a pixel is up to seven steps.
const KEYS: u32 = 120;

/// Pixels beside the best one to be tried, in this order.
const BESIDE: [i32; 21] = [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 7, -7, 8, -8, 9, -9, 10, -10];

fn lost() -> Stuck {
    Stuck("the sliders of the colour are not seen".to_owned())
}

/// Where the three sliders stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sliders {
    /// 0 to 360.
    pub hue: u32,
    /// In thousandths, 0 to 1000.
    pub saturation: u32,
    /// 0 to 255.
    pub brightness: u32,
}

/// The parts of `#rrggbb` or `#rgb`.
pub(super) fn parts(colour: &str) -> Option<[u8; 3]> {
    let digits: Vec<u32> = colour.strip_prefix('#')?.chars().map(|digit| digit.to_digit(16)).collect::<Option<_>>()?;
    let doubled: Vec<u32> = match digits.len() {
        3 => digits.iter().map(|digit| digit * 17).collect(),
        6 => digits.chunks(2).map(|pair| pair[0] * 16 + pair[1]).collect(),
        _ => return None,
    };
    let mut parts = [0; 3];
    for (part, value) in parts.iter_mut().zip(doubled) {
        *part = u8::try_from(value).ok()?;
    }
    Some(parts)
}

impl Sliders {
    /// The colour that the editor makes of it, which rounds down.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the values are within 0 to 255")]
    fn colour(self) -> [u8; 3] {
        let sector = f64::from(self.hue % 360) / 60.0;
        let (saturation, most) = (f64::from(self.saturation) / 1000.0, f64::from(self.brightness));
        let rest = sector.fract();
        let [least, falling, rising] = [1.0, rest, 1.0 - rest].map(|part| most * (1.0 - saturation * part));
        let channels = match sector.floor() as u8 {
            0 => [most, rising, least],
            1 => [falling, most, least],
            2 => [least, most, rising],
            3 => [least, falling, most],
            4 => [rising, least, most],
            _ => [most, least, falling],
        };
        channels.map(|channel| channel.floor() as u8)
    }

    /// Where the sliders have to stand for a colour, or for the one nearest to it.
    pub fn of(wanted: [u8; 3]) -> Self {
        let brightness = u32::from(wanted.into_iter().max().unwrap_or_default());
        let off = |sliders: &Self| -> u32 {
            sliders.colour().iter().zip(wanted).map(|(a, b)| u32::from(a.abs_diff(b))).sum()
        };
        let all = (0..360).flat_map(|hue| (0..=1000).map(move |saturation| Self { hue, saturation, brightness }));
        all.min_by_key(off).unwrap_or(Self { hue: 0, saturation: 0, brightness })
    }
}

impl Player {
    /// Mixes a colour with the sliders of the open colour field.
    pub async fn mix(&mut self, wanted: &str) -> Result<(), Stuck> {
        let parts = parts(wanted).ok_or_else(|| Stuck(format!("{wanted:?} is not a colour")))?;
        let sliders = Sliders::of(parts);
        // Brightness first: without it the other two have no effect.
        let settings = [
            (2, f64::from(sliders.brightness), 255.0),
            (1, f64::from(sliders.saturation), 1000.0),
            (0, f64::from(sliders.hue), 360.0),
        ];
        for (number, value, most) in settings {
            self.slide_to(number, value, most).await?;
        }
        Ok(())
    }

    /// Brings one slider to a value: a click near to it, and arrow keys for the rest. Where a key goes farther than one step, as in
    /// the reference editor, not every value is reached from every pixel: the pixels beside are tried, too.
    async fn slide_to(&mut self, number: usize, wanted: f64, most: f64) -> Result<(), Stuck> {
        for beside in BESIDE {
            let (_, place) = self.slider(number).ok_or_else(lost)?;
            let way = f64::from(place.width) - 2.0 * END;
            let from = f64::from(place.x) + END;
            let at = (way * wanted / most + f64::from(beside)).clamp(0.0, way);
            if beside != 0 {
                // A click on the knob does not move it.
                let aside = if at < way / 2.0 { way } else { 0.0 };
                self.click(Point::new(from + aside, place.center().y)).await?;
            }
            self.click(Point::new(from + at, place.center().y)).await?;
            if self.step_to(number, wanted).await? {
                return Ok(());
            }
        }
        Err(Stuck("a slider of the colour can't be brought to where it belongs".to_owned()))
    }

    /// Presses arrow keys until the slider has the value; false if it jumps over it.
    async fn step_to(&mut self, number: usize, wanted: f64) -> Result<bool, Stuck> {
        let mut before = None;
        for _ in 0..KEYS {
            let (value, _) = self.slider(number).ok_or_else(lost)?;
            let steps = (wanted - value * if number == 1 { 1000.0 } else { 1.0 }).round();
            if steps.abs() < 0.5 {
                return Ok(true);
            }
            let key = if steps > 0.0 { "ArrowRight" } else { "ArrowLeft" };
            if before.replace(key).is_some_and(|other| other != key) {
                return Ok(false);
            }
            self.act("key", json!({"key": key})).await?;
        }
        Ok(false)
    }

    fn slider(&self, number: usize) -> Option<(f64, Rect)> {
        let rows = self.scene.all(ElementType::Inputs).filter(|(_, place)| place.width == SLIDER);
        let (text, place) = rows.filter(|(text, _)| !text.contains(" of ")).nth(number)?;
        Some((text.strip_prefix("value: ")?.parse().ok()?, place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_found_on_the_sliders() {
        for colour in ["#5b3a1e", "#cc3300", "#b31a4d", "#1f6fb2", "#000000", "#ffffff"] {
            let wanted = parts(colour).unwrap();
            assert_eq!(Sliders::of(wanted).colour(), wanted, "{colour}");
        }
        assert_eq!(parts("#f00"), Some([255, 0, 0]));
        assert_eq!((parts("f00"), parts("#f0")), (None, None));
    }

    #[test]
    fn the_editor_rounds_down() {
        let sliders = Sliders { hue: 221, saturation: 772, brightness: 241 };
        assert_eq!(sliders.colour(), [0x36, 0x71, 0xf1]);
    }
}
