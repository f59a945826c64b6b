//! Opening a ledger: which database, its settings, its tables. What the tables mean is told elsewhere.

use std::borrow::Cow;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sqlx::any::AnyPoolOptions;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{Any, AnyConnection, AnyPool, Executor as _, Row as _, SqlStr, Transaction};

use super::LedgerError;
use super::deliver::Queue;
use super::disk::{make_private, refuse_network_disk};
use super::exposure::{Trusted, own_place};
use super::leases::LEASE;
use super::release::{STEWARD_TERM, TICKET_TERM};

/// A transaction on either database.
pub(super) type Tx = Transaction<'static, Any>;

/// Tables in the order of their making. An entry that has been released is never changed; new ones follow.
const TABLES: [(i64, &str, &str); 5] = [
    (1, "tables", include_str!("schema/0001_tables.sql")),
    (2, "fleet", include_str!("schema/0002_fleet.sql")),
    (3, "reuse", include_str!("schema/0003_reuse.sql")),
    (4, "runs", include_str!("schema/0004_runs.sql")),
    (5, "became", include_str!("schema/0005_became.sql")),
];
/// Makes the view `clock`, the one thing in which the two databases differ.
const CLOCKS: [(Kind, &str); 2] = [
    (Kind::Sqlite, include_str!("schema/clock_sqlite.sql")),
    (Kind::Postgres, include_str!("schema/clock_postgres.sql")),
];
/// Number of the migration that makes the clock: it comes before all others.
const CLOCK: i64 = 0;
/// Connections of one process. SQLite has one writer at a time anyway.
const CONNECTIONS: u32 = 6;
/// How long a statement waits for a lock, and a call for a connection.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often a transaction that met another one is tried.
const TRIES: u32 = 12;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Sqlite,
    Postgres,
}

/// How long silence is borne. All processes of a ledger have the same terms: the defaults, except where a test or a benchmark
/// can't wait so long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// A worker's: its attempts are lost then.
    pub lease: Duration,
    /// The steward's: another takes over then.
    pub steward: Duration,
    /// A ticket's: its cell is released anew then.
    pub ticket: Duration,
}

impl Default for Terms {
    fn default() -> Self {
        Self { lease: LEASE, steward: STEWARD_TERM, ticket: TICKET_TERM }
    }
}

/// What counts, who works on what, and what was spent. Clones share their connections.
#[derive(Debug, Clone)]
pub struct Ledger {
    pub(super) pool: AnyPool,
    pub(super) terms: Terms,
    /// Who tells workers of released cells; none where they look for themselves.
    pub(super) queue: Option<Queue>,
    kind: Kind,
    address: String,
}

impl Ledger {
    /// The ledger in a file, which is made if there is none.
    ///
    /// # Errors
    /// When the file is on a network disk, where locks don't hold, may be read or exchanged by others, or can't be opened.
    pub async fn open(file: &Path) -> Result<Self, LedgerError> {
        let trusted = Trusted::here();
        let place = own_place(file, trusted)?;
        refuse_network_disk(&place)?;
        make_private(&place, trusted)?;
        let address = format!("sqlite://{}?mode=rwc", file.display());
        Self::connect_as(Kind::Sqlite, &address, file.display().to_string(), CONNECTIONS).await
    }

    /// The ledger in a Postgres database. The address holds a password, so it is in no message.
    ///
    /// # Errors
    /// When the database does not answer, or the tables can't be made.
    pub async fn connect(url: &str, connections: Option<u32>) -> Result<Self, LedgerError> {
        Self::connect_as(Kind::Postgres, url, "Postgres".to_owned(), connections.unwrap_or(CONNECTIONS)).await
    }

    /// The same ledger, whose tickets a queue in the same database delivers, over so many connections of its own.
    ///
    /// # Errors
    /// When the database does not answer, or the queue's tables can't be made.
    pub async fn with_queue(self, url: &str, connections: u32) -> Result<Self, LedgerError> {
        let queue = Queue::open(url, connections).await?;
        Ok(Self { queue: Some(queue), ..self })
    }

    /// The same ledger with other terms, for tests and benchmarks.
    #[must_use]
    pub fn with_terms(self, terms: Terms) -> Self {
        Self { terms, ..self }
    }

    /// A ledger in memory, whose one connection stays.
    #[cfg(test)]
    pub(super) async fn in_memory() -> Self {
        Self::connect_as(Kind::Sqlite, "sqlite::memory:", "memory".to_owned(), 1).await.unwrap()
    }

    async fn connect_as(kind: Kind, address: &str, shown: String, connections: u32) -> Result<Self, LedgerError> {
        sqlx::any::install_default_drivers();
        let pool = AnyPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(PATIENCE)
            .after_connect(move |connection, _| Box::pin(prepare(connection, kind)))
            .connect(address)
            .await?;
        let ledger = Self { pool, terms: Terms::default(), queue: None, kind, address: shown };
        if !ledger.is_current().await {
            ledger.migrate().await?;
        }
        Ok(ledger)
    }

