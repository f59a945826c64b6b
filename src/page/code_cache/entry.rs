//! Compiled code in Chromium's own code cache on disk.
//!
//! Chromium keeps an entry in a file of its simple cache: a header, the key, a few words of Blink's, then the data as V8
//! serialised it, then checksums. V8's data begins with eight words of 32 bits, among them a magic number, the length of
//! the script's source and the length of what follows (`src/snapshot/code-serializer.h` of V8). Should a later version
//! lay them out in another way, nothing is found, and pages compile for themselves.

/// Upper half of V8's magic number.
const MAGIC: u32 = 0xC0DE;
/// Bytes of V8's header.
const HEADER: usize = 32;
/// Places of words in it.
const SOURCE: usize = 8;
const PAYLOAD: usize = 20;
/// How far into an entry the header may begin.
const SEARCHED: usize = 1024;
/// The lowest bits of the word for the source, which hold its length in UTF-16 units.
const LENGTH_BITS: u32 = 0x3FFF_FFFF;

/// The data of V8 in an entry, if it is whole and was compiled from a source of that length in UTF-16 units.
pub(super) fn compiled(entry: &[u8], source_length: usize) -> Option<&[u8]> {
    let last = entry.len().checked_sub(HEADER)?.min(SEARCHED);
    (0..=last).step_by(4).find_map(|at| {
        let header = &entry[at..];
        let is_code = word(header, 0)? >> 16 == MAGIC;
        let length = usize::try_from(word(header, SOURCE)? & LENGTH_BITS).ok()?;
        let end = HEADER + usize::try_from(word(header, PAYLOAD)?).ok()?;
        (is_code && length == source_length).then(|| header.get(..end)).flatten()
    })
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry with a payload of six bytes, compiled from a source of 700 units.
    fn entry() -> Vec<u8> {
        let mut entry = b"a header and a key of 32 letters".to_vec();
        for word in [0xC0DE_06D6, 1, 700, 2, 3, 6, 0, 0] {
            entry.extend(u32::to_le_bytes(word));
        }
        entry.extend(b"(code)and checksums");
        entry
    }

    #[test]
    fn the_data_is_found_between_header_and_checksums() {
        let entry = entry();
        let data = compiled(&entry, 700).unwrap();
        assert_eq!((data.len(), &data[HEADER..]), (HEADER + 6, &b"(code)"[..]));
    }

    #[test]
    fn a_torn_entry_and_one_of_another_script_have_none() {
        let entry = entry();
        assert_eq!(compiled(&entry, 701), None);
        assert_eq!(compiled(&entry[..32 + HEADER + 5], 700), None);
        assert_eq!(compiled(&entry[..20], 700), None);
        assert_eq!(compiled(&[], 700), None);
    }
}
