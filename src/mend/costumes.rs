//! Costumes and backdrops as pictures, drawn from the files of a project. Where they stand on a sheet is in `sheet`.

use std::sync::{Arc, OnceLock};

use image::RgbaImage;
use image::imageops::{FilterType, resize};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use serde_json::Value;

use crate::project::Project;

/// Sides that a costume's file may have, in pixels: larger ones are no costume, but an attack on memory.
const MOST: u32 = 8192;

/// A costume of a sprite, or a backdrop of the stage.
#[derive(Debug, Clone, PartialEq)]
pub struct CostumePicture {
    /// The target's name; the stage's is `Stage`.
    pub target: String,
    pub costume: String,
    /// Whether it is the one that shows when the project is loaded.
    pub is_current: bool,
    /// As large as fits; nothing of a file that can't be drawn, such as an empty one.
    pub picture: Option<RgbaImage>,
}

/// The costumes of a project in their order, those of the stage first, drawn to fit a square of so many pixels.
pub fn costumes(project: &Project, side: u32) -> Vec<CostumePicture> {
    let targets = project.json["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
    targets.iter().flat_map(|target| of_target(project, target, side)).collect()
}

/// A picture as a PNG; nothing where it has no size.
pub fn png(picture: &RgbaImage) -> Option<Vec<u8>> {
    let mut file = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut file, image::ImageFormat::Png).ok()?;
    Some(file.into_inner())
}

fn of_target<'a>(project: &'a Project, target: &'a Value, side: u32) -> impl Iterator<Item = CostumePicture> + use<'a> {
    let name = target["name"].as_str().unwrap_or_default();
    let current = target["currentCostume"].as_u64();
    let costumes = target["costumes"].as_array().map(Vec::as_slice).unwrap_or_default();
    costumes.iter().zip(0_u64..).map(move |(costume, at)| CostumePicture {
        target: name.to_owned(),
        costume: costume["name"].as_str().unwrap_or_default().to_owned(),
        is_current: current == Some(at),
        picture: file(project, costume).and_then(|(format, bytes)| drawn(format, bytes, side)),
    })
}

/// The file of a costume, with its format.
fn file<'a>(project: &'a Project, costume: &'a Value) -> Option<(&'a str, &'a [u8])> {
    let format = costume["dataFormat"].as_str()?;
    let named = costume["md5ext"].as_str().map(str::to_owned);
    let name = named.or_else(|| Some(format!("{}.{format}", costume["assetId"].as_str()?)))?;
    project.assets.get(&name).map(|bytes| (format, bytes.as_slice()))
}

fn drawn(format: &str, bytes: &[u8], side: u32) -> Option<RgbaImage> {
    if format == "svg" { vector(bytes, side) } else { bitmap(bytes, side) }
}

fn bitmap(bytes: &[u8], side: u32) -> Option<RgbaImage> {
    let mut reader = image::ImageReader::new(std::io::Cursor::new(bytes)).with_guessed_format().ok()?;
    let mut limits = image::Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(MOST), Some(MOST));
    reader.limits(limits);
    let whole = reader.decode().ok()?.into_rgba8();
    let (width, height) = fitting(f64::from(whole.width()), f64::from(whole.height()), side)?;
    Some(resize(&whole, width, height, FilterType::Triangle))
}

fn vector(bytes: &[u8], side: u32) -> Option<RgbaImage> {
    let mut options = Options { fontdb: Arc::clone(fonts()), ..Options::default() };
    // A costume shows what is in it, never a file of this machine.
    options.image_href_resolver.resolve_string = Box::new(|_, _| None);
    let tree = Tree::from_data(bytes, &options).ok()?;
    let size = tree.size();
    let (width, height) = fitting(f64::from(size.width()), f64::from(size.height()), side)?;
    let mut canvas = Pixmap::new(width, height)?;
    #[expect(clippy::cast_precision_loss, reason = "pictures are small")]
    let scale = Transform::from_scale(width as f32 / size.width(), height as f32 / size.height());
    resvg::render(&tree, scale, &mut canvas.as_mut());
    let pixels = canvas.pixels().iter().flat_map(|pixel| {
        let color = pixel.demultiply();
        [color.red(), color.green(), color.blue(), color.alpha()]
    });
    RgbaImage::from_raw(width, height, pixels.collect())
}

/// The fonts of the system, read once: costumes with text name Scratch's own, which are seldom there, so another stands in.
fn fonts() -> &'static Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    FONTS.get_or_init(|| {
        let mut fonts = fontdb::Database::new();
        fonts.load_system_fonts();
        Arc::new(fonts)
    })
}

/// The largest size of the same shape in a square; nothing of what has no size.
fn fitting(width: f64, height: f64, side: u32) -> Option<(u32, u32)> {
    let longest = width.max(height);
    if !(longest.is_finite() && width > 0.0 && height > 0.0) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and the side")]
    let scaled = |length: f64| ((length / longest * f64::from(side)).round() as u32).clamp(1, side);
    Some((scaled(width), scaled(height)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    const RED: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#f00"/></svg>"##;

    fn blue() -> Vec<u8> {
        png(&RgbaImage::from_pixel(3, 6, image::Rgba([0, 0, 255, 255]))).unwrap()
    }

    #[test]
    fn drawings_and_bitmaps_fit_the_square_and_broken_files_are_told() {
        let costume = |name: &str, format: &str| json!({"name": name, "assetId": name, "dataFormat": format});
        let assets = BTreeMap::from([
            ("red.svg".to_owned(), RED.as_bytes().to_vec()),
            ("blue.png".to_owned(), blue()),
            ("empty.svg".to_owned(), Vec::new()),
        ]);
        let costumes_of =
            [costume("red", "svg"), costume("blue", "png"), costume("empty", "svg"), costume("gone", "svg")];
        let json =
            json!({"targets": [{"name": "Moth", "isStage": false, "currentCostume": 1, "costumes": costumes_of}]});
        let all = costumes(&Project { json, assets }, 10);
        let sizes: Vec<_> = all.iter().map(|one| one.picture.as_ref().map(RgbaImage::dimensions)).collect();
        assert_eq!(sizes, [Some((10, 5)), Some((5, 10)), None, None]);
        assert_eq!(all[0].picture.as_ref().unwrap().get_pixel(5, 2).0, [255, 0, 0, 255]);
        assert_eq!(all[1].picture.as_ref().unwrap().get_pixel(2, 5).0, [0, 0, 255, 255]);
        let current: Vec<&str> = all.iter().filter(|one| one.is_current).map(|one| one.costume.as_str()).collect();
        assert_eq!((current, all[0].target.as_str()), (vec!["blue"], "Moth"));
    }
}
