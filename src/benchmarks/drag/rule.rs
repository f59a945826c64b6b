//! What the published runner checks after a drag. It looks at one side of the drop only, at the blocks of the virtual
//! machine, and takes a block from the palette for the one that is new.

use super::mask::Mask;
use super::regions::{BlockLinks, DRAGGED, DropAreas, Link, Regions};
use super::scene::{Kind, Rule, Scene};
use crate::model::VIEWPORT;

impl Scene {
    /// Whether it is one of the published set.
    pub fn is_published(&self) -> bool {
        self.relation.rule == Rule::Published
    }

    /// Whether a drag did what the scene asks for, given the blocks before and after it. `regions` say which links that
    /// makes; a published scene has a rule of its own.
    pub(super) fn made(&self, regions: &Regions, before: &BlockLinks, after: &BlockLinks) -> bool {
        if self.is_published() { self.passes(before, after) } else { regions.made(before, after) }
    }

    pub(super) fn passes(&self, before: &BlockLinks, after: &BlockLinks) -> bool {
        let Some(reference) = self.relation.target.id.as_deref() else { return false };
        let Some(dragged) = self.dragged(before, after) else { return false };
        let input = self.relation.input.as_deref();
        let is_variable = |name: &String| {
            after.opcodes.get(dragged).is_some_and(|opcode| opcode == "data_variable")
                && after.variables.get(dragged) == Some(name)
        };
        match self.relation.kind {
            Kind::Below => after.has(reference, |at| at.is_none(), dragged),
            Kind::Above => after.has(before.tail(dragged), |_| true, reference),
            Kind::Into => {
                self.source.block.fields.get("VARIABLE").is_none_or(is_variable)
                    && after.has(reference, |at| at.is_some() && (input.is_none() || at == input), dragged)
            }
            // None of the published ones.
            Kind::Between | Kind::Atop | Kind::Around => false,
        }
    }

    /// Whether a drag took the block along: from the palette, a new one of its kind, since others lie there too.
    pub(super) fn displaced(&self, regions: &Regions, before: &BlockLinks, after: &BlockLinks) -> bool {
        let is_kind = |id: &String| after.opcodes.get(id) == self.source.block.opcode.as_ref();
        let is_new = |id: &&String| !before.blocks.contains(id);
        let of_its_kind = self.source.block.opcode.is_none() || after.blocks.iter().filter(is_new).any(is_kind);
        regions.displaced(before, after) && (regions.source.is_some() || of_its_kind)
    }

    /// The dragged block: the one with the id, else the one new block with the opcode, else the one new block.
    fn dragged<'a>(&'a self, before: &BlockLinks, after: &'a BlockLinks) -> Option<&'a str> {
        if let Some(id) = &self.source.block.id {
            return Some(id);
        }
        let new: Vec<&String> = after.blocks.iter().filter(|id| !before.blocks.contains(id)).collect();
        let fitting: Vec<&String> =
            new.iter().copied().filter(|id| after.opcodes.get(*id) == self.source.block.opcode.as_ref()).collect();
        match (&fitting[..], &new[..]) {
            ([one], _) | (_, [one]) => Some(one),
            _ => None,
        }
    }

    /// What is known of a published scene without asking the editor: the link that the drag makes. Where it begins and
    /// ends, its published points say.
    pub(super) fn without_regions(&self, before: &BlockLinks) -> Regions {
        let source = self.source.block.id.clone();
        let dragged = source.clone().unwrap_or_else(|| DRAGGED.to_owned());
        let reference = self.relation.target.id.clone().unwrap_or_default();
        let link = match self.relation.kind {
            Kind::Above => Link { parent: before.tail(&dragged).to_owned(), input: None, child: reference },
            _ => Link { parent: reference, input: self.relation.input.clone(), child: dragged },
        };
        // Where blocks are thrown away is not known either.
        let (width, height) = VIEWPORT;
        let areas = DropAreas { inside: [0.0, 0.0, f64::from(width), f64::from(height)], deletes: Vec::new() };
        Regions { source, links: vec![link], start: Mask::default(), ends: Mask::default(), areas }
    }
}

impl BlockLinks {
    /// Whether a block hangs on another, in a way that fits: below it (`None`), or in an input.
    fn has(&self, parent: &str, fits: impl Fn(Option<&str>) -> bool, child: &str) -> bool {
        self.links.iter().any(|link| link.parent == parent && link.child == child && fits(link.input.as_deref()))
    }

