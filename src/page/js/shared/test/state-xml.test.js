// @ts-check
const test = require('node:test');
const assert = require('node:assert/strict');
const {createRequire} = require('node:module');
const {join} = require('node:path');
const {stateXml} = require('../lib/state-xml');

const {JSDOM} = createRequire(join(__dirname, '../../../../../scratch-gui/package.json'))('jsdom');
const {window} = new JSDOM('<xml/>', {contentType: 'text/xml'});

/** @type {import('../lib/state-xml').Writer} */
const writer = {
    element: (tag, attributes, children = []) => {
        const made = window.document.createElement(tag);
        for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
        made.append(...children);
        return made;
    },
    parsed: text => new window.DOMParser().parseFromString(text, 'text/xml').documentElement,
    variable: (name, id) => writer.element('field', {name, id, variabletype: 'list'}),
    prototypeTag: 'shadow'
};

test('slots, mouths, followers, fields and mutations have their elements', () => {
    const state = {
        type: 'control_repeat',
        id: 'a',
        inputs: {
            TIMES: {block: {type: 'data_variable', id: 'b', fields: {VARIABLE: '<field name="VARIABLE" id="v"></field>'}}, shadow: {type: 'math_whole_number', id: 'c', fields: {NUM: '7 < 8'}}},
            SUBSTACK: {block: {type: 'data_deletealloflist', id: 'd', fields: {LIST: {id: 'l'}}}}
        },
        next: {block: {type: 'procedures_call', id: 'e', extraState: '<mutation proccode="hop"/>'}}
    };
    assert.equal(
        stateXml(writer, state).outerHTML,
        '<block type="control_repeat" id="a"><value name="TIMES"><shadow type="math_whole_number" id="c"><field name="NUM">7 &lt; 8</field></shadow>' +
            '<block type="data_variable" id="b"><field name="VARIABLE" id="v"/></block></value>' +
            '<statement name="SUBSTACK"><block type="data_deletealloflist" id="d"><field name="LIST" id="l" variabletype="list"/></block></statement>' +
            '<next><block type="procedures_call" id="e"><mutation proccode="hop"/></block></next></block>'
    );
});

test('the wording of a definition is what the editor takes it for', () => {
    const state = {type: 'procedures_definition', id: 'a', inputs: {custom_block: {block: {type: 'procedures_prototype', id: 'b'}}}};
    const text = stateXml(writer, state).outerHTML;
    assert.match(text, /<statement name="custom_block"><shadow type="procedures_prototype" id="b"\/><\/statement>/);
});
