//! What blocks hold: fields and slots of new blocks, and changes of those that are there.

use serde_json::{Value, json};

use super::blocks::Place;
use super::editing::Editing;
use super::error::{Refusal, Stage};
use super::scope::{has, known};
use super::slots::{self, Shadow, Slot};
use super::{Adopted, Literal, NewBlock, Operand};
use crate::normalise::new_id;

impl Editing<'_> {
    pub(super) fn fill_fields(&mut self, block: &NewBlock) -> Result<(), Refusal> {
        let entry = slots::entry(&block.opcode)?;
        for (name, _) in slots::fields(entry) {
            if !block.fields.contains_key(name) {
                return Err(Refusal::unsupported(format!("`{}` needs the field `{name}`", block.opcode)));
            }
        }
        for (name, value) in &block.fields {
            self.set_field(&block.id, &block.opcode, name, value)?;
        }
        Ok(())
    }

    pub(super) fn set_field(&mut self, id: &str, opcode: &str, name: &str, value: &Operand) -> Result<(), Refusal> {
        let kind = slots::fields(slots::entry(opcode)?).find(|(field, _)| *field == name).map(|(_, kind)| kind);
        let kind =
            kind.ok_or_else(|| Refusal::unsupported(format!("`{opcode}` has no field `{}`", name.escape_debug())))?;
        let written = match (kind, value) {
            ("variable", Operand::Named(name, of)) => known(&self.scope.variables, "variable", name, of)?,
            ("list", Operand::Named(name, of)) => known(&self.scope.lists, "list", name, of)?,
            ("broadcast", Operand::Named(name, of)) => self.message(name, of)?,
            ("variable" | "list" | "broadcast", _) => {
                return Err(Refusal::unsupported(format!("`{name}` takes a name and its id: [\"name\", \"id\"]")));
            }
            (_, Operand::Literal(literal)) => json!([literal.json(), null]),
            _ => return Err(Refusal::unsupported(format!("`{name}` takes a plain value"))),
        };
        if let Some(block) = self.blocks.0.get_mut(id) {
            block["fields"][name] = written;
        }
        self.blocks.tidy(id);
        Ok(())
    }

    /// A message that is known, or a new one, which is declared.
    fn message(&mut self, name: &str, id: &str) -> Result<Value, Refusal> {
        if !has(&self.scope.messages, name, id) {
            if self.scope.messages.iter().any(|(known, other)| known == id || other.eq_ignore_ascii_case(name)) {
                let why = format!(
                    "the message `{}` and the id `{}` do not belong together",
                    name.escape_debug(),
                    id.escape_debug()
                );
                return Err(Refusal(Stage::Unresolved, why));
            }
            self.declared.push((id.to_owned(), name.to_owned()));
            self.scope.messages.push((id.to_owned(), name.to_owned()));
        }
        Ok(json!([name, id]))
    }

    pub(super) fn fill_slots(
        &mut self,
        block: &NewBlock,
        below: Option<&str>,
        place: &dyn Fn(&str) -> Place,
    ) -> Result<(), Refusal> {
        let entry = slots::entry(&block.opcode)?;
        for name in block.inputs.keys() {
            slots::slot(entry, &block.opcode, name)?;
        }
        for (name, slot) in slots::slots(entry) {
            let given = block.inputs.get(name);
            match slot {
                Slot::Mouth => {
                    if let Some(given) = given {
                        self.adopt_stack(&block.id, name, given, below)?;
                    }
                }
                Slot::Value { shadow, value } => {
                    self.fill_value(block, (name, shadow, value), given, place)?;
                }
            }
        }
        Ok(())
    }

    fn adopt_stack(&mut self, id: &str, mouth: &str, given: &Operand, below: Option<&str>) -> Result<(), Refusal> {
        let Operand::Block(Adopted { block: first }) = given else {
            return Err(Refusal::unsupported(format!("the mouth `{mouth}` takes a block: {{\"block\": \"id\"}}")));
        };
        self.blocks.own(first)?;
        let held = self.blocks.chain(first, below);
        self.blocks.unhang(first);
        if let Some(last) = held.last() {
            self.blocks.set_next(last, None);
        }
        self.blocks.fill(id, mouth, first);
        Ok(())
    }

    fn fill_value(
        &mut self,
        block: &NewBlock,
        (name, shadow, value): (&str, Option<&str>, Option<&str>),
        given: Option<&Operand>,
        place: &dyn Fn(&str) -> Place,
    ) -> Result<(), Refusal> {
        // What lies on the shadow leaves that as the palette has it.
        let is_shadow = matches!(given, Some(Operand::Literal(_)))
            || shadow == Some("event_broadcast_menu") && matches!(given, Some(Operand::Named(..)));
        if let Some(shadow) = shadow {
            let palette = slots::palette(value);
            let Some(shown) = given.filter(|_| is_shadow).or(palette.as_ref()) else {
                return Err(Refusal::unsupported(format!("`{}` needs the slot `{name}`", block.opcode)));
            };
            let shadow = slots::shadow(shadow, shown)?;
            let menu = block.menus.get(name).cloned();
            let id = menu.unwrap_or_else(|| new_id("menu", &block.id, name));
            self.put_shadow(&block.id, name, shadow, &id, &place(&id))?;
        }
        match given {
            Some(over) if !is_shadow => self.lay(&block.id, name, over),
            _ => Ok(()),
        }
    }

    fn put_shadow(&mut self, host: &str, input: &str, shadow: Shadow, id: &str, place: &Place) -> Result<(), Refusal> {
        let seen = match shadow {
            Shadow::Inline(value) => {
                if value[0] == 11 {
                    let (name, id) = (value[1].as_str().unwrap_or_default(), value[2].as_str().unwrap_or_default());
                    self.message(name, id)?;
                }
                value
            }
            Shadow::Menu { opcode, field, choice } => {
                let menu = json!({
                    "opcode": opcode, "next": null, "parent": host, "inputs": {}, "fields": {field: [choice, null]},
                    "shadow": true, "topLevel": false
                });
                self.blocks.insert(id, menu, place);
                json!(id)
            }
        };
        if let Some(slot) = self.blocks.slot_mut(host, input) {
            *slot = json!([1, seen]);
        }
        Ok(())
    }

    /// Lays a block or a variable into a slot; what lay there is parked.
    fn lay(&mut self, host: &str, input: &str, over: &Operand) -> Result<(), Refusal> {
        match over {
            Operand::Block(Adopted { block }) => {
                self.blocks.own(block)?;
                if let Some(there) = self.blocks.seen(host, input).filter(|there| self.blocks.own(there).is_ok()) {
                    self.blocks.unhang(&there);
                }
                self.blocks.unhang(block);
                self.blocks.fill(host, input, block);
            }
            Operand::Named(name, id) => {
                let kind = if has(&self.scope.variables, name, id) { 12 } else { 13 };
                if kind == 13 {
                    known(&self.scope.lists, "variable or list", name, id)?;
                }
                self.uncover(host, input);
                if let Some(slot) = self.blocks.slot_mut(host, input) {
                    let over = json!([kind, name, id]);
                    *slot = if slot[0] == 1 { json!([3, over, slot[1].clone()]) } else { json!([2, over]) };
                }
            }
            Operand::Literal(_) => return Err(Refusal::unsupported(format!("`{input}` takes a block"))),
        }
        self.blocks.tidy(host);
        Ok(())
    }

    /// Takes what lies on the shadow of a slot away.
    fn uncover(&mut self, host: &str, input: &str) {
        if let Some(there) = self.blocks.seen(host, input).filter(|there| self.blocks.own(there).is_ok()) {
            self.blocks.unhang(&there);
            self.blocks.remove_tree(&there);
            return;
        }
        let is_laid = |slot: &Value| slot[0] != 1 && slot[1].is_array();
        if self.blocks.slot_mut(host, input).is_some_and(|slot| is_laid(slot)) {
            self.blocks.clear(host, input);
        }
    }

    pub(super) fn modify(&mut self, id: &str, path: &str, value: &Operand) -> Result<(), Refusal> {
        let opcode = self.blocks.opcode(id)?;
        match path.split_once('/') {
            None if path == "opcode" => self.set_opcode(id, &opcode, value),
            Some(("fields", name)) => self.set_field(id, &opcode, name, value),
            Some(("inputs", name)) => self.set_slot(id, &opcode, name, value),
            _ => Err(Refusal::unsupported(format!(
                "`{}` is no path: opcode, fields/NAME or inputs/NAME",
                path.escape_debug()
            ))),
        }
    }

    fn set_opcode(&mut self, id: &str, opcode: &str, value: &Operand) -> Result<(), Refusal> {
        let Operand::Literal(Literal::Text(to)) = value else {
            return Err(Refusal::unsupported("an opcode is a text"));
        };
        if !slots::are_alike(slots::entry(opcode)?, slots::entry(to)?) {
            return Err(Refusal::unsupported(format!("`{opcode}` and `{to}` have other slots")));
        }
        self.blocks.set(id, "opcode", json!(to));
        Ok(())
    }

    fn set_slot(&mut self, id: &str, opcode: &str, name: &str, value: &Operand) -> Result<(), Refusal> {
        let Slot::Value { shadow, .. } = slots::slot(slots::entry(opcode)?, opcode, name)? else {
            return self.adopt_stack(id, name, value, None);
        };
        let is_message = shadow == Some("event_broadcast_menu") && matches!(value, Operand::Named(..));
        if !is_message && !matches!(value, Operand::Literal(_)) {
            return self.lay(id, name, value);
        }
        let shadow = shadow.ok_or_else(|| Refusal::unsupported(format!("`{name}` takes a block")))?;
        self.uncover(id, name);
        self.set_shadow(id, name, slots::shadow(shadow, value)?)
    }

    /// Changes the shadow of a slot. The kind of value that is there stays: it may be another one than the palette's.
    fn set_shadow(&mut self, host: &str, input: &str, shadow: Shadow) -> Result<(), Refusal> {
        let there = self.blocks.slot_mut(host, input).map(|slot| slot[1].clone()).unwrap_or_default();
        match shadow {
            Shadow::Inline(value) if value[0] == 11 => {
                self.put_shadow(host, input, Shadow::Inline(value), "", &Place::End)?;
            }
            Shadow::Inline(value) => {
                let kind = there.get(0).filter(|kind| kind.is_number()).unwrap_or(&value[0]).clone();
                if let Some(slot) = self.blocks.slot_mut(host, input) {
                    *slot = json!([1, [kind, value[1].clone()]]);
                }
            }
            Shadow::Menu { field, choice, .. } => {
                let menu = there.as_str().and_then(|menu| self.blocks.0.get_mut(menu));
                let menu = menu.ok_or_else(|| Refusal::unsupported(format!("`{input}` has no menu")))?;
                menu["fields"][&field] = json!([choice, null]);
            }
        }
        self.blocks.tidy(host);
        Ok(())
    }
}
