"""The shapes of what goes over the wire, as `/openapi.json` describes them; a test compares the two."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

Mode = Literal["primitive", "composite"]
Button = Literal["left", "right", "middle"]
Direction = Literal["up", "down", "left", "right"]
Scope = Literal["sprite", "all"]
PictureFormat = Literal["png", "jpeg", "webp", "off"]
ElementsMode = Literal["full", "changed", "off"]
OcrMode = Literal["unexplained", "all", "off"]
Settle = Literal["quiet", "deadline", "skipped"]
Clock = Literal["virtual", "real"]
Outcome = Literal["passed", "failed", "limit", "agent_error", "provider_error", "infra_error", "judge_error"]
Gate = Literal["open", "paused", "held", "draining", "closed"]
CellState = Literal["wanted", "released", "running", "decided", "dead"]
ExperimentLimit = Literal["usd", "tokens", "wall", "in_flight", "rpm", "tpm"]
Representation = Literal["ir", "text", "raw"]
Stage = Literal[
    "unreadable",
    "unresolved",
    "conflict",
    "unsupported",
    "invalid",
    "unloadable",
    "hung",
    "console_error",
    "assertion_failed",
    "guard_failed",
    "passed",
]
PlacementKind = Literal["stack_before", "stack_after", "statement_into", "value_into", "wrap"]
ElementType = Literal[
    "canvas",
    "inputs",
    "sprites",
    "blocks",
    "flyout_buttons",
    "category_menu",
    "green_flag",
    "stop_button",
    "stage",
    "tabs",
    "buttons",
    "menu_items",
    "dialogs",
    "comments",
    "monitors",
    "text",
]


# The editor of today, or that of the published figures.
EditorGeneration = Literal["current", "reference"]


class Health(TypedDict):
    """The state of a server."""

    status: str
    version: str
    editor: EditorGeneration
    sessions: int
    limit: int
    browsers: int
    warm: int


class StepLimits(TypedDict):
    """Actions an agent may take, by how it acts."""

    composite: int
    primitive: int


class Limits(TypedDict):
    """How long a task may take: actions, seconds, and milliseconds of project time while it is judged."""

    steps: StepLimits
    wall_s: int
    case_ms: int
    task_ms: int


class TaskView(TypedDict):
    """What an agent may know of a task."""

    id: str
    category: Literal["create", "debug", "extend", "compute"]
    title: str
    instruction: str
    limits: Limits
    stage: Literal["large", "small"]


class LoadReport(TypedDict):
    """What loading a project showed."""

    targets: list[str]
    missing_assets: list[str]
    warnings: list[str]


class _SessionInfo(TypedDict):
    id: str
    created_at: float
    idle_s: float
    lease_s: float
    load: LoadReport


class SessionInfo(_SessionInfo, total=False):
    """A session as lists show it; `created_at` in seconds since 1970; `lease_s` without a call end it."""

    editor: EditorGeneration
    task: str | None
    instruction: str | None
    extended: bool
    report: bool


class Rect(TypedDict):
    """A bounding box in pixels of the viewport."""

    x: int
    y: int
    width: int
    height: int


class Element(TypedDict):
    """One interactive element or piece of text on the page; actions name its `index`."""

    index: int
    type: ElementType
    text: str
    position: Rect


class ElementChanges(TypedDict):
    """What is different from an earlier observation; all else is as it was, under the same index."""

    since: str
    added: list[Element]
    changed: list[Element]
    removed: list[int]


class Picture(TypedDict):
    """A picture's kind and place: its pixel (px, py) is the viewport's (left + px / scale, top + py / scale)."""

    media_type: str
    width: int
    height: int
    left: int
    top: int
    scale: float


class ListSize(TypedDict):
    """How much a list takes: rows listed, elements present, bytes as JSON."""

    listed: int
    present: int
    bytes: int


class Sizes(TypedDict):
    """How much each part of an observation of the page takes, in bytes."""

    picture_bytes: int
    elements: ListSize
    table_bytes: int


class TargetName(TypedDict):
    """A sprite or the Stage."""

    id: str
    name: str
    isStage: bool


class TargetSize(TargetName):
    """A sprite or the Stage, with how many blocks it has."""

    blocks: int


class _Named(TypedDict):
    name: str
    scope: Scope
    shown: bool


class Scoped(_Named, total=False):
    """A variable with the beginning of what it holds or a list with its length, and whether its monitor is shown."""

    value: str
    items: int


class CompositeSizes(TypedDict):
    """How much each part of an observation of the blocks takes."""

    blocks: int
    pseudocode_bytes: int
    text_bytes: int


class _CompositeObservation(TypedDict):
    id: str
    number: int
    target: TargetName
    variables: list[Scoped]
    lists: list[Scoped]
    broadcasts: list[str]
    targets: list[TargetSize]
    costumes: list[str]
    costume: str
    sounds: list[str]
    pseudocode: str
    text: str
    sizes: CompositeSizes


class CompositeObservation(_CompositeObservation, total=False):
    """What an agent in composite mode sees; `text` is all of it for a prompt, `screenshot` the stage if wanted."""

    screenshot: str
    picture: Picture


class Creation(TypedDict, total=False):
    """What some block types need besides their type; the names are those of docs/COMPOSITE.md."""

    variableName: str
    listName: str
    procedureName: str
    argumentNames: list[str]
    warp: bool
    argumentName: str


class _Placement(TypedDict):
    kind: PlacementKind


class Placement(_Placement, total=False):
    """Where the source of `connect_blocks` goes."""

    inputName: str


class _Edited(TypedDict, total=False):
    pseudocode: str


class Selected(_Edited):
    """The open target, with its blocks."""

    selected: str
    targetId: str


class CreatedVariable(TypedDict):
    """A variable or list; `created` is false when it was there already."""

    name: str
    id: str
    scope: Scope
    created: bool


class AddedVariable(_Edited):
    """What `add_variable` and `add_list` return."""

    created: CreatedVariable


class _AddedBlock(_Edited):
    blockId: str
    index: int
    connected: bool


class AddedBlock(_AddedBlock, total=False):
    """A new, loose block; `ignored` names what its type has no use for."""

    ignored: list[str]
    extension: str | None


class DisplacedBlock(TypedDict):
    """A reporter that had to leave its slot."""

    blockId: str
    index: int
    opcode: str


class _Connected(_Edited):
    connected: bool
    kind: PlacementKind
    sourceId: str
    targetId: str
    sourceIndex: int
    targetIndex: int


class Connected(_Connected, total=False):
    """What `connect_blocks` returns, with the new indexes."""

    inputName: str | None
    displaced: DisplacedBlock | None


class Detached(_Edited):
    """What `detach_blocks` returns, with the new index."""

    detached: bool
    blockId: str
    topId: str
    index: int


class FieldSet(_Edited):
    """What `set_block_field` returns."""

    updated: int
    blockIndex: int
    blockId: str
    fieldName: str
    value: str
    originalValue: str


class BlockInfo(TypedDict):
    """A block's id and type."""

    id: str
    opcode: str


