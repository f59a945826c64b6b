// @ts-check
// What the judges over the base otter_shell share: playing well, playing badly, and a play-through of all that the base does.

const {expectHeard, expectNear, expectWords, WHILE} = require('./base_common.js');
const {expect, expectAt, expectEqual} = require('./expect.js');
const {expectSeen, isSeen} = require('./seen.js');

/** @typedef {import('./player.js').Player} Player */

const START = {x: 0, y: 40};
const STARFISH = {x: 180, y: 90};
/** Pixels a tick, as the Shell starts. */
const SPEED = {x: 5, y: -8};
/** Where the Otter misses each Shell that was just served. */
const ASIDE = -200;
/** In the first fall the Shell meets the Otter here if the pointer is here. */
const UNDER = 75;
/** A fall to the Reef takes less, from wherever it begins. */
const FALL_MS = 3000;
/** Ticks that the Starfish stays away after a hit, give or take two. */
const AWAY = 60;

/**
 * Keeps the Otter under the Shell from now on.
 * @param {Player} player
 * @returns {() => void} ends it
 */
const keepUp = player => {
    const shell = player.sprite('Shell');
    return player.ticks.observe(() => player.mouse.moveTo(Math.round(shell.x), 0));
};

/**
 * Lets the Shell fall once.
 * @param {Player} player
 */
const letFall = async player => {
    player.mouse.moveTo(ASIDE, 0);
    const before = Number(player.variable('lives'));
    await player.ticks.until('a fall cost a life', () => Number(player.variable('lives')) < before, FALL_MS);
    expectEqual(player.variable('lives'), before - 1, 'lives after one more fall');
};

/**
 * Waits until the Shell goes up again after it has come down.
 * @param {Player} player
 * @param {number} [ms]
 */
const awaitBounce = async (player, ms = FALL_MS) => {
    const track = player.motion.watch(player.sprite('Shell'));
    const rises = () => {
        const [a, b, c] = track.samples.slice(-3);
        return c !== undefined && c.y > b.y && b.y < a.y;
    };
    await player.ticks.until('the Shell bounced upwards', rises, ms);
    track.stop();
};

/**
 * Puts the Shell somewhere at once, as a drag in the editor ends; it flies on from there.
 * @param {Player} player
 * @param {number} x
 * @param {number} y
 */
const putShell = (player, x, y) => {
    player.ticks.mustGoOn();
    const {id} = player.sprite('Shell');
    player.vm.startDrag(id);
    player.vm.postSpriteInfo({x, y, force: true});
    player.vm.stopDrag(id);
};

/**
 * Expects that the Shell was served a moment ago and flies to the right and down.
 * @param {Player} player
 * @param {string} when
 */
const expectServed = async (player, when) => {
    const shell = player.sprite('Shell');
    const {x, y} = shell;
    expect(x >= START.x && x <= START.x + 6 * SPEED.x, `the Shell should start at x ${START.x} ${when}, but is at x ${x}`);
    expect(y <= START.y && y >= START.y + 6 * SPEED.y, `the Shell should start at y ${START.y} ${when}, but is at y ${y}`);
    await player.ticks.pass(2);
    expectAt(shell, x + 2 * SPEED.x, y + 2 * SPEED.y, `two ticks later ${when}`);
};

/** Score, lives and the Otter. */
const scoreCase = {
    name: 'the Otter still follows the pointer, a bounce scores 1, a fall costs a life and the flag resets both',
    run: async (/** @type {Player} */ player) => {
        await player.flag();
        await expectServed(player, 'after the flag');
        for (const x of [-90, 120, UNDER]) {
            player.mouse.moveTo(x, 50);
            await player.ticks.pass(2);
            expectAt(player.sprite('Otter'), x, -110, 'with the pointer above it');
        }
        await awaitBounce(player);
        expectEqual(player.variable('score'), 1, 'score after one bounce');
        expectEqual(player.variable('lives'), 3, 'lives after one bounce');
        expectHeard(player, 'Shell', ['tock'], 'after one bounce');
        const {y: low} = player.sprite('Shell');
        await player.ticks.pass(3);
        expectNear(player.sprite('Shell').y - low, 24, 'the way up in three ticks after a bounce');
        await player.flag();
        expectEqual(player.variable('score'), 0, 'score after a new flag');
        await letFall(player);
        expectEqual(player.variable('lives'), 2, 'lives after a fall');
        expectHeard(player, 'Shell', ['tock', 'splash'], 'after a bounce and a fall');
        await player.ticks.pass(1);
        await expectServed(player, 'after a fall');
        await player.flag();
        expectEqual(player.variable('lives'), 3, 'lives after a new flag');
    }
};

/**
 * Puts the Shell onto the Starfish and looks at what follows; the Otter keeps the Shell up.
 * @param {Player} player
 */
