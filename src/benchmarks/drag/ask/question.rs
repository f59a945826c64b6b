//! The prompt and the picture of a trial.

use std::io::Cursor;
use std::sync::Arc;

use image::{ImageFormat, Rgba, RgbaImage};
use imageproc::drawing::draw_antialiased_line_segment_mut;
use imageproc::pixelops::interpolate;
use serde_json::json;

use super::setting::Setting;
use crate::agent::{Prompt, TemplateError};
use crate::model::{Element, Point, Rect};
use crate::perceive::{Convention, table};
use crate::prompt;

const SYSTEM: Prompt = prompt!("drag-system.md");
const QUESTION: Prompt = prompt!("drag-question.md");

/// The mark of the ground-truth start: a red circle of this radius, drawn this thick.
const MARK: (f32, f32) = (12.0, 4.0);
const RED: Rgba<u8> = Rgba([255, 0, 0, 255]);
/// Sides of the polygon that stands for the circle.
const SIDES: u8 = 48;

/// What a question is made of.
#[derive(Debug)]
pub(super) struct Shown<'a> {
    pub(super) instruction: &'a str,
    pub(super) setting: Setting,
    pub(super) convention: Convention,
    /// Where to press, for the setting that reveals it.
    pub(super) start: Point,
    /// The list, for the setting that shows it.
    pub(super) elements: &'a [Element],
}

impl Shown<'_> {
    /// What holds for all scenes.
    pub(super) fn system(&self) -> Result<String, TemplateError> {
        let (width, height) = self.convention.size();
        let convention = self.convention;
        SYSTEM.fill(json!({
            "convention": convention,
            "width": width,
            "height": height,
            "elements": self.setting.element_list,
        }))
    }

    pub(super) fn user(&self) -> Result<String, TemplateError> {
        let start = self.convention.to_hint(self.start);
        let list = self
            .setting
            .element_list
            .then(|| table(&self.elements.iter().map(|one| self.in_model_units(one)).collect::<Vec<_>>()));
        QUESTION.fill(json!({
            "instruction": self.instruction,
            "start": self.setting.help.gives_start().then(|| json!({"x": start.x, "y": start.y})),
            "knowledge": self.setting.help.has_knowledge(),
            "thousandths": self.convention == Convention::Thousandths,
            "elements": list,
        }))
    }

    /// An element with its box in the model's units.
    fn in_model_units(&self, element: &Element) -> Element {
        let Rect { x, y, width, height } = element.position;
        let corner = |x: i32, y: i32| self.convention.to_model(Point::new(f64::from(x), f64::from(y)));
        let (from, to) = (corner(x, y), corner(x + width, y + height));
        #[expect(clippy::cast_possible_truncation, reason = "coordinates of a picture are small")]
        let position = Rect::new(from.x as i32, from.y as i32, (to.x - from.x) as i32, (to.y - from.y) as i32);
        Element { position, ..element.clone() }
    }

    /// The screenshot, with a mark where the setting wants one.
    pub(super) fn picture(&self, screenshot: &Arc<Vec<u8>>) -> Result<Arc<Vec<u8>>, image::ImageError> {
        if !self.setting.help.gives_start() {
            return Ok(Arc::clone(screenshot));
        }
        let mut picture = image::load_from_memory(screenshot)?.to_rgba8();
        mark(&mut picture, self.start);
        let mut png = Cursor::new(Vec::new());
        picture.write_to(&mut png, ImageFormat::Png)?;
        Ok(Arc::new(png.into_inner()))
    }
}

fn mark(picture: &mut RgbaImage, at: Point) {
    let (radius, thickness) = MARK;
    #[expect(clippy::cast_possible_truncation, reason = "a pixel of the viewport")]
    let place = |angle: f32, radius: f32| {
        ((at.x as f32 + radius * angle.cos()).round() as i32, (at.y as f32 + radius * angle.sin()).round() as i32)
    };
    // Rings half a pixel apart leave no holes.
    let rings = (0..8_u8).map(|ring| radius - thickness / 2.0 + f32::from(ring) * 0.5);
    for radius in rings {
        for side in 0..SIDES {
            let angle = |side: u8| f32::from(side) * std::f32::consts::TAU / f32::from(SIDES);
            let (from, to) = (place(angle(side), radius), place(angle(side + 1), radius));
            draw_antialiased_line_segment_mut(picture, from, to, RED, interpolate);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::setting::Help;
    use super::*;
    use crate::model::ElementType;

    fn elements() -> Vec<Element> {
        let position = Rect::new(640, 360, 64, 36);
        vec![Element { index: 0, kind: ElementType::Blocks, text: "move 10 steps".to_owned(), position }]
    }

    fn shown(elements: &[Element], help: Help, convention: Convention) -> Shown<'_> {
        let setting = Setting { help, element_list: !elements.is_empty() };
        Shown { instruction: "Put it there.", setting, convention, start: Point::new(640.0, 360.0), elements }
    }

    #[test]
    fn each_setting_reveals_what_it_should_and_no_more() {
        let baseline = shown(&[], Help::Baseline, Convention::Pixels).user().unwrap();
        assert!(baseline.contains("Put it there.") && !baseline.contains("640"), "{baseline}");
        let start = shown(&[], Help::GtStart, Convention::Thousandths).user().unwrap();
        assert!(start.contains("500 500") && start.contains("red circle"), "{start}");
        let knowledge = shown(&[], Help::Knowledge, Convention::Pixels).user().unwrap();
        assert!(knowledge.contains("15") && !knowledge.contains("red circle"), "{knowledge}");
        let both = shown(&[], Help::GtStartKnowledge, Convention::Pixels).user().unwrap();
        assert!(both.contains("640 360") && both.contains("red circle") && both.contains("15"), "{both}");
        for text in [baseline, start, knowledge, both] {
            assert!(!text.contains("move 10 steps") && text.ends_with('\n'), "{text}");
        }
    }

    #[test]
    fn coordinates_are_the_models_everywhere() {
        let all = elements();
        let shown = shown(&all, Help::Baseline, Convention::Thousandths);
        let (system, user) = (shown.system().unwrap(), shown.user().unwrap());
        assert!(system.contains("1000") && !system.contains("1280") && system.contains("<index>"), "{system}");
        assert!(user.contains("move 10 steps") && user.contains("500") && !user.contains("640"), "{user}");
    }

    #[test]
    fn the_mark_is_a_ring_around_the_start() {
        let mut picture = RgbaImage::from_pixel(100, 100, Rgba([255, 255, 255, 255]));
        mark(&mut picture, Point::new(50.0, 50.0));
        for (x, red) in [(50, false), (62, true), (38, true), (56, false), (70, false)] {
            assert_eq!(*picture.get_pixel(x, 50) == RED, red, "{x}");
        }
    }
}
