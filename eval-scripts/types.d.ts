// The contract between a judge and an evaluation script, and the slice of scratch-vm that our scripts use.

/** One unit test as a script reports it. */
export interface Detail {
    name: string;
    passed: boolean;
    error?: string;
    /** Milliseconds of project time. */
    duration_ms?: number;
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
    /** Disposes of the program and loads it anew into a fresh VM: nothing of an earlier case is left. */
    reload(): Promise<Vm>;
}

/** The shape of every file beside this one. */
export type Script = (vm: Vm, config: Config, cleanup: () => void) => Promise<Report>;

export interface Variable {
    name: string;
    /** '' for a variable, 'list' for a list. */
    type: string;
    value: any;
}

export interface Target {
    id: string;
    drawableID: number;
    isStage: boolean;
    isOriginal: boolean;
    sprite: {name: string};
    x: number;
    y: number;
    direction: number;
    size: number;
    visible: boolean;
    currentCostume: number;
    variables: Record<string, Variable>;
}

export interface Runtime {
    targets: Target[];
    threads: any[];
    renderer: any;
    _step(): void;
    on(event: string, listener: (...args: any[]) => void): void;
    off(event: string, listener: (...args: any[]) => void): void;
    emit(event: string, ...args: any[]): void;
}

export interface Vm {
    runtime: Runtime;
    greenFlag(): void;
    stopAll(): void;
    postIOData(device: string, data: object): void;
}
