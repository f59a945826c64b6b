// @ts-check
/**
 * What a page finds in its browser context: cookies, storage, caches, databases, and where its files came from.
 * @type {import('../../../../src/page/js/types/page').PageFn<null, object>}
 */
module.exports = async () => {
    const entries = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType('resource'));
    const own = entries.filter(entry => entry.name.startsWith(`${location.origin}/`));
    const loaded = own.map(entry => [new URL(entry.name).pathname, entry.transferSize > 0 ? 'network' : 'cache']);
    return {
        cookies: document.cookie,
        local: Object.keys(localStorage).sort(),
        session: Object.keys(sessionStorage).sort(),
        caches: await caches.keys(),
        databases: (await indexedDB.databases()).map(database => database.name).sort(),
        loaded: loaded.filter(([path]) => path.startsWith('/gui/') || path.startsWith('/host/')).sort()
    };
};
