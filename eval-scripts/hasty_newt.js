// @ts-check
// Judge of debug/hasty_newt: in each verse the Newt waits for the end of the drumming.

const {expect, expectEqual} = require('./lib/expect.js');
const {VERSE, expectActs, playShow, playThrough, watchActs} = require('./lib/base_marsh_band.js');
const {costumeOf} = require('./lib/looks.js');
const {isSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

/** @param {import('./types').Target} target @param {string} costume @returns {boolean} whether it is seen in that costume */
const wears = (target, costume) => isSeen(target) && costumeOf(target) === costume;

module.exports = suite([
    {
        name: 'the Newt leaps when the Frog has ended, in each verse',
        run: async player => {
            await player.flag();
            expectActs(await playShow(player), [...VERSE, ...VERSE, ...VERSE], 'in a show');
        }
    },
    {
        name: 'the Newt stands still for as long as the Frog drums',
        run: async player => {
            await player.flag();
            const acts = watchActs(player);
            const [frog, newt] = [player.sprite('Frog'), player.sprite('Newt')];
            await player.click('Heron');
            const calm = () => costumeOf(frog) !== 'drum' || (newt.y === -50 && wears(newt, 'stand'));
            await player.ticks.always('the Newt stands while the Frog drums', calm, 60);
            expect(acts.length >= 2 * VERSE.length, 'the show should go on meanwhile');
        }
    },
    {
        name: 'the Heron holds its baton up for as long as the Frog drums',
        run: async player => {
            await player.flag();
            const [heron, frog] = [player.sprite('Heron'), player.sprite('Frog')];
            let up = 0;
            let drums = 0;
            player.ticks.observe(() => {
                if (wears(heron, 'baton up')) up += 1;
                if (wears(frog, 'drum')) drums += 1;
            });
            await playShow(player);
            expect(drums > 20, `the Frog should drum three times, but does so for ${drums} ticks only`);
            expect(Math.abs(up - drums) <= 6, `the baton should be up for about ${drums} ticks, but is for ${up}`);
        }
    },
    {
        name: 'the drum is heard three times in each show and verse counts to 3',
        run: async player => {
            await player.flag();
            const verses = player.data.watch('verse');
            await playShow(player);
            expectEqual(player.sounds.of('Frog').join(' '), 'boom boom boom', 'the sounds of the Frog');
            expectEqual(verses.values.join(' '), '0 1 2 3', 'the values of verse');
        }
    },
    ...playThrough()
]);
