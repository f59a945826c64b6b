//! Every code that a caller can meet, with its cause and its cure: docs/CODES.md is made from this table, and a test holds it
//! against the code of the rooms that answer callers.

use std::fmt::Write as _;

use super::coded::Blame;

/// A stable name of a situation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// The name, as `code` has it.
    pub code: &'static str,
    /// Whose error it is: the caller's, or the testbed's and its operator's, which no score counts.
    pub blame: Blame,
    /// Whether it voids the attempt of an agent that meets it. What the agent's own calls, queue or project can bring
    /// about does not: it would be a way out of an attempt that fails.
    pub voids: bool,
    pub cause: &'static str,
    pub cure: &'static str,
}

const fn mine(code: &'static str, cause: &'static str, cure: &'static str) -> Code {
    Code { code, blame: Blame::Caller, voids: false, cause, cure }
}

const fn ours(code: &'static str, cause: &'static str, cure: &'static str) -> Code {
    Code { code, blame: Blame::Testbed, voids: false, cause, cure }
}

/// What the testbed can show to be its own doing alone.
const fn voiding(code: &'static str, cause: &'static str, cure: &'static str) -> Code {
    Code { voids: true, ..ours(code, cause, cure) }
}

/// Whether an error of this code voids the attempt of an agent that meets it, over whatever transport.
pub fn voids(code: &str) -> bool {
    CODES.iter().flat_map(|(_, codes)| *codes).any(|known| known.code == code && known.voids)
}

/// Codes of actions in both modes.
pub const ACTIONS: &[Code] = &[
    mine(
        "invalid_arguments",
        "an argument is missing, unknown, or of the wrong type or range",
        "the message names it and shows an example",
    ),
    mine(
        "not_in_this_editor",
        "the session shows the reference editor, in which this does not work",
        "act by pixels on the screenshot, or take the current editor",
    ),
    mine(
        "not_drawn",
        "the reference editor can't draw a block of the open sprite, and leaves others out with it",
        "take the current editor for this project",
    ),
    mine("unknown_action", "the mode has no action of this name", "take one that the hint lists"),
    mine(
        "unknown_observation",
        "`observation` names none that this session made",
        "take the `id` of an observation, or leave it out",
    ),
    mine("observation_outdated", "a newer observation or edit has taken the named one's place", "decide on the newest"),
    mine("unknown_index", "the last observation has no such index", "observe, and take an index from the list"),
    mine(
        "stale_index",
        "what had this index has moved, changed or gone since it was seen",
        "observe again; the message says what is there now",
    ),
    mine(
        "limit_reached",
        "the attempt has used up its steps or its time",
        "hand it in or reset the session; a program in a run can only end",
    ),
    mine(
        "attempt_ended",
        "the attempt is done, given up or handed in",
        "begin another, or reset the session; a program in a run can only end",
    ),
    ours("page_lost", "the session's page is gone; its project comes back in a new page", "observe and go on"),
    voiding(
        "browser_lost",
        "the browser with the session's page is gone; its project comes back in a new page",
        "observe and go on",
    ),
    ours(
        "page_error",
        "the browser did not answer, or answered nonsense",
        "call again; on a busy machine use fewer sessions",
    ),
    ours("page_timeout", "the page did not answer in time", "observe and call again"),
    ours("editor_not_ready", "no sprite is open in the editor", "reset the session"),
    ours("out_of_step", "an edit did not reach the program", "observe again before going on"),
    ours(
        "project_too_large",
        "the project has grown past what a session may hold",
        "the program made it so: change the program, or reset",
    ),
];

/// Codes of mouse, keyboard and looking.
pub const PRIMITIVE: &[Code] = &[
    mine(
        "outside_viewport",
        "a point or a region lies outside 1280 x 720",
        "take coordinates within the viewport, at any picture size",
    ),
    mine("unknown_key", "no key has this name", "take a name that the hint lists"),
    mine(
        "key_not_allowed",
        "the key belongs to the browser and not to the editor",
        "do the same with the editor's buttons",
    ),
    mine("text_too_long", "more than 300 characters were to be typed", "type it in parts"),
    ours("ocr_failed", "the text in the picture could not be read", "look with `ocr` `off`"),
    ours("picture_unreadable", "the screenshot could not be read", "look again"),
];

