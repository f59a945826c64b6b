// @ts-check
// Plays the scenario of its configuration and judges nothing: what is seen is in the trace.

const {playScenario} = require('./lib/scenario.js');

/**
 * @param {import('../types').Vm} vm
 * @param {{scenario: import('../lib/scenario.js').Scenario, every: number}} config
 */
module.exports = (vm, config) => playScenario(vm, config.scenario, config.every);
