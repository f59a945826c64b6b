//! The thresholds of the paper, and the profiles that leave some out (ScratchEval, section 2.3).

use strum::{Display, EnumIter, EnumMessage, EnumString, IntoStaticStr};

use super::kept::Fault;
use crate::bugs::Features;

/// Sprites, scripts, broadcasts with their receivers, and custom blocks, at least.
const SPRITES: u32 = 5;
const SCRIPTS: u32 = 15;
const BROADCAST_USES: u32 = 3;
const CUSTOM_BLOCKS: u32 = 1;

/// Which thresholds projects of a pool pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Display, EnumIter, EnumMessage, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Profile {
    /// At least 5 sprites, 15 scripts, 3 broadcasts and receivers, and a custom block.
    #[default]
    Paper,
    /// As the paper, without the custom block, which Scratch 1.4 did not have.
    Relaxed,
    /// No thresholds; the gates stay.
    None,
}

impl Profile {
    /// The thresholds that a project fails at.
    pub fn faults(self, features: &Features) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut ask = |code, what, count: u32, least: u32| {
            if count < least {
                faults.push(Fault::new(code, format!("{count} {what}, at least {least}")));
            }
        };
        if self != Self::None {
            ask("few_sprites", "sprites", features.sprites, SPRITES);
            ask("few_scripts", "scripts", features.scripts, SCRIPTS);
            ask("few_broadcasts", "broadcasts and receivers", features.broadcast_uses(), BROADCAST_USES);
        }
        if self == Self::Paper {
            ask("no_custom_block", "custom blocks", features.custom_blocks, CUSTOM_BLOCKS);
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_profile_asks_for_its_own() {
        let enough = Features { sprites: 5, scripts: 15, sends: 1, receives: 2, ..Features::default() };
        let codes = |profile: Profile, features: &Features| {
            profile.faults(features).into_iter().map(|fault| fault.code).collect::<Vec<_>>()
        };
        assert_eq!(codes(Profile::Relaxed, &enough), Vec::<String>::new());
        assert_eq!(codes(Profile::Paper, &enough), ["no_custom_block"]);
        let little = Features { sprites: 4, scripts: 14, sends: 2, ..Features::default() };
        assert_eq!(codes(Profile::Relaxed, &little), ["few_sprites", "few_scripts", "few_broadcasts"]);
        assert_eq!(codes(Profile::None, &little), Vec::<String>::new());
        assert_eq!(Profile::Relaxed.to_string(), "relaxed");
    }
}
