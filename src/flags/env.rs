//! The environment variables that set up scratchbed, in one place. Most can be given as flags or in `scratchbed.toml` too;
//! `settings.rs` says which wins. Keys of model providers have names of the user's choice (`--api-key-env`).

/// The checkout to work in.
pub const ROOT: &str = "SCRATCHBED_ROOT";
pub const CONFIG: &str = "SCRATCHBED_CONFIG";
pub const CHROMIUM: &str = "SCRATCHBED_CHROMIUM";
/// The token of a server.
pub const TOKEN: &str = "SCRATCHBED_TOKEN";
/// The token for verdicts of a server.
pub const JUDGE_TOKEN: &str = "SCRATCHBED_JUDGE_TOKEN";
/// A server's token for researchers.
pub const RESEARCHER_TOKEN: &str = "SCRATCHBED_RESEARCHER_TOKEN";
/// A server's token for administrators.
pub const ADMIN_TOKEN: &str = "SCRATCHBED_ADMIN_TOKEN";
/// A file with a server's tokens.
pub const TOKENS: &str = "SCRATCHBED_TOKENS";
/// Whether `serve` may run as root.
pub const ALLOW_ROOT: &str = "SCRATCHBED_ALLOW_ROOT";
/// The ledger of experiments.
pub const LEDGER: &str = "SCRATCHBED_LEDGER";
/// How log lines are written.
pub const LOG_FORMAT: &str = "SCRATCHBED_LOG_FORMAT";
/// What is logged to standard error.
pub const LOG: &str = "SCRATCHBED_LOG";

/// Name and meaning of each variable, for the help.
pub const ALL: &[(&str, &str)] = &[
    (ROOT, "folder of the checkout; found by walking up from the working directory when absent"),
    (CONFIG, "settings file; scratchbed.toml in the checkout when absent"),
    (CHROMIUM, "Chromium program; the usual places when absent"),
    (TOKEN, "token that `serve` asks of its callers, and that `run --server` sends"),
    (JUDGE_TOKEN, "token that callers of `serve` need for verdicts; without it there are none"),
    (RESEARCHER_TOKEN, "token of `serve` for verdicts, figures, finished runs and all sessions"),
    (ADMIN_TOKEN, "token of `serve` for ending any session"),
    (TOKENS, "file of `serve` with tokens and their scopes"),
    (ALLOW_ROOT, "`1` lets `serve` run as root, as `--allow-root` does"),
    (LEDGER, "ledger of experiments, a file or `env:` with a variable's name; runs/ledger.sqlite when absent"),
    (LOG_FORMAT, "`json` writes each log line as an object; `text` when absent"),
    (LOG, "what is logged to standard error, as tracing's EnvFilter reads it; `warn` when absent"),
];

/// The variables as a section of the help.
pub fn help() -> String {
    use std::fmt::Write as _;
    let mut text = String::from("Environment (a flag wins over it, it wins over scratchbed.toml):\n");
    for (name, meaning) in ALL {
        // Writing to a String can't fail.
        let _ = writeln!(text, "  {name:<32} {meaning}");
    }
    text
}

#[cfg(test)]
#[path = "env_tests.rs"]
mod tests;
