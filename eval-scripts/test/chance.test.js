// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {DRAWS, expectUniform, shareOfEnd} = require('../lib/chance.js');
const {Unmet} = require('../lib/expect.js');

/**
 * Draws from a range, by a generator that gives the same numbers everywhere.
 * @param {number} n
 * @param {number} low
 * @param {number} high
 * @param {number} [seed]
 */
const draw = (n, low, high, seed = 1) => {
    let state = seed;
    return Array.from({length: n}, () => {
        state = (state * 48271) % 2147483647;
        return low + Math.floor((state / 2147483647) * (high - low + 1));
    });
};

test('what pick random gives passes, drifted by additions or not, for any number of draws', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
        expectUniform(draw(DRAWS, -180, 180, seed), -180, 180, 'x');
        expectUniform(draw(60, -150, 150, seed), -150, 150, 'x');
        expectUniform(draw(DRAWS, 1, 10, seed), 1, 10, 'the bun');
    }
    expectUniform(
        draw(DRAWS, -150, 150).map(x => x - 4e-16),
        -150,
        150,
        'x'
    );
});

test('a narrow range, a shifted one, and one that is too wide fail', () => {
    const x = (/** @type {number[]} */ draws) => () => expectUniform(draws, -180, 180, 'x');
    assert.throws(x(draw(DRAWS, -100, 100)), /x should be any number from -180 to 180, but in 220 draws it was from -100 to \d+/);
    assert.throws(x(draw(DRAWS, -140, 140)), Unmet);
    assert.throws(x(draw(DRAWS, 0, 180)), Unmet);
    assert.throws(x(draw(DRAWS, -200, 200)), /x should be from -180 to 180, but is /);
});

test('a coarser grid, a number that never comes, and broken numbers fail', () => {
    const tens = draw(DRAWS, -18, 18).map(x => x * 10);
    assert.throws(() => expectUniform(tens, -180, 180, 'x'), /but all of 220 draws lie 10 apart/);
    assert.throws(() => expectUniform(Array(DRAWS).fill(1), 1, 2, 'the coin'), Unmet);
    const skips = draw(DRAWS, 1, 6).map(x => (x === 4 ? 3 : x));
    assert.throws(() => expectUniform(skips, 1, 6, 'the die'), /in 220 draws it was never 4/);
    assert.throws(() => expectUniform([...draw(DRAWS, 1, 6), 2.5], 1, 6, 'the die'), /should be a whole number, but is 2.5/);
});

test('too few draws are a fault of the script', () => {
    assert.throws(
        () => expectUniform(draw(59, 1, 6), 1, 6, 'the die'),
        error => !(error instanceof Unmet)
    );
});

test('a correct program fails less than once in 10^9 runs, whatever the range and the number of draws', () => {
    for (const n of [60, 61, 80, 120, 180, 219, 220, 400]) {
        for (let numbers = 2; numbers <= 400; numbers += 1) {
            const ends = 2 * (1 - Math.ceil(shareOfEnd(n) * numbers) / numbers) ** n;
            const whole = numbers <= 10 && n >= DRAWS ? numbers * (1 - 1 / numbers) ** n : 0;
            let grids = 0;
            for (let step = 2; step <= numbers; step += 1) grids += step * (Math.ceil(numbers / step) / numbers) ** n;
            // A number at an end that never comes is counted with the ends already.
            assert.ok(Math.max(ends, whole) + grids < 1e-9, `${n} draws of ${numbers} numbers`);
        }
    }
});
