// @ts-check
/** Tries to get a file of the machine by every way that a page has; the ways that worked. */
module.exports = async () => {
    const address = 'file:///etc/hostname';
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
        picture.src = 'file:///usr/share/pixmaps/debian-logo.png';
    }));
    const here = location.href;
    await attempt('navigation', async () => {
        location.href = address;
        await new Promise(resolve => setTimeout(resolve, 500));
        return location.href !== here;
    });
    return worked;
};
