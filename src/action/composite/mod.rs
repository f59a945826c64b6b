//! Composite mode: programs are edited by operations on blocks (paper, appendix E and prompt P.2).
//!
//! Blocks are named by index. Indexes count the blocks of the open sprite from 1, in the order in which
//! the pseudocode shows them, and refer to the numbering that the last observation *or* the last successful
//! call returned; docs/COMPOSITE.md has the rules. The editing itself happens in the page (`page/js/composite`), in
//! the live workspace; this side keeps the numbering and types what goes in and out.

mod add_block;
mod add_script;
mod add_variable;
mod catalogue;
mod catalogue_text;
mod connect_blocks;
mod delete_block;
mod detach_blocks;
mod edit;
mod markdown;
mod observe;
mod play;
mod select;
mod set_block_field;
mod stage;

pub use add_block::{AddBlock, AddBlockArgs, AddedBlock, Creation};
pub use add_script::{AddScript, AddScriptArgs, AddedScript};
pub use add_variable::{AddList, AddVariable, AddVariableArgs, AddedVariable, CreatedVariable, Scope};
pub use catalogue::{BlockCatalogue, Catalogue, CatalogueArgs, CatalogueBlock, CatalogueCategory};
pub use connect_blocks::{ConnectBlocks, ConnectBlocksArgs, ConnectedBlocks, Placement, PlacementKind};
pub use delete_block::{DeleteBlock, DeleteBlockArgs, DeletedBlock};
pub use detach_blocks::{DetachBlocks, DetachBlocksArgs, DetachedBlock};
pub use edit::Numbered;
pub use markdown::perform_with_markdown;
pub use observe::{CompositeObservation, CompositeSizes, LookArgs, ObserveBlocks, Scoped, TargetName, TargetSize};
pub use play::{GreenFlag, GreenFlagArgs, Played, Run, Said, Shown, Stop, Stopped};
pub use select::{SelectSprite, SelectSpriteArgs, SelectStage, SelectedTarget};
pub use set_block_field::{SetBlockField, SetBlockFieldArgs, UpdatedField};
pub use stage::StagePicture;

use super::{Entry, end};

/// The actions of composite mode, in the order of prompt P.2; then those of extended sessions alone.
pub const ENTRIES: &[Entry] = &[
    Entry::of::<SelectSprite>(),
    Entry::of::<SelectStage>(),
    Entry::of::<AddVariable>(),
    Entry::of::<AddList>(),
    Entry::of::<AddBlock>(),
    Entry::of::<ConnectBlocks>(),
    Entry::of::<DetachBlocks>(),
    Entry::of::<SetBlockField>(),
    Entry::of::<DeleteBlock>(),
    Entry::of::<end::Done<false>>(),
    Entry::of::<end::Failed<false>>(),
    Entry::of::<ObserveBlocks>(),
    Entry::of::<BlockCatalogue>(),
    Entry::of::<AddScript>(),
    Entry::of::<GreenFlag>(),
    Entry::of::<Stop>(),
];
