// @ts-check
// What the program says and asks, as it happens.

/** Records speech of one VM. */
class Speech {
    /** @param {import('../types').Vm} vm the VM to listen to */
    constructor(vm) {
        /** @type {{sprite: string, type: string, text: any}[]} Everything said or thought, questions left out. */
        this.said = [];
        /** @type {string[]} Questions asked. */
        this.questions = [];
        /** Whether an answer box is open. */
        this.waiting = false;
        vm.runtime.on('SAY', (target, type, text) => {
            // An empty text takes the bubble away.
            if (text !== '') this.said.push({sprite: target.sprite.name, type, text});
        });
        vm.runtime.on('QUESTION', question => this.onQuestion(question));
    }

    /** @param {string | null} question null closes the answer box */
    onQuestion(question) {
        this.waiting = question !== null;
        if (question === null) return;
        // A visible sprite says its question first, and the event that follows is empty.
        const asked = question === '' ? this.said.pop() : {text: question};
        this.questions.push(asked ? String(asked.text) : '');
    }

    /**
     * @param {string} sprite a sprite's name
     * @returns {any[]} what it said or thought so far, oldest first
     */
    of(sprite) {
        return this.said.filter(entry => entry.sprite === sprite).map(entry => entry.text);
    }
}

module.exports = {Speech};