/// Codes of block operations.
pub const COMPOSITE: &[Code] = &[
    mine("unknown_block_type", "the editor has no such block", "`block_catalogue` lists them"),
    mine("block_unavailable", "the open target has no such block", "select a sprite; the Stage has no motion blocks"),
    mine("unknown_extension", "no extension of this name can be loaded", "take one that the hint lists"),
    mine("missing_argument", "the block or placement needs an argument that is not there", "the message names it"),
    mine("invalid_argument", "an argument does not go with the others", "the message says why"),
    mine("unknown_argument", "the definition has no such argument", "take a name of the definition's"),
    mine(
        "argument_mismatch",
        "the arguments are not those that the block's label has room for",
        "give one for each `%s` and `%b`",
    ),
    mine("unknown_procedure", "the target defines no such block", "define it first"),
    mine(
        "duplicate_definition",
        "the target defines this block already",
        "change its definition, or take another name",
    ),
    mine("definition_in_use", "calls of this block are still there", "delete the calls first"),
    mine("connection_mismatch", "the two blocks have no shapes that fit this way", "the hint says what fits"),
    mine(
        "connection_refused",
        "the editor does not connect these blocks",
        "choose another place; a loop into itself is not possible",
    ),
    mine("unknown_input", "the block has no such input", "take one that the hint lists"),
    mine("not_attached", "the block is connected to nothing", "nothing needs to be detached"),
    mine("unknown_field", "the block has no such field or value slot", "take one that the hint lists"),
    mine("not_a_field", "this input takes blocks, and no value", "connect a block to it"),
    mine("slot_holds_reporter", "the slot holds a reporter", "detach or delete the reporter first"),
    mine("invalid_choice", "the dropdown offers no such choice", "take one that the hint lists"),
    mine(
        "menu_command",
        "this entry of the dropdown is a command and no value",
        "use the action for it, such as add_variable",
    ),
    mine("invalid_value", "the field does not hold such a value", "the message shows what it made of it"),
    mine("invalid_name", "a variable, list or block can't have this name", "take a name with visible characters"),
    mine("name_taken", "the name is used already", "take another, or use the one that there is"),
    mine("scope_unavailable", "the Stage has no variables of its own", "use the scope `all`"),
    mine("unknown_sprite", "no sprite has this name", "take one that the observation lists"),
];

/// Codes of extended sessions, and of scripts in notation.
pub const EXTENDED: &[Code] = &[
    mine("not_extended", "only extended sessions have this action or option", "do without it"),
    mine("bad_script", "the text is empty, or reads as more or fewer scripts than it should", "check each `end`"),
    mine("bad_line", "a remark stands alone", "put it at the end of a block's line"),
    mine(
        "bad_slot",
        "a block's words are known, and what is written in its slots does not fit",
        "the hint has the label",
    ),
    mine(
        "bad_colour",
        "a colour is written otherwise than Scratch loads it",
        "write # and six digits or letters from a to f, as in [#00a651]",
    ),
    mine("bad_choice", "a dropdown of the block does not offer what is written", "the hint has the nearest choice"),
    mine("missing_end", "a block with a mouth is never closed", "write `end` after what is in it"),
    mine("stray_end", "an `end` or `else` belongs to no open block", "take it out"),
    mine("unclosed_bracket", "a bracket is not closed", "write \\ before one that is meant as it is"),
    mine("unknown_block", "no block of the editor or of the target has these words", "check the spelling"),
    mine("unknown_opcode", "the line names no block of the editor", "`block_catalogue` lists them"),
    mine("unknown_reporter", "no reporter, variable, list or parameter has this name", "make the variable first"),
    mine("block_dropped", "the editor did not take a block", "write it otherwise"),
    mine(
        "block_refused",
        "the editor does not let a block into its place",
        "a slot may hold a block of the wrong kind",
    ),
    ours("extension_not_loaded", "an extension's blocks did not become known in time", "call again"),
    ours("stage_not_shown", "the editor shows no stage", "leave full screen, or reset the session"),
    ours("not_watched", "a report was asked for and the action had not been watched", "call again"),
];

