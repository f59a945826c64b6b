// @ts-check
// Judge of extend/{{ id }}: the new behaviour is there, and what worked before still works.

const {expect} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/**
 * Fails a case that says nothing yet, so that nobody takes the judge for finished.
 * @param {string} what what the case is to show
 */
const toBeWritten = what => expect(false, `this case is still to be written: ${what}`);

module.exports = suite([
    {
        name: 'the new behaviour is there',
        run: async player => {
            await player.flag();
            toBeWritten('play up to it; the golden project passes here, the initial one fails');
        }
    },
    {
        name: 'it holds for other inputs, and after a second green flag',
        run: async player => {
            await player.flag();
            toBeWritten('several inputs, so that a constant or a lucky program fails');
        }
    },
    {
        name: 'what worked before still works',
        run: async player => {
            await player.flag();
            expect(player.sprite('{{ sprite }}').visible, '{{ sprite }} should be visible');
            toBeWritten('what the instruction says must stay; both projects pass here');
        }
    }
]);
