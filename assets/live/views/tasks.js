// @ts-check
// The tasks, to look through: by category, by words.
import {json} from '../client.js';
import {h, say} from '../dom.js';
import {spaced} from '../lib/words.js';

/** @typedef {import('../types/api').Task} Task */

/** @param {Task} task */
const cardOf = ({id, category, title, instruction}) =>
    h(
        'li',
        {class: 'card task'},
        h('h2', {}, title, h('span', {class: `category ${category}`}, category)),
        h('p', {class: 'quiet id'}, id),
        h('p', {class: 'instruction'}, instruction)
    );

/** @returns {Promise<import('../types/api').View>} */
export const tasksView = async () => {
    /** @type {{tasks: Task[]}} */
    const {tasks} = await json('/tasks');
    const cards = tasks.map(cardOf);
    const words = tasks.map(task => `${task.id} ${spaced(task.id)} ${task.title} ${task.instruction}`.toLowerCase());
    const count = h('p', {class: 'quiet', role: 'status'});
    const search = h('input', {id: 'search', type: 'search', autocomplete: 'off', spellcheck: 'false'});
    let category = '';
    const filter = () => {
        const wanted = search.value.trim().toLowerCase();
        cards.forEach((card, i) => {
            card.hidden = (category !== '' && tasks[i].category !== category) || !words[i].includes(wanted);
        });
        const shown = cards.filter(card => !card.hidden).length;
        say(count, shown === tasks.length ? `${shown} tasks` : `${shown} of ${tasks.length} tasks`);
    };
    search.addEventListener('input', filter);
    const buttons = ['', ...new Set(tasks.map(task => task.category))].map(name => {
        const choose = () => {
            category = name;
            buttons.forEach(button => button.setAttribute('aria-pressed', String(button === own)));
            filter();
        };
        const own = h('button', {type: 'button', class: 'toggle', 'aria-pressed': String(name === ''), onclick: choose}, name || 'all');
        return own;
    });
    filter();
    const tools = h('div', {class: 'tools'}, h('label', {for: 'search'}, 'Search'), search, h('div', {class: 'switches', role: 'group', 'aria-label': 'Category'}, ...buttons));
    const root = h('div', {}, h('h1', {tabindex: -1}, 'Tasks'), count, tools, h('ul', {class: 'cards'}, ...cards));
    return {title: 'Tasks', root};
};
