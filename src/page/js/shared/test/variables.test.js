// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {LIST, SCALAR, caller, find, forms} = require('../lib/variables');

/**
 * @param {Record<string, [string, string]>} entries name and type by id
 * @returns {any} a target of the VM
 */
const owner = entries => ({variables: Object.fromEntries(Object.entries(entries).map(([id, [name, type]]) => [id, {id, name, type}]))});

const stage = owner({s1: ['score', SCALAR], s2: ['score', SCALAR], time: ['time', SCALAR], named: ['time #2', SCALAR], t2: ['time', SCALAR], l: ['score', LIST]});
const moth = owner({own: ['score', SCALAR], own2: ['score', SCALAR], poss: ["Stage's score #2", SCALAR]});

/** @param {any} target the open one @returns {any} */
const context = target => {
    const all = target === stage ? [stage] : [stage, moth];
    const models = all.flatMap(({variables}) => Object.values(variables))
        .map((/** @type {any} */ {id, name, type}) => ({getId: () => id, getName: () => name, getType: () => type}));
    return {
        vm: {editingTarget: target, runtime: {getTargetForStage: () => stage}},
        workspace: {getVariableMap: () => ({getVariablesOfType: (/** @type {string} */ type) => models.filter(model => model.getType() === type)})}
    };
};

test('a name alone is the own one, then that of the Stage; the others have forms', () => {
    const ids = (/** @type {any} */ target) => Object.fromEntries([...forms(context(target), SCALAR)].map(([form, {id}]) => [form, id]));
    assert.deepEqual(ids(moth), {
        'score': 'own', 'score #2': 'own2', "Stage's score": 's1', "Stage's score #2": 'poss', 's2': 's2',
        'time': 'time', 'time #2': 'named', "Stage's time #2": 't2'
    });
    assert.deepEqual(ids(stage), {'score': 's1', 'score #2': 's2', 'time': 'time', 'time #2': 'named', 't2': 't2'});
});

test('what is shown is found again', () => {
    for (const target of [stage, moth]) {
        const ctx = context(target);
        for (const type of [SCALAR, LIST]) {
            const called = caller(ctx);
            for (const model of ctx.workspace.getVariableMap().getVariablesOfType(type)) {
                assert.equal(find(ctx, type, called(model)).getId(), model.getId());
            }
        }
    }
    assert.equal(find(context(moth), SCALAR, 'score').getId(), 'own', 'not that of the Stage');
    assert.equal(find(context(moth), SCALAR, 'nobody'), null);
});
