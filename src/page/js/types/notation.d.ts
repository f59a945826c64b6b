/** The slice of the scratchblocks parser's model that we read; every node is described by one shape. */
export interface Node {
    isLabel?: boolean;
    isIcon?: boolean;
    isInput?: boolean;
    isBlock?: boolean;
    isScript?: boolean;
    isOutline?: boolean;
    isBoolean?: boolean;
    isReporter?: boolean;
    isCommand?: boolean;
    /** A menu, square or round. */
    hasArrow?: boolean;
    /** Of an input: `number`, `string`, `color`, `dropdown` … */
    shape: string;
    /** Words of a label, content of an input. */
    value: string;
    /** Name of an icon. */
    name: string;
    info: {
        id?: string;
        shape: string;
        category: string;
        categoryIsDefault: boolean;
        selector?: string;
        argument?: string;
    };
    children: Node[];
    /** Of a script. */
    blocks: Node[];
    comment?: {label: {value: string}} | null;
    /** Number of its line in the text of the project; ours. */
    line?: number;
    stringify(): string;
}

/** What we use of the parser's modules. */
export interface Notation {
    parse(text: string, options: {languages: string[]}): {scripts: Node[]};
    allLanguages: {
        en: {
            commands: Record<string, string>;
            aliases: Record<string, string>;
            blocksByHash: Record<string, {id: string; shape: string; category?: string; taught?: boolean}[]>;
        };
    };
    hashSpec(spec: string): string;
    minifyHash(hash: string): string;
}

/** A word or slot of a label, as `notation-catalogue.js` describes it. */
export interface Slot {
    field?: string;
    kind?: 'menu' | 'variable' | 'list' | 'broadcast' | 'value';
    /** The menu also takes names of the project's things. */
    open?: boolean;
    /** Fixed entries: label and value. */
    options?: [string, string][];
    input?: string;
    boolean?: boolean;
    shadow?: string;
    value?: string;
    statement?: string;
}

export interface Entry {
    shape: string;
    hash: string;
    palette: boolean;
    /** The parser does not know by itself that it has a mouth. */
    braces?: boolean;
    hint?: string;
    shadowed?: boolean;
    /** Whatever the project names like it goes before it. */
    yields?: boolean;
    parts: (string | Slot)[];
}

export interface Catalogue {
    extensions: string[];
    blocks: Record<string, Entry>;
    reserved: string[];
}

/** What Blockly's serializer loads. */
export interface State {
    type: string;
    id: string;
    x?: number;
    y?: number;
    extraState?: string;
    fields?: Record<string, unknown>;
    inputs?: Record<string, {block?: State; shadow?: State}>;
    next?: {block: State};
}

export interface Parameter {
    id: string;
    name?: string;
    boolean: boolean;
}

export interface Procedure {
    /** Where the ids of the script that defines it begin. */
    prefix?: string;
    proccode: string;
    parameters: Parameter[];
    hash?: string;
    warp: boolean;
    prototype?(id: string, refresh: boolean): MutatedState;
}

/** A block with a mutation, whose attributes are to be put into the built block once more. */
export type MutatedState = State & {mutation: Omit<Mutation, 'block'>};

export interface Scope {
    /** Ids by name. */
    variables: Record<string, string>;
    lists: Record<string, string>;
    /** The id of a message, which exists from then on. */
    broadcast(name: string): string;
    /** The id of some message. */
    anyBroadcast(): string;
    /** Notes that a message is sent or received on a line. */
    used(name: string, isReceived: boolean, line: number): void;
    /** Notes that a message is sent whose name a reporter makes. */
    sendsComputed(): void;
}

/** Names that menus can list. */
export interface Things {
    /** The sprite or stage whose scripts are read. */
    own: string;
    costumes: string[];
    sounds: string[];
    backdrops: string[];
    /** All but the stage. */
    sprites: string[];
    /** Variables of the sprite itself, or of the stage as `_stage_`; null where there is none of that name. */
    variablesOf(name: string): string[] | null;
}

export type Fail = (code: string, message: string, hint?: string) => never;

/** What is wrong, or looks wrong, on a line. */
export interface Fault {
    line: number;
    code: string;
    message: string;
    hint: string | null;
}

export interface FaultBook {
    faults: Fault[];
    warnings: Fault[];
    /** Ends the work that is being attempted. */
    fail: Fail;
    note(line: number, code: string, message: string, hint?: string): void;
    warn(line: number, code: string, message: string, hint?: string): void;
    /** Does some work; null if it failed, which is noted. */
    attempt<T>(line: number, work: () => T): T | null;
}

export interface MessageBook extends Pick<Scope, 'broadcast' | 'anyBroadcast' | 'used' | 'sendsComputed'> {
    /** Ids by name. */
    messages: Map<string, string>;
    /** Warns of messages without a sender or a receiver. */
    warn(book: FaultBook): void;
}

export interface World {
    catalogue: Catalogue;
    notation: Notation;
    scope: Scope;
    things: Things;
    procedures: Record<string, Procedure>;
    book: FaultBook;
}

export interface Literal {
    block: string;
    field: string;
    value: string;
}

/** What the mutation of a block must hold. */
export interface Mutation {
    block: string;
    attributes: Record<string, string>;
}

export interface Lowered {
    state: State;
    /** Notes that the editor did not take a block, by its id. */
    refuse(id: string, code: string, message: string, hint?: string): void;
    /** Why the editor may refuse a block, by its id; null where that is not known. */
    advice(id: string): {message: string; hint: string} | null;
    comments: {block: string; text: string}[];
    literals: Literal[];
    mutations: Mutation[];
}

/** A block with the place where it must end up. */
export interface Placed {
    id: string;
    type: string;
    /** The block that holds it. */
    parent: string | null;
    /** Where: an input, or `next`. */
    input: string | null;
}

export interface ScriptText {
    text: string;
    /** Numbers of its lines in the text of the project. */
    lines: number[];
    refresh: boolean;
    x: number;
    y: number;
}

export interface TargetScripts {
    /** The sprite's name. */
    name: string;
    /** Names of its costumes, in order. */
    costumes: string[];
    /** Names of its sounds, in order. */
    sounds: string[];
    /** As pairs: an object would lose `__proto__` on the way. */
    variables: [string, string][];
    lists: [string, string][];
    scripts: ScriptText[];
}
