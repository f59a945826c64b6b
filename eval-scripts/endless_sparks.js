// @ts-check
// Judge of debug/endless_sparks: each Spark goes when it has fallen, and the trail goes on.

const {expect, expectAt, expectEqual} = require('./lib/expect.js');
const {AWAY, burn, shine, playThrough} = require('./lib/base_firefly_meadow.js');
const {suite} = require('./lib/suite.js');

/** Ticks in which a Spark has fallen, and a few more. */
const FALL = 15;
const MOST = 10;

module.exports = suite([
    {
        name: 'when the light goes out the last Sparks go too',
        run: async player => {
            await player.flag();
            await shine(player, AWAY, 30);
            expect(player.clones.made('Spark') >= 5, `a second of light should make several Sparks, not ${player.clones.made('Spark')}`);
            await player.ticks.pass(FALL);
            expectEqual(player.clones.count('Spark'), 0, 'the number of Sparks after they have fallen');
        }
    },
    {
        name: 'each Spark falls by 30 and shrinks before it goes',
        run: async player => {
            await player.flag();
            await burn(player, AWAY);
            await player.ticks.until('there was a Spark', () => player.clones.count('Spark') > 0, 1000);
            const [spark] = player.clones.of('Spark');
            const track = player.motion.watch(spark);
            await player.ticks.until('the Spark was gone', () => !player.clones.isAlive(spark), 1500);
            expect(track.last.y <= AWAY.y - 25, `the Spark should sink from ${AWAY.y} to ${AWAY.y - 30}, but went at ${track.last.y}`);
            expect(track.last.size < 40, `the Spark should shrink before it goes, but had ${track.last.size}%`);
        }
    },
    {
        name: 'a long trail never has more than 10 Sparks, and new ones keep coming',
        run: async player => {
            await player.flag();
            await burn(player, AWAY);
            for (let second = 1; second <= 3; second += 1) {
                const before = player.clones.made('Spark');
                const few = () => player.clones.count('Spark') <= MOST;
                await player.ticks.always('there are 10 Sparks or fewer', few, 30);
                expect(player.clones.made('Spark') - before >= 5, `new Sparks should come in second ${second}`);
            }
        }
    },
    {
        name: 'Sparks begin where the Lantern is',
        run: async player => {
            await player.flag();
            for (const x of [-140, 60, 150]) {
                const before = player.clones.made('Spark');
                await burn(player, {x, y: AWAY.y});
                await player.ticks.until('a Spark came', () => player.clones.made('Spark') > before, 1000);
                const spark = player.clones.created[before].target;
                await player.ticks.pass(1);
                // It begins behind the Lantern.
                expectAt(spark, x, spark.y, 'when the Lantern is there', {mayBeCovered: true});
                player.mouse.release();
                await player.ticks.pass(FALL);
                expect(!player.clones.isAlive(spark), `the Spark at x ${x} should be gone when it has fallen`);
            }
        }
    },
    ...playThrough
]);