const hitOnce = async player => {
    const [shell, starfish] = ['Shell', 'Starfish'].map(name => player.sprite(name));
    const [score, lives] = ['score', 'lives'].map(name => Number(player.variable(name)));
    const sounds = ['Shell', 'Starfish', 'Bubble'].map(name => player.sounds.of(name).length);
    putShell(player, STARFISH.x - 10, STARFISH.y);
    await player.ticks.until('the Starfish was hit', () => !starfish.visible, 300);
    const {tick} = player.sounds.started.filter(({sprite}) => sprite === 'Starfish').at(-1) || {tick: -1};
    expect(player.ticks.count - tick <= 6, 'the hit should be heard');
    expect(Math.hypot(shell.x - STARFISH.x, shell.y - STARFISH.y) < 100, 'the Shell should fly on after the hit');
    expectEqual(player.variable('lives'), lives, 'lives after a hit on the Starfish');
    // Bounces are known by their sounds, and so is what else an extended game gives points for.
    const bounced = player.sounds.of('Shell').slice(sounds[0]).filter(sound => sound === 'tock').length;
    const burst = player.sounds.of('Bubble').length - sounds[2];
    expectEqual(player.variable('score'), score + 5 + bounced + 2 * burst, 'score after a hit on the Starfish');
    expectHeard(player, 'Starfish', ['ting'], 'after a hit', sounds[1]);
};

/** The Starfish, which hides for two seconds. */
const starfishCase = {
    name: 'a hit on the Starfish still gives 5 points and a ting, and the Starfish is back after two seconds',
    run: async (/** @type {Player} */ player) => {
        const starfish = player.sprite('Starfish');
        await player.flag();
        expectAt(starfish, STARFISH.x, STARFISH.y, 'after the flag');
        keepUp(player);
        for (let i = 0; i < 2; i += 1) {
            expectSeen(starfish, 'before it is hit');
            await hitOnce(player);
            const hidden = player.ticks.count;
            await player.ticks.until('the Starfish came back', () => isSeen(starfish), 2500);
            const away = player.ticks.count - hidden;
            expect(Math.abs(away - AWAY) <= 5, `the Starfish should be away for two seconds, not for ${away} ticks`);
        }
        await hitOnce(player);
        await player.flag();
        expectSeen(starfish, 'after a new flag');
    }
};

/** The sides at which the Shell turns. */
const edgesCase = {
    name: 'the Shell still turns at the right, left and upper edges, and the flag serves it as at first',
    run: async (/** @type {Player} */ player) => {
        const shell = player.sprite('Shell');
        await player.flag();
        for (const side of [1, -1, 1]) {
            putShell(player, side * 195, 60);
            const track = await player.motion.during(shell, 10);
            const furthest = Math.max(...track.samples.map(({x}) => side * x));
            track.expectSeen('where it turns');
            expect(furthest > 205 && furthest <= 220, `the Shell should turn at x ${side * 215}, but went to x ${side * furthest}`);
            const [a, b] = track.samples.slice(-2);
            expectNear(b.x - a.x, -side * SPEED.x, `the way sideways in a tick after a turn at x ${side * 215}`);
        }
        await player.flag();
        await expectServed(player, 'after a new flag');
        player.mouse.moveTo(UNDER, 0);
        await awaitBounce(player);
        await player.flag();
        await expectServed(player, 'after a new flag while it went up');
        player.mouse.moveTo(UNDER, 0);
        await awaitBounce(player);
        putShell(player, 0, 152);
        const track = await player.motion.during(shell, 8);
        const top = Math.max(...track.samples.map(({y}) => y));
        expect(top <= 163, `the Shell should turn at y 155, but went up to ${top}`);
        const [a, b] = track.samples.slice(-2);
        expectNear(b.y - a.y, SPEED.y, 'the way down in a tick after a turn at the top');
    }
};

/**
 * Plays badly from the flag to the third fall, and looks at the Gull.
 * @param {Player} player
 * @param {number} game from 1
 */
const loseGame = async (player, game) => {
    const gull = player.sprite('Gull');
    await player.flag();
    expectEqual(player.variable('lives'), 3, `lives at the start of game ${game}`);
    for (let fall = 1; fall <= 3; fall += 1) {
        expect(!gull.visible, `the Gull should be hidden in game ${game} before fall ${fall} has ended`);
        expectWords(player, 'Gull', Array(game - 1).fill('Game over!'), `before fall ${fall} of game ${game} has ended`);
        await letFall(player);
    }
    await player.ticks.pass(4);
    expectSeen(gull, 'when the third fall has ended');
};

/**
 * Expects that nothing more happens when a game is over.
 * @param {Player} player
 * @param {number} game from 1
 */
const expectOver = async (player, game) => {
    const track = await player.motion.during(player.sprite('Shell'), WHILE);
    track.expectSeen('when the game is over');
    expect(!track.moved, 'the Shell should rest when the game is over');
    expectEqual(player.variable('lives'), 0, 'lives at the end');
    expectWords(player, 'Gull', Array(game).fill('Game over!'), `after game ${game}`);
    expect(player.speech.entries('Gull').at(-1)?.over === false, 'the words of the Gull should stay');
    expectHeard(player, 'Gull', Array(game).fill('cry'), `after game ${game}`);
    expectHeard(player, 'Shell', Array(3 * game).fill('splash'), `after game ${game}`);
};

/** The Gull. */
const gameOverCase = {
    name: 'the third fall still ends the game: the Shell rests, and the Gull comes, cries and speaks',
    run: async (/** @type {Player} */ player) => {
        await loseGame(player, 1);
        await expectOver(player, 1);
    }
};

/** The game after the first one. */
const nextGameCase = {
    name: 'the next game still ends as the first one did',
    run: async (/** @type {Player} */ player) => {
        await loseGame(player, 1);
        await loseGame(player, 2);
        await expectOver(player, 2);
    }
};

/** All that the base does. */
const playThrough = [scoreCase, starfishCase, edgesCase, gameOverCase, nextGameCase];

module.exports = {START, UNDER, FALL_MS, keepUp, letFall, awaitBounce, putShell, playThrough};
