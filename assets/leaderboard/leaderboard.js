// @ts-check
// Filters and order of the leaderboard. Without this file the page shows all entries, the best first.

const form = /** @type {HTMLFormElement} */ (document.getElementById('filters'));
const count = /** @type {HTMLOutputElement} */ (document.getElementById('count'));
// What is known here and what files claim are two tables, which are filtered together and ordered apart.
const tables = /** @type {HTMLTableElement[]} */ ([...document.querySelectorAll('table.entries')]);
const rows = tables.flatMap(table => [...table.tBodies[0].rows]);
const choices = ['mode', 'protocol', 'set'];

/** Hides what does not fit, and keeps the choice in the address so that it can be passed on. */
const apply = () => {
    const wanted = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value) wanted.set(name, String(value));
    const text = (wanted.get('text') || '').toLowerCase();
    let shown = 0;
    for (const row of rows) {
        const fits = (row.cells[0].textContent || '').toLowerCase().includes(text) &&
            choices.every(name => !wanted.get(name) || row.dataset[name] === wanted.get(name)) &&
            (wanted.has('baselines') || row.dataset.role === 'agent');
        row.hidden = !fits;
        shown += Number(fits);
    }
    count.textContent = `${shown} of ${rows.length} ${rows.length === 1 ? 'entry' : 'entries'}`;
    history.replaceState(null, '', `#${wanted.toString()}`);
};

/**
 * Orders the rows of a table by a column: numbers fall, words rise; again, the other way round.
 * @param {HTMLTableElement} table
 * @param {HTMLTableCellElement[]} heads of all columns
 * @param {number} at which column
 */
const order = (table, heads, at) => {
    const head = heads[at];
    const body = table.tBodies[0];
    const isNumber = head.dataset.kind === 'number';
    const before = head.getAttribute('aria-sort');
    const usual = isNumber ? 'descending' : 'ascending';
    const other = isNumber ? 'ascending' : 'descending';
    const sort = before === usual ? other : usual;
    const sign = sort === 'ascending' ? 1 : -1;
    /** @param {HTMLTableRowElement} row */
    const value = row => row.cells[at].dataset.value ?? row.cells[at].textContent ?? '';
    const sorted = [...body.rows].sort((one, two) => {
        const [a, b] = [value(one), value(two)];
        // What has no figure comes last either way.
        if (a === '' || b === '') return Number(a === '') - Number(b === '');
        return sign * (isNumber ? Number(a) - Number(b) : a.localeCompare(b));
    });
    for (const one of heads) one.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', sort);
    body.append(...sorted);
};

/**
 * Makes the heads of a table buttons that order it.
 * @param {HTMLTableElement} table
 */
const makeSortable = table => {
    const heads = /** @type {HTMLTableCellElement[]} */ ([...table.querySelectorAll('thead th')]);
    heads.forEach((head, at) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.append(...head.childNodes);
        button.addEventListener('click', () => order(table, heads, at));
        head.append(button);
    });
};

for (const name of choices) {
    const select = /** @type {HTMLSelectElement} */ (form.elements.namedItem(name));
    const values = [...new Set(rows.map(row => row.dataset[name] || ''))].filter(Boolean).sort();
    select.append(...values.map(value => new Option(value)));
}
tables.forEach(makeSortable);
const baselines = /** @type {HTMLInputElement} */ (form.elements.namedItem('baselines'));
const asked = new URLSearchParams(location.hash.slice(1));
for (const [name, value] of asked) {
    const element = form.elements.namedItem(name);
    if (element instanceof HTMLSelectElement || (element instanceof HTMLInputElement && element !== baselines)) element.value = value;
}
if (location.hash.length > 1) baselines.checked = asked.has('baselines');
form.hidden = false;
form.addEventListener('input', apply);
form.addEventListener('submit', event => event.preventDefault());
apply();
