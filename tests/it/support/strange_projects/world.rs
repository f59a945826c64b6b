//! What the blocks of a strange project can refer to: targets with their variables, lists, costumes, sounds and blocks of
//! their own, and messages. Names come from a small pool, so that many things have one name.

use super::names::name;
use super::procedures::Signature;
use super::tape::{Oddity, Tape};

/// Ids as the editor, converters and people write them; a number follows. Some have characters that XML doesn't take, some
/// are numbers, which JavaScript has in another order.
const IDS: [&str; 10] =
    ["id", "`jEk@4|i[#Fk?(8x)AV.-", "}=", "a b ", "%s", "", "<&\"'>", "ä🪁", "StageVarFromLocal_", "*/"];

/// Something with a name and an id.
#[derive(Debug, Clone)]
pub struct Named {
    pub id: String,
    pub name: String,
}

/// What a target has.
#[derive(Debug)]
pub struct Scope {
    pub name: String,
    pub variables: Vec<Named>,
    pub lists: Vec<Named>,
    pub costumes: Vec<String>,
    pub sounds: Vec<String>,
    pub procedures: Vec<Signature>,
}

/// All targets, the stage first.
#[derive(Debug)]
pub struct World {
    pub targets: Vec<Scope>,
    pub messages: Vec<Named>,
}

/// Gives out names and ids.
pub struct Registry {
    pool: Vec<String>,
    given: usize,
    /// Kinds of things with their names, by the number of the target.
    taken: Vec<(usize, &'static str, String)>,
}

impl Registry {
    fn new(tape: &mut Tape) -> Self {
        let count = tape.between(2, 6);
        Self { pool: (0..count).map(|_| name(tape)).collect(), given: 0, taken: Vec::new() }
    }

    /// A name that others are likely to have, too.
    pub fn name(&self, tape: &mut Tape) -> String {
        if tape.chance(30) { name(tape) } else { tape.pick(&self.pool).clone() }
    }

    /// An id that nothing else has.
    pub fn id(&mut self, tape: &mut Tape) -> String {
        self.given += 1;
        let style = if tape.chance(40) { *tape.pick(&IDS) } else { IDS[0] };
        format!("{style}{}", self.given)
    }

    /// A name for one of the things of a kind that a target has, which the others have not unless the project is odd.
    fn own_name(&mut self, tape: &mut Tape, at: usize, kind: &'static str) -> String {
        let mut name = self.name(tape);
        let is_taken = self.taken.iter().any(|(target, other, taken)| {
            let is_same = *other == kind && *taken == name;
            let shadows = ["variables", "lists"].contains(&kind) && !tape.allows(Oddity::Shadowing);
            is_same && if *target == at { !tape.allows(Oddity::Twins) } else { shadows }
        });
        if is_taken {
            name = format!("{name}{}", self.taken.len());
        }
        self.taken.push((at, kind, name.clone()));
        name
    }

    fn names(&mut self, tape: &mut Tape, at: usize, kind: &'static str, count: usize) -> Vec<String> {
        (0..count).map(|_| self.own_name(tape, at, kind)).collect()
    }

    fn several(&mut self, tape: &mut Tape, at: usize, kind: &'static str, count: usize) -> Vec<Named> {
        self.names(tape, at, kind, count).into_iter().map(|name| Named { id: self.id(tape), name }).collect()
    }
}

impl World {
    pub fn new(tape: &mut Tape) -> Self {
        let mut registry = Registry::new(tape);
        let sprites = tape.between(1, 3);
        let mut targets: Vec<Scope> = (0..=sprites).map(|at| scope(tape, &mut registry, at)).collect();
        share_an_id(tape, &mut targets);
        let count = tape.between(1, 3);
        Self { targets, messages: registry.several(tape, 0, "messages", count) }
    }

    /// Variables that a target sees.
    pub fn variables(&self, at: usize) -> Vec<&Named> {
        self.seen(at, |scope| &scope.variables)
    }

    pub fn lists(&self, at: usize) -> Vec<&Named> {
        self.seen(at, |scope| &scope.lists)
    }

    fn seen(&self, at: usize, of: impl Fn(&Scope) -> &Vec<Named>) -> Vec<&Named> {
        let own = of(&self.targets[at]).iter();
        own.chain(of(&self.targets[0]).iter().filter(|_| at != 0)).collect()
    }
}

fn scope(tape: &mut Tape, registry: &mut Registry, at: usize) -> Scope {
    let least = usize::from(at == 0);
    let [costumes, sounds, variables, lists] =
        [tape.between(1, 3), tape.below(3), tape.between(least, 3), tape.between(least, 2)];
    // Of sprites, two in one place would be twins.
    let name = if at == 0 { "Stage".to_owned() } else { sprite_name(registry.own_name(tape, 0, "sprites")) };
    Scope {
        name,
        costumes: registry.names(tape, at, "costumes", costumes),
        sounds: registry.names(tape, at, "sounds", sounds),
        variables: registry.several(tape, at, "variables", variables),
        lists: registry.several(tape, at, "lists", lists),
        procedures: Signature::several(tape, registry),
    }
}

/// No sprite can have the stage's name of blocks.
fn sprite_name(name: String) -> String {
    if name == "_stage_" { "stage".to_owned() } else { name }
}

/// Now and then a sprite's variable has the id of one of the stage's, as copies of sprites do.
fn share_an_id(tape: &mut Tape, targets: &mut [Scope]) {
    if !tape.odd(Oddity::SharedIds, 80) {
        return;
    }
    let id = targets[0].variables[0].id.clone();
    if let Some(own) = targets.last_mut().and_then(|sprite| sprite.variables.first_mut()) {
        own.id = id;
    }
}