    /// Whether the tables are those of this program. Then nothing is to be made, and who may not make tables can work.
    async fn is_current(&self) -> bool {
        let newest = TABLES.iter().map(|(version, _, _)| *version).max();
        let found: Result<Option<i64>, _> =
            sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations").fetch_one(&self.pool).await;
        found.is_ok_and(|found| found == newest)
    }

    async fn migrate(&self) -> Result<(), LedgerError> {
        let clock = CLOCKS.iter().find(|(kind, _)| *kind == self.kind).map(|(_, sql)| (CLOCK, "clock", *sql));
        let all = clock.into_iter().chain(TABLES).map(|(version, name, sql)| {
            Migration::new(version, Cow::Borrowed(name), MigrationType::Simple, SqlStr::from_static(sql), false)
        });
        match Migrator::with_migrations(all.collect()).run(&self.pool).await {
            Ok(()) => Ok(()),
            Err(MigrateError::VersionMissing(format)) => Err(LedgerError::FormatNewer { format }),
            Err(error) => Err(LedgerError::Migration(error)),
        }
    }

    /// Where it lies, for people: a file, or the kind of the database.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Whether machines can share it.
    pub const fn is_shared(&self) -> bool {
        matches!(self.kind, Kind::Postgres)
    }

    /// Milliseconds since 1970 by the database's clock.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn now(&self) -> Result<i64, LedgerError> {
        Ok(sqlx::query_scalar("SELECT ms FROM clock").fetch_one(&self.pool).await?)
    }

    /// A transaction that writes. SQLite's begins as a writer, since one that becomes a writer later can't wait.
    pub(super) async fn begin_tx(&self) -> Result<Tx, LedgerError> {
        let begin = match self.kind {
            Kind::Sqlite => "BEGIN IMMEDIATE",
            Kind::Postgres => "BEGIN",
        };
        Ok(self.pool.begin_with(begin).await?)
    }

    /// How long to wait before a transaction is tried again; `None` when its result stands.
    pub(super) fn wait_after<T>(result: &Result<T, LedgerError>, tries: u32) -> Option<Duration> {
        let error = result.as_ref().err().filter(|error| error.is_passing() && tries < TRIES)?;
        tracing::debug!(%error, tries, "the ledger is asked again");
        Some(Duration::from_millis(10 << tries.min(7)))
    }

    /// Ends all connections.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// Carries out a block with a transaction `tx: &mut Tx`, commits, and does it all again when it met another transaction. `return`
/// ends the block. A macro, since futures of generic asynchronous closures can't be sent to other threads.
macro_rules! transaction {
    ($ledger:expr, |$tx:ident| $body:block) => {{
        let mut tries = 0;
        loop {
            tries += 1;
            let result: Result<_, $crate::LedgerError> = async {
                let mut held = $ledger.begin_tx().await?;
                let $tx = &mut held;
                let value: Result<_, $crate::LedgerError> = async { $body }.await;
                let value = value?;
                held.commit().await?;
                Ok(value)
            }
            .await;
            match $crate::Ledger::wait_after(&result, tries) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => break result,
            }
        }
    }};
}
pub(super) use transaction;

/// SQLite: readers beside the writer, every commit on the disk, patience with locks.
async fn prepare(connection: &mut AnyConnection, kind: Kind) -> Result<(), sqlx::Error> {
    if kind == Kind::Sqlite {
        let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 30000; PRAGMA foreign_keys = ON;";
        connection.execute(sqlx::raw_sql(settings)).await?;
    }
    Ok(())
}

/// A time in the database's unit.
pub(super) fn ms(term: Duration) -> i64 {
    i64::try_from(term.as_millis()).unwrap_or(i64::MAX)
}

/// The milliseconds of a transaction.
pub(super) async fn now(tx: &mut Tx) -> Result<i64, LedgerError> {
    Ok(sqlx::query_scalar("SELECT ms FROM clock").fetch_one(&mut **tx).await?)
}

/// A column of a row, as text that this program once wrote.
pub(super) fn word<T: std::str::FromStr>(row: &sqlx::any::AnyRow, column: &'static str) -> Result<T, LedgerError> {
    let text: String = row.try_get(column)?;
    text.parse().map_err(|_| LedgerError::Unreadable { what: column, reason: format!("`{text}` is not known") })
}

/// A column that counts something.
pub(super) fn count(row: &sqlx::any::AnyRow, column: &str) -> Result<u64, LedgerError> {
    Ok(u64::try_from(row.try_get::<i64, _>(column)?).unwrap_or_default())
}
