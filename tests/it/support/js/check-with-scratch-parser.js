// @ts-check
// Checks each project.json of a folder against the schema that the VM checks projects with; prints what is wrong.

const process = require('node:process');
const fs = require('node:fs');
const path = require('node:path');

const [gui, folder] = process.argv.slice(2);
/** @type {(input: string, isSprite: boolean, callback: (error: unknown) => void) => void} */
const check = require(require.resolve('scratch-parser', {paths: [gui]}));

for (const name of fs.readdirSync(folder)) {
    check(fs.readFileSync(path.join(folder, name), 'utf8'), false, error => {
        if (error) {
            console.log(name, JSON.stringify(error, null, 1).slice(0, 3000));
            process.exitCode = 1;
        }
    });
}
