// @ts-check
// What is different between two looks at the program, in the words of the pseudocode. Pure: plain data in, lines out.

/** @typedef {import('../../types/composite').BlockView} BlockView */
/** @typedef {import('../../types/composite').InputView} InputView */
/**
 * A block on its own: `values` are its fields and slots, with null for a slot that holds blocks; `parent` and `slot` say where
 * it is, `next` for below another one.
 * @typedef {{id: string, opcode: string, values: [string, string | null][], parent: string | null, slot: string}} Flat
 */
/**
 * A look: the open target with its blocks in the order of their indexes, and of every target what it consists of, by part.
 * @typedef {{target: string, blocks: Flat[], targets: {id: string, name: string, parts: Record<string, string>}[]}} Program
 */
/** @typedef {{added?: string[], removed?: string[], moved?: string[], changed?: string[], renumbered?: string[], elsewhere?: string[]}} Changes */

/** Lines of one kind that are told. */
const MOST = 40;
/** Letters of a value. */
const LETTERS = 60;

/** @param {string} value @returns {string} the beginning of it, in quotes where it could be taken for something else */
const shortened = value => {
    const letters = [...value];
    const text = letters.length > LETTERS ? `${letters.slice(0, LETTERS).join('')}…` : value;
    return /^[\p{L}\p{N}][\p{L}\p{N} _.-]*$/u.test(text) ? text : JSON.stringify(text);
};

/** @param {InputView} input @returns {string | null} what its default block holds; null where other blocks are */
const valueOf = ({blocks, shadow}) => (blocks.length ? null : shadow && shadow.field ? shadow.field.value : '');

/**
 * @param {BlockView[][]} scripts of a target
 * @returns {Flat[]} its blocks in the order of their indexes
 */
const flattened = scripts => {
    /** @type {Flat[]} */
    const out = [];
    /** @param {BlockView[]} stack @param {string | null} parent @param {string} slot */
    const visit = (stack, parent, slot) => {
        stack.forEach((block, at) => {
            const {id, opcode, fields, inputs, comment, procedure} = block;
            /** @type {[string, string | null][]} */
            const values = [
                ...(procedure ? [/** @type {[string, string]} */ (['procedure', procedure.proccode])] : []),
                ...fields.map(({name, value}) => /** @type {[string, string]} */ ([name, value])),
                ...inputs.map(input => /** @type {[string, string | null]} */ ([input.name, valueOf(input)])),
                ...(comment === null ? [] : [/** @type {[string, string]} */ (['comment', comment])])
            ];
            out.push({id, opcode, values, ...(at ? {parent: stack[at - 1].id, slot: 'next'} : {parent, slot})});
            for (const input of inputs) visit(input.blocks, id, input.name);
        });
    };
    for (const script of scripts) visit(script, null, '');
    return out;
};

/** @param {Flat} block @returns {string} its opcode and what it holds */
const inWords = ({opcode, values}) => {
    const held = values.map(([name, value]) => (value ? `${name}: ${shortened(value)}` : name));
    return held.length ? `${opcode} (${held.join(', ')})` : opcode;
};

/** @param {string[]} lines @returns {string[]} the first of them, and how many more there are */
const first = lines => (lines.length > MOST ? [...lines.slice(0, MOST), `and ${lines.length - MOST} more`] : lines);

/**
 * @param {Flat[]} before
 * @param {Flat[]} after
 * @returns {string[]} which indexes became which, blocks side by side as one
 */
const renumbered = (before, after) => {
    const now = new Map(after.map(({id}, at) => [id, at + 1]));
    /** @type {{from: number, to: number, count: number}[]} */
    const runs = [];
    before.forEach(({id}, at) => {
        const [from, to] = [at + 1, now.get(id)];
        if (to === undefined) return;
        const last = runs[runs.length - 1];
        if (last && from === last.from + last.count && to === last.to + last.count) last.count += 1;
        else runs.push({from, to, count: 1});
    });
    const span = (/** @type {number} */ start, /** @type {number} */ count) => (count > 1 ? `#${start}-#${start + count - 1}` : `#${start}`);
    return runs.filter(({from, to}) => from !== to).map(({from, to, count}) => `${span(from, count)} -> ${span(to, count)}`);
};

