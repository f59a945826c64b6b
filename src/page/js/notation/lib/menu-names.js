// @ts-check
// Whether a menu names something that the project has. What it names is built as it is written all the same: a project may
// be meant so, and a name that is missing does nothing when the program runs.
const {nearest, listed} = require('../../shared/lib/nearest');

/**
 * @typedef {import('../../types/notation').Slot} Slot
 * @typedef {import('../../types/notation').Things} Things
 */

/** What the menus with names of the project list, by the block that has them. */
const LISTS = /** @type {Record<string, 'costumes' | 'backdrops' | 'sounds' | 'sprites'>} */ ({
    looks_costume: 'costumes',
    looks_backdrops: 'backdrops',
    event_whenbackdropswitchesto: 'backdrops',
    sound_sounds_menu: 'sounds',
    motion_goto_menu: 'sprites',
    motion_glideto_menu: 'sprites',
    motion_pointtowards_menu: 'sprites',
    sensing_touchingobjectmenu: 'sprites',
    sensing_distancetomenu: 'sprites',
    sensing_of_object_menu: 'sprites',
    control_create_clone_of_menu: 'sprites'
});

/** Entries of these menus that are called what they mean. */
const WORDS = /** @type {Record<string, string[]>} */ ({
    costumes: ['next costume', 'previous costume'],
    backdrops: ['next backdrop', 'previous backdrop', 'random backdrop'],
    sounds: [],
    sprites: []
});

/** What can be asked of the stage and of a sprite, besides their variables. */
const OF_STAGE = ['backdrop #', 'backdrop name', 'volume'];
const OF_SPRITE = ['x position', 'y position', 'direction', 'costume #', 'costume name', 'size', 'volume'];

/** @param {string} value @returns {boolean} whether it may be the number of a costume or sound */
const isNumber = value => value.trim() !== '' && !Number.isNaN(Number(value));

/** @param {string} value @returns {boolean} whether it is a meaning such as `_mouse_` */
const isMeaning = value => /^_.*_$/.test(value);

/** @param {string} word @param {string[]} names @returns {string} the nearest of them, and all */
const advice = (word, names) => {
    const near = nearest(word, names);
    return `${near === null ? '' : `did you mean "${near}"? `}there is: ${listed(names, 12)}`;
};

/**
 * @param {string} type the block with the menu
 * @param {string} value what the menu holds
 * @param {Things} things what there is
 * @returns {{message: string, hint: string} | null} what is amiss
 */
const strangerIn = (type, value, things) => {
    const list = LISTS[type];
    if (!list || value === '' || isMeaning(value)) return null;
    const names = things[list];
    if (names.includes(value) || WORDS[list].includes(value)) return null;
    if (list !== 'sprites' && isNumber(value)) return null;
    const owner = list === 'costumes' || list === 'sounds' ? ` of "${things.own}"` : '';
    return {message: `there is no ${list.slice(0, -1)}${owner} named "${value}"`, hint: advice(value, names)};
};

/**
 * @param {string | undefined} type the shadow of the slot that a name without an arrow is written into
 * @param {string} name the name
 * @param {Slot | undefined} menu of that shadow
 * @param {Things} things what there is
 * @returns {boolean} whether it is a choice of that menu; any name is one of messages
 */
const isChoice = (type, name, menu, things) => {
    if (!type || !menu) return false;
    if (menu.kind === 'broadcast' || menu.options?.some(([label]) => label === name)) return true;
    const list = LISTS[type];
    return Boolean(list) && things[list].includes(name);
};

/**
 * @param {Slot} menu with entries that are the same in every project
 * @param {string} shown what is written
 * @param {string} value what that stands for
 * @returns {{message: string, hint: string} | null} what is amiss
 */
const strangerAmong = ({options, open}, shown, value) => {
    if (open || !options?.length || shown === '' || shown.startsWith('name:')) return null;
    if (options.some(([, each]) => each === value)) return null;
    return {message: `"${shown}" is none of the menu's entries`, hint: advice(shown, options.map(([label]) => label))};
};

/**
 * `([PROPERTY v] of (OBJECT v))`: a variable or a property of a sprite or of the stage.
 * @param {string} property what is asked
 * @param {string} object of whom
 * @param {Things} things what there is
 * @returns {{message: string, hint: string} | null} what is amiss
 */
const strangerOf = (property, object, things) => {
    const variables = things.variablesOf(object);
    // Who is not there is told of by the other menu.
    if (!variables) return null;
    const names = [...(object === '_stage_' ? OF_STAGE : OF_SPRITE), ...variables];
    if (names.includes(property)) return null;
    const whom = object === '_stage_' ? 'the stage' : `"${object}"`;
    return {message: `"${property}" can't be asked of ${whom}`, hint: advice(property, names)};
};

module.exports = {isChoice, strangerAmong, strangerIn, strangerOf};
