//! Things made in dialogs: variables, lists, My Blocks, and extensions from their library.

use serde_json::json;

use super::player::{Player, Stuck};
use super::scene::SeenBlock;
use super::words::{self, Piece, squeezed};
use crate::model::ElementType;
use crate::solver::derive::{Id, NewName, Procedure};

impl Player {
    /// Makes a variable or a list.
    pub async fn make_name(&mut self, name: &NewName) -> Result<(), Stuck> {
        let button = if name.is_list { "Make a List" } else { "Make a Variable" };
        let place = self
            .show_in_palette("Variables", button, |player| player.scene.find(ElementType::FlyoutButtons, button))
            .await?;
        self.click_on(place).await?;
        self.act("type", json!({"text": name.name})).await?;
        if !name.for_all {
            self.press(ElementType::Inputs, "unchecked For this sprite only").await?;
        }
        self.press(ElementType::Buttons, "OK").await?;
        let opcode = if name.is_list { "data_listcontents" } else { "data_variable" };
        let is_it = |block: &SeenBlock| block.opcode == opcode && squeezed(&block.label) == squeezed(&name.name);
        self.show_in_palette("Variables", &name.name, |player| player.scene.in_palette(is_it)).await.map(drop)
    }

    /// Makes a block of the project's own: its hat appears on the canvas.
    pub async fn define(&mut self, id: Id) -> Result<(), Stuck> {
        let Some(own) = self.sheet.nodes[id].procedure.clone() else { return Ok(()) };
        let button = "Make a Block";
        let place = self
            .show_in_palette("My Blocks", button, |player| player.scene.find(ElementType::FlyoutButtons, button))
            .await?;
        self.click_on(place).await?;
        self.word(&own).await?;
        if own.warp {
            self.press(ElementType::Inputs, "unchecked Run without screen refresh").await?;
        }
        self.press(ElementType::Buttons, "OK").await?;
        // It appears where other scripts may be.
        self.sheet.put_loose(id, (0.0, 0.0));
        self.tidy().await
    }

    /// Words the block in the open dialog: its first label is there, and is what is typed into at first.
    async fn word(&mut self, own: &Procedure) -> Result<(), Stuck> {
        let mut names = own.argument_names.iter();
        for (number, piece) in words::wording(&own.proccode).into_iter().enumerate() {
            let text = match &piece {
                Piece::Label(label) => label.clone(),
                Piece::Argument { .. } => names.next().cloned().unwrap_or_default(),
            };
            match piece {
                Piece::Label(_) if number == 0 => {}
                Piece::Label(_) => self.press(ElementType::Buttons, "Add a label").await?,
                Piece::Argument { is_boolean: true } => {
                    self.press(ElementType::Buttons, "Add an input boolean").await?;
                }
                Piece::Argument { is_boolean: false } => {
                    self.press(ElementType::Buttons, "Add an input number or text").await?;
                }
            }
            self.overwrite(&text).await?;
        }
        Ok(())
    }

    /// Has the palette offer the blocks of an extension.
    pub async fn extend(&mut self, extension: &str) -> Result<(), Stuck> {
        if self.scene.find(ElementType::CategoryMenu, extension).is_some() {
            return Ok(());
        }
        self.press(ElementType::Buttons, "Add Extension").await?;
        let place = self.scene.search(ElementType::Buttons, |text| text.split(' ').next() == Some(extension));
        self.click_on(place.ok_or_else(|| Stuck(format!("the library has no {extension}")))?).await
    }
}
