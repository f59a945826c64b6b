// @ts-check
// How times, actions and events read. Nothing here touches the page.

/** @typedef {import('../types/api').LogEvent} LogEvent */

/**
 * @param {number} seconds
 * @returns {string} such as `8 s`, `3 min`, `2 h 5 min`
 */
export const age = seconds => {
    const whole = Math.max(0, Math.round(seconds));
    if (whole < 60) return `${whole} s`;
    const minutes = Math.floor(whole / 60);
    if (minutes < 60) return `${minutes} min`;
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
    if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
    return rest ? `${hours} h ${rest} min` : `${hours} h`;
};

/**
 * @param {number} milliseconds
 * @returns {string} such as `12 ms` or `1.4 s`
 */
export const duration = milliseconds =>
    milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

/**
 * @param {number} count
 * @param {string} what one of them is
 * @returns {string} such as `1 step` or `3 steps`
 */
export const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;

/**
 * @param {number} count
 * @returns {string} such as `12,345`
 */
export const grouped = count => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');

/**
 * @param {number} count
 * @returns {string} such as `840 kB` or `3.2 MB`
 */
export const bytes = count => (count < 1e6 ? `${Math.max(1, Math.round(count / 1e3))} kB` : `${(count / 1e6).toFixed(1)} MB`);

/**
 * @param {number} seconds since 1970
 * @returns {string} the date and time of day on the reader's clock
 */
export const moment = seconds => {
    const date = new Date(seconds * 1000);
    const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
    const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
};

/**
 * @param {string} name in snake_case
 * @returns {string} the same with spaces
 */
export const spaced = name => name.replaceAll('_', ' ');

/**
 * @param {any} value
 * @param {number} [limit] characters
 * @returns {string} in quotes if it is a text, shortened if it is long
 */
export const shown = (value, limit = 60) => {
    const text = typeof value === 'string' ? `“${value}”` : JSON.stringify(value) ?? '';
    return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
};

/** @param {any} x @param {any} y */
const at = (x, y) => (typeof x === 'number' && typeof y === 'number' ? `(${Math.round(x)}, ${Math.round(y)})` : '');

/** @type {Record<string, (args: Record<string, any>) => string>} What is said of an action's arguments. */
const SAID = {
    click: args => at(args.x, args.y) || place(args),
    double_click: args => at(args.x, args.y) || place(args),
    drag_and_drop: args =>
        [at(args.start_x, args.start_y) || place(args, 'start_'), at(args.end_x, args.end_y) || place(args, 'end_')].join(' → '),
    scroll: args => [at(args.x, args.y) || place(args), args.direction, args.amount].filter(part => part || part === 0).join(' '),
    type: args => shown(args.text),
    key: args => String(args.key),
    hotkey: args => (Array.isArray(args.keys) ? args.keys.join(' + ') : ''),
    connect_blocks: args => [`#${args.sourceBlockIndex} to #${args.targetBlockIndex}`, spaced(args.placement?.kind ?? ''), args.placement?.inputName].filter(Boolean).join(' '),
    set_block_field: args => `#${args.blockIndex} ${args.fieldName} ${shown(args.value)}`,
    add_block: args => String(args.blockType ?? ''),
    done: args => (args.reason ? shown(args.reason) : ''),
    failed: args => (args.reason ? shown(args.reason) : '')
};

/** @param {Record<string, any>} args @param {string} [before] */
const place = (args, before = '') => (`${before}index` in args ? `element ${args[`${before}index`]}` : '');

/** @param {Record<string, any>} args @returns {string} the mouse button, unless it is the main one */
const button = ({button: name}) => (name && name !== 'left' ? `${name} ` : '');

/** @param {Record<string, any>} args */
const rest = args =>
    Object.entries(args)
        .map(([name, value]) => `${name} ${shown(value, 40)}`)
        .join(', ');

/**
 * @param {string} api the action's name
 * @param {Record<string, any> | undefined} args
 * @returns {string} the action in a few words
 */
export const actionLine = (api, args = {}) => `${button(args)}${spaced(api)} ${(SAID[api] ?? rest)(args)}`.trim();

/** @type {Record<string, (event: LogEvent) => string>} What is said of an event. */
const EVENTS = {
    opened: event => (event.task ? `session began for ${event.task}` : 'session began'),
    request: event => actionLine(event.api ?? '', event.args),
    reply: event =>
        event.code === 'ok' ? `done in ${duration(event.duration_ms ?? 0)}` : `${event.code}: ${event.message ?? ''}`,
    input: event => [event.type, at(event.x, event.y), event.key && shown(event.key), event.target].filter(Boolean).join(' '),
    workspace: event => [spaced(event.change ?? ''), event.sprite && `in ${event.sprite}`, opcodes(event)].filter(Boolean).join(' '),
    vm: event => spaced(event.change ?? ''),
    program: event => `program changed${event.sprites?.length ? ` in ${event.sprites.join(', ')}` : ''}`,
    observation: event => `observation ${event.number}${event.elements ? `, ${event.elements.length} elements` : ''}`,
    page: event => `page ${spaced(event.change ?? 'changed')}`,
    dialog: event => `dialog ${event.dialog ?? ''} ${shown(event.message ?? '')}`,
    dropped: () => 'too many events; some were dropped',
    closed: () => 'session ended'
};

/** @param {LogEvent} event */
const opcodes = event => (event.blocks ?? []).map((/** @type {{opcode: string}} */ block) => block.opcode).filter(Boolean).join(', ');

/**
 * @param {LogEvent} event
 * @returns {string} the event in a few words
 */
export const eventLine = event => (EVENTS[event.kind] ?? (() => spaced(event.kind)))(event);
