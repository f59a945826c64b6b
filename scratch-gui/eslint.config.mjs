// What the linter adds to `tsc --checkJs --strict`: names that must not be used in a folder, and dead code.
import {readFileSync} from 'node:fs';

import globals from 'globals';

/** Rules that hold everywhere. */
const rules = {
    'no-undef': 'error',
    'no-unused-vars': ['error', {args: 'after-used', argsIgnorePattern: '^_'}],
    'no-var': 'error',
    'prefer-const': 'error',
    eqeqeq: ['error', 'always', {null: 'ignore'}],
    'no-implicit-globals': 'error',
    'no-eval': 'error',
    'no-new-func': 'error'
};

/** A pure helper gets what it needs as arguments, so that Node can test it as it is. */
const pageGlobals = ['window', 'document', 'navigator', 'location', 'globalThis'];
const pure = pageGlobals.map(name => ({name, message: 'files under lib/ are pure: take it as an argument'}));

const commonjs = {sourceType: 'commonjs', globals: {...globals.browser, ...globals.commonjs}};

/** Which rooms of page scripts each may require beside itself, as `src/page/scripts/rooms.rs` declares it: `"page" uses [SHARED]`. */
const declared = readFileSync(new URL('../src/page/scripts/rooms.rs', import.meta.url), 'utf8');
const arrows = [...declared.matchAll(/^ *"(\w+)" uses \[([A-Z, ]*)\]/gm)]
    .map(([, room, uses]) => [room, uses.toLowerCase().match(/\w+/g) ?? []]);
if (!arrows.length) throw new Error('src/page/scripts/rooms.rs declares no rooms');

/** @param {string} room @param {string[]} uses @returns {any} its rule; a dot stands for a slash, which a selector can't have */
const keepsTo = (room, uses) => {
    const allowed = uses.length ? `(?!(${uses.join('|')}).)` : '';
    const message = `${room}/ may require ${uses.length ? `${uses.join(', ')} and itself` : 'itself'} only`;
    const selector = `CallExpression[callee.name='require'] > Literal[value=/^[.]{2}.[.]{2}.${allowed}/]`;
    return {files: [`src/page/js/${room}/**/*.js`], rules: {'no-restricted-syntax': ['error', {selector, message}]}};
};

export default [
    // Unfinished judges are in nobody's way; `npm run drafts` looks at them.
    {ignores: ['eval-scripts/drafts/**']},
    {files: ['src/page/js/**/*.js'], languageOptions: commonjs, rules},
    {files: ['src/page/js/*/lib/**/*.js'], rules: {'no-restricted-globals': ['error', ...pure]}},
    ...arrows.map(([room, uses]) => keepsTo(room, uses)),
    {files: ['scratch-gui/host/**/*.js'], languageOptions: {sourceType: 'module', globals: globals.browser}, rules},
    // Evaluation scripts see the VM that they are handed and nothing of the page.
    {files: ['eval-scripts/**/*.js', 'assets/task-templates/**/*.js'], languageOptions: {sourceType: 'commonjs', globals: {...globals.commonjs, ...globals['shared-node-browser']}}, rules},
    {files: ['src/page/js/*/test/**/*.js', 'eval-scripts/test/**/*.js'], languageOptions: {...commonjs, globals: {...globals.node, ...globals.browser}}, rules},
    {files: ['scratch-gui/host/test/**/*.js'], languageOptions: {sourceType: 'module', globals: globals.node}, rules},
    {files: ['assets/live/**/*.js', 'assets/catalogue/*.js', 'assets/leaderboard/*.js', 'assets/rating/*.js'], languageOptions: {sourceType: 'module', globals: globals.browser}, rules},
    {files: ['assets/live/lib/**/*.js'], rules: {'no-restricted-globals': ['error', ...pure]}},
    {files: ['assets/live/test/**/*.js'], languageOptions: {sourceType: 'module', globals: globals.node}, rules},
    // Page functions that browser tests bring along.
    {files: ['tests/it/support/js/**/*.js'], languageOptions: commonjs, rules},
    {files: ['tests/it/support/js/read-with-jszip.js'], languageOptions: {sourceType: 'commonjs', globals: globals.node}, rules}
];
