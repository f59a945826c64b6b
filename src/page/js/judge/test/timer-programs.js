// @ts-check
// Programs of timers whose order is not left to chance in a browser: what is due at different times is due at least 30 ms
// apart, and they tell of each step with the time that it was due, so that a stall of the machine shows. They run on the
// virtual clock (timer-conformance.test.js) and in Chromium (tests/it/judging/browser_timers.rs); timer-record.json has the orders
// that the latter showed.

/**
 * @typedef {{setTimeout: any, setInterval: any, clearTimeout: any, clearInterval: any, Date: DateConstructor}} Timers
 * @typedef {(what: string, due?: number) => void} Log `due` is in milliseconds since the program began, for what can be
 *     said to be due at a time
 * @typedef {(timers: Timers, log: Log) => void | Promise<void>} Program ends when it returns, and all that it set has run
 */

/** What a program may last. */
const END = 500;

/** @param {Timers} timers @param {any} [ms] */
const wait = ({setTimeout}, ms) => new Promise(resolve => setTimeout(resolve, ms));

/** Keeps the page busy. @param {Timers} timers @param {number} ms */
const work = ({Date}, ms) => {
    const begun = Date.now();
    while (Date.now() - begun < ms);
};

/**
 * An interval that tells of its first rounds, and then ends.
 * @param {Timers} timers @param {Log} log @param {string} what @param {number} period @param {number} rounds
 * @param {number} [begun] when it is set
 */
const rounds = ({setInterval, clearInterval}, log, what, period, rounds, begun = 0) => {
    let round = 0;
    const id = setInterval(() => {
        round += 1;
        log(what, begun + round * period);
        if (round === rounds) clearInterval(id);
    }, period);
    return id;
};

