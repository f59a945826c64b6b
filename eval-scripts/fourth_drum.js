// @ts-check
// Judge of debug/fourth_drum: a show ends with a bow and not with one more stroke of the drum.

const {WHILE, expectWords} = require('./lib/base_common.js');
const {expect, expectEqual} = require('./lib/expect.js');
const {SHOW_MS, VERSE, expectActs, playShow, playThrough} = require('./lib/base_marsh_band.js');
const {isSeen} = require('./lib/seen.js');
const {suite} = require('./lib/suite.js');

module.exports = suite([
    {
        name: 'after the third verse the Frog and the Newt say their words together',
        run: async player => {
            await player.flag();
            await player.click('Heron');
            await player.speech.next('Frog', SHOW_MS, 0);
            await player.ticks.pass(2);
            expectWords(player, 'Frog', ['Croak!'], 'at the bow');
            expectWords(player, 'Newt', ['Thank you!'], 'at the bow');
            const [frog, newt] = [player.speech.entries('Frog')[0], player.speech.entries('Newt')[0]];
            expect(Math.abs(frog.tick - newt.tick) <= 1, 'the Frog and the Newt should speak at the same time');
            expectEqual(player.variable('verse'), 3, 'verse at the bow');
        }
    },
    {
        name: 'a show has three verses and no fourth drum',
        run: async player => {
            await player.flag();
            const acts = await playShow(player);
            await player.ticks.pass(WHILE);
            expectActs(acts, [...VERSE, ...VERSE, ...VERSE], 'in a show');
            expectEqual(player.sounds.of('Frog').length, 3, 'strokes of the drum');
        }
    },
    {
        name: 'nobody says anything before the last leap',
        run: async player => {
            await player.flag();
            let spoke = false;
            const newt = player.sprite('Newt');
            let leaps = 0;
            let high = false;
            player.ticks.observe(() => {
                if (high && newt.y === -50) leaps += 1;
                high = newt.y > -50 && isSeen(newt);
                spoke = spoke || (leaps < 3 && player.speech.said.length > 0);
            });
            await playShow(player);
            expectEqual(leaps, 3, 'leaps before the bow');
            expect(!spoke, 'nobody should speak before the third leap is over');
        }
    },
    ...playThrough()
]);
