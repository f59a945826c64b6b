// @ts-check
// One attempt, step by step: from the server, or from the file that it was put into.
import {Trouble} from '../client.js';
import {h, put, say, svg} from '../dom.js';
import {differences} from '../lib/notation.js';
import {STEP_MS, moveOf, moved} from '../lib/player.js';
import {stepsOf} from '../lib/steps.js';
import {harmless} from '../lib/turns.js';
import {actionLine, age, counted, duration, moment, shown, spaced} from '../lib/words.js';
import {instructionText} from '../parts/instruction.js';
import {Picture} from '../parts/picture.js';
import {ProgramText} from '../parts/program.js';
import {Strip} from '../parts/strip.js';
import {Turns} from '../parts/turns.js';

/** @typedef {import('../lib/steps.js').Step} Step */
/** @typedef {import('../types/api').Verdict} Verdict */
/** @typedef {import('../types/api').AttemptSource} AttemptSource */

/** @param {import('../types/api').Attempt} record @returns {HTMLElement} what counts, or how it stands while nothing was judged */
export const outcomeOf = ({outcome, ending}) => h('span', {class: `outcome ${outcome ?? ending}`}, spaced(outcome ?? ending));

/** @param {Step} step */
const line = ({action}) => (action ? harmless(actionLine(action.call.api, action.call.args)) : 'observed, then stopped');

/** @param {Step} step @returns {string} its number; how the agent ended the attempt has none */
const numberOf = ({ends, number}) => (ends ? 'end' : String(number));

/** The program after a step, with what the step changed. @param {Step} step */
const programOf = ({action, pseudocode, pseudocodeAfter}) => {
    const after = pseudocodeAfter ?? pseudocode ?? '';
    // Another sprite's program is no change of the first one's.
    const other = ['select_sprite', 'select_stage'].includes(action?.call.api ?? '');
    return differences(other ? after : (pseudocode ?? after), after).map(({kind, text}) => {
        if (kind === 'same') return h('span', {class: 'line'}, text, '\n');
        const tag = kind === 'new' ? 'ins' : 'del';
        return h(tag, {class: kind === 'new' ? 'line fresh' : 'line gone'}, text, '\n');
    });
};

/** @param {Step} step */
const result = ({action}) => {
    if (!action) return 'no action';
    const {error, success} = action.reply;
    return success ? 'succeeded' : `failed: ${error?.code ?? 'unknown'}`;
};

/** @param {string} name @param {...(import('../dom.js').Child)} value */
const fact = (name, ...value) => h('div', {}, h('dt', {}, name), h('dd', {}, ...value));

/** @param {Step} step @returns {HTMLElement} */
const detailsOf = step => {
    const {action, reasoning} = step;
    if (!action) return h('p', {class: 'quiet'}, 'The agent observed once more and did nothing after that.');
    const {reply} = action;
    // The program has a panel of its own.
    const rest = Object.entries(reply.data ?? {}).filter(([name]) => name !== 'pseudocode');
    const data = rest.length ? JSON.stringify(Object.fromEntries(rest)) : '';
    return h(
        'dl',
        {class: 'facts'},
        reasoning && fact('reasoning', harmless(reasoning)),
        fact('action', h('code', {}, harmless(`${action.call.api} ${shown(action.call.args, 2000)}`))),
        fact('result', h('span', {class: reply.success ? 'ok' : 'bad'}, result(step)), reply.error && `: ${reply.error.message}`, reply.error?.hint && ` (${reply.error.hint})`),
        data && fact('returned', h('code', {}, shown(data, 400).replace(/^“|”$/g, ''))),
        fact('time', `${action.at_s.toFixed(2)} s in · ${duration(reply.timing.action_ms)} acting, ${duration(reply.timing.settle_ms)} settling (${reply.timing.settle})`)
    );
};

/** @param {import('../types/api').Attempt} record @returns {string} why there is no verdict */
const unjudged = ({lives}) => (lives ? 'The attempt is in progress; its project can be judged once the session has ended.' : 'The project was not judged.');

/** @param {Verdict | null} verdict @param {import('../types/api').Attempt} record */
const verdictOf = (verdict, record) =>
    h(
        'section',
        {class: 'panel'},
        h('h2', {}, 'Verdict'),
        record.outcome ? h('p', {}, outcomeOf(record), ` ${record.passed_tests} of ${counted(record.total_tests, 'test')}`) : h('p', {class: 'quiet'}, unjudged(record)),
        record.error && h('p', {class: 'bad'}, record.error),
        verdict &&
            h(
                'ul',
                {class: 'cases'},
                ...verdict.details.map(({name, passed, error}) =>
                    h('li', {class: passed ? 'ok' : 'bad'}, h('span', {class: 'sr'}, passed ? 'passed: ' : 'failed: '), name, error && h('span', {class: 'quiet'}, ` ${error}`))
                )
            )
    );

