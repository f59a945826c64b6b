// @ts-check
// Judge of debug/{{ id }}: what was broken works again, and what worked still does.

const {expect} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

/**
 * Fails a case that says nothing yet, so that nobody takes the judge for finished.
 * @param {string} what what the case is to show
 */
const toBeWritten = what => expect(false, `this case is still to be written: ${what}`);

module.exports = suite([
    {
        name: 'what the fault broke works again',
        run: async player => {
            await player.flag();
            toBeWritten('play up to the fault; the golden project passes here, the initial one fails');
        }
    },
    {
        name: 'it works with other inputs, and after a second green flag',
        run: async player => {
            await player.flag();
            toBeWritten('several inputs, so that a constant or a lucky program fails');
        }
    },
    {
        name: 'what worked still works',
        run: async player => {
            await player.flag();
            expect(player.sprite('{{ sprite }}').visible, '{{ sprite }} should be visible');
            toBeWritten('what the instruction says must stay; both projects pass here');
        }
    }
]);
