/** What the server says of experiments, as far as the page uses it. `/openapi.json` has it in full. */
export type Gate = 'open' | 'paused' | 'held' | 'draining' | 'closed';
export type CellState = 'wanted' | 'released' | 'running' | 'decided' | 'dead';

/** Cells by state. */
export type Counts = Record<CellState, number>;

export interface ArmStatus {
    id: string;
    label: string;
    lane: string;
    state: Gate;
    why: string | null;
    cells: Counts;
}

export interface Status {
    id: string;
    name: string;
    state: Gate;
    why: string | null;
    budget: {micro_usd: number | null; tokens: number | null; wall_ms: number | null};
    age_ms: number;
    spent: {micro_usd: number; tokens: number; unpriced: number};
    cells: Counts;
    arms: ArmStatus[];
    failures: [string, number][];
}

export interface Lane {
    name: string;
    /** Attempts at a time, as configured, and as many as may run now. */
    in_flight: number;
    limit: number;
    busy: number;
    rpm: number | null;
    tpm: number | null;
    state: Gate;
    why: string | null;
    closed_ms: number;
    failures: number;
}

export interface Worker {
    id: string;
    host: string;
    build: string;
    slots: number;
    state: Gate;
    silent_ms: number;
    running: number;
    why: string | null;
}

export interface Order {
    seq: number;
    /** Milliseconds since 1970. */
    at: number;
    who: string;
    what: any;
}

export interface Experiment {
    status: Status;
    lanes: Lane[];
    workers: Worker[];
    orders: Order[];
    may_order: boolean;
}

/** One item, for one arm, in one epoch; `arm` and `item` are places in the lists beside the cells. */
export interface Cell {
    id: string;
    arm: number;
    item: number;
    epoch: number;
    state: CellState;
    tries: number;
    infra: number;
    provider: number;
    outcome: string | null;
    passed: number | null;
    total: number | null;
    /** Of the newest attempt that failed without counting. */
    code: string | null;
    run: string | null;
    attempt: string | null;
}

export interface CellList {
    arms: {id: string; label: string}[];
    items: string[];
    epochs: number;
    cells: Cell[];
    cursor: string;
}

/** What there was at a time: all of it since the experiment was entered. */
export interface CurvePoint {
    at_ms: number;
    micro_usd: number;
    tokens: number;
    decided: number;
    passed: number;
}

/** An order as the server takes it. */
export type Command =
    | {order: 'pause' | 'hold' | 'resume' | 'drain'; arm?: string; lane?: string; why?: string}
    | {order: 'set'; limit: 'usd' | 'tokens' | 'wall' | 'in_flight' | 'rpm' | 'tpm'; lane?: string; value: number | null}
    | {order: 'requeue'; cells?: string[]; code?: string; void?: string; reason?: string};

/** Gives an order; throws what the server has against it. */
export type Give = (command: Command) => Promise<void>;
