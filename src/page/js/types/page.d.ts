/** What every page function gets as its first argument; made by prelude.js. */
export interface Ctx {
    /** Exports of the editor bundle. */
    GUI: any;
    /** The editor's state; `state.store` is its Redux store. */
    state: {store: {getState(): any; dispatch(action: any): void; subscribe(f: () => void): () => void}};
    /** The editor's virtual machine. */
    vm: any;
    /** ScratchBlocks (Blockly with Scratch's blocks). */
    SB: any;
    /** The main Blockly workspace. */
    workspace: any;
    /** Ends the function with a refusal that reaches the caller as data. */
    fail(code: string, message: string, hint?: string): never;
}

/** The shape of every file under fn/. */
export type PageFn<Args, Result> = (ctx: Ctx, args: Args) => Promise<Result> | Result;

declare global {
    interface Window {
        scratchbedHost: {GUI: any; state: any; vm: any; generation: 'current' | 'reference'; awaitsProject(): boolean};
    }
}
