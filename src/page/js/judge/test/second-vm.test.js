// @ts-check
const assert = require('node:assert/strict');
const {test} = require('node:test');
const {waitForSkins} = require('../lib/second-vm.js');

/** A costume on its way to pixels, as the renderer keeps it. */
const costume = () => {
    const image = Object.assign(new EventTarget(), {complete: false, naturalWidth: 0});
    const skin = {size: [40, 30], _svgImage: image, _svgImageLoaded: false};
    image.addEventListener('load', () => {
        skin._svgImageLoaded = true;
    });
    return skin;
};

/** @param {Promise<void>} work @returns {Promise<boolean>} whether it is done once all that is due has been done */
const isDone = async work => {
    let done = false;
    work.then(
        () => (done = true),
        () => (done = true)
    );
    await new Promise(resolve => setImmediate(resolve));
    return done;
};

test('costumes are waited for until the last one is there, and no clock is asked', async t => {
    // An hour passes with each look at the clock, as on a machine that has other things to do.
    let now = 0;
    t.mock.method(Date, 'now', () => (now += 3_600_000));
    const [first, second] = [costume(), costume()];
    const work = waitForSkins({_allSkins: [null, {size: [1, 1]}, first, second]});
    assert.equal(await isDone(work), false);
    second._svgImage.dispatchEvent(new Event('load'));
    assert.equal(await isDone(work), false);
    first._svgImage.dispatchEvent(new Event('load'));
    assert.equal(await isDone(work), true);
    await work;
});

test('nothing is waited for when all costumes are there, or empty', async () => {
    const empty = Object.assign(costume(), {size: [0, 0]});
    await waitForSkins({_allSkins: [empty, Object.assign(costume(), {_svgImageLoaded: true})]});
});

test('a costume that can not be drawn ends the wait, also if it failed before', async () => {
    const late = costume();
    const work = waitForSkins({_allSkins: [late]});
    late._svgImage.dispatchEvent(new Event('error'));
    await assert.rejects(work, /no picture that the browser can draw/);
    const early = costume();
    early._svgImage.complete = true;
    await assert.rejects(waitForSkins({_allSkins: [early]}), /no picture/);
});
