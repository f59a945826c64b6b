// @ts-check
// Rating by keys, one card after another. On a page that is served, each score is sent at once, and the server knows where to go on. On a
// page that is a file and has its sheet in it, the browser keeps what is said until the person saves it as a file.

/** @typedef {[string, string]} Fact a name and a value */
/** @typedef {{score: number | null, evidence: string, genre?: string | null}} Said what a person says of a card */
/** @typedef {{item: string, explanation: string, truth?: string}} Shown what is rated; a served card has its truth as lines */
/** @typedef {{sha256?: string, picture?: string | null, facts?: Fact[], record?: Fact[]}} Filed what only a card of a file has */
/** @typedef {Said & Shown & Filed} Card */
/** @typedef {{rater: string, levels: {score: number, means: string, key?: string}[], cards: Card[]}} Sheet */

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
/** The sheet of a page that is a file; a served page has none. */
const own = document.getElementById('sheet');
const picture = /** @type {HTMLImageElement | null} */ (document.getElementById('picture'));
const genre = /** @type {HTMLSelectElement | null} */ (document.getElementById('genre'));

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

/**
 * @param {string} line one fact of the truth, with its name before a colon
 * @returns {Fact}
 */
const fact = line => {
    const colon = line.indexOf(': ');
    return colon < 0 ? ['', line] : [line.slice(0, colon), line.slice(colon + 2)];
};

/** @param {Fact} fact */
const row = ([name, value]) => {
    const [term, description] = [document.createElement('dt'), document.createElement('dd')];
    term.textContent = name;
    description.textContent = value;
    if (name === 'Repair') description.className = 'code';
    return [term, description];
};

/** Shows how far it is. */
const showStanding = () => {
    const [done, all] = [rated(), sheet.cards.length];
    const {noun, verb, end} = main.dataset;
    progress.max = all;
    progress.value = done;
    const last = done === all ? ` All are ${verb}: press q to ${end}.` : '';
    say(standing, over ? 'Saved. You can close this page.' : `${noun} ${place + 1} of ${all} (${sheet.cards[place].item}), ${done} ${verb} by ${sheet.rater}.${last}`);
    for (const button of document.querySelectorAll('#levels button')) {
        button.setAttribute('aria-pressed', String(Number(button.getAttribute('data-score')) === sheet.cards[place].score));
    }
};

/**
 * Shows what only a card of a file has.
 * @param {Card} card
 */
const showFiled = card => {
    document.getElementById('record')?.replaceChildren(...(card.record ?? []).flatMap(row));
    if (genre) genre.value = card.genre ?? '';
    if (!picture) return;
    picture.hidden = !card.picture;
    picture.alt = `The stage of ${card.item}`;
    if (card.picture) picture.src = `data:image/png;base64,${card.picture}`;
};

/**
 * Shows a card; beyond the ends there is none.
 * @param {number} to
 */
