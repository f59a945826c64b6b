// The contract between a judge and an evaluation script, and the slice of scratch-vm that our scripts use.

/** One unit test as a script reports it. */
export interface Detail {
    name: string;
    passed: boolean;
    /** Why it did not pass; there is none when it passed. */
    error?: string;
    /** Milliseconds of project time; absent when it was not run. */
    duration_ms?: number;
    /** Whether it was ended by a limit: without it, a case that did not pass has failed. */
    timeout?: boolean;
}

/** What an evaluation script returns. */
export interface Report {
    success: boolean;
    passed_tests: number;
    total_tests: number;
    details: Detail[];
}

/** What a judge tells an evaluation script. */
export interface Config {
    /** Seed of the project's random numbers. */
    seed: number;
    /** Milliseconds of project time that one case may take. */
    caseMs: number;
    /** Milliseconds of project time that the whole script may take. */
    taskMs: number;
    stage: 'large' | 'small';
    /** Whether the cases after the first one that does not pass are left out. */
    stopAtFirstFailure?: boolean;
    /** Disposes of the program and loads it anew into a fresh VM: nothing of an earlier case is left. */
    reload(): Promise<Vm>;
    /**
     * Errors that the project has written to the console so far, as what each says; those that are known are left out. A known one is given as
     * a line of the console has it, after its level or time: addresses of the page it was written in make no difference.
     */
    newErrors(known?: string[]): string[];
    /** What the program that was loaded last has done so far, tick by tick; docs/JUDGING.md has the format. */
    trace(): TraceRun;
}

/** A column of changes for each thing that was seen: the ticks, and the values from then on. */
export interface TraceRun {
    ticks: number;
    signals: Record<string, {t: number[]; v: any[]}>;
}

/** The shape of every file beside this one. */
export type Script = (vm: Vm, config: Config, cleanup: () => void) => Promise<Report>;

export interface Variable {
    name: string;
    /** '' for a variable, 'list' for a list, 'broadcast_msg' for a message. */
    type: string;
    value: any;
    /** Of a list: whether its monitor shows what it holds. */
    _monitorUpToDate?: boolean;
}

export interface Sprite {
    name: string;
    sounds: {name: string; soundId: string}[];
    soundBank: {playSound(target: Target, soundId: string): any} | null;
}

export interface Target {
    id: string;
    /** Its program, clones share it. */
    blocks: {_blocks: Record<string, {opcode: string}>};
    drawableID: number;
    runtime?: Runtime;
    isStage: boolean;
    isOriginal: boolean;
    /** Shared by a sprite and its clones. */
    sprite: Sprite;
    x: number;
    y: number;
    direction: number;
    rotationStyle: string;
    size: number;
    visible: boolean;
    /** Whether a person holds it with the mouse. */
    dragging: boolean;
    draggable: boolean;
    currentCostume: number;
    getCostumes(): {name: string}[];
    /** Graphic effects by name, 0 without them. */
    effects: Record<string, number>;
    /** Percent. */
    volume: number;
    /** What is drawn of it, in Scratch units; of a hidden one, its whole costume. */
    getBounds(): {left: number; right: number; top: number; bottom: number};
    /** Higher is nearer to the front. */
    getLayerOrder(): number;
    /** 'Scratch.looks' has the speech bubble, once there was one, 'Scratch.pen' the pen. */
    getCustomState(key: string): any;
    goToFront(): void;
    variables: Record<string, Variable>;
}

/** A running script. */
export interface Thread {
    /** Whether it only computes what a monitor shows. */
    updateMonitor: boolean;
    /** Whether it was stopped; it is taken away with the next tick. */
    isKilled: boolean;
}

export interface Runtime {
    targets: Target[];
    /** Those that have ended are taken away at the end of a tick. */
    threads: Thread[];
    renderer: any;
    _step(): void;
    /** Runs once for each message that is sent; `fields` is changed in place. */
    startHats(opcode: string, fields?: Record<string, string> | null, target?: Target): any[] | undefined;
    on(event: string, listener: (...args: any[]) => void): void;
    off(event: string, listener: (...args: any[]) => void): void;
    emit(event: string, ...args: any[]): void;
}

export interface Vm {
    runtime: Runtime;
    greenFlag(): void;
    stopAll(): void;
    postIOData(device: string, data: object): void;
    startDrag(targetId: string): void;
    postSpriteInfo(data: {x?: number; y?: number; visible?: boolean; force?: boolean}): void;
    stopDrag(targetId: string): void;
}
