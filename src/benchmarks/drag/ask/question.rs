//! The prompt and the picture of a trial.

use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use image::{ImageFormat, Rgba, RgbaImage};
use imageproc::drawing::draw_antialiased_line_segment_mut;
use imageproc::pixelops::interpolate;
use serde_json::json;

use strum::IntoEnumIterator as _;

use super::setting::{Help, Setting};
use crate::agent::{Prompt, QuestionPrompts, TemplateError, Templates, Wording, WordingError};
use crate::model::{Element, Point, Rect};
use crate::perceive::{Convention, table};
use crate::prompt;

/// Ours: the user part has the instruction and the help.
const OURS: Templates = Templates { system: prompt!("drag-system.md"), user: prompt!("drag-user.md") };
/// The published layout: all words in the system part; the user part is the picture, with the list where one is shown.
const PAPER: Templates = Templates { system: prompt!("drag-paper-system.md"), user: prompt!("drag-paper-user.md") };
/// The rules of thumb, the same in both.
const KNOWLEDGE: Prompt = prompt!("drag-knowledge.md");
/// What the user's own templates are called by.
const BENCHMARK: &str = "drag";

/// The mark of the ground-truth start: a red circle of this radius, drawn this thick.
const MARK: (f32, f32) = (12.0, 4.0);
const RED: Rgba<u8> = Rgba([255, 0, 0, 255]);
/// Sides of the polygon that stands for the circle.
const SIDES: u8 = 48;

/// The prompts of a layout, with the user's templates `drag-system.md` and `drag-user.md` of a folder in place of ours.
///
/// # Errors
/// When the folder has neither, one can't be read, or has a place that there is no value for in some setting.
pub fn prompts(wording: Wording, own: Option<&Path>) -> Result<QuestionPrompts, WordingError> {
    let templates = match wording {
        Wording::Scratchbed => OURS,
        Wording::Paper => PAPER,
    };
    let prompts = QuestionPrompts::bundled(wording, templates);
    let Some(folder) = own else { return Ok(prompts) };
    let prompts = prompts.laid_over(folder, BENCHMARK)?;
    for help in Help::iter() {
        let setting = Setting { help, element_list: true };
        let (convention, start) = (Convention::Pixels, Point::new(0.0, 0.0));
        Shown { instruction: "", setting, convention, start, elements: &[] }.texts(&prompts)?;
    }
    Ok(prompts)
}

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
    /// The system part and the user part.
    pub(super) fn texts(&self, prompts: &QuestionPrompts) -> Result<(String, String), TemplateError> {
        let (width, height) = self.convention.size();
        let start = self.convention.to_hint(self.start);
        let help = self.setting.help;
        // Lengths in pixels are no lengths of a model that counts in thousandths. The published rules always say so.
        let note = self.convention == Convention::Thousandths || prompts.wording() == Wording::Paper;
        let knowledge = help.has_knowledge().then(|| KNOWLEDGE.fill(json!({"note": note}))).transpose()?;
        let list = self
            .setting
            .element_list
            .then(|| table(&self.elements.iter().map(|one| self.in_model_units(one)).collect::<Vec<_>>()));
        prompts.fill(&json!({
            "instruction": self.instruction,
            "convention": self.convention,
            "width": width,
            "height": height,
            "start": help.gives_start().then(|| json!({"x": start.x, "y": start.y})),
            "knowledge": knowledge.as_deref().map(str::trim_end),
            "element_list": self.setting.element_list,
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

    fn texts(shown: &Shown<'_>, wording: Wording) -> (String, String) {
        shown.texts(&prompts(wording, None).unwrap()).unwrap()
    }

    #[test]
    fn each_setting_reveals_what_it_should_and_no_more() {
        for wording in Wording::iter() {
            let of = |help, convention| {
                let (system, user) = texts(&shown(&[], help, convention), wording);
                assert!(system.ends_with('\n') && !system.contains("\n\n\n"), "{system}");
                // The published layout sends the picture alone.
                assert_eq!(
                    (user.is_empty(), system.contains("Put it there.")),
                    (wording == Wording::Paper, user.is_empty())
                );
                system + &user
            };
            let baseline = of(Help::Baseline, Convention::Pixels);
            assert!(baseline.contains("Put it there.") && !baseline.contains("640"), "{baseline}");
            let start = of(Help::GtStart, Convention::Thousandths);
            assert!(
                (start.contains("500 500") || start.contains("(500, 500)")) && start.contains("red circle"),
                "{start}"
            );
            let knowledge = of(Help::Knowledge, Convention::Pixels);
            assert!(knowledge.contains("15 to 20") && !knowledge.contains("red circle"), "{knowledge}");
            let both = of(Help::GtStartKnowledge, Convention::Pixels);
            assert!(both.contains("640") && both.contains("red circle") && both.contains("15 to 20"), "{both}");
            assert!([baseline, start, knowledge, both].iter().all(|text| !text.contains("move 10 steps")));
        }
    }

    #[test]
    fn the_hint_says_what_its_coordinates_are() {
        for (convention, point, units) in [
            (Convention::Pixels, "(640, 361)", "pixels of the 1280 x 720 picture"),
            (Convention::Thousandths, "(500, 501)", "thousandths of the picture"),
            (Convention::SmartResize, "(644, 365)", "resized to 1288 x 728"),
        ] {
            let shown = Shown { start: Point::new(640.0, 361.0), ..shown(&[], Help::GtStart, convention) };
            let (system, _) = texts(&shown, Wording::Paper);
            let hint = system.lines().last().unwrap();
            assert!(hint.starts_with("Hint:") && hint.contains(point) && hint.contains(units), "{hint}");
        }
    }

    #[test]
    fn coordinates_are_the_models_everywhere() {
        let all = elements();
        let shown = shown(&all, Help::Baseline, Convention::Thousandths);
        let (system, user) = texts(&shown, Wording::Scratchbed);
        assert!(system.contains("1000") && !system.contains("1280") && system.contains("<index>"), "{system}");
        assert!(user.contains("move 10 steps") && user.contains("500") && !user.contains("640"), "{user}");
        let (system, user) = texts(&shown, Wording::Paper);
        assert!(system.contains("<index>n</index>") && user.contains("move 10 steps"), "{system}{user}");
        assert!(user.contains("500") && !user.contains("640"), "{user}");
    }

    #[test]
    fn places_of_the_users_templates_are_checked_in_all_settings() {
        let folder = tempfile::tempdir().unwrap();
        let write = |text: &str| std::fs::write(folder.path().join("drag-system.md"), text).unwrap();
        let read = || prompts(Wording::Paper, Some(folder.path()));
        write("{{ instruction }}{% if start %} {{ start.x }} {{ begin }}{% endif %}");
        assert_eq!(crate::model::Coded::code(&read().unwrap_err()), "prompts_invalid");
        write("{{ instruction }}{% if start %} {{ start.x }}{% endif %}");
        let shown = shown(&[], Help::GtStart, Convention::Pixels);
        assert_eq!(shown.texts(&read().unwrap()).unwrap(), ("Put it there. 640.0".to_owned(), String::new()));
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
