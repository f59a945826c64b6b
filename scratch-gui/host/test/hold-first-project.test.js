// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {holdFirstProject} from '../hold-first-project.js';

/** A VM that notes what it loads, and refuses `broken`. */
const machine = () => {
    const loads = /** @type {any[]} */ ([]);
    class Machine {
        /** @param {any} project */
        async loadProject(project) {
            loads.push(project);
            if (project === 'broken') throw new Error('no project');
            return this;
        }
    }
    let begun = 0;
    const vm = new Machine();
    return {vm, loads, begun: () => begun, awaitsProject: holdFirstProject(vm, () => begun++)};
};

test('the editor begins with the project of the second caller, and both learn of it', async () => {
    const {vm, loads, begun, awaitsProject} = machine();
    assert.equal(awaitsProject(), false, 'nothing is asked for yet');
    const own = vm.loadProject('default');
    assert.deepEqual([awaitsProject(), loads], [true, []]);
    assert.equal(await vm.loadProject('task'), vm);
    assert.equal(await own, vm);
    assert.deepEqual([awaitsProject(), loads, begun()], [false, ['task'], 1]);
    await vm.loadProject('next');
    assert.deepEqual([loads, begun()], [['task', 'next'], 1]);
});

test('no project stands for the default one', async () => {
    const {vm, loads} = machine();
    const own = vm.loadProject('default');
    await vm.loadProject(null);
    await own;
    assert.deepEqual(loads, ['default']);
});

test('both callers learn that a project can\'t be loaded', async () => {
    const {vm, begun} = machine();
    const own = vm.loadProject('default');
    await assert.rejects(vm.loadProject('broken'), /no project/);
    await assert.rejects(own, /no project/);
    assert.equal(begun(), 1);
});