/// Codes of sessions, files and the way there.
pub const TRANSPORT: &[Code] = &[
    mine("malformed_json", "the body is no JSON", "send what the API description shows"),
    mine("invalid_body", "the body has an unknown, missing or wrong field", "the message names it"),
    mine("bad_query", "the query has an unknown or wrong field", "the message names it"),
    mine("bad_request", "the request can't be understood", "see the API description"),
    mine("bad_utf8", "an address or a body is no UTF-8", "encode it as UTF-8"),
    mine("body_too_large", "JSON over 2 MiB, or a project file over 64 MiB", "send less"),
    mine("body_too_slow", "the body did not come in time", "send it without pauses"),
    mine("body_unreadable", "the body broke off", "send it again"),
    mine("unsupported_media_type", "the body is of another type than the route takes", "set `Content-Type`"),
    mine("not_found", "there is no such route", "`GET /openapi.json` has them all"),
    mine("method_not_allowed", "the route has no such method", "`Allow` lists those it has"),
    mine("token_required", "the call carries no token that this server admits", "send `Authorization: Bearer TOKEN`"),
    mine("judge_token_required", "the call needs a researcher's token", "only researchers see this"),
    mine("judging_not_offered", "this server gives no verdicts", "hand the project in; a researcher judges it"),
    mine("no_benchmark", "this server has no benchmark of faults", "ask its operator to start it with --bench"),
    mine("explanation_too_long", "the explanation of a patch has over 8 KiB", "say it in a sentence"),
    mine("patch_too_long", "a patch with its explanation has over 64 KiB", "change less: a patch is a few edits"),
    mine("runs_not_offered", "this server shows finished runs to researchers alone", "ask its operator"),
    mine("host_not_allowed", "the request came by a name that is not the server's", "use the address that it printed"),
    mine("cross_origin", "the request came from a page of another origin", "call from a program"),
    mine("rate_limited", "too many requests a second with this token", "wait as `Retry-After` says"),
    mine("too_many_bytes", "too many large bodies are being read", "wait as `Retry-After` says"),
    mine("unknown_session", "no session of this name lives, or it belongs to someone else", "create one"),
    mine(
        "session_expired",
        "the session was not called for as long as its lease",
        "create a new one; keep-alive keeps one that waits",
    ),
    mine("session_ended", "the session ended while the call waited", "create a new one"),
    mine("not_your_session", "someone else created the session", "only its creator and administrators end it"),
    mine(
        "one_session_only",
        "this token opens one session and makes no others",
        "work in the session that you were given",
    ),
    mine(
        "mode_not_allowed",
        "this token is for an attempt in the other mode",
        "use the addresses or tools of the attempt's own mode",
    ),
    mine(
        "not_in_attempt",
        "this token is for the actions and observations of one attempt",
        "observe and act in the session that you were given",
    ),
    mine("token_ended", "the attempt that the token was made for is over", "stop: nothing counts any more"),
    mine("too_many_sessions", "all places are taken", "delete a session, or wait"),
    mine(
        "too_many_of_your_sessions",
        "you have as many sessions as one caller may have",
        "delete one of your sessions",
    ),
    mine("busy", "too many calls wait already", "wait as `Retry-After` says"),
    mine(
        "session_busy",
        "nothing was done: for 60 s the session was busy with earlier calls, or with a new page for one that it had lost",
        "wait for each answer before the next call",
    ),
    mine(
        "too_many_streams",
        "you keep as many streams, or calls that wait for news, open as one caller may",
        "close one; a stream tells all who read it the same",
    ),
    mine("log_full", "the session's log is as large as one may be", "end the session, and create another"),
    mine("unknown_task", "no task has this name", "`GET /tasks` or `list_tasks` lists them"),
    mine("unknown_image", "the session's log has no such picture", "take one that an event names"),
    mine("attempt_goes_on", "the session goes on, so what it leaves can't be judged", "end it first"),
    mine("no_runs", "no run is kept here", "`scratchbed run` makes one"),
    mine(
        "no_ledger",
        "the server has no ledger, so it shows no experiments",
        "start it with --ledger FILE, or begin an experiment",
    ),
    mine(
        "invalid_order",
        "an order to an experiment contradicts itself or lacks a part",
        "send what the message asks for",
    ),
    mine(
        "experiments_not_hosted",
        "this server runs no experiments of callers",
        "its operator starts it with --experiments N",
    ),
    mine(
        "experiment_exists",
        "there is an experiment of this name already",
        "give the file another name; orders make one go on",
    ),
    mine(
        "repairs_not_hosted",
        "this server makes no repairs for callers",
        "its operator starts it with --repairs N --benches FOLDER",
    ),
    mine("unknown_benchmark", "the server offers no benchmark of this name", "GET /repairs lists what it offers"),
    mine("unknown_case", "the benchmark has no case of this name", "GET /repairs lists what it offers"),
    mine("unknown_model", "the server offers no model of this name", "GET /repairs lists what it offers"),
    mine("name_required", "a name was left out, and the server offers several", "GET /repairs lists what it offers"),
    mine(
        "model_not_asked",
        "a model is named for an agent that asks none",
        "leave it out, or ask for the agent `model`",
    ),
    mine("bad_repair", "a limit of the repair is out of range", "send what the message asks for"),
    mine("unknown_repair", "there is no repair of this name", "GET /repairs lists them"),
    mine("repair_over", "the repair is over", "nothing: GET /repairs/{id} has what became of it"),
    mine("too_many_repairs", "as many repairs go on as may at a time", "wait until one is over, or end one"),
    mine("too_many_experiments", "as many experiments run as may at a time", "wait until one is over, or drain one"),
    mine(
        "session_required",
        "the call does not say which session it is for (MCP)",
        "pass `session` as `start_task` returned it",
    ),
    mine(
        "connection_not_kept",
        "the connection has no mode to switch (MCP)",
        "connect to one mode's address, or over stdio",
    ),
    mine("no_task", "the session is no attempt at a task (MCP)", "begin with `start_task` and a task"),
    mine("load_failed", "the editor could not load the project", "the session keeps the project it had"),
    mine("not_a_project", "the file is no Scratch 3 project", "send an .sb3 file"),
    mine("broken_archive", "the file is no readable zip archive", "save the project again"),
    mine("archive_too_large", "the archive holds more than a project may", "see the limits in SECURITY.md"),
    mine(
        "bad_entry_name",
        "an entry of the archive has a name that leads elsewhere, or one twice",
        "save the project again",
    ),
    mine("no_project_json", "the archive has no project.json", "save the project again"),
    mine("bad_project_json", "project.json is not as Scratch writes it", "the message says where"),
    mine("project_invalid", "what is to be judged is no project", "send an .sb3 file"),
    mine("project_unloadable", "what is to be judged can't be loaded", "open it in the editor"),
    ours("archive_not_written", "the project could not be packed", "call again"),
    ours("deadline_exceeded", "the call took longer than it may and was broken off", "observe before the next one"),
    voiding(
        "not_in_time",
        "nothing was done: no turn or no page within 60 s",
        "call again; use fewer sessions if that lasts",
    ),
    voiding("page_not_recovered", "the page is gone and no new one could be had", "the next call tries again"),
    voiding("log_broken", "the session's log can't be written, and is to be kept", "the operator must make room"),
    voiding("log_unwritable", "the session's log can't be kept", "the operator must make room"),
    voiding("disk_full", "the disk for logs is full", "the operator must make room"),
    voiding("shutting_down", "the testbed is ending", "wait for it to come back"),
    ours(
        "internal_error",
        "something is wrong with the testbed",
        "its log has the cause under the reply's `x-request-id`",
    ),
    voiding("no_editor", "the editor's page is not there", "`scratchbed setup` fetches it"),
    voiding("task_not_built", "the task's project can't be built", "try again, or take another task"),
    ours(
        "experiment_not_begun",
        "the experiment could not be begun, and nothing of it is entered",
        "its operator finds the cause in the log and in the experiment's host.log",
    ),
    ours("repair_not_begun", "the repair could not be begun", "try again; its operator finds the cause in the log"),
    voiding("not_judged", "the project could not be judged", "submit again"),
];

