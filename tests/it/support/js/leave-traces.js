// @ts-check
/**
 * Leaves something in every store that a page has: cookies, storage, caches, databases.
 * @type {import('../../../../src/page/js/types/page').PageFn<null, Promise<void>>}
 */
module.exports = async () => {
    document.cookie = 'left=here; max-age=3600; path=/';
    localStorage.setItem('left', 'here');
    sessionStorage.setItem('left', 'here');
    await (await caches.open('left')).put('/left', new Response('here'));
    await new Promise((resolve, reject) => {
        const request = indexedDB.open('left');
        request.onsuccess = resolve;
        request.onerror = reject;
    });
};
