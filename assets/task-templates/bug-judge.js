// @ts-check
// Judge of a forged fault: it plays the scenarios of the fault's suite and looks at what the suite asserts and guards. An error on the console
// that the golden project writes in none of its runs fails a project, whatever holds otherwise: that there is none is the last test.

/* global SUITE */
const {bugSuite} = require('./lib/bug_suite.js');
const {playScenario} = require('./lib/scenario.js');

/**
 * The suite. Its `console` has the errors that the golden project writes, and the scenarios that are played for their console alone: those
 * that the suite does not play whole, under its first seed.
 * @type {{every: number, scenarios: any[], assertions: any[], guards?: any, console: {seed: number, scenarios: any[], known: string[]}}}
 */
const suite = SUITE;

const NAME = 'no error is written to the console that the golden project does not write';

/** @param {boolean} holds whether all else does @param {string[]} errors that the golden project does not write */
const tested = (holds, [error]) => {
    if (error !== undefined) return {name: NAME, passed: false, error};
    return holds ? {name: NAME, passed: true} : {name: NAME, passed: false, error: 'not looked at to the end: another test does not hold'};
};

/** @type {(vm: any, config: any, cleanup: () => void) => Promise<any>} */
module.exports = async (vm, config, cleanup) => {
    const report = await bugSuite(suite)(vm, config, () => {});
    const {seed, scenarios, known} = suite.console;
    for (const scenario of report.success && config.seed === seed ? scenarios : []) {
        await playScenario(await config.reload(), scenario, suite.every);
    }
    cleanup();
    const details = [...report.details, tested(report.success, config.newErrors(known))];
    const passed = details.filter(each => each.passed).length;
    return {success: passed === details.length, passed_tests: passed, total_tests: details.length, details};
};
