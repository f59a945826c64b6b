// @ts-check
// The tasks, to look through: by category, by words, by the stage that each begins with.
import {Trouble, blobWhenMade, json, pause} from '../client.js';
import {h, say} from '../dom.js';
import {counted, spaced} from '../lib/words.js';
import {draw, stage} from '../parts/thumbnail.js';

/** @typedef {import('../types/api').Task} Task */

/** Milliseconds between two questions for a picture that is not drawn yet. */
const AGAIN = 2000;

/** Pictures of tasks whose cards come into sight, asked for one after another. */
class Stages {
    /** @param {Task[]} tasks @param {HTMLElement[]} cards */
    constructor(tasks, cards) {
        this.stop = new AbortController();
        /** @type {{task: Task, card: HTMLElement}[]} */
        this.wanted = [];
        this.works = false;
        this.seen = new IntersectionObserver(
            entries => {
                for (const {isIntersecting, target} of entries) {
                    if (!isIntersecting) continue;
                    this.seen.unobserve(target);
                    const i = cards.findIndex(card => card === target);
                    this.wanted.push({task: tasks[i], card: cards[i]});
                }
                void this.work();
            },
            {rootMargin: '300px'}
        );
        cards.forEach(card => this.seen.observe(card));
    }

    async work() {
        if (this.works) return;
        this.works = true;
        while (this.wanted.length && !this.stop.signal.aborted) {
            const round = this.wanted.splice(0);
            const missing = [];
            for (const one of round) if (!(await this.show(one))) missing.push(one);
            this.wanted.push(...missing);
            if (missing.length === round.length) await pause(AGAIN, this.stop.signal);
        }
        this.works = false;
    }

    /** @param {{task: Task, card: HTMLElement}} one @returns {Promise<boolean>} whether nothing more is to come */
    async show({task, card}) {
        if (this.stop.signal.aborted) return true;
        const canvas = card.querySelector('canvas');
        try {
            const picture = await blobWhenMade(`/tasks/${encodeURIComponent(task.id)}/picture`);
            if (picture === 'later') return false;
            if (picture === 'never' || !canvas) return true;
            await draw(canvas, picture);
            canvas.removeAttribute('data-coming');
        } catch (error) {
            // The box stays empty; the words beside it say what the task is.
            if (!(error instanceof Trouble || error instanceof DOMException)) throw error;
        }
        return true;
    }

    end() {
        this.stop.abort();
        this.seen.disconnect();
    }
}

/** @param {Task} task */
const cardOf = ({id, category, title, instruction}) =>
    h(
        'li',
        {class: 'card task'},
        stage(),
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
        say(count, `${shown === tasks.length ? '' : `${shown} of `}${counted(tasks.length, 'task')}`);
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
    const stages = new Stages(tasks, cards);
    return {title: 'Tasks', root, stop: () => stages.end()};
};