class Deleted(_Edited):
    """What `delete_block` returns; `deletedBlocks` counts those below and inside too."""

    deleted: bool
    index: int
    blockId: str
    blockInfo: BlockInfo
    deletedBlocks: int


class _CatalogueInput(TypedDict):
    name: str
    type: str


class _AddedScript(_Edited):
    indexes: list[int]
    blocks: int
    connected: bool


class AddedScript(_AddedScript, total=False):
    """The new scripts: the index of the first block of each, and how many blocks were added."""

    messages: list[str]
    extensions: list[str]


class _Said(TypedDict):
    at: float
    sprite: str
    text: str


class Said(_Said, total=False):
    """Something said, so many seconds after the green flag."""

    thought: bool


class Shown(TypedDict):
    """A variable or the like that is shown on the stage."""

    label: str
    value: str


class _Run(TypedDict):
    seconds: float
    running: bool
    said: list[Said]
    monitors: list[Shown]
    screenshot: str
    picture: Picture


class Run(_Run, total=False):
    """What happened since the green flag; `screenshot` is the stage as a PNG in base64."""

    asks: str


class Stopped(TypedDict):
    """How many scripts were running."""

    stopped: int


class _Met(TypedDict):
    type: str


class Met(_Met, total=False):
    """Something on the page as the list of elements names it; `none` for nothing, `contains` of a field."""

    text: str
    contains: str


