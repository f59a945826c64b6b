// @ts-check
// Mounts the Scratch editor of the npm package and publishes the one handle that page functions start
// from: `globalThis.scratchbedHost`. It adds nothing that an agent or a person could see.
import {drawOnChange} from './draw-on-change.js';
import {behaveIfDriven} from './driven.js';
import {emptyPalette} from './empty-palette.js';
import {holdFirstProjectIfDriven} from './hold-first-project.js';
import {stepWhenNeeded} from './step-when-needed.js';

/** @type {any} The editor bundle registers itself under this global. */
const GUI = /** @type {any} */ (globalThis).GUI;
const container = /** @type {HTMLElement} */ (document.getElementById('editor'));

behaveIfDriven();
GUI.setAppElement(container);
// A page that judges shows no editor.
const isPlayerOnly = new URLSearchParams(location.search).has('player');
const state = new GUI.EditorState({locale: 'en', isPlayerOnly});
const vm = state.store.getState().scratchGui.vm;
drawOnChange(vm);
stepWhenNeeded(vm.runtime);
emptyPalette(state.store);
const awaitsProject = holdFirstProjectIfDriven(vm);

GUI.createStandaloneRoot(state, container).render({
    // Whatever neither the project nor the bundle has is nowhere; it must never be asked of another host.
    assetHost: `${location.origin}/assets`,
    // Project 0 is the editor's own default project, part of the bundle.
    projectId: '0',
    canEditTitle: true,
    canSave: false,
    backpackVisible: false,
    showComingSoon: false,
    onClickLogo: () => {}
});

Object.defineProperty(globalThis, 'scratchbedHost', {value: Object.freeze({GUI, state, vm, generation: 'current', awaitsProject})});
