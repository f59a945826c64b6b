// @ts-check
// Mounts the older generation of the Scratch editor, in which the published drags were made, and publishes the same handle
// as host.js. It adds nothing that an agent or a person could see.
import {drawRendererOnChange} from './draw-on-change.js';
import {behaveIfDriven} from './driven.js';
import {holdFirstProjectIfDriven} from './hold-first-project.js';
import {stepWhenNeeded} from './step-when-needed.js';

/** @type {any} The bundles register themselves under these globals. */
const {GUI, React, ReactDOM} = /** @type {any} */ (globalThis);
const container = /** @type {HTMLElement} */ (document.getElementById('editor'));

behaveIfDriven();
GUI.setAppElement(container);
const editor = React.createElement(GUI.AppStateHOC(GUI.default), {
    // Whatever neither the project nor the bundle has is nowhere; it must never be asked of another host.
    assetHost: `${location.origin}/assets`,
    // Project 0 is the editor's own default project, part of the bundle.
    projectId: '0',
    basePath: '/',
    canEditTitle: true,
    canSave: false,
    backpackVisible: true,
    showComingSoon: false,
    onClickLogo: () => {}
});
// This generation of React draws before it returns, and returns the component, which has the store.
const {store} = ReactDOM.render(editor, container);
const state = Object.freeze({store});
const {vm} = store.getState().scratchGui;
drawRendererOnChange(vm.renderer);
stepWhenNeeded(vm.runtime);
// The default project is fetched later than this.
const awaitsProject = holdFirstProjectIfDriven(vm);

Object.defineProperty(globalThis, 'scratchbedHost', {value: Object.freeze({GUI, state, vm, generation: 'reference', awaitsProject})});
