// @ts-check
// An experiment in words: its state, what binds, its lanes and orders. Nothing here touches the page.
import {age, counted, grouped} from './words.js';

/** @typedef {import('../types/experiments').Status} Status */
/** @typedef {import('../types/experiments').Counts} Counts */
/** @typedef {import('../types/experiments').Lane} Lane */
/** @typedef {import('../types/experiments').Worker} Worker */
/** @typedef {import('../types/experiments').Gate} Gate */
/** @typedef {import('../types/experiments').Experiment} Experiment */

/** The lane of arms that ask no endpoint. */
export const LOCAL = 'local';

/** Orders for an experiment, an arm or a lane: what each does, and where it makes sense. */
export const GATES = /** @type {const} */ ([
    {order: 'pause', verb: 'Pause', says: 'No more cells are released; what runs goes on.', from: ['open', 'held', 'draining']},
    {order: 'hold', verb: 'Hold', says: 'What runs asks no model either; its clocks stand still.', from: ['open', 'paused', 'draining']},
    {order: 'drain', verb: 'Drain', says: 'What runs ends, and its workers stop then.', from: ['open', 'paused', 'held']},
    {order: 'resume', verb: 'Resume', says: 'Cells are released again.', from: ['paused', 'held', 'draining']}
]);

/** @typedef {(typeof GATES)[number]} GateOrder */

/** @param {GateOrder} gate @param {Gate} state @returns {boolean} whether an order makes sense in a state */
export const fits = ({from}, state) => /** @type {readonly Gate[]} */ (from).includes(state);

/** @param {Counts} cells @returns {number} */
export const allOf = ({wanted, released, running, decided, dead}) => wanted + released + running + decided + dead;

/** @param {Counts} cells @returns {number} cells that nobody has decided or given up */
export const owedOf = ({wanted, released, running}) => wanted + released + running;

/** @param {number} micro millionths of a dollar @returns {string} such as `$1,203.20` or `$0.0012` */
export const money = micro => {
    const [whole, rest] = (micro / 1e6).toFixed(micro > 0 && micro < 1e5 ? 4 : 2).split('.');
    return `$${grouped(Number(whole))}.${rest}`;
};

/** @param {Gate} state @returns {string} */
export const gateWord = state => (state === 'closed' ? 'over' : state);

/** @param {Status} status @returns {{word: string, look: string}} the state in a word, and the class of its look */
export const stateOf = ({state, cells}) => {
    if (owedOf(cells) === 0) return {word: cells.dead ? 'over, with dead cells' : 'over', look: cells.dead ? 'paused' : 'over'};
    if (state !== 'open') return {word: gateWord(state), look: state === 'closed' ? 'over' : 'paused'};
    return cells.running + cells.released ? {word: 'running', look: 'running'} : {word: 'waiting', look: 'paused'};
};

/** @param {Status} status @returns {string} which budget is used up; nothing if none is */
const usedUp = ({budget, spent, age_ms}) => {
    if (budget.micro_usd !== null && spent.micro_usd >= budget.micro_usd) return 'The budget is spent.';
    if (budget.tokens !== null && spent.tokens >= budget.tokens) return 'The budget of tokens is used up.';
    return budget.wall_ms !== null && age_ms >= budget.wall_ms ? 'The time is over.' : '';
};

/** @param {Lane} lane @returns {string} the limit of a lane that holds now, in words */
export const laneWords = ({state, why, closed_ms, failures, limit, in_flight, busy}) => {
    if (state !== 'open') return `${gateWord(state)}${why ? `: ${why}` : ''}`;
    if (closed_ms > 0) return `closed after ${counted(failures, 'failure')}, tried again in ${age(closed_ms / 1000)}`;
    if (in_flight === 0) return 'its limit is 0';
    if (failures > 0 && limit === 1 && in_flight > 1) return 'one attempt tries whether it answers again';
    const cut = limit < in_flight ? `cut from ${in_flight} to ${limit}, the endpoint refused more` : '';
    if (busy >= limit) return [cut, 'full'].filter(Boolean).join('; ');
    return cut || 'has room';
};