class _Dragged(TypedDict):
    hit: Met
    dropped_on: Met


class Dragged(_Dragged, total=False):
    """What a drag did with a block: `now` is `connected`, `loose` or `deleted`."""

    grabbed: str
    now: str
    parent: str
    slot: str
    next: str


class Scrolled(TypedDict):
    """What scrolled, by how many pixels; `none` for nothing."""

    what: str
    right: float
    down: float


class ProgramChanges(TypedDict, total=False):
    """What is different in the program, in the words of the pseudocode."""

    added: list[str]
    removed: list[str]
    moved: list[str]
    changed: list[str]
    renumbered: list[str]
    elsewhere: list[str]


class Report(TypedDict, total=False):
    """What an action met and changed; `program_changed` is None where nothing is different."""

    hit: Met
    focus: Met
    typed_into: Met
    drag: Dragged
    scrolled: Scrolled
    opened: str
    program_changed: ProgramChanges | None


class CatalogueInput(_CatalogueInput, total=False):
    """A slot of a block type."""

    default: str | None
    choices: list[str] | None


class _CatalogueField(TypedDict):
    name: str


class CatalogueField(_CatalogueField, total=False):
    """A field of a block type."""

    default: str | None
    choices: list[str] | None


class CatalogueBlock(TypedDict):
    """One block type."""

    opcode: str
    shape: Literal["hat", "stack", "c", "cap", "reporter", "boolean", "definition"]
    inputs: list[CatalogueInput]
    fields: list[CatalogueField]
    creation: list[str]


class CatalogueCategory(TypedDict):
    """One category of the palette."""

    id: str
    name: str
    blocks: list[CatalogueBlock]


class Catalogue(TypedDict):
    """The blocks that `add_block` can make for the open target."""

    target: str
    isStage: bool
    categories: list[CatalogueCategory]


class _CaseResult(TypedDict):
    name: str
    passed: bool


class CaseResult(_CaseResult, total=False):
    """One unit test of an evaluation script; `duration_ms` is project time."""

    timeout: bool | None
    duration_ms: float | None
    error: str | None
    meta: object


class ClockParameters(TypedDict):
    """What virtual time depends on, in milliseconds."""

    tick_ms: float
    epsilon_ms: float
    epoch_ms: float


class Hashes(TypedDict):
    """What a verdict depends on."""

    project: str
    script: str
    editor: str
    browser: str


class _Verdict(TypedDict):
    task: str
    outcome: Outcome
    passed_tests: int
    total_tests: int
    details: list[CaseResult]
    seed: int
    clock: Clock
    hashes: Hashes


class Verdict(_Verdict, total=False):
    """The result of judging one project for one task."""

    error: str | None
    warnings: list[str]
    console: list[str]
    clock_parameters: ClockParameters | None
    project_ms: float | None
    trace_hash: str | None


class Timing(TypedDict):
    """Where an action's time went, in milliseconds, and why the wait after it ended."""

    action_ms: float
    settle_ms: float
    settle: Settle


class Budget(TypedDict, total=False):
    """What an experiment may spend as a whole; None where there is no limit."""

    micro_usd: int | None
    tokens: int | None
    wall_ms: int | None


class Spent(TypedDict):
    """What an experiment has spent, attempts that do not count included."""

    micro_usd: int
    tokens: int
    unpriced: int


class Counts(TypedDict):
    """Cells by state."""

    wanted: int
    released: int
    running: int
    decided: int
    dead: int