const show = to => {
    place = Math.min(Math.max(to, 0), sheet.cards.length - 1);
    const card = sheet.cards[place];
    byId('explanation').textContent = card.explanation;
    const facts = card.facts ?? (card.truth ?? '').split(/\n| (?=Expected: )/).map(fact);
    byId('truth').replaceChildren(...facts.flatMap(row));
    evidence.value = card.evidence;
    showFiled(card);
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

/** @param {Card} card @returns {Said} */
const saidOf = ({score, evidence, genre = null}) => ({score, evidence, genre});

/** @type {string[]} what the sheet of a file says of each card: it is what the pool knew when the page was made */
let known = [];

/** @param {Card} card @returns {string} where the browser keeps what is said of a card; another version of a project is another card */
const keptAt = card => `scratchbed-review/${sheet.rater}/${card.item}/${card.sha256}`;

/**
 * Keeps what is said of a card in the browser.
 * @param {number} at
 * @param {Said} said
 */
const keepHere = (at, said) => {
    try {
        localStorage.setItem(keptAt(sheet.cards[at]), JSON.stringify({known: known[at], said}));
    } catch {
        complain('This browser keeps nothing of this page: save the file before you close it.');
    }
};

/** Puts into the sheet what the browser has kept. What was kept while the pool knew something else is outdated. */
const recall = () => {
    known = sheet.cards.map(card => JSON.stringify(saidOf(card)));
    sheet.cards.forEach((card, at) => {
        try {
            const kept = JSON.parse(localStorage.getItem(keptAt(card)) ?? 'null');
            if (kept?.known === known[at]) Object.assign(card, kept.said);
        } catch {
            // Nothing can be kept here, as the first answer will tell.
        }
    });
};

/**
 * Saves what is said of a card.
 * @param {number} at
 * @param {Said} said
 */
const save = async (at, said) => {
    if (own) keepHere(at, said);
    const saved = own !== null || await send('score', {place: at, score: said.score, evidence: said.evidence});
    if (saved) Object.assign(sheet.cards[at], said);
    return saved;
};

/** @returns {Said} what stands on the page, with the score that is there */
const written = () => ({score: sheet.cards[place].score, evidence: evidence.value, genre: genre?.value || null});

/** @param {Said} said @param {Card} card @returns {boolean} whether other words stand on the page than are saved */
const isNews = (said, card) => said.evidence !== card.evidence || said.genre !== (card.genre ?? null);

/** The next card without a score, from here on and then from the beginning; the next one where there is none. */
const onward = () => {
    const order = sheet.cards.map((_, step) => (place + 1 + step) % sheet.cards.length);
    return order.find(at => sheet.cards[at].score === null) ?? place + 1;
};

/** @param {number} score */
const rate = async score => {
    const before = {place, score: sheet.cards[place].score};
    if (await save(place, {...written(), score})) {
        undone.push(before);
        show(onward());
        scrollTo(0, 0);
    }
};

const undo = async () => {
    const before = undone.at(-1);
    if (!before) return complain('There is nothing to undo: press k to go back, and score anew.');
    // What was written there stays.
    if (await save(before.place, {...saidOf(sheet.cards[before.place]), score: before.score})) {
        undone.pop();
        show(before.place);
    }
};

/** Where the last file is that was saved. */
let address = '';

/** Gives what is said as a file: an object a line, for projects that are reviewed. */
const give = () => {
    const done = sheet.cards.filter(card => card.score !== null);
    if (!done.length) return complain('Nothing is reviewed yet.');
    const lines = done.map(({item, sha256, score, genre: kind, evidence: reason}) =>
        `${JSON.stringify({project: item, sha256, reviewer: sheet.rater, accept: score === 1, genre: kind ?? null, reason})}\n`);
    URL.revokeObjectURL(address);
    address = URL.createObjectURL(new Blob(lines, {type: 'application/x-ndjson'}));
    const link = document.createElement('a');
    link.href = address;
    link.download = `${sheet.rater}.jsonl`;
    link.click();
    const left = sheet.cards.length - done.length;
    if (left) complain(`Not reviewed yet, and so not in the file: ${left}.`);
};

const end = async () => {
    if (own) return give();
    const left = sheet.cards.length - rated();
    if (left) return complain(`Not rated yet: ${left}. All scores are saved: close the page and press Ctrl+C in the terminal to go on later.`);
    if (await send('end')) {
        over = true;
        main.hidden = true;
        showStanding();
    }
};

/** Keeps the words that are being written, with the score that is there, and without one if there is none. */
const keep = async () => {
    const [at, said] = [place, written()];
    if (isNews(said, sheet.cards[at])) await save(at, said);
};

/** @type {Record<string, () => unknown>} */
const KEYS = {
    ArrowRight: () => show(place + 1),
    j: () => show(place + 1),
    ArrowLeft: () => show(place - 1),
    k: () => show(place - 1),
    u: undo,
    e: () => evidence.focus(),
    g: () => genre?.focus(),
    q: end,
    '?': () => help.showModal()
};

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

/** @param {KeyboardEvent} event a key that was pressed while words are written or chosen: some end that */
const leave = event => {
    const isDone = event.key === 'Escape' || (event.target === evidence && event.key === 'Enter' && !event.shiftKey && !event.isComposing);
    if (!isDone) return;
    event.preventDefault();
    /** @type {HTMLElement} */ (event.target).blur();
};

const listen = () => {
    document.addEventListener('keydown', event => {
        if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || help.open) return;
        if (event.target === evidence || (genre && event.target === genre)) return leave(event);
        const step = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : null;
        if (!step) return;
        event.preventDefault();
        then(step);
    });
    evidence.addEventListener('change', () => then(keep));
    genre?.addEventListener('change', () => then(keep));
    // Whoever closes the page while writing loses nothing either.
    addEventListener('pagehide', () => {
        const said = written();
        if (over || !isNews(said, sheet.cards[place])) return;
        if (own) return keepHere(place, said);
        const body = JSON.stringify({place, score: said.score, evidence: said.evidence});
        fetch('score', {method: 'POST', keepalive: true, headers: {'content-type': 'application/json'}, body}).catch(() => {});
    });
};

const start = async () => {
    sheet = own ? JSON.parse(own.textContent ?? '') : await (await fetch('sheet')).json();
    if (own) recall();
    byId('levels').append(...sheet.levels.map(({score, means, key = String(score)}) => {
        const [item, button, number, text] = ['li', 'button', 'b', 'span'].map(tag => document.createElement(tag));
        button.setAttribute('type', 'button');
        button.dataset.score = String(score);
        number.textContent = key;
        text.textContent = means;
        button.append(number, text);
        KEYS[key] = () => rate(score);
        button.addEventListener('click', () => then(KEYS[key]));
        item.append(button);
        return item;
    }).reverse());
    document.getElementById('file')?.addEventListener('click', () => then(give));
    main.hidden = false;
    const first = sheet.cards.findIndex(card => card.score === null);
    show(first < 0 ? 0 : first);
    listen();
};

start().catch(() => complain(own ? 'The projects of this page can\'t be read: have it written again.' : 'The explanations can\'t be read. Is the program that serves this page still running?'));
