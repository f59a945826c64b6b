// @ts-check
// The lines of one script, before the parser sees it whole: each is given its number, and mouths that are not closed are
// found. The parser tells no places, and closes at the end whatever is open.
const {isMouthWord, nameOf} = require('./notation-words');

/**
 * @typedef {import('../../types/notation').FaultBook} FaultBook
 * @typedef {import('../../types/notation').Node} Node
 * @typedef {import('../../types/notation').Notation} Notation
 * @typedef {{number: number, text: string, indent: number, kind: 'torn' | 'opens' | 'brace' | 'unbrace' | 'end' | 'else' | 'plain'}} Line
 */

/** What stands before the number of a line in the remark that carries it to the parsed block. */
const MARK = '§';
/** A remark as it was written, and the number behind it. */
const MARKED = /^(?:([^]*?) ?\/\/ )? ?§(\d+)$/;

/** @param {string} text @returns {boolean} whether the line goes on in the next one */
const goesOn = text => (/\\*$/.exec(text)?.[0].length ?? 0) % 2 === 1;

/** @param {string} text of a whole script @param {number[]} numbers of its lines @returns {{text: string, number: number}[]} what the parser takes for lines */
const joined = (text, numbers) => {
    /** @type {{text: string, number: number}[]} */
    const lines = [];
    let open = false;
    text.split('\n').forEach((piece, i) => {
        if (open) lines[lines.length - 1].text += `\n${piece}`;
        else lines.push({text: piece, number: numbers[i] ?? numbers.at(-1) ?? 0});
        open = goesOn(piece);
    });
    return lines;
};

/** @param {string} text of one line @param {Notation} notation the parser @returns {{block: Node | undefined, closed: boolean}} what it reads as, alone, and whether a remark behind it is one */
const readAlone = (text, notation) => {
    const block = notation.parse(`${text} // ${MARK}0`, {languages: ['en']}).scripts[0]?.blocks[0];
    // A lone `end` or `else` loses its remark in the parser.
    return {block, closed: !block?.isBlock || Boolean(block.comment) || isMouthWord(block)};
};

/** @param {string} text of one line @param {Notation} notation the parser @returns {boolean} whether a remark ends it */
const hasRemark = (text, notation) => Boolean(readAlone(text, notation).block?.comment?.label.value.includes(`// ${MARK}0`));

/**
 * @param {{text: string, number: number}} line as it is written
 * @param {Notation} notation the parser, which knows all blocks with a mouth
 * @returns {Line} with what it does to mouths. A block with a mouth may be written with braces too, in place of `end`
 */
