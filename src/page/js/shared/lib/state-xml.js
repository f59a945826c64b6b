// @ts-check
// Blocks in Blockly's newer form of serialization as XML, for editors that read XML only.

/** @typedef {import('../../types/notation').State} State */
/**
 * @typedef {object} Writer
 * @property {(tag: string, attributes: Record<string, string>, children?: Node[]) => Element} element
 * @property {(text: string) => Element} parsed XML that is text already
 * @property {(name: string, id: string) => Element} variable a field that names the variable of that id
 * @property {'block' | 'shadow'} prototypeTag what the wording of a definition is
 */

/**
 * @param {Writer} writer
 * @param {string} name of the field
 * @param {any} value as it is serialized
 * @returns {Element}
 */
const fieldXml = (writer, name, value) => {
    if (value !== null && typeof value === 'object') return writer.variable(name, String(value.id));
    const text = String(value);
    if (text.startsWith('<field ')) return writer.parsed(text);
    const field = writer.element('field', {name});
    field.textContent = text;
    return field;
};

/**
 * @param {Writer} writer
 * @param {State} state a block with all below and inside of it
 * @param {'block' | 'shadow'} [tag]
 * @returns {Element}
 */
const stateXml = (writer, {type, id, extraState, fields, inputs, next}, tag = 'block') => {
    const inner = Object.entries(inputs ?? {}).map(([name, {block, shadow}]) => {
        const isStatement = /^(SUBSTACK2?|custom_block)$/.test(name);
        const parts = [
            ...(shadow ? [stateXml(writer, shadow, 'shadow')] : []),
            ...(block ? [stateXml(writer, block, block.type === 'procedures_prototype' ? writer.prototypeTag : 'block')] : [])
        ];
        return writer.element(isStatement ? 'statement' : 'value', {name}, parts);
    });
    return writer.element(tag, {type, id}, [
        ...(extraState ? [writer.parsed(extraState)] : []),
        ...Object.entries(fields ?? {}).map(([name, value]) => fieldXml(writer, name, value)),
        ...inner,
        ...(next ? [writer.element('next', {}, [stateXml(writer, next.block)])] : [])
    ]);
};

module.exports = {stateXml};
