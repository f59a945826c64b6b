//! Reads the header of a `.wav` file.

/// Samples a second and number of samples of a RIFF WAVE file; none for anything else.
pub(super) fn wav_samples(bytes: &[u8]) -> Option<(f64, f64)> {
    let number = |at: usize, width: usize| {
        let field = bytes.get(at..at + width)?;
        Some(field.iter().rev().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte)))
    };
    if bytes.get(..4)? != b"RIFF" || bytes.get(8..12)? != b"WAVE" {
        return None;
    }
    let mut at = 12;
    let mut rate = None;
    let mut frame = None;
    loop {
        let name = bytes.get(at..at + 4)?;
        let size = number(at + 4, 4)?;
        match name {
            b"fmt " => {
                // Only uncompressed sound has a fixed number of bytes a sample.
                if number(at + 8, 2)? != 1 {
                    return None;
                }
                rate = number(at + 12, 4);
                frame = number(at + 20, 2);
            }
            b"data" => {
                let frame = frame.filter(|frame| *frame > 0)?;
                return Some((f64::from(rate?), f64::from(size / frame)));
            }
            _ => {}
        }
        // Chunks are padded to an even length.
        at = at
            .checked_add(8)?
            .checked_add(usize::try_from(size).ok()?)?
            .checked_add(usize::try_from(size & 1).ok()?)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_rate_and_length() {
        let mut wav =
            b"RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x22\x56\0\0\x44\xac\0\0\x02\0\x10\0data\x08\0\0\0".to_vec();
        wav.extend([0; 8]);
        assert_eq!(wav_samples(&wav), Some((22050.0, 4.0)));
        assert_eq!(wav_samples(&wav[..30]), None);
        assert_eq!(wav_samples(b"ID3"), None);
    }
}
