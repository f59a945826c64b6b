//! The database role of workers: the four calls, the queue, being steward, and nothing that takes anything away.

use std::fmt::Write as _;

/// The SQL that makes a role for workers, which its owner carries out once with `psql`, and again after an update. The role is
/// made without a password and may not log in until its owner gives it one.
///
/// It may read everything; enter attempts, workers and spend, and change them; change of a cell what the calls change; count
/// lanes; be the steward. It may delete tickets of the queue, which are messages; it can't delete or forge the plan, give orders, or
/// make tables. It can enter a wrong result for a cell that it holds: whoever does not trust a worker judges its projects anew.
pub fn grant(name: &str) -> String {
    let role = quoted(name);
    let mut sql = format!(
        "DO $$ BEGIN CREATE ROLE {role} NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;\n\
         REVOKE CREATE ON SCHEMA public FROM PUBLIC;\n\
         GRANT USAGE ON SCHEMA public, apalis TO {role};\n"
    );
    for (rights, what) in RIGHTS {
        let _ = writeln!(sql, "GRANT {rights} ON {what} TO {role};");
    }
    sql
}

/// What is allowed, on which tables.
const RIGHTS: [(&str, &str); 9] = [
    ("SELECT", "experiment, arm, cell, attempt, grade, spend, lane, worker, orders, steward, clock, _sqlx_migrations"),
    ("INSERT, UPDATE", "attempt, worker, spend"),
    ("UPDATE (state, tries, infra, provider, won, since, why)", "cell"),
    ("UPDATE (busy, now_limit, failures, failing, opened, open_until, cut, grown, state, why)", "lane"),
    ("UPDATE", "steward"),
    ("SELECT, INSERT, UPDATE, DELETE", "apalis.jobs, apalis.workers"),
    ("SELECT", "apalis._sqlx_migrations"),
    ("EXECUTE", "FUNCTION apalis.get_jobs(text, text, integer)"),
    ("EXECUTE", "FUNCTION apalis.generate_ulid()"),
];

/// A name as an identifier of SQL.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_end_no_statement() {
        let sql = grant("a\"; DROP TABLE cell; --");
        assert!(sql.contains("TO \"a\"\"; DROP TABLE cell; --\";"), "{sql}");
    }
}
