// @ts-check
// Loads each project.json of a folder in the editor's VM, without a page, and prints what became of it as one JSON object:
// names of targets, variables and lists in order, costumes, and blocks with what they refer to.

const process = require('node:process');
const fs = require('node:fs');
const path = require('node:path');

const [gui, folder] = process.argv.slice(2);
const source = path.join(gui, 'node_modules/@scratch/scratch-vm/src');
const log = require(path.join(source, 'util/log'));
log.warn = log.error = log.info = () => {};
console.warn = () => {};
const VirtualMachine = require(path.join(source, 'virtual-machine'));

const REFERENCES = ['VARIABLE', 'LIST', 'BROADCAST_OPTION'];

/** @param {any} block */
const blockOf = block => [
    block.opcode,
    Object.keys(block.fields)
        .filter(name => REFERENCES.includes(name))
        .map(name => [String(block.fields[name].id), block.fields[name].value])
];

/** @param {any} target */
const targetOf = target => ({
    name: target.getName(),
    // Messages that nobody names are gone, since the workspace would show none.
    variables: Object.entries(target.variables)
        .filter(([, variable]) => variable.type !== 'broadcast_msg')
        .map(([id, variable]) => [id, variable.name, variable.type === 'list' ? 'list' : 'variable']),
    costumes: target.getCostumes().map((/** @type {any} */ costume) => costume.name),
    scripts: target.blocks.getScripts().map((/** @type {string} */ id) => target.blocks.getBlock(id).opcode),
    blocks: Object.values(target.blocks._blocks).map(blockOf)
});

const main = async () => {
    /** @type {Record<string, any>} */
    const loaded = {};
    for (const name of fs.readdirSync(folder)) {
        const vm = new VirtualMachine();
        // Blocks of extensions are read without them.
        vm.extensionManager.loadExtensionURL = () => Promise.resolve();
        await vm.loadProject(fs.readFileSync(path.join(folder, name), 'utf8'));
        loaded[name] = vm.runtime.targets.map(targetOf);
    }
    // The VM's timers would keep the process alive.
    process.stdout.write(JSON.stringify(loaded), () => process.exit(0));
};

main();
