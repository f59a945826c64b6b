// @ts-check
// Lowers the scripts of all targets of a project. Pure: nothing here touches the editor.
const {definitionOf} = require('./lower-procedure');
const {inOrder} = require('./faults');
const {lowerScript} = require('./lower-script');
const {messageBook} = require('./message-book');
const {marked, placed} = require('./script-lines');

/**
 * @typedef {import('../../types/notation').Catalogue} Catalogue
 * @typedef {import('../../types/notation').FaultBook} FaultBook
 * @typedef {import('../../types/notation').Lowered} Lowered
 * @typedef {import('../../types/notation').Notation} Notation
 * @typedef {import('../../types/notation').Node} Node
 * @typedef {import('../../types/notation').Placed} Placed
 * @typedef {import('../../types/notation').Procedure} Procedure
 * @typedef {import('../../types/notation').Scope} Scope
 * @typedef {import('../../types/notation').ScriptText} ScriptText
 * @typedef {import('../../types/notation').Things} Things
 * @typedef {import('../../types/notation').State} State
 * @typedef {import('../../types/notation').TargetScripts} TargetScripts
 */

/**
 * @param {{notation: Notation, book: FaultBook}} world the parser, and where faults go
 * @param {ScriptText} script one script
 * @param {string} prefix where its ids begin
 * @returns {ScriptText & {blocks: Node[], prefix: string}} its blocks, each with its line
 */
const parsed = ({notation, book}, script, prefix) => {
    const before = book.faults.length;
    const {scripts} = notation.parse(marked(script, notation, book), {languages: ['en']});
    scripts.reduce((line, {blocks}) => placed(blocks, line), script.lines[0]);
    // A mouth that is open, or closed twice, takes the script apart.
    if (scripts.length !== 1 && book.faults.length === before) {
        book.note(scripts[1]?.blocks[0].line ?? script.lines[0], 'bad_script', `here a second script begins: ${scripts.length} are written as one`, 'nothing can follow a reporter, `stop`, `forever` or `delete this clone`, and a hat comes first; write `script` above the second');
    }
    return {...script, blocks: scripts.flatMap(each => each.blocks), prefix};
};

/**
 * @param {[string, string][]} ids of names, which may be any
 * @returns {Record<string, string>} ids by names, in which nothing is found that every object has, such as `constructor`
 */
const alone = ids => {
    const all = Object.create(null);
    for (const [name, id] of ids) all[name] = id;
    return all;
};

/**
 * @param {{catalogue: Catalogue, notation: Notation, book: FaultBook, scope: Scope, things: Things}} world what scripts can name
 * @param {TargetScripts} target its scripts
 * @param {number} index which target it is
 * @returns {Lowered[]} its scripts lowered, but those of which nothing is left
 */
const lowerTarget = (world, target, index) => {
    const {book, notation, scope} = world;
    const all = target.scripts.map((script, number) => parsed(world, script, `t${index}.s${number}`));
    /** @type {Record<string, Procedure>} */
    const procedures = Object.create(null);
    for (const {blocks, prefix, refresh} of all) {
        if (blocks[0]?.info?.shape !== 'define-hat') continue;
        const definition = definitionOf(blocks[0], prefix, notation);
        procedures[definition.hash] ??= {...definition, warp: !refresh};
    }
    return all.flatMap(script => {
        const lowering = lowerScript({...world, scope, procedures}, script);
        const first = lowering.stack(script.blocks);
        if (!first) return [];
        return {
            state: {...first, x: script.x, y: script.y},
            advice: id => {
                const placed = flatten(first).find(each => each.id === id);
                return placed ? lowering.advice(placed) : null;
            },
            refuse: (id, code, message, hint) => book.note(lowering.lines[id] ?? script.lines[0], code, message, hint),
            comments: lowering.comments,
            literals: lowering.literals,
            mutations: lowering.mutations
        };
    });
};

/**
 * @param {TargetScripts[]} targets of the project, the stage first
 * @param {number} index one of them
 * @returns {Things} what its menus can name
 */
const thingsFor = (targets, index) => {
    const {name, costumes, sounds} = targets[index];
    const own = (/** @type {number} */ at) => targets[at].variables.filter(([, id]) => id.startsWith(`t${at}.`)).map(([each]) => each);
    return {
        own: name,
        costumes,
        sounds,
        backdrops: targets[0].costumes,
        sprites: targets.slice(1).map(target => target.name),
        variablesOf: whom => {
            const at = whom === '_stage_' ? 0 : targets.findIndex((target, i) => i > 0 && target.name === whom);
            return at < 0 ? null : own(at);
        }
    };
};

/**
 * @param {State} state a block with all below and inside of it
 * @param {string | null} parent the block that holds it
 * @param {string | null} input where
 * @returns {Placed[]} every block with the place where it must end up
 */
const flatten = (state, parent = null, input = null) => {
    /** @type {Placed[]} */
    const all = [];
    /** @type {[State, string | null, string | null][]} */
    const open = [[state, parent, input]];
    for (let item = open.pop(); item; item = open.pop()) {
        const [{id, type, inputs, next}, holder, where] = item;
        all.push({id, type, parent: holder, input: where});
        // The last to go in comes out first.
        if (next) open.push([next.block, id, 'next']);
        for (const [name, {block, shadow}] of Object.entries(inputs ?? {}).reverse()) {
            if (shadow) open.push([shadow, id, name]);
            if (block) open.push([block, id, name]);
        }
    }
    return all;
};

/**
 * @param {TargetScripts[]} targets of the project, in its order
 * @param {{catalogue: Catalogue, notation: Notation, book: FaultBook}} world how blocks are worded, the parser, and where faults go
 * @returns {{lowered: Lowered[][], messages: Map<string, string>, opcodes: Set<string>}} scripts by target, ids of messages by name, and
 *     the types of blocks in use; with faults in the book not all of them
 */
const lowerProject = (targets, world) => {
    const messages = messageBook();
    const lowered = targets.map((target, index) => {
        const scope = {...messages, variables: alone(target.variables), lists: alone(target.lists)};
        return lowerTarget({...world, scope, things: thingsFor(targets, index)}, target, index);
    });
    messages.warn(world.book);
    const opcodes = new Set(lowered.flat().flatMap(script => flatten(script.state).map(block => block.type)));
    return {lowered, messages: messages.messages, opcodes};
};

/**
 * @param {FaultBook} book with what was noted
 * @param {any} scripts what was built; it counts for nothing if there are faults
 * @returns {{faults: import('../../types/notation').Fault[], warnings: import('../../types/notation').Fault[], scripts: any}} the outcome of a build
 */
const outcome = (book, scripts) => ({faults: inOrder(book.faults), warnings: inOrder(book.warnings), scripts: book.faults.length ? null : scripts});

module.exports = {flatten, lowerProject, outcome};
