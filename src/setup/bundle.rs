//! Compresses the editor's bundle once, so that the server need not do it for each page.

use std::io::{Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::packages::EDITOR;
use super::{Done, Place, SetupError, write_whole};

/// The one large file that every page loads: 17 MB.
const BUNDLE: &str = "dist/scratch-gui-standalone.js";

/// Makes `<bundle>.gz` unless it already unpacks to the bundle.
pub(super) fn ensure(place: &Place) -> Result<Done, SetupError> {
    let bundle = place.checkout.node_modules().join(EDITOR).join(BUNDLE);
    let packed = bundle.with_extension("js.gz");
    let content = std::fs::read(&bundle).map_err(SetupError::file("reading", &bundle))?;
    if unpacks_to(&packed, &content) {
        return Ok(Done::Already("the editor is compressed".into()));
    }
    let bytes = compress(&content).map_err(SetupError::file("compressing", &bundle))?;
    write_whole(&packed, &bytes)?;
    Ok(Done::Now(format!("compressed the editor from {} to {} kB", content.len() / 1000, bytes.len() / 1000)))
}

fn unpacks_to(packed: &Path, content: &[u8]) -> bool {
    let Ok(file) = std::fs::File::open(packed) else { return false };
    let mut unpacked = Vec::with_capacity(content.len());
    // One byte more than expected is enough to know that it is another file.
    let limit = content.len() as u64 + 1;
    GzDecoder::new(std::io::BufReader::new(file)).take(limit).read_to_end(&mut unpacked).is_ok() && unpacked == content
}

pub(super) fn compress(content: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compressed_file_is_known_by_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let packed = folder.path().join("x.js.gz");
        assert!(!unpacks_to(&packed, b"let x = 1;"));
        std::fs::write(&packed, compress(b"let x = 1;").unwrap()).unwrap();
        assert!(unpacks_to(&packed, b"let x = 1;"));
        assert!(!unpacks_to(&packed, b"let x = 2;"));
        assert!(!unpacks_to(&packed, b"let x"));
        std::fs::write(&packed, b"half of a file").unwrap();
        assert!(!unpacks_to(&packed, b"let x = 1;"));
    }
}
