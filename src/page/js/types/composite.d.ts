/** What a slot's default block or a block's own dropdown holds and offers. */
export interface FieldView {
    name: string;
    /** The stored value; the name for variables, lists and messages. */
    value: string;
    /** Key under which the choices are shown, such as `styleOptions`. */
    choicesKey: string;
    /** Labels that can be chosen, commands of the menu left out; null when any value can be typed. */
    choices: string[] | null;
}

/** A slot of a block. */
export interface InputView {
    name: string;
    kind: 'value' | 'statement';
    /** The blocks in a statement slot, or the one reporter in a value slot; empty when there is none. */
    blocks: BlockView[];
    /** The slot's default block; null in a boolean slot, a statement slot or under a reporter. */
    shadow: {opcode: string; field: FieldView | null} | null;
}

/** A block as an agent sees it; the blocks below it are its neighbours in the list it is part of. */
export interface BlockView {
    id: string;
    opcode: string;
    fields: FieldView[];
    inputs: InputView[];
    comment: string | null;
    procedure: ProcedureView | null;
}

/** A block that the project makes itself. */
export interface ProcedureView {
    /** Its words, with %s and %b where arguments go. */
    proccode: string;
    argumentIds: string[];
    argumentNames: string[];
    warp: boolean;
}

/** All scripts of the editing target. */
export interface WorkspaceView {
    scripts: BlockView[][];
    /** Texts of the comments that belong to no block. */
    comments: string[];
}

/** Which block each index stands for: index 1 is the first. */
export interface Numbering {
    /** VM id of the editing target. */
    target: string;
    /** Block ids in the order of their indexes. */
    blocks: string[];
}

/** What every edit takes besides its own arguments. */
export interface EditArgs {
    /** The numbering that the caller's indexes refer to; absent before the first call of a session. */
    numbering?: Numbering | null;
}

/** What every edit gives back. */
export interface Edited {
    /** The action's own answer. */
    data: Record<string, unknown>;
    /** The numbering after the edit. */
    numbering: Numbering;
    /** The blocks after the edit, numbered. */
    pseudocode: string;
}

/** A variable, list or message as the observation lists it. */
export interface Scoped {
    name: string;
    /** `sprite`: the editing target's own; `all`: shared by all targets. */
    scope: 'sprite' | 'all';
    /** Of a variable: what it holds now, as text, shortened. */
    value?: string;
    /** Of a list: how many items it has now. */
    items?: number;
    /** Whether its monitor is on the stage. */
    shown: boolean;
}

/** A sprite or the Stage, with how much program it has. */
export interface TargetSize {
    id: string;
    name: string;
    isStage: boolean;
    /** Blocks that a numbering of it would count. */
    blocks: number;
}

/** The composite observation (paper, appendix F). */
export interface CompositeObservation {
    target: {id: string; name: string; isStage: boolean};
    variables: Scoped[];
    lists: Scoped[];
    broadcasts: string[];
    targets: TargetSize[];
    /** Names of the editing target's costumes (the Stage's: backdrops), in order. */
    costumes: string[];
    /** The costume that it wears. */
    costume: string;
    /** Names of its sounds, in order. */
    sounds: string[];
    pseudocode: string;
    numbering: Numbering;
    /** What the dropdowns of the blocks offer, a line each. */
    choices: string[];
    /** The whole observation as text. */
    text: string;
}

/** Where connect_blocks puts its source. */
export interface Placement {
    kind: 'stack_before' | 'stack_after' | 'statement_into' | 'value_into' | 'wrap';
    inputName?: string | null;
}

/** What add_block needs to know besides the block's type. */
export interface Creation {
    variableName?: string | null;
    listName?: string | null;
    procedureName?: string | null;
    argumentNames?: string[] | null;
    warp?: boolean | null;
    argumentName?: string | null;
}

/** One entry of the block catalogue. */
export interface CatalogueBlock {
    opcode: string;
    shape: 'hat' | 'stack' | 'c' | 'cap' | 'reporter' | 'boolean' | 'definition';
    inputs: {name: string; type: string; default: string | null; choices: string[] | null}[];
    fields: {name: string; default: string | null; choices: string[] | null}[];
    /** Keys of add_block's `creation` that this block needs. */
    creation: string[];
}

export interface CatalogueCategory {
    id: string;
    name: string;
    blocks: CatalogueBlock[];
}