/** Outlines of the signs on the buttons, in a square of 16. */
const SIGNS = {
    first: 'M1 2h2v12H1z M9 2v12L3 8z M15 2v12L9 8z',
    previous: 'M13 2v12L6 8z M3 2h2v12H3z',
    play: 'M4 2v12l10-6z',
    pause: 'M3 2h4v12H3z M9 2h4v12H9z',
    next: 'M3 2v12l7-6z M11 2h2v12h-2z',
    last: 'M13 2h2v12h-2z M7 2v12l6-6z M1 2v12l6-6z'
};

/** @param {keyof typeof SIGNS} name */
const sign = name => svg('svg', {viewBox: '0 0 16 16', 'aria-hidden': 'true'}, svg('path', {d: SIGNS[name]}));

/** Goes through the steps. */
class Player {
    /** @param {AttemptSource} source @param {Step[]} steps @param {number} index */
    constructor(source, steps, index) {
        this.source = source;
        this.steps = steps;
        this.index = index;
        /** @type {ReturnType<typeof setInterval> | null} */
        this.playing = null;
        this.picture = new Picture({boxes: false});
        /** The side of the step whose picture is wanted. @type {'before' | 'after'} */
        this.side = 'before';
        this.sideSwitch = this.picture.toggle('After the step', false, on => {
            this.side = on ? 'after' : 'before';
            void this.load(this.steps[this.index]);
        });
        this.picture.switches.prepend(this.sideSwitch);
        const still = (/** @type {Step} */ step) => ({label: numberOf(step), name: `Step ${numberOf(step)}: ${line(step)}`, call: step.picture ?? step.after});
        this.strip = new Strip(source.picture, steps.map(still), i => this.go(i));
        this.details = h('div');
        this.seen = h('pre', {class: 'program', tabindex: 0, role: 'region', 'aria-label': 'Program after the step'});
        this.seenPanel = h('section', {class: 'panel', hidden: true}, h('h2', {}, 'Program after the step, as the agent saw it'), this.seen);
        this.status = h('p', {class: 'sr', role: 'status'});
        this.place = h('span', {class: 'place'});
        this.slider = h('input', {type: 'range', min: 0, max: Math.max(0, steps.length - 1), value: index, 'aria-label': 'Step'});
        this.slider.addEventListener('input', () => this.go(Number(this.slider.value)));
        this.playButton = this.button('Play', 'play');
        this.rows = steps.map((step, i) => this.row(step, i));
        this.controls = h(
            'div',
            {class: 'controls', role: 'group', 'aria-label': 'Steps'},
            this.button('First step', 'first'),
            this.button('Previous step', 'previous'),
            this.playButton,
            this.button('Next step', 'next'),
            this.button('Last step', 'last'),
            this.slider,
            this.place
        );
        this.loaded = -1;
        this.turns = new Turns(source.messages, turn => this.goToStep(turn.step));
    }

    /** Goes to the step that a turn was about; one that was wasted has none. @param {number} number */
    goToStep(number) {
        const index = this.steps.findIndex(step => step.number === number);
        this.pause();
        if (index >= 0) this.go(index, false);
    }

    /** @param {string} label @param {import('../lib/player.js').Move} move */
    button(label, move) {
        return h('button', {type: 'button', 'aria-label': label, title: label, onclick: () => this.move(move)}, sign(move));
    }

    /** @param {Step} step @param {number} i */
    row(step, i) {
        const failed = step.action && !step.action.reply.success;
        const button = h('button', {type: 'button', onclick: () => this.go(i)}, h('span', {class: 'quiet'}, `${numberOf(step)} `), line(step), failed && h('span', {class: 'bad'}, ' failed'));
        return h('li', {}, button);
    }

    /** @param {import('../lib/player.js').Move} move */
    move(move) {
        if (move === 'play') return this.playing ? this.pause() : this.play();
        this.pause();
        this.go(moved(this.index, this.steps.length, move));
    }

    play() {
        if (this.index >= this.steps.length - 1) this.go(0);
        this.playing = setInterval(() => {
            if (this.index >= this.steps.length - 1) return this.pause();
            this.go(this.index + 1);
        }, STEP_MS);
        this.playButton.setAttribute('aria-label', 'Pause');
        this.playButton.title = 'Pause';
        put(this.playButton, [sign('pause')]);
    }

    pause() {
        if (this.playing) clearInterval(this.playing);
        this.playing = null;
        this.playButton.setAttribute('aria-label', 'Play');
        this.playButton.title = 'Play';
        put(this.playButton, [sign('play')]);
    }