const understood = ({text, number}, notation) => {
    const indent = text.length - text.trimStart().length;
    if (/^\s*\}/.test(text)) return {number, text, indent, kind: 'unbrace'};
    // A brace behind a backslash is part of a name, and one in a remark is part of that.
    const bare = !/\{\s*$/.test(text) || hasRemark(text, notation) ? text : text.replace(/((?<!\\)(?:\\\\)*)\s*\{\s*$/, '$1');
    const {block, closed} = readAlone(bare, notation);
    // In a bracket that is open the parser goes on reading to the end of the line, and closes it there.
    if (!closed) return {number, text, indent, kind: 'torn'};
    if (block?.isBlock && block.children.some(child => child.isScript)) return {number, text: bare, indent, kind: 'opens'};
    if (bare !== text) return {number, text, indent, kind: 'brace'};
    const kind = block && isMouthWord(block) ? /** @type {'end' | 'else'} */ (nameOf(block)) : 'plain';
    return {number, text, indent, kind};
};

/**
 * Pairs what opens with what closes, by their order.
 * @param {Line[]} lines of a script
 * @param {(open: Line[], end: Line) => number} choose which of the open mouths an `end` closes; those after it are left open
 * @returns {{open: Line[], stray: Line[], braced: Line[]}} mouths without an end, ends without a mouth, and braces that close a mouth
 */
const pair = (lines, choose) => {
    /** @type {Line[]} */
    const stack = [];
    /** @type {{open: Line[], stray: Line[], braced: Line[]}} */
    const found = {open: [], stray: [], braced: []};
    for (const line of lines) {
        if (line.kind === 'opens' || line.kind === 'brace') stack.push(line);
        if (line.kind === 'else' && stack.at(-1)?.kind !== 'opens') found.stray.push(line);
        if (line.kind !== 'end' && line.kind !== 'unbrace') continue;
        const brace = stack.findLastIndex(each => each.kind === 'brace');
        if (line.kind === 'unbrace' && brace >= 0 && brace === stack.length - 1) stack.pop();
        else if (stack.length - 1 > brace) {
            const kept = choose(stack.slice(brace + 1), line) + brace + 1;
            found.open.push(...stack.splice(kept).slice(1));
            if (line.kind === 'unbrace') found.braced.push(line);
        } else found.stray.push(line);
    }
    found.open.push(...stack);
    return found;
};

/** @param {Line[]} open @returns {number} the innermost */
const innermost = open => open.length - 1;

/** @param {Line[]} open @param {Line} end @returns {number} the one that is indented like the end, else the innermost */
const likeIndented = (open, end) => {
    const same = open.findLastIndex(each => each.indent === end.indent);
    return same < 0 ? open.length - 1 : same;
};

/**
 * @param {Line[]} lines of a script
 * @param {FaultBook | null} book takes the faults
 * @returns {Line[]} braces in place of an `end`
 */
const closeMouths = (lines, book) => {
    const strict = pair(lines, innermost);
    if (!book || (!strict.open.length && !strict.stray.length)) return strict.braced;
    // Something is missing, and the indentation says best where.
    const guessed = pair(lines, likeIndented);
    const {open, stray} = guessed.open.length || guessed.stray.length ? guessed : strict;
    for (const {number, text, kind} of open) {
        const how = kind === 'brace' ? 'write `}` on a line of its own' : 'write `end` on a line of its own, indented like this one';
        book.note(number, 'missing_end', `"${text.trim()}" is never closed`, how);
    }
    for (const {number, text} of stray) {
        book.note(number, 'stray_end', `"${text.trim()}" belongs to no block that is open`, 'take it out, or write the block with a mouth that it belongs to');
    }
    return strict.braced;
};

/**
 * Puts something in the place of a line with an open bracket, so that nothing else is found wrong on its account.
 * @param {Line} line of a script
 * @param {number} i which one
 * @param {Line[]} all of them
 * @returns {Line | null} the outline of a definition as far as it goes, for the sake of its calls; a mouth before lines that
 *     are indented deeper; else nothing
 */
const mended = (line, i, all) => {
    if (line.kind !== 'torn' || /^\s*define\b/.test(line.text)) return line;
    return (all[i + 1]?.indent ?? 0) > line.indent ? {...line, text: 'if <> then', kind: 'opens'} : null;
};

/**
 * @param {{text: string, lines: number[]}} script the notation, and the numbers of its lines
 * @param {Notation} notation the parser
 * @param {FaultBook} book takes mouths that are not closed
 * @returns {string} the notation with a mark on each line, to be taken off by `placed`
 */
const marked = ({text, lines}, notation, book) => {
    const all = joined(text, lines).map(line => understood(line, notation));
    for (const line of all.filter(each => each.kind === 'torn')) {
        book.note(line.number, 'unclosed_bracket', `"${line.text.trim()}" has a bracket that is not closed`, 'write \\ before a bracket that is meant as it is');
    }
    // What is torn may be what opens a mouth, and what it says is not known.
    const isTorn = all.some(line => line.kind === 'torn');
    const ends = new Set(closeMouths(all, isTorn ? null : book));
    let braces = 0;
    return all.map(mended).filter(line => line !== null).map(line => {
        if (ends.has(line)) return `${' '.repeat(line.indent)}end`;
        if (line.kind === 'unbrace') braces--;
        // Inside of braces the parser knows no remarks.
        const plain = braces > 0 || ['torn', 'end', 'else', 'brace', 'unbrace'].includes(line.kind);
        if (line.kind === 'brace') braces++;
        return plain ? line.text : `${line.text} // ${MARK}${line.number}`;
    }).join('\n');
};

/**
 * Takes the marks off, and gives each block the number of its line.
 * @param {Node[]} blocks of a script
 * @param {number} line of what comes before
 * @returns {number} the line of the last of them
 */
const placed = (blocks, line) =>
    blocks.reduce((before, block) => {
        const found = block.comment ? MARKED.exec(block.comment.label.value.trim()) : null;
        block.line = found ? Number(found[2]) : before;
        if (found && block.comment) {
            if (found[1] === undefined) block.comment = null;
            else block.comment.label.value = found[1];
        }
        return (block.children ?? []).filter(child => child.isScript).reduce((last, child) => placed(child.blocks, last), block.line);
    }, line);

module.exports = {marked, placed};
