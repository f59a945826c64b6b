// @ts-check
// Judge of debug/till_miscounts: the Till takes in what each order costs, and nothing else has changed.

const {playThrough} = require('./lib/base_bun_counter.js');
const {suite} = require('./lib/suite.js');

module.exports = suite(playThrough());