    /** @param {number} index @param {boolean} [withTurn] whether the model's turn follows */
    go(index, withTurn = true) {
        this.index = index;
        const step = this.steps[index];
        if (!step) return;
        if (withTurn) this.turns.showStep(step.number);
        this.slider.value = String(index);
        const count = this.steps.filter(({ends}) => !ends).length;
        const place = step.ends ? 'the end' : `step ${index + 1} of ${count}`;
        this.slider.setAttribute('aria-valuetext', place);
        say(this.place, step.ends ? 'end' : `${index + 1} / ${count}`);
        say(this.status, `${place}: ${line(step)}, ${result(step)}`);
        this.strip.go(index);
        this.rows.forEach((row, i) => {
            const current = i === index;
            row.firstElementChild?.toggleAttribute('data-current', current);
            if (current) row.firstElementChild?.setAttribute('aria-current', 'step');
            else row.firstElementChild?.removeAttribute('aria-current');
        });
        const list = this.rows[index].parentElement;
        // Only the list scrolls, not the page.
        if (list) list.scrollTop = this.rows[index].offsetTop - list.clientHeight / 2;
        put(this.details, [detailsOf(step)]);
        this.picture.setAction(step.action?.reply.executed_action);
        this.seenPanel.hidden = step.pseudocodeAfter === null;
        put(this.seen, programOf(step));
        void this.load(step);
    }

    /** Why there is no picture. @param {Step} step */
    missing(step) {
        if (step.picture !== null || step.after !== null) return `No picture was taken ${this.side} this step.`;
        return 'No picture was recorded at this step. Runs with --keep-pictures all, and sessions recorded by a server, have one for each step.';
    }

    /** @param {Step} step */
    async load(step) {
        const own = this.side === 'after' ? step.after : step.picture;
        const wanted = own ?? -1;
        this.picture.setElements(this.side === 'before' ? step.elements : []);
        if (wanted < 0) {
            this.loaded = -1;
            return this.picture.clear(this.missing(step));
        }
        if (wanted === this.loaded) return;
        this.loaded = wanted;
        try {
            const data = await this.source.picture(wanted);
            if (this.loaded === wanted) await this.picture.show(data, `The editor ${this.side} step ${step.number}`);
        } catch (error) {
            if (!(error instanceof Trouble)) throw error;
            this.picture.clear(error.message);
        }
    }
}

/** The turns of the model, where there is one. @param {AttemptSource} source @param {Player} player */
const loadTurns = async (source, player) => {
    try {
        player.turns.add(await source.turns());
        const step = player.steps[player.index];
        if (step) player.turns.showStep(step.number);
    } catch (error) {
        // The steps can be gone through without them.
        if (!(error instanceof Trouble)) throw error;
    }
};

/** Words about the program that was left. @param {AttemptSource} source @param {ProgramText} text */
const loadProgram = async ({details, program}, text) => {
    if (!details.has_program) return text.clear(details.record.lives ? 'The project is saved when the session ends.' : 'No project was saved.');
    try {
        text.show(await program());
    } catch (error) {
        if (!(error instanceof Trouble)) throw error;
        text.clear(error.message);
    }
};

/** Ways that agents from outside call. @type {Record<string, string>} */
export const CALLERS = {http: 'HTTP', mcp: 'MCP', compat: 'the ScratchWorld dialect'};

/** @param {import('../types/api').Attempt} record @returns {string} who did it, how, and how long it took */
const factsOf = ({mode, caller, began_at, steps, acting_s, ending}) =>
    [
        mode && `${mode} mode`,
        caller && `over ${spaced(CALLERS[caller] ?? caller)}`,
        began_at && `began ${moment(began_at)}`,
        counted(steps, 'step'),
        `${age(acting_s)} acting`,
        spaced(ending)
    ].filter(Boolean).join(' · ');

/**
 * @param {AttemptSource} source
 * @returns {import('../types/api').View}
 */
export const attemptView = source => {
    const {record, verdict, calls, instruction} = source.details;
    const player = new Player(source, stepsOf(calls), 0);
    const program = new ProgramText('Program at the end');
    void loadProgram(source, program);
    void loadTurns(source, player);
    player.go(0);
    const title = `${spaced(record.task)}, try ${record.attempt}`;
    const keys = player.steps.length ? h('p', {class: 'quiet'}, 'Keys: ← → Home End, space plays') : h('p', {class: 'panel'}, record.lives ? 'Nothing was done yet.' : 'Nothing was done.');
    const root = h(
        'div',
        {},
        source.crumbs,
        h('div', {class: 'title'}, h('h1', {tabindex: -1}, title), outcomeOf(record)),
        h('p', {class: 'quiet'}, factsOf(record)),
        keys,
        source.tools.length > 0 && h('div', {class: 'tools'}, ...source.tools),
        player.status,
        instructionText(instruction),
        player.strip.root,
        h(
            'div',
            {class: 'columns'},
            h('div', {class: 'main-column'}, player.picture.root, player.controls, h('section', {class: 'panel'}, h('h2', {}, 'Step'), player.details), player.seenPanel),
            h(
                'div',
                {class: 'side-column'},
                player.turns.root,
                h('section', {class: 'panel'}, h('h2', {}, 'Steps'), h('ol', {class: 'steps'}, ...player.rows)),
                verdictOf(verdict, record),
                program.root
            )
        )
    );
    const key = (/** @type {string} */ pressed) => {
        const move = moveOf(pressed);
        if (move) player.move(move);
        return move !== null;
    };
    const stop = () => {
        player.pause();
        player.picture.stop();
        player.strip.stop();
    };
    return {title, root, stop, key};
};
