//! The digests that files, projects and verdicts are named by, and Scratch's assets.

use std::fmt::Write as _;
use std::io::{self, Read};

use sha2::{Digest as _, Sha256};

/// Bytes that are read at a time.
const PART_BYTES: usize = 64 << 10;

/// SHA-256 of `bytes` as 64 lower-case hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// SHA-256 of all that a reader has, as [`sha256_hex`]; it is never held as a whole.
///
/// # Errors
/// When reading fails.
pub fn sha256_of(mut reader: impl Read) -> io::Result<String> {
    let (mut digest, mut part) = (Sha256::new(), vec![0; PART_BYTES]);
    loop {
        match reader.read(&mut part) {
            Ok(0) => return Ok(hexadecimal(&digest.finalize())),
            Ok(read) => digest.update(&part[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// MD5 of `bytes` as 32 lower-case hexadecimal digits: the name of an asset.
pub fn md5_hex(bytes: &[u8]) -> String {
    hexadecimal(&md5::Md5::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a String can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_test_vector_holds() {
        assert_eq!(sha256_hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(sha256_of(&b"abc"[..]).unwrap(), sha256_hex(b"abc"));
        let long = vec![7; 3 * PART_BYTES + 1];
        assert_eq!(sha256_of(&long[..]).unwrap(), sha256_hex(&long));
    }
}
