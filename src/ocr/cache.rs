//! Lines that were read before.
//!
//! The editor draws the same labels again and again, to the pixel, in every session. A line is kept under all
//! of its pixels, so a hit is never a mistake.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::decode::Reading;
use super::units::Unit;

/// Lines kept in each of the two halves; a line takes about 10 kB.
const HALF: usize = 512;

/// A bounded store, shared by all who read.
#[derive(Debug, Default)]
pub(super) struct Cache {
    halves: Mutex<[HashMap<Key, Vec<Reading>>; 2]>,
}

/// All that a reading depends on.
type Key = (Vec<(usize, usize)>, Vec<u8>);

fn key(unit: &Unit) -> Key {
    (unit.spans.clone(), unit.pixels.clone())
}

impl Cache {
    /// What was read in these pixels before.
    pub fn get(&self, unit: &Unit) -> Option<Vec<Reading>> {
        let key = key(unit);
        let mut halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(readings) = halves[0].get(&key) {
            return Some(readings.clone());
        }
        let readings = halves[1].remove(&key)?;
        insert(&mut halves, key, readings.clone());
        Some(readings)
    }

    /// Keeps a reading; when the younger half is full, what was not asked for since the last time goes.
    pub fn put(&self, unit: &Unit, readings: Vec<Reading>) {
        insert(&mut self.halves.lock().unwrap_or_else(PoisonError::into_inner), key(unit), readings);
    }

    /// Forgets everything.
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

    fn unit(shade: usize) -> Unit {
        let pixels = shade.to_le_bytes().to_vec();
        Unit { words: vec![0], spans: vec![(0, 8)], width: 8, pixels }
    }

    fn reading(text: &str) -> Vec<Reading> {
        vec![Reading { text: text.to_owned(), confidence: 1.0 }]
    }

    #[test]
    fn only_the_same_pixels_hit() {
        let cache = Cache::default();
        cache.put(&unit(1), reading("a"));
        assert_eq!(cache.get(&unit(1)), Some(reading("a")));
        assert_eq!(cache.get(&unit(2)), None);
        cache.clear();
        assert_eq!(cache.get(&unit(1)), None);
    }

    #[test]
    fn it_is_bounded_and_keeps_what_is_asked_for() {
        let cache = Cache::default();
        for shade in 0..4 * HALF {
            cache.put(&unit(shade), reading("x"));
            assert!(cache.get(&unit(0)).is_some(), "in use all the time");
        }
        assert_eq!(cache.get(&unit(1)), None);
        assert!(cache.halves.lock().unwrap().iter().map(HashMap::len).sum::<usize>() <= 2 * HALF);
    }
}