/**
 * @param {Program['targets']} before
 * @param {Program['targets']} after
 * @param {string | null} told the target whose blocks are told one by one
 * @returns {string[]} targets that are new, gone, or different, with the parts that are
 */
const elsewhere = (before, after, told) => {
    const known = new Map(before.map(target => [target.id, target]));
    const gone = before.filter(({id}) => !after.some(target => target.id === id)).map(({name}) => `${name}: removed`);
    const others = after.flatMap(({id, name, parts}) => {
        const old = known.get(id);
        if (!old) return [`${name}: added`];
        const different = Object.keys(parts).filter(part => parts[part] !== old.parts[part] && !(part === 'blocks' && id === told));
        if (old.name !== name) different.unshift(`name, was ${shortened(old.name)}`);
        return different.length ? [`${name}: ${different.join(', ')}`] : [];
    });
    return [...gone, ...others];
};

/**
 * @param {Program} before
 * @param {Program} after
 * @param {boolean} numbered whether blocks are named by their indexes too
 * @returns {Changes | null} null when nothing is different
 */
const programChanges = (before, after, numbered) => {
    const isSame = before.target === after.target;
    const changes = isSame ? blockChanges(before.blocks, after.blocks, numbered) : {};
    const all = {...changes, elsewhere: elsewhere(before.targets, after.targets, isSame ? after.target : null)};
    const told = Object.entries(all).filter(([, lines]) => lines.length).map(([name, lines]) => [name, first(lines)]);
    return told.length ? Object.fromEntries(told) : null;
};

/**
 * @param {Flat[]} before
 * @param {Flat[]} after
 * @param {boolean} numbered
 * @returns {Changes}
 */
const blockChanges = (before, after, numbered) => {
    const old = new Map(before.map((block, at) => [block.id, {...block, index: at + 1}]));
    const now = new Map(after.map((block, at) => [block.id, {...block, index: at + 1}]));
    const name = (/** @type {Flat & {index: number}} */ block) => (numbered ? `#${block.index} ${block.opcode}` : inWords(block));
    const place = (/** @type {Flat} */ {parent, slot}) => {
        const holder = parent === null ? undefined : now.get(parent);
        if (!holder) return 'loose';
        return slot === 'next' ? `below ${name(holder)}` : `in ${slot} of ${name(holder)}`;
    };
    const isElsewhere = (/** @type {Flat} */ {id, parent, slot}) => {
        const was = old.get(id);
        return Boolean(was) && (was?.parent !== parent || was?.slot !== slot);
    };
    // Whatever was put in between moves what is below it only in name.
    const isPushed = (/** @type {Flat} */ block) => {
        const was = /** @type {Flat} */ (old.get(block.id));
        for (let above = block.parent === null ? undefined : now.get(block.parent); above && block.slot === 'next'; above = above.parent === null ? undefined : now.get(above.parent)) {
            if (old.has(above.id) && !isElsewhere(above)) return false;
            if (above.parent === was.parent && above.slot === was.slot) return true;
            if (above.slot !== 'next') return false;
        }
        return false;
    };
    const added = [...now.values()].filter(({id}) => !old.has(id))
        .map(block => `${numbered ? `#${block.index} ` : ''}${inWords(block)} ${place(block)}`);
    const removed = [...old.values()].filter(({id}) => !now.has(id))
        .map(block => `${inWords(block)}${numbered ? `, was #${block.index}` : ''}`);
    const moved = [...now.values()].filter(block => isElsewhere(block) && !isPushed(block)).map(block => `${name(block)} ${place(block)}`);
    const changed = [...now.values()].flatMap(block => {
        const was = new Map(old.get(block.id)?.values ?? []);
        return block.values.filter(([slot, value]) => was.has(slot) && value !== null && was.get(slot) !== null && was.get(slot) !== value)
            .map(([slot, value]) => `${numbered ? `#${block.index} ` : ''}${block.opcode} ${slot}: ${shortened(value ?? '')}, was ${shortened(was.get(slot) ?? '')}`);
    });
    return {added, removed, moved, changed, ...(numbered ? {renumbered: renumbered(before, after)} : {})};
};

module.exports = {flattened, inWords, programChanges};
