//! Published regions: points of a grid, and the reference's rule for what lies between them.

use super::mask::Pixel;

/// The step where a single point defines none.
const LONE: f64 = 5.0;

/// Points with the steps between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    points: Vec<Pixel>,
    /// Pixels between columns and between rows.
    step: (f64, f64),
}

impl Grid {
    /// Of published points. The step of an axis is the smallest gap between its sorted coordinates; an axis with one
    /// coordinate takes that of the other.
    pub fn new(points: Vec<Pixel>) -> Self {
        let x = smallest_gap(points.iter().map(|point| point.0));
        let y = smallest_gap(points.iter().map(|point| point.1));
        let step = (x.or(y).unwrap_or(LONE), y.or(x).unwrap_or(LONE));
        Self { points, step }
    }

    /// Pixels between columns.
    pub const fn columns(&self) -> f64 {
        self.step.0
    }

    /// Whether a place is within half a step of a point, on both axes.
    pub fn contains(&self, x: f64, y: f64) -> bool {
        let near = |(px, py): &Pixel| {
            (x - f64::from(*px)).abs() <= self.step.0 / 2.0 && (y - f64::from(*py)).abs() <= self.step.1 / 2.0
        };
        self.points.iter().any(near)
    }

    /// Pixels to the nearest point; `None` without points.
    pub fn distance(&self, x: f64, y: f64) -> Option<f64> {
        let away = |(px, py): &Pixel| (x - f64::from(*px)).hypot(y - f64::from(*py));
        self.points.iter().map(away).min_by(f64::total_cmp)
    }
}

fn smallest_gap(coordinates: impl Iterator<Item = i32>) -> Option<f64> {
    let mut sorted: Vec<i32> = coordinates.collect();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.windows(2).map(|pair| f64::from(pair[1] - pair[0])).min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_step_around_a_point_belongs_to_it() {
        let grid = Grid::new(vec![(100, 50), (105, 50), (110, 50), (100, 55)]);
        assert!(grid.contains(102.5, 47.5) && grid.contains(107.0, 52.0));
        assert!(!grid.contains(97.0, 50.0) && !grid.contains(110.0, 53.0));
        assert_eq!(grid.distance(100.0, 62.0), Some(7.0));
    }

    #[test]
    fn an_axis_without_a_step_takes_the_others() {
        let row = Grid::new(vec![(200, 80), (202, 80), (206, 80)]);
        assert!(row.contains(203.0, 81.0) && !row.contains(202.0, 81.5));
        let lone = Grid::new(vec![(10, 10)]);
        assert!(lone.contains(12.5, 7.5) && !lone.contains(13.0, 10.0));
        assert_eq!(Grid::new(Vec::new()).distance(0.0, 0.0), None);
    }
}
