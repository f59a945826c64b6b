// @ts-check
// Rating explanations by keys: each score is sent at once, and the server knows where to go on.

/** @typedef {{item: string, truth: string, explanation: string, score: number | null, evidence: string}} Card */
/** @typedef {{rater: string, levels: {score: number, means: string}[], cards: Card[]}} Sheet */

/**
 * @template {HTMLElement} E
 * @param {string} id
 * @returns {E} the element of this id
 */
const byId = id => /** @type {E} */ (document.getElementById(id));

const [main, trouble, standing] = ['main', 'trouble', 'standing'].map(id => byId(id));
const progress = /** @type {HTMLProgressElement} */ (byId('progress'));
const evidence = /** @type {HTMLTextAreaElement} */ (byId('evidence'));
const help = /** @type {HTMLDialogElement} */ (byId('help'));

/** @type {Sheet} */
let sheet = {rater: '', levels: [], cards: []};
/** Which card is shown. */
let place = 0;
/** Whether the server has ended. */
let over = false;
/** @type {{place: number, score: number | null}[]} what was there before each score that was given here, the last one last */
const undone = [];

/** @param {string} text */
const complain = text => {
    trouble.textContent = text;
};

/**
 * Sets a text only if it is another one: screen readers would read it again.
 * @param {HTMLElement} element
 * @param {string} text
 */
const say = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
};

const rated = () => sheet.cards.filter(card => card.score !== null).length;

/** @param {string} line one fact of the truth, with its name before a colon */
const fact = line => {
    const colon = line.indexOf(': ');
    const [name, value] = [document.createElement('dt'), document.createElement('dd')];
    name.textContent = colon < 0 ? '' : line.slice(0, colon);
    value.textContent = colon < 0 ? line : line.slice(colon + 2);
    if (name.textContent === 'Repair') value.className = 'code';
    return [name, value];
};

/** Shows how far it is. */
const showStanding = () => {
    const [done, all] = [rated(), sheet.cards.length];
    progress.max = all;
    progress.value = done;
    const end = done === all ? ' All are rated: press q to end.' : '';
    say(standing, over ? 'Saved. You can close this page.' : `Explanation ${place + 1} of ${all} (${sheet.cards[place].item}), ${done} rated by ${sheet.rater}.${end}`);
    for (const button of document.querySelectorAll('#levels button')) {
        button.setAttribute('aria-pressed', String(Number(button.getAttribute('data-score')) === sheet.cards[place].score));
    }
};

/**
 * Shows a card; beyond the ends there is none.
 * @param {number} to
 */
const show = to => {
    place = Math.min(Math.max(to, 0), sheet.cards.length - 1);
    const card = sheet.cards[place];
    byId('explanation').textContent = card.explanation;
    byId('truth').replaceChildren(...card.truth.split(/\n| (?=Expected: )/).flatMap(fact));
    evidence.value = card.evidence;
    showStanding();
};

/**
 * Asks the server for something.
 * @param {string} what
 * @param {object} [body]
 * @returns {Promise<boolean>} whether it was done; if not, the page says why
 */
const send = async (what, body) => {
    try {
        const answer = await fetch(what, {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body ?? {})});
        complain(answer.ok ? '' : `Not done: ${await answer.text()}`);
        return answer.ok;
    } catch {
        complain('Not saved: the program that serves this page does not answer. Start it again; what was saved is there.');
        return false;
    }
};

/**
 * Saves what is thought of a card.
 * @param {number} at
 * @param {number | null} score
 * @param {string} words
 */
const save = async (at, score, words) => {
    const saved = await send('score', {place: at, score, evidence: words});
    if (saved) Object.assign(sheet.cards[at], {score, evidence: words});
    return saved;
};

/** The next card without a score, from here on and then from the beginning; the next one where there is none. */
const onward = () => {
    const order = sheet.cards.map((_, step) => (place + 1 + step) % sheet.cards.length);
    return order.find(at => sheet.cards[at].score === null) ?? place + 1;
};

/** @param {number} score */
const rate = async score => {
    const before = {place, score: sheet.cards[place].score};
    if (await save(place, score, evidence.value)) {
        undone.push(before);
        show(onward());
        scrollTo(0, 0);
    }
};

const undo = async () => {
    const before = undone.at(-1);
    if (!before) return complain('There is nothing to undo: press k to go back, and score anew.');
    // What was written there stays.
    if (await save(before.place, before.score, sheet.cards[before.place].evidence)) {
        undone.pop();
        show(before.place);
    }
};

const end = async () => {
    const left = sheet.cards.length - rated();
    if (left) return complain(`Not rated yet: ${left}. All scores are saved: close the page and press Ctrl+C in the terminal to go on later.`);
    if (await send('end')) {
        over = true;
        main.hidden = true;
        showStanding();
    }
};

/** Keeps the evidence that is being written, with the score that is there, and without one if there is none. */
const keep = async () => {
    const [at, words] = [place, evidence.value];
    if (words !== sheet.cards[at].evidence) await save(at, sheet.cards[at].score, words);
};

/** @type {Record<string, () => unknown>} */
const KEYS = {
    ArrowRight: () => show(place + 1),
    j: () => show(place + 1),
    ArrowLeft: () => show(place - 1),
    k: () => show(place - 1),
    u: undo,
    e: () => evidence.focus(),
    q: end,
    '?': () => help.showModal()
};
for (const score of [1, 2, 3, 4, 5]) KEYS[score] = () => rate(score);

/** Keys are worked off one after another: a fast typist waits for nothing and loses nothing. */
let work = Promise.resolve();
/** @param {() => unknown} step */
const then = step => {
    work = work.then(async () => {
        if (over) return;
        complain('');
        await step();
    });
};

const listen = () => {
    document.addEventListener('keydown', event => {
        if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || help.open) return;
        if (event.target === evidence) {
            if (event.key !== 'Escape' && (event.key !== 'Enter' || event.shiftKey || event.isComposing)) return;
            event.preventDefault();
            evidence.blur();
            return;
        }
        const step = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : null;
        if (!step) return;
        event.preventDefault();
        then(step);
    });
    evidence.addEventListener('change', () => then(keep));
    // Whoever closes the page while writing loses nothing either.
    addEventListener('pagehide', () => {
        const {score, evidence: known} = sheet.cards[place];
        if (over || evidence.value === known) return;
        const body = JSON.stringify({place, score, evidence: evidence.value});
        fetch('score', {method: 'POST', keepalive: true, headers: {'content-type': 'application/json'}, body}).catch(() => {});
    });
};

const start = async () => {
    const answer = await fetch('sheet');
    sheet = await answer.json();
    byId('levels').append(...sheet.levels.map(({score, means}) => {
        const [item, button, number, text] = ['li', 'button', 'b', 'span'].map(tag => document.createElement(tag));
        button.setAttribute('type', 'button');
        button.dataset.score = String(score);
        number.textContent = String(score);
        text.textContent = means;
        button.append(number, text);
        button.addEventListener('click', () => then(() => rate(score)));
        item.append(button);
        return item;
    }).reverse());
    main.hidden = false;
    const first = sheet.cards.findIndex(card => card.score === null);
    show(first < 0 ? 0 : first);
    listen();
};

start().catch(() => complain('The explanations can\'t be read. Is the program that serves this page still running?'));