/**
 * What keeps an experiment from going faster, the strongest first.
 * @param {Pick<Experiment, 'status' | 'lanes' | 'workers'>} experiment
 * @returns {string} a sentence
 */
export const binding = ({status, lanes, workers}) => {
    const {state, why, cells} = status;
    if (owedOf(cells) === 0) return cells.dead ? `${counted(cells.dead, 'cell')} ${cells.dead === 1 ? 'was' : 'were'} tried too often.` : 'Each cell is decided.';
    if (state !== 'open') return why ? `${why[0].toUpperCase()}${why.slice(1)}${/[.!?]$/.test(why) ? '' : '.'}` : 'Nothing is released.';
    const used = usedUp(status);
    if (used) return used;
    if (cells.wanted === 0) return 'All that is left is on its way.';
    const taking = workers.filter(worker => worker.state === 'open');
    if (!taking.length && !cells.running) return 'No worker takes cells.';
    const shut = lanes.find(lane => lane.state !== 'open' || lane.closed_ms > 0);
    if (shut) return `Lane ${shut.name} is ${laneWords(shut)}.`;
    const full = lanes.find(lane => lane.busy >= lane.limit);
    if (full) return `Lane ${full.name} is full, with ${full.busy} of ${full.limit} attempts at a time.`;
    const slots = taking.reduce((sum, worker) => sum + worker.slots, 0);
    const busy = taking.reduce((sum, worker) => sum + worker.running, 0);
    if (slots && busy >= slots) return `All ${counted(slots, 'slot')} of workers are taken.`;
    return status.budget.micro_usd === null ? 'Nothing holds it back.' : 'Nothing holds it back, if the budget has room for one more attempt.';
};

/** @param {Lane} lane @returns {string} requests and tokens a minute; nothing if neither is limited */
export const paceWords = ({rpm, tpm}) => [rpm !== null && `${grouped(rpm)} requests`, tpm !== null && `${grouped(tpm)} tokens`].filter(Boolean).join(', ');

/** What was done, by the state that an order leaves. @type {Record<string, string>} */
const DONE = {open: 'resumed', paused: 'paused', held: 'held', draining: 'drained', closed: 'ended'};

/** Names of limits, by the ledger's words, with how a value reads. @type {Record<string, {name: string, value: (n: number) => string}>} */
const LIMITS = {
    usd: {name: 'the budget', value: money},
    tokens: {name: 'the budget of tokens', value: grouped},
    wall: {name: 'the time', value: ms => age(ms / 1000)},
    inflight: {name: 'attempts at a time', value: grouped},
    rpm: {name: 'requests a minute', value: grouped},
    tpm: {name: 'tokens a minute', value: grouped}
};

/** @param {any} scope @returns {string} */
const scopeWords = scope => (scope?.arm ? `arm ${scope.arm}` : scope?.lane ? `lane ${scope.lane}` : 'the experiment');

/** @param {any} what an order as the ledger has it @returns {string} what was done, such as `paused arm x: too costly` */
export const orderWords = what => {
    if (what?.gate) return `${DONE[what.gate] ?? what.gate} ${scopeWords(what.scope)}${what.why ? `: ${what.why}` : ''}`;
    if (what?.limit) {
        const {name, value} = LIMITS[String(what.limit).toLowerCase().replace('_', '')] ?? {name: what.limit, value: String};
        const of = what.scope?.lane ? ` of lane ${what.scope.lane}` : '';
        return what.value === null ? `took away the limit of ${name}${of}` : `set ${name}${of} to ${value(what.value)}`;
    }
    if (what?.created) return `created it ${what.created}`;
    if (what?.void) return `took back the verdict of ${what.void}${what.reason ? `: ${what.reason}` : ''}`;
    if (Array.isArray(what?.requeue)) return what.requeue.length === 1 ? `wants ${what.requeue[0]} again` : `wants ${what.requeue.length} dead cells again`;
    return typeof what === 'string' ? what : JSON.stringify(what);
};
