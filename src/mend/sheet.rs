//! The picture that goes with a question (ScratchEval, section 5.1): the stage after the reported inputs, and below it a contact sheet of
//! costumes. Numbers and names are told in words, so that no font is drawn.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::imageops::overlay;
use image::{Rgba, RgbaImage};

use super::costumes::{CostumePicture, costumes, png};
use crate::bugs::Instance;
use crate::forge::Plays;
use crate::judge::PlayError;
use crate::project::{Project, ProjectError};

/// Pixels of the stage, as Scratch has it.
const STAGE: (u32, u32) = (480, 360);
/// Pixels of a costume's place, with a border; six stand in a row.
const PLACE: u32 = 80;
const BORDER: u32 = 4;
const IN_A_ROW: u32 = STAGE.0 / PLACE;
/// Costumes that are shown; eight rows are as high as the stage is wide.
const MOST: usize = 48;
/// What transparent costumes lie on: a grey that is seldom in them.
const GROUND: Rgba<u8> = Rgba([214, 214, 220, 255]);

/// Pixels of a side of a costume that is a picture of its own: as wide as the stage.
const SIDE: u32 = STAGE.0;

/// Pictures with what is to be seen on them.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// One with all, or one of each costume.
    pub pngs: Vec<Vec<u8>>,
    /// Whether each picture is a costume of its own.
    pub has_costumes: bool,
    /// Each place of the contact sheet, row by row, or each picture: `1: Moth, costume "up"`.
    pub legend: Vec<String>,
    /// Costumes that are not shown, since they are too many.
    pub left_out: usize,
}

impl Sheet {
    /// The stage of the buggy project at the moment that the report tells of. Where it was not drawn when the fault was forged, what is
    /// asserted first is played, and the stage drawn when that is decided.
    ///
    /// # Errors
    /// When the project can't be played, or no page holds.
    pub async fn of(instance: &Instance, plays: &Plays) -> Result<Self, PlayError> {
        let broke = |error: ProjectError| PlayError::Unloadable(error.to_string());
        let buggy = Project::read(&instance.buggy).map_err(broke)?;
        let suite = &instance.suite.decided();
        let reported = suite.assertions.first().and_then(|one| {
            let scenario = suite.scenarios.iter().find(|scenario| scenario.id == one.scenario)?;
            Some((scenario, one))
        });
        let noted = instance.pictures.as_ref().and_then(|pictures| STANDARD.decode(&pictures.seen).ok());
        let stage = match reported {
            _ if noted.is_some() => noted,
            Some((scenario, assertion)) => {
                let decided = assertion.feature.decided_after().unwrap_or(scenario.length);
                match plays.drawn(&instance.buggy, scenario, &[decided]).await {
                    // A fault that hangs the program leaves no stage to show.
                    Err(error) if error.is_of_project() => None,
                    played => played?.pictures.remove(&decided),
                }
            }
            None => None,
        };
        let all = costumes(&buggy, PLACE - 2 * BORDER);
        let shown = &all[..all.len().min(MOST)];
        let stage = stage.and_then(|png| image::load_from_memory(&png).ok()).map(image::DynamicImage::into_rgba8);
        let drawn = png(&drawn(stage.as_ref(), shown));
        let png = drawn.ok_or_else(|| PlayError::Broke("its picture can't be written".to_owned()))?;
        Ok(Self { pngs: vec![png], has_costumes: false, legend: legend(shown), left_out: all.len() - shown.len() })
    }

    /// The costumes and backdrops that can be drawn, each as a picture; nothing of a project without any. Nothing is played.
    ///
    /// # Errors
    /// When the project can't be read.
    pub fn of_costumes(instance: &Instance) -> Result<Option<Self>, PlayError> {
        let buggy = Project::read(&instance.buggy).map_err(|error| PlayError::Unloadable(error.to_string()))?;
        let mut all = costumes(&buggy, SIDE);
        all.retain(|one| one.picture.is_some());
        let shown = &all[..all.len().min(MOST)];
        let pngs: Option<Vec<Vec<u8>>> = shown.iter().map(|one| png(one.picture.as_ref()?)).collect();
        let pngs = pngs.ok_or_else(|| PlayError::Broke("its costumes can't be written".to_owned()))?;
        let sheet = Self { pngs, has_costumes: true, legend: legend(shown), left_out: all.len() - shown.len() };
        Ok((!sheet.pngs.is_empty()).then_some(sheet))
    }
}

fn drawn(stage: Option<&RgbaImage>, costumes: &[CostumePicture]) -> RgbaImage {
    let rows = u32::try_from(costumes.len()).unwrap_or(0).div_ceil(IN_A_ROW);
    let mut sheet = RgbaImage::from_pixel(STAGE.0, STAGE.1 + rows * PLACE, GROUND);
    if let Some(stage) = stage {
        overlay(&mut sheet, stage, 0, 0);
    }
    for (costume, at) in costumes.iter().zip(0_u32..) {
        let Some(picture) = &costume.picture else { continue };
        let middle = |place: u32, length: u32| place * PLACE + (PLACE - length) / 2;
        let left = middle(at % IN_A_ROW, picture.width());
        let top = STAGE.1 + middle(at / IN_A_ROW, picture.height());
        overlay(&mut sheet, picture, i64::from(left), i64::from(top));
    }
    sheet
}

fn legend(costumes: &[CostumePicture]) -> Vec<String> {
    let line = |(costume, number): (&CostumePicture, usize)| {
        let kind = if costume.target == "Stage" { "backdrop" } else { "costume" };
        let unseen = if costume.picture.is_none() { " (empty)" } else { "" };
        format!("{number}: {}, {kind} \"{}\"{unseen}", costume.target, costume.costume)
    };
    costumes.iter().zip(1..).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costume(name: &str, picture: Option<RgbaImage>) -> CostumePicture {
        CostumePicture { target: "Moth".to_owned(), costume: name.to_owned(), is_current: false, picture }
    }

    #[test]
    fn costumes_stand_below_the_stage_row_by_row() {
        let color = |n: u8| Some(RgbaImage::from_pixel(72, 72, Rgba([n, 0, 0, 255])));
        let costumes: Vec<_> =
            (0..7).map(|n| costume(&format!("c{n}"), color(n))).chain([costume("e", None)]).collect();
        let stage = RgbaImage::from_pixel(480, 360, Rgba([0, 255, 0, 255]));
        let sheet = drawn(Some(&stage), &costumes);
        assert_eq!(sheet.dimensions(), (480, 520));
        let at = |x, y| sheet.get_pixel(x, y).0;
        assert_eq!((at(0, 0), at(479, 359)), ([0, 255, 0, 255], [0, 255, 0, 255]));
        assert_eq!((at(40, 400), at(440, 400), at(40, 480)), ([0, 0, 0, 255], [5, 0, 0, 255], [6, 0, 0, 255]));
        assert_eq!((at(120, 480), at(1, 361)), (GROUND.0, GROUND.0));
        let legend = legend(&costumes);
        assert_eq!(
            (legend[0].as_str(), legend[7].as_str()),
            ("1: Moth, costume \"c0\"", "8: Moth, costume \"e\" (empty)")
        );
    }
}
