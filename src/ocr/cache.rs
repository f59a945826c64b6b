//! A cache of strips that were read before.
//!
//! The editor draws the same labels again and again, to the pixel, in every session. A strip is what the model
//! gets, and it is kept under all of its pixels: a hit returns what reading it again would.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::decode::Reading;
use super::units::Strip;

/// Strips kept in each of the two halves; a strip takes about 20 kB.
const HALF: usize = 256;

/// A bounded store, shared by all who read.
#[derive(Debug, Default)]
pub(super) struct Cache {
    halves: Mutex<[HashMap<Key, Vec<Reading>>; 2]>,
}

/// All that a reading depends on.
type Key = (Vec<(usize, usize)>, Vec<u8>);

fn key(strip: &Strip) -> Key {
    (strip.spans.clone(), strip.pixels.clone())
}

impl Cache {
    /// What was read in these pixels before.
    pub fn get(&self, strip: &Strip) -> Option<Vec<Reading>> {
        let key = key(strip);
        let mut halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(readings) = halves[0].get(&key) {
            return Some(readings.clone());
        }
        let readings = halves[1].remove(&key)?;
        insert(&mut halves, key, readings.clone());
        Some(readings)
    }

    /// Keeps a reading; when the younger half is full, what was not asked for since the last time goes.
    pub fn put(&self, strip: &Strip, readings: Vec<Reading>) {
        insert(&mut self.halves.lock().unwrap_or_else(PoisonError::into_inner), key(strip), readings);
    }

    pub fn clear(&self) {
        *self.halves.lock().unwrap_or_else(PoisonError::into_inner) = Default::default();
    }
}

fn insert(halves: &mut [HashMap<Key, Vec<Reading>>; 2], key: Key, readings: Vec<Reading>) {
    if halves[0].len() >= HALF {
        halves[1] = std::mem::take(&mut halves[0]);
    }
    halves[0].insert(key, readings);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip(shade: usize) -> Strip {
        let pixels = shade.to_le_bytes().to_vec();
        Strip { words: vec![0], spans: vec![(0, 8)], width: 8, pixels }
    }

    fn reading(text: &str) -> Vec<Reading> {
        vec![Reading { text: text.to_owned(), confidence: 1.0 }]
    }

    #[test]
    fn only_the_same_pixels_hit() {
        let cache = Cache::default();
        cache.put(&strip(1), reading("a"));
        assert_eq!(cache.get(&strip(1)), Some(reading("a")));
        assert_eq!(cache.get(&strip(2)), None);
        cache.clear();
        assert_eq!(cache.get(&strip(1)), None);
    }

    #[test]
    fn it_is_bounded_and_keeps_what_is_asked_for() {
        let cache = Cache::default();
        for shade in 0..4 * HALF {
            cache.put(&strip(shade), reading("x"));
            assert!(cache.get(&strip(0)).is_some(), "in use all the time");
        }
        assert_eq!(cache.get(&strip(1)), None);
        assert!(cache.halves.lock().unwrap().iter().map(HashMap::len).sum::<usize>() <= 2 * HALF);
    }
}