/// All tables with their headings.
pub const CODES: [(&str, &[Code]); 5] = [
    ("Actions in both modes", ACTIONS),
    ("Mouse, keyboard and looking", PRIMITIVE),
    ("Block operations", COMPOSITE),
    ("Scripts as text, and extended sessions", EXTENDED),
    ("Sessions, files and transports", TRANSPORT),
];

pub fn table() -> String {
    let mut out = "# Codes\n\nWhat goes wrong has a stable `code`, over HTTP, over MCP and in the replies to actions. Those marked *testbed* are its \
        own trouble (`\"infrastructure\": true`) and never scored as an agent's mistake. Those marked *voids* are its own doing alone: an attempt \
        in a run that meets one, and does not end itself all the same, does not count. This page is made by `make gen`.\n"
        .to_owned();
    for (heading, codes) in CODES {
        // Writing to a String can't fail.
        let _ = writeln!(out, "\n## {heading}\n\n| code | what happened | what to do |\n|---|---|---|");
        for Code { code, blame, voids, cause, cure } in codes {
            let blame = match (*blame, *voids) {
                (_, true) => " (*testbed, voids*)",
                (Blame::Testbed, false) => " (*testbed*)",
                _ => "",
            };
            let _ = writeln!(out, "| `{code}` | {cause}{blame} | {cure} |");
        }
    }
    out
}

#[cfg(test)]
#[path = "codes_tests.rs"]
mod tests;
