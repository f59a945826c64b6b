//! What a trajectory has used, and whether another attempt fits what it may use (EcoScratch, section 7): an attempt is made only if its
//! worst case fits. What a run as a whole may cost is asked elsewhere.

use super::plans::{BudgetLimits, Plan};
use crate::grade::Price;
use crate::model::{Cost, UsageRecord};

/// Characters of a prompt that are one token at worst.
const CHARACTERS: u64 = 3;
/// Tokens of a picture at worst. One provider's small model counts many times more; it is told apart by name.
const PICTURE: u64 = 300;
const COSTLY_PICTURE: u64 = 8_500;
/// The model whose pictures are counted 33-fold.
const COSTLY: &str = "gpt-4o-mini";
/// Micro-dollars in a dollar.
const MICRO: f64 = 1_000_000.0;

/// What was used so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    pub input: u64,
    pub output: u64,
    pub images: u32,
    pub image_bytes: u64,
    /// US dollars; what has no known price counts nothing.
    pub usd: f64,
    pub wall_s: f64,
    /// Watt-hours of the host; 0 where they are not known.
    pub wh: f64,
}

/// What an attempt may need at worst.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allowance {
    pub input: u64,
    pub output: u64,
    pub images: u32,
    pub image_bytes: u64,
    pub usd: f64,
}

impl Allowance {
    /// The worst case of a request: so many characters, pictures of so many bytes, and the plan's longest answer.
    pub fn of(
        chars: u64,
        (images, image_bytes): (u32, u64),
        plan: &Plan,
        (model, price): (&str, Option<&Price>),
    ) -> Self {
        let picture = if model.contains(COSTLY) { COSTLY_PICTURE } else { PICTURE };
        let (input, output) = (chars.div_ceil(CHARACTERS) + u64::from(images) * picture, u64::from(plan.tokens));
        let cost = Cost { input_tokens: input, output_tokens: output, ..Cost::default() };
        Self { input, output, images, image_bytes, usd: price.map_or(0.0, |price| dollars(price.of(&cost))) }
    }

    /// The same as what is booked when nobody tells what was used.
    pub fn booked(&self, has_price: bool) -> UsageRecord {
        let usd = has_price.then_some(self.usd);
        UsageRecord { input: self.input, output: self.output, usd, settled: false, ..UsageRecord::default() }
    }
}

impl Spent {
    /// The name of a budget that the attempt might pass; `None` where it fits.
    pub fn lacks(&self, limits: &BudgetLimits, worst: &Allowance) -> Option<&'static str> {
        let over = |used: u64, more: u64, most: u64| most > 0 && used.saturating_add(more) > most;
        let is_over = [
            ("input_tokens", over(self.input, worst.input, limits.input_tokens)),
            ("output_tokens", over(self.output, worst.output, limits.output_tokens)),
            ("images", over(self.images.into(), worst.images.into(), limits.images.into())),
            ("image_bytes", over(self.image_bytes, worst.image_bytes, limits.image_bytes)),
            ("usd", limits.usd > 0.0 && self.usd + worst.usd > limits.usd),
            ("wall_s", limits.wall_s > 0.0 && self.wall_s >= limits.wall_s),
            ("wh", limits.wh > 0.0 && self.wh >= limits.wh),
        ];
        is_over.into_iter().find(|(_, is_over)| *is_over).map(|(name, _)| name)
    }

    /// With what the host has used so far.
    #[must_use]
    pub fn with_wh(self, wh: Option<f64>) -> Self {
        Self { wh: wh.unwrap_or_default(), ..self }
    }

    /// With an attempt that used this.
    #[must_use]
    pub fn plus(self, usage: &UsageRecord, (images, image_bytes): (u32, u64)) -> Self {
        Self {
            input: self.input + usage.input,
            output: self.output + usage.output,
            images: self.images + images,
            image_bytes: self.image_bytes + image_bytes,
            usd: self.usd + usage.usd.unwrap_or_default(),
            ..self
        }
    }
}

/// Dollars of micro-dollars.
#[expect(clippy::cast_precision_loss, reason = "amounts are far below 2^52")]
pub fn dollars(micro: u64) -> f64 {
    micro as f64 / MICRO
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::PlanId;
    use crate::trajectory::Plans;

    #[test]
    fn an_attempt_is_made_only_if_its_worst_case_fits() {
        let plans = Plans::read(None).unwrap();
        let plan = plans.plan(PlanId::M1);
        let price = Price { input: 1_000_000, cached_read: 1_000_000, cache_write: 1_000_000, output: 10_000_000 };
        let worst = Allowance::of(30_000, (3, 90_000), plan, ("some", Some(&price)));
        assert_eq!((worst.input, worst.output), (10_900, 1536));
        assert!((worst.usd - 0.02626).abs() < 1e-9);
        assert_eq!(Allowance::of(0, (1, 0), plan, ("gpt-4o-mini-2024", None)).input, 8_500);
        let spent = Spent::default();
        assert_eq!(spent.lacks(&plans.budget, &worst), None);
        let twice = spent.plus(&worst.booked(true), (3, 90_000));
        assert_eq!(twice.lacks(&plans.budget, &worst), None, "six pictures in all");
        let thrice = twice.plus(&worst.booked(true), (3, 90_000));
        assert_eq!(thrice.lacks(&plans.budget, &worst), Some("images"));
        assert_eq!(Spent { usd: 0.09, ..spent }.lacks(&plans.budget, &worst), Some("usd"));
        assert_eq!(Spent { wall_s: 600.0, ..spent }.lacks(&plans.budget, &worst), Some("wall_s"));
        assert_eq!(Spent { wh: 5.0, ..spent }.lacks(&plans.budget, &worst), Some("wh"));
        let none = BudgetLimits { images: 0, usd: 0.0, ..plans.budget };
        assert_eq!(thrice.lacks(&none, &worst), None, "0 sets no limit");
    }
}