class _ArmStatus(TypedDict):
    id: str
    label: str
    lane: str
    state: Gate
    cells: Counts


class ArmStatus(_ArmStatus, total=False):
    """An arm at a glance."""

    why: str | None


class _ExperimentStatus(TypedDict):
    id: str
    name: str
    state: Gate
    budget: Budget
    age_ms: int
    spent: Spent
    cells: Counts
    reused: int
    arms: list[ArmStatus]
    failures: list[tuple[str, int]]


class ExperimentStatus(_ExperimentStatus, total=False):
    """An experiment at a glance."""

    why: str | None


class _LaneStatus(TypedDict):
    name: str
    in_flight: int
    limit: int
    busy: int
    state: Gate
    closed_ms: int
    failures: int


class LaneStatus(_LaneStatus, total=False):
    """A lane at a glance."""

    rpm: int | None
    tpm: int | None
    why: str | None


class _WorkerRow(TypedDict):
    id: str
    host: str
    build: str
    slots: int
    state: Gate
    silent_ms: int
    running: int


class WorkerRow(_WorkerRow, total=False):
    """Somebody who works on cells of the ledger."""

    why: str | None


class ExperimentOrder(TypedDict):
    """An order as it was noted; `at` is in milliseconds since 1970."""

    seq: int
    at: int
    who: str
    what: Any


class ExperimentDetails(TypedDict):
    """How far an experiment is, and what was done about it."""

    status: ExperimentStatus
    lanes: list[LaneStatus]
    workers: list[WorkerRow]
    orders: list[ExperimentOrder]
    may_order: bool


class NamedArm(TypedDict):
    """An arm by its name."""

    id: str
    label: str


class _ExperimentCell(TypedDict):
    id: str
    arm: int
    item: int
    epoch: int
    state: CellState
    tries: int
    infra: int
    provider: int


class ExperimentCell(_ExperimentCell, total=False):
    """One item, for one arm, in one epoch; `arm` and `item` are places in the lists of `CellList`."""

    outcome: str | None
    passed: int | None
    total: int | None
    code: str | None
    run: str | None
    attempt: str | None


class CellList(TypedDict):
    """The cells of an experiment, in the order of its plan."""

    arms: list[NamedArm]
    items: list[str]
    epochs: int
    cells: list[ExperimentCell]
    cursor: str


class CurvePoint(TypedDict):
    """What there was at a time: all of it since the experiment was entered."""

    at_ms: int
    micro_usd: int
    tokens: int
    decided: int
    passed: int


class _PlannedArm(TypedDict):
    label: str
    lane: str
    items: int
    cells: int
    is_stream: bool


class PlannedArm(_PlannedArm, total=False):
    """An arm before it is begun."""

    model: str | None
    most_micro_usd_per_attempt: int | None


class PlannedExperiment(TypedDict):
    """What the file of an experiment asks for."""

    name: str
    arms: list[PlannedArm]
    cells: int
    reused: dict[str, int | None]
    unpriced: list[str]


class ExperimentLinks(TypedDict):
    """Where an experiment is found on its server."""

    status: str
    cells: str
    curves: str
    events: str
    orders: str
    page: str


class CreatedExperiment(TypedDict):
    """An experiment that was created."""

    id: str
    links: ExperimentLinks
    plan: PlannedExperiment


class BugList(TypedDict):
    """The instances of a benchmark of faults."""

    benchmark: str
    version: str
    instances: list[str]


class BugReport(TypedDict):
    """What is told of a fault: what is seen, what should be, and the inputs that lead there."""

    symptom: str
    expected: str
    reproduce: list[str]


class BugView(TypedDict):
    """An instance as whoever mends it may see it."""

    instance: str
    report: BugReport
    project: str


class _Handed(TypedDict):
    instance: str
    applied: bool


class HandedIn(_Handed, total=False):
    """What became of a patch. `repair` is there for those who get verdicts."""

    stage: Stage
    message: str
    repair: dict[str, Any]
    not_told: str
