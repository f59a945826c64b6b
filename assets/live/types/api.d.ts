/** The parts of the server's replies that the page uses. `/openapi.json` has them in full. */
export interface Session {
    id: string;
    task: string | null;
    created_at: number;
    idle_s: number;
}

export interface ListedSession {
    session: Session;
    calls: number;
    busy: boolean;
}

export interface Task {
    id: string;
    category: string;
    title: string;
    instruction: string;
}

export interface Point {
    x: number;
    y: number;
}

export interface Rect extends Point {
    width: number;
    height: number;
}

export interface Element {
    index: number;
    type: string;
    text: string;
    position: Rect;
}

export interface Watched extends ListedSession {
    version: number;
    taken_at: number;
    picture: string;
    pointer: Point | null;
    running: boolean;
    editing_target: string;
    program: string;
    elements?: Element[];
}

export interface NamedValue {
    name: string;
    value: any;
}

export interface Target {
    name: string;
    is_stage: boolean;
    scripts: string[];
    variables: NamedValue[];
    lists: NamedValue[];
}

export interface Program {
    targets: Target[];
}

export interface Run {
    id: string;
    /** Null for the attempts of agents from outside as long as there are none. */
    started_at: number | null;
    version: string | null;
    agent: string;
    /** Null for the attempts of agents from outside, each of which has its own. */
    mode: string | null;
    tasks: string[];
    notes?: string[];
}

export interface Attempt {
    task: string;
    category: string | null;
    mode: string | null;
    attempt: number;
    /** Null while nothing was judged. */
    outcome: string | null;
    ending: string;
    lives: boolean;
    steps: number;
    passed_tests: number;
    total_tests: number;
    acting_s: number;
    began_at: number | null;
    caller: string | null;
    error?: string;
}

export interface Verdict {
    outcome: string;
    passed_tests: number;
    total_tests: number;
    details: {name: string; passed: boolean; error?: string; duration_ms?: number}[];
    error?: string;
}

export interface Call {
    step: number;
    at_s: number;
    /** `note` is why, in the agent's own words. */
    call: {api: string; args: Record<string, any>; note?: string};
    reply: {
        success: boolean;
        executed_action: {api: string; args: Record<string, any>};
        data: any;
        error: {code: string; message: string; hint?: string} | null;
        timing: {action_ms: number; settle_ms: number; settle: string};
    };
    picture: boolean;
    reasoning?: string;
}

export interface AttemptDetails {
    record: Attempt;
    instruction: string | null;
    verdict: Verdict | null;
    calls: Call[];
    has_program: boolean;
    may_judge: boolean;
}

/** A text of a model, as far as it is shown. */
export interface ShownText {
    text: string;
    left_out: number;
}

/** A request to an attempt's model, and what came of it. */
export interface Turn {
    turn: number;
    step: number;
    seconds: number;
    answer: ShownText | null;
    reasoning: ShownText | null;
    error: string | null;
    is_cut: boolean;
    is_filtered: boolean;
    call: {api: string; args: Record<string, any>} | null;
    fault: string | null;
    model: string | null;
    tokens: {input_tokens: number; output_tokens: number; cached_tokens: number; cache_written_tokens: number; reasoning_tokens: number} | null;
    tries: number;
    waited_s: number;
    micro_usd: number | null;
    messages: number;
}

export interface TurnMessage {
    role: string;
    text: ShownText;
    reasoning: ShownText | null;
    picture: boolean;
}

/** Where the viewer of an attempt has it from. */
export interface AttemptSource {
    details: AttemptDetails;
    picture: (call: number) => Promise<Blob>;
    program: () => Promise<Program>;
    /** The turns of its model; none for agents that ask none. */
    turns: () => Promise<Turn[]>;
    /** Messages of a turn; null where they are not to be had. */
    messages: ((turn: number) => Promise<TurnMessage[]>) | null;
    crumbs: HTMLElement | null;
    tools: HTMLElement[];
}

/** What a file with one attempt holds. */
export interface ReplayData {
    details: AttemptDetails;
    program: Program | null;
    turns: Turn[];
    files: {type: string; base64: string}[];
    of_calls: (number | null)[];
    left_out: number;
    width: number;
    version: string;
}

/** An event of a session's log; fields other than these depend on `kind`. */
export interface LogEvent {
    seq: number;
    at_ms: number;
    kind: string;
    request?: number;
    [field: string]: any;
}

/** What a view gives the frame around it. */
export interface View {
    /** Names the view in the window's title and for screen readers. */
    title: string;
    root: HTMLElement;
    /** Ends whatever the view started. */
    stop?: () => void;
    /** Takes a key that nothing focused wanted; true when it did something with it. */
    key?: (key: string) => boolean;
}
