// @ts-check
// Judge of a forged fault: it plays the scenarios of the fault's suite and looks at what the suite asserts.

/* global SUITE */
const {bugSuite} = require('./lib/bug_suite.js');

module.exports = bugSuite(SUITE);
