// @ts-check
// Prints the project.json that scratch-parser's way of reading finds in each archive of a folder, as one JSON object.

const fs = require('node:fs');
const path = require('node:path');

const [gui, folder] = process.argv.slice(2);
const JSZip = require(require.resolve('jszip', {paths: [gui]}));

/** The parser takes the first file of that name at the top or one folder deep. */
const PROJECT = /^([^/]*\/)?project\.json$/;

const main = async () => {
    /** @type {Record<string, any>} */
    const found = {};
    for (const name of fs.readdirSync(folder)) {
        const zip = await JSZip.loadAsync(fs.readFileSync(path.join(folder, name)));
        const file = zip.file(PROJECT)[0];
        found[name] = file ? JSON.parse(await file.async('string')) : null;
    }
    process.stdout.write(JSON.stringify(found));
};

main();
