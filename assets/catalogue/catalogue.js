// @ts-check
// The filters of the index. Without this file the index shows all tasks.

const form = /** @type {HTMLFormElement} */ (document.getElementById('filters'));
const count = /** @type {HTMLOutputElement} */ (document.getElementById('count'));
const cards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('#tasks > li')]);

/**
 * @param {HTMLElement} card one task
 * @returns {{concept: string[], block: string[]}} what it can be found by, beside its words
 */
const traits = card => ({
    concept: (card.dataset.concepts || '').split('|'),
    block: (card.dataset.blocks || '').trim().split(/\s+/)
});

/**
 * Offers each value that some task has.
 * @param {'concept' | 'block'} name of the choice
 */
const fill = name => {
    const values = [...new Set(cards.flatMap(card => traits(card)[name]))].filter(Boolean).sort();
    const select = /** @type {HTMLSelectElement} */ (form.elements.namedItem(name));
    select.append(...values.map(value => new Option(value)));
};

/** Hides what does not fit, and keeps the choice in the address so that it can be passed on. */
const apply = () => {
    const wanted = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value) wanted.set(name, String(value));
    const text = (wanted.get('text') || '').toLowerCase();
    let shown = 0;
    for (const card of cards) {
        const {concept, block} = traits(card);
        const fits = (card.textContent || '').toLowerCase().includes(text) &&
            (!wanted.get('category') || card.dataset.category === wanted.get('category')) &&
            (!wanted.get('difficulty') || card.dataset.difficulty === wanted.get('difficulty')) &&
            (!wanted.get('concept') || concept.includes(wanted.get('concept') || '')) &&
            (!wanted.get('block') || block.includes(wanted.get('block') || ''));
        card.hidden = !fits;
        shown += Number(fits);
    }
    count.textContent = `${shown} of ${cards.length} ${cards.length === 1 ? 'task' : 'tasks'}`;
    const query = wanted.toString();
    history.replaceState(null, '', `#${query}`);
};

fill('concept');
fill('block');
for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    const element = form.elements.namedItem(name);
    if (element instanceof HTMLSelectElement || element instanceof HTMLInputElement) element.value = value;
}
form.hidden = false;
form.addEventListener('input', apply);
form.addEventListener('submit', event => event.preventDefault());
apply();
