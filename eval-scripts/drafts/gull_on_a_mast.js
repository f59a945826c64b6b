// @ts-check
// Judge of create/gull_on_a_mast.

const {expectAt, expectEqual} = require('./lib/expect.js');
const {suite} = require('./lib/suite.js');

module.exports = suite([
    {name: 'the flag puts it up', run: async player => { await player.flag(); expectAt(player.sprite('Gull'), 0, 90); expectEqual(player.speech.of('Gull').join('/'), 'Ahoy!', 'what it says'); }},
    {name: 'space moves it down', run: async player => { await player.flag(); await player.tap('space', 3); expectAt(player.sprite('Gull'), 0, 30); }},
    {name: 'the flag starts afresh', run: async player => { await player.flag(); await player.tap('space', 2); await player.flag(); expectAt(player.sprite('Gull'), 0, 90); }}
]);

