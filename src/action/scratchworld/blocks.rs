//! The reference server's numbering of blocks, and the way from it to the registry's.
//!
//! The two differ: the reference leaves blocks outside its catalogue out and counts in another order. So a number
//! of the reference is kept as the block's id, and looked up in the registry's numbering when it is used.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::{ActionError, NoArgs};
use crate::model::Mode;
use crate::page::PageFn;
use crate::page_fn;
use crate::session::{BlockIndex, Live};

#[derive(Debug, Serialize)]
struct Form {
    structure: bool,
}

/// The blocks of the open sprite, as the reference shows them.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlocksText {
    /// What the reference's call returns.
    pub data: Value,
    /// The blocks in the order of its numbers.
    pub numbering: BlockIndex,
}

/// The blocks of the open sprite in the registry's numbering.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Located {
    pub numbering: BlockIndex,
    /// For each block the id of the one that starts its script.
    pub tops: Vec<String>,
    /// Names of the variables in scope, sorted.
    pub variables: Vec<String>,
    /// Names of the lists in scope, sorted.
    pub lists: Vec<String>,
    /// The reference's numbering that the caller's numbers refer to.
    #[serde(skip)]
    known: Option<BlockIndex>,
}

/// Why a number of the reference names no block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NumberingFault {
    /// No numbering is valid: none was read, or an edit or another sprite has ended it.
    #[error("no block numbers stand: read the blocks first")]
    NotRead,
    /// The numbering has no such number, or its block is gone.
    #[error("there is no block {0}")]
    Absent(u64),
}

const READ: PageFn<Form, BlocksText> = page_fn!("scratchworld", "blocks").in_every_editor();
const LOCATE: PageFn<NoArgs, Located> = page_fn!("scratchworld", "numbering").in_every_editor();

/// Reads the blocks and remembers their numbers: the text of `get_blocks_pseudocode`, or of
/// `get_blocks_structure`.
///
/// # Errors
/// When no sprite is open, or the page is lost.
pub async fn read_blocks(live: &mut Live, structure: bool) -> Result<Value, ActionError> {
    let BlocksText { data, numbering } = live.page().call(&READ, &Form { structure }).await?;
    live.memory.reference_blocks = Some(numbering);
    Ok(data)
}

/// Looks at the registry's numbering, which calls on the registry refer to from then on.
///
/// # Errors
/// When no sprite is open, or the page is lost.
pub async fn locate(live: &mut Live) -> Result<Located, ActionError> {
    let mut located = live.page().call(&LOCATE, &NoArgs {}).await?;
    if live.memory.blocks.as_ref() != Some(&located.numbering) {
        live.memory.renumbered(Mode::Composite);
        live.memory.blocks = Some(located.numbering.clone());
    }
    located.known.clone_from(&live.memory.reference_blocks);
    Ok(located)
}

impl Located {
    /// The registry's number of the block that has this number of the reference.
    ///
    /// # Errors
    /// When no numbering is valid for the open sprite, or the block is gone.
    pub fn number(&self, reference: u64) -> Result<u32, NumberingFault> {
        let known = self.known.as_ref().filter(|known| known.target == self.numbering.target);
        let known = known.ok_or(NumberingFault::NotRead)?;
        let place = usize::try_from(reference).ok().and_then(|number| number.checked_sub(1));
        let id = place.and_then(|place| known.blocks.get(place));
        id.and_then(|id| self.number_of(id)).ok_or(NumberingFault::Absent(reference))
    }

    /// The registry's number of the block that starts the script of the block with this number.
    pub fn top_of(&self, number: u32) -> Option<u32> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.number_of(self.tops.get(place)?)
    }

    /// The number of the reference that the block with this number of the registry has, if it has one.
    pub fn known_as(&self, number: u32) -> Option<usize> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        let id = self.numbering.blocks.get(place)?;
        self.known.as_ref()?.blocks.iter().position(|known| known == id).map(|place| place + 1)
    }

    fn number_of(&self, id: &str) -> Option<u32> {
        let place = self.numbering.blocks.iter().position(|block| block == id)?;
        u32::try_from(place + 1).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(target: &str, blocks: &[&str]) -> BlockIndex {
        BlockIndex { target: target.into(), blocks: blocks.iter().map(|id| (*id).to_owned()).collect() }
    }

    fn located(known: Option<BlockIndex>) -> Located {
        let tops = ["a", "a", "a", "d"].map(str::to_owned).to_vec();
        let numbering = index("t", &["a", "call", "c", "d"]);
        Located { numbering, tops, variables: vec![], lists: vec![], known }
    }

    #[test]
    fn a_number_leads_to_its_block_past_those_that_have_none() {
        let located = located(Some(index("t", &["d", "a", "c", "gone"])));
        assert_eq!(located.number(3), Ok(3));
        assert_eq!(located.number(1), Ok(4));
        assert_eq!(located.top_of(3), Some(1));
        assert_eq!((located.known_as(4), located.known_as(2), located.known_as(0)), (Some(1), None, None));
        for absent in [0, 4, 5, u64::MAX] {
            assert_eq!(located.number(absent), Err(NumberingFault::Absent(absent)));
        }
    }

    #[test]
    fn numbers_end_with_the_sprite_they_were_read_for() {
        assert_eq!(located(None).number(1), Err(NumberingFault::NotRead));
        assert_eq!(located(Some(index("other", &["a"]))).number(1), Err(NumberingFault::NotRead));
    }
}