    /// The last block of the stack that a block begins.
    fn tail<'a>(&'a self, first: &'a str) -> &'a str {
        let mut last = first;
        // A stack has no more blocks than there are; one that ran in a circle would end there.
        for _ in 0..self.blocks.len() {
            match self.links.iter().find(|link| link.parent == last && link.input.is_none()) {
                Some(link) => last = &link.child,
                None => break,
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmarks::drag::scene::{BlockName, Relation, SceneProject, Source, View};

    fn scene(kind: Kind, id: Option<&str>, input: Option<&str>) -> Scene {
        let name = |id: Option<&str>| BlockName { id: id.map(str::to_owned), ..BlockName::default() };
        let opcode = id.is_none().then(|| "data_variable".to_owned());
        let relation =
            Relation { kind, target: name(Some("ref")), input: input.map(str::to_owned), rule: Rule::Published };
        Scene {
            id: "T1_900".parse().unwrap(),
            instruction: String::new(),
            project: SceneProject::File("x.sb3".to_owned()),
            stage: crate::model::StageSize::Small,
            sprite: None,
            removal: None,
            actions: Vec::new(),
            palette: None,
            view: View { scale: 0.675, x: 0.0, y: 0.0, drawn: true },
            source: Source { block: BlockName { opcode, ..name(id) }, palette: id.is_none() },
            relation,
        }
    }

    fn blocks(ids: &[(&str, &str)], links: &[(&str, Option<&str>, &str)]) -> BlockLinks {
        let link = |(parent, input, child): &(&str, Option<&str>, &str)| Link {
            parent: (*parent).to_owned(),
            input: input.map(str::to_owned),
            child: (*child).to_owned(),
        };
        BlockLinks {
            blocks: ids.iter().map(|(id, _)| (*id).to_owned()).collect(),
            opcodes: ids.iter().map(|(id, opcode)| ((*id).to_owned(), (*opcode).to_owned())).collect(),
            links: links.iter().map(link).collect(),
            ..BlockLinks::default()
        }
    }

    const HERE: [(&str, &str); 3] = [("ref", "control_repeat"), ("a", "motion_movesteps"), ("b", "looks_say")];

    fn passes(scene: &Scene, before: &BlockLinks, after: &BlockLinks) -> bool {
        scene.made(&scene.without_regions(before), before, after)
    }

    #[test]
    fn each_kind_is_checked_on_one_side() {
        let before = blocks(&HERE, &[("a", None, "b")]);
        let below = scene(Kind::Below, Some("a"), None);
        assert!(passes(&below, &before, &blocks(&HERE, &[("ref", None, "a"), ("a", None, "b")])));
        assert!(!passes(&below, &before, &blocks(&HERE, &[("ref", Some("SUBSTACK"), "a")])));
        let above = scene(Kind::Above, Some("a"), None);
        assert!(passes(&above, &before, &blocks(&HERE, &[("a", None, "b"), ("b", None, "ref")])));
        assert!(!passes(&above, &before, &blocks(&HERE, &[("a", None, "ref")])), "the tail must hold it");
        let into = scene(Kind::Into, Some("a"), Some("SUBSTACK"));
        assert!(passes(&into, &before, &blocks(&HERE, &[("ref", Some("SUBSTACK"), "a")])));
        assert!(!passes(&into, &before, &blocks(&HERE, &[("ref", Some("SUBSTACK2"), "a")])));
        assert!(passes(&scene(Kind::Into, Some("a"), None), &before, &blocks(&HERE, &[("ref", Some("X"), "a")])));
    }

    #[test]
    fn a_block_from_the_palette_is_the_new_one_of_its_kind() {
        let before = blocks(&HERE, &[]);
        let mut named = scene(Kind::Into, None, Some("NUM"));
        named.source.block.fields.insert("VARIABLE".to_owned(), "speed".to_owned());
        let with = |more: &[(&str, &str)], variable: &str| {
            let mut after = blocks(&[&HERE[..], more].concat(), &[("ref", Some("NUM"), "new")]);
            after.variables.insert("new".to_owned(), variable.to_owned());
            after
        };
        assert!(passes(&named, &before, &with(&[("new", "data_variable")], "speed")));
        assert!(passes(&named, &before, &with(&[("new", "data_variable"), ("shadow", "text")], "speed")));
        assert!(!passes(&named, &before, &with(&[("new", "data_variable")], "score")), "another variable");
        assert!(!passes(&named, &before, &with(&[("new", "data_variable"), ("two", "data_variable")], "speed")));
        assert!(!passes(&named, &before, &before));
        let taken = |opcode: &str| {
            let regions = named.without_regions(&before);
            named.displaced(&regions, &before, &with(&[("new", opcode)], "speed"))
        };
        assert!(taken("data_variable") && !taken("data_showvariable"), "its neighbour in the palette");
    }

    #[test]
    fn the_link_that_a_drag_makes_is_known_without_the_editor() {
        let before = blocks(&HERE, &[("a", None, "b")]);
        let of = |scene: Scene| scene.without_regions(&before).links.remove(0);
        assert_eq!(
            of(scene(Kind::Above, Some("a"), None)),
            Link { parent: "b".into(), input: None, child: "ref".into() }
        );
        let dropped = Link { parent: "ref".into(), input: Some("NUM".into()), child: DRAGGED.into() };
        assert_eq!(of(scene(Kind::Into, None, Some("NUM"))), dropped);
    }
}
