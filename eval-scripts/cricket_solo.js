// @ts-check
// Judge of extend/cricket_solo: the Cricket closes each verse with as many strokes as the verse has in its number.

const {WHILE, expectWords} = require('./lib/base_common.js');
const {expect, expectEqual} = require('./lib/expect.js');
const {SHOW_MS, VERSE, expectActs, playShow, playThrough, watchActs} = require('./lib/base_marsh_band.js');
const {suite} = require('./lib/suite.js');

const SOLO = ['Cricket begins', 'Cricket ends'];
const LONG_VERSE = [...VERSE, ...SOLO];
/** Ticks that one stroke of the fiddle lasts. */
const STROKE = 6;

module.exports = suite([
    {
        name: 'the Cricket plays after the Newt in each verse, and the next verse waits for it',
        run: async player => {
            await player.flag();
            const cricket = player.motion.watch(player.sprite('Cricket'));
            expectActs(await playShow(player), [...LONG_VERSE, ...LONG_VERSE, ...LONG_VERSE], 'in a show');
            cricket.expectSeen('in a show');
        }
    },
    {
        name: 'it makes one stroke in the first verse, two in the second and three in the third',
        run: async player => {
            await player.flag();
            const verses = player.data.watch('verse');
            await playShow(player);
            const of = (/** @type {number} */ tick) => verses.entries.filter(entry => entry.tick <= tick).at(-1)?.value;
            const strokes = player.sounds.started.filter(({sprite}) => sprite === 'Cricket');
            expectEqual(strokes.map(({tick}) => of(tick)).join(' '), '1 2 2 3 3 3', 'the verses in which strokes begin');
            expect(strokes.every(({sound}) => sound === 'fiddle'), 'the Cricket should play its fiddle');
        }
    },
    {
        name: 'each stroke is played to its end',
        run: async player => {
            await player.flag();
            const acts = watchActs(player);
            await player.click('Heron');
            const third = () => acts.filter(act => act === 'Cricket ends').length === 3;
            await player.ticks.until('the Cricket had played in three verses', third, SHOW_MS);
            const ended = player.ticks.count;
            const ticks = player.sounds.started.filter(({sprite}) => sprite === 'Cricket').map(({tick}) => tick);
            expectEqual(ticks.length, 6, 'strokes of the Cricket');
            const shortest = Math.min(...ticks.map((tick, i) => ([2, 4, 5].includes(i) ? tick - ticks[i - 1] : STROKE)));
            expect(shortest >= STROKE, `a stroke should last ${STROKE} ticks, but the next began after ${shortest}`);
            expect(ended - ticks[5] >= STROKE, 'the Cricket should put its bow down when the last stroke is over');
        }
    },
    {
        name: 'at the bow, and only then, the Cricket says its strokes for a second',
        run: async player => {
            await player.flag();
            await playShow(player);
            await player.ticks.pass(WHILE);
            const said = player.speech.entries('Cricket');
            expectWords(player, 'Cricket', ['6 strokes'], 'in a show');
            expect(Math.abs(said[0].tick - player.speech.entries('Frog')[0].tick) <= 1, 'it should speak with the Frog');
            expect(said[0].over && Math.abs(said[0].ticks - 30) <= 2, `it should speak for a second, not for ${said[0].ticks} ticks`);
        }
    },
    {
        name: 'strokes are counted as they are played, from 0 with each show',
        run: async player => {
            await player.flag();
            // As after a show before.
            player.data.set('strokes', 8);
            const strokes = player.data.watch('strokes');
            await playShow(player);
            expectEqual(strokes.values.join(' '), '8 0 1 2 3 4 5 6', 'the values of strokes in a show');
        }
    },
    ...playThrough(LONG_VERSE)
]);