/** @type {Record<string, Program>} */
const programs = {
    'an interval, and a timeout set after it': (timers, log) => {
        rounds(timers, log, 'interval', 100, 4);
        timers.setTimeout(log, 300, 'timeout', 300);
    },
    'a timeout, and an interval set after it': (timers, log) => {
        timers.setTimeout(log, 300, 'timeout', 300);
        rounds(timers, log, 'interval', 100, 4);
    },
    'a sampler that a timeout ends': (timers, log) => {
        const id = rounds(timers, log, 'sample', 50, 100);
        timers.setTimeout(() => {
            timers.clearInterval(id);
            log('end', 400);
        }, 400);
    },
    'a timeout that ends a sampler set after it': (timers, log) => {
        timers.setTimeout(() => {
            timers.clearInterval(id);
            log('end', 400);
        }, 400);
        const id = rounds(timers, log, 'sample', 50, 100);
    },
    'a timeout set in a round of an interval, due with the next': (timers, log) => {
        let round = 0;
        const id = timers.setInterval(() => {
            round += 1;
            log('interval', round * 100);
            if (round === 1) timers.setTimeout(log, 100, 'timeout', 200);
            if (round === 3) timers.clearInterval(id);
        }, 100);
    },
    'an interval, and a timeout set in between': (timers, log) => {
        rounds(timers, log, 'interval', 100, 3);
        timers.setTimeout(() => {
            log('in between', 150);
            timers.setTimeout(log, 50, 'timeout', 200);
        }, 150);
    },
    'an interval set by a timeout, due with a timeout set before': (timers, log) => {
        timers.setTimeout(() => {
            log('in between', 100);
            rounds(timers, log, 'interval', 100, 2, 100);
        }, 100);
        timers.setTimeout(log, 200, 'timeout', 200);
        timers.setTimeout(log, 300, 'later timeout', 300);
    },
    'two intervals, the slower one first': (timers, log) => {
        rounds(timers, log, 'slow', 200, 2);
        rounds(timers, log, 'quick', 100, 4);
    },
    'two intervals, the quicker one first': (timers, log) => {
        rounds(timers, log, 'quick', 100, 4);
        rounds(timers, log, 'slow', 200, 2);
    },
    'two intervals of the same period': (timers, log) => {
        rounds(timers, log, 'one', 100, 3);
        rounds(timers, log, 'other', 100, 3);
    },
    'timeouts due together, set one after the other': ({setTimeout}, log) => {
        for (const name of ['a', 'b', 'c']) setTimeout(log, 100, name, 100);
    },
    'timeouts due together, set at different times': ({setTimeout}, log) => {
        setTimeout(() => {
            log('in between', 100);
            setTimeout(log, 100, 'set at 100', 200);
        }, 100);
        setTimeout(log, 200, 'set at 0', 200);
    },
    'a chain of timeouts, and a timeout of the same length': (timers, log) => {
        const link = (/** @type {number} */ due) => {
            log('link', due);
            if (due < 300) timers.setTimeout(link, 100, due + 100);
        };
        timers.setTimeout(link, 100, 100);
        timers.setTimeout(log, 300, 'timeout', 300);
    },
    'delays of no time': ({setTimeout}, log) => {
        setTimeout(log, 0, 'zero', 0);
        setTimeout(log, -5, 'negative', 0);
        setTimeout(() => log('missing', 0));
        setTimeout(log, NaN, 'no number', 0);
        setTimeout(log, 'soon', 'a word', 0);
        setTimeout(log, 0.9, 'a part of a millisecond', 0);
        setTimeout(log, '0', 'a numeral', 0);
    },
    'no time, after one millisecond': ({setTimeout}, log) => {
        setTimeout(log, 1, 'one', 1);
        setTimeout(log, 0, 'zero', 0);
    },
    'delays are cut to whole milliseconds': ({setTimeout}, log) => {
        setTimeout(log, 100.9, '100.9', 100);
        setTimeout(log, '100.5', 'a numeral of 100.5', 100);
        setTimeout(log, 100.1, '100.1', 100);
    },
    'delays that are too large wrap around': ({setTimeout}, log) => {
        setTimeout(log, 100, '100', 100);
        setTimeout(log, 2 ** 32 + 200, 'a turn and 200', 200);
        setTimeout(log, 2 ** 31, 'half a turn', 0);
        setTimeout(log, Infinity, 'for ever', 0);
    },
    'no time, from within the first of two that are due together': ({setTimeout}, log) => {
        setTimeout(() => {
            log('first', 100);
            setTimeout(log, 0, 'from within', 100);
        }, 100);
        setTimeout(log, 100, 'second', 100);
    },
    'clearing what is due together': ({setTimeout, clearTimeout}, log) => {
        setTimeout(() => {
            log('first', 100);
            clearTimeout(second);
        }, 100);
        const second = setTimeout(log, 100, 'second', 100);
        setTimeout(log, 100, 'third', 100);
    },
    'an interval cleared by a timeout set before it': ({setTimeout, setInterval, clearInterval}, log) => {
        let round = 0;
        setTimeout(() => {
            log('timeout', 200);
            clearInterval(id);
        }, 200);
        const id = setInterval(() => log('interval', (round += 1) * 100), 100);
    },
    'an interval cleared by a timeout set after it': ({setTimeout, setInterval, clearInterval}, log) => {
        let round = 0;
        const id = setInterval(() => log('interval', (round += 1) * 100), 100);
        setTimeout(() => {
            log('timeout', 200);
            clearInterval(id);
        }, 200);
    },
    'either way of clearing clears either kind': ({setTimeout, setInterval, clearTimeout, clearInterval}, log) => {
        const interval = setInterval(log, 100, 'interval');
        const timeout = setTimeout(log, 100, 'timeout');
        clearTimeout(interval);
        clearInterval(timeout);
        clearTimeout(undefined);
        clearInterval(-1);
        setTimeout(log, 200, 'end', 200);
    },
    'an interval that clears itself and sets itself anew': ({setTimeout, setInterval, clearInterval}, log) => {
        let id = setInterval(() => {
            log('first', 100);
            clearInterval(id);
            id = setInterval(() => {
                log('second', 200);
                clearInterval(id);
            }, 100);
        }, 100);
        setTimeout(log, 200, 'timeout', 200);
    },
    'promise reactions come before the next timer': ({setTimeout}, log) => {
        setTimeout(async () => {
            log('first', 100);
            for (let i = 1; i <= 5; i++) {
                await null;
                log(`reaction ${i}`, 100);
            }
        }, 100);
        setTimeout(log, 100, 'second', 100);
    },
    'promise reactions come between an interval and a timeout': (timers, log) => {
        let round = 0;
        const id = timers.setInterval(() => {
            round += 1;
            log('interval', round * 100);
            Promise.resolve().then(() => log('reaction', round * 100));
            if (round === 2) timers.clearInterval(id);
        }, 100);
        timers.setTimeout(log, 200, 'timeout', 200);
    },
    'two loops that wait': async (timers, log) => {
        const loop = async (/** @type {string} */ name, /** @type {number} */ ms, /** @type {number} */ times) => {
            for (let i = 1; i <= times; i++) {
                await wait(timers, ms);
                log(name, i * ms);
            }
        };
        await Promise.all([loop('quick', 100, 4), loop('slow', 200, 2)]);
    },
    'an interval that is too slow for its period': (timers, log) => {
        let round = 0;
        const id = timers.setInterval(() => {
            round += 1;
            // The second round is late, and two are skipped.
            log('interval', [100, 350, 400][round - 1]);
            if (round === 1) work(timers, 250);
            if (round === 3) timers.clearInterval(id);
        }, 100);
        timers.setTimeout(log, 300, 'timeout', 350);
    },
    'an interval that is kept from running': (timers, log) => {
        let round = 0;
        const id = timers.setInterval(() => {
            round += 1;
            log('interval', [270, 300, 400][round - 1]);
            if (round === 3) timers.clearInterval(id);
        }, 100);
        timers.setTimeout(() => {
            work(timers, 220);
            log('work', 270);
        }, 50);
    },
    'a timeout set after long work': (timers, log) => {
        timers.setTimeout(() => {
            work(timers, 150);
            log('work', 200);
            timers.setTimeout(log, 100, 'set after it', 300);
        }, 50);
        timers.setTimeout(log, 160, 'set before it', 200);
        timers.setTimeout(log, 250, 'set before it, too', 250);
        timers.setTimeout(log, 400, 'end', 400);
    },
    'many timeouts of no time, each set by the one before': ({setTimeout}, log) => {
        const link = (/** @type {number} */ left) => {
            if (left > 0) setTimeout(link, 0, left - 1);
            else log('60 links');
        };
        link(60);
        setTimeout(log, 100, 'timeout');
    },
    'few timeouts of no time, each set by the one before': ({setTimeout}, log) => {
        const link = (/** @type {number} */ left) => {
            if (left > 0) setTimeout(link, 0, left - 1);
            else log('4 links', 0);
        };
        link(4);
        setTimeout(log, 100, 'timeout', 100);
    },
    'a loop that waits for no time': async (timers, log) => {
        timers.setTimeout(log, 100, 'timeout');
        for (let i = 0; i < 60; i++) await wait(timers, 0);
        log('60 rounds');
    },
    'an interval of no time': ({setTimeout, setInterval, clearInterval}, log) => {
        let round = 0;
        const id = setInterval(() => {
            round += 1;
            if (round < 60) return;
            log('60 rounds');
            clearInterval(id);
        }, 0);
        setTimeout(log, 100, 'timeout');
    },
    'an interval of no time, a few rounds': ({setTimeout, setInterval, clearInterval}, log) => {
        let round = 0;
        const id = setInterval(() => {
            round += 1;
            if (round < 4) return;
            log('4 rounds');
            clearInterval(id);
        }, -1);
        setTimeout(log, 100, 'timeout', 100);
    }
};

/** Programs that keep the page busy, and so disturb others. */
const busy = ['an interval that is too slow for its period', 'an interval that is kept from running', 'a timeout set after long work'];

/**
 * @typedef {{what: string, due: number | null, at: number}} Entry in milliseconds since the program began
 * @param {string} name of a program
 * @param {Timers} timers not to be called in a timer, which would count as one that sets those of the program
 * @returns {Promise<Entry[]>} what it told, in its order
 */
const runProgram = async (name, timers) => {
    /** @type {Entry[]} */
    const told = [];
    const begun = timers.Date.now();
    const end = wait(timers, END);
    await programs[name](timers, (what, due) => {
        told.push({what, due: due ?? null, at: timers.Date.now() - begun});
    });
    await end;
    return told;
};

module.exports = {busy, names: Object.keys(programs), runProgram};
