// @ts-check
/**
 * Tries to get a picture of the machine by every way that a page has; the ways that worked.
 * @type {import('../../../src/page/js/types/page').PageFn<string, Promise<string[]>>}
 */
module.exports = async (_ctx, address) => {
    /** @type {string[]} */
    const worked = [];
    const attempt = async (/** @type {string} */ way, /** @type {() => any} */ work) => {
        try {
            if (await work()) worked.push(way);
        } catch {
            // Refused, as it should be.
        }
    };
    await attempt('fetch', async () => (await fetch(address)).ok);
    await attempt('request', () => {
        const request = new XMLHttpRequest();
        request.open('GET', address, false);
        request.send();
        return request.responseText;
    });
    await attempt('frame', async () => {
        const frame = document.createElement('iframe');
        frame.src = address;
        document.body.append(frame);
        await new Promise(resolve => setTimeout(resolve, 500));
        return frame.contentDocument?.body.textContent;
    });
    await attempt('picture', () => new Promise(resolve => {
        const picture = new Image();
        picture.onload = () => resolve(true);
        picture.onerror = () => resolve(false);
        picture.src = address;
    }));
    const here = location.href;
    await attempt('navigation', async () => {
        location.href = address;
        await new Promise(resolve => setTimeout(resolve, 500));
        return location.href !== here;
    });
    return worked;
};
