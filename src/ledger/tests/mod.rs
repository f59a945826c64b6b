//! The ledger on SQLite and on a Postgres server of the tests' own.

mod calls;
mod databases;
mod delivery;
mod fixture;
mod model;
mod records;
mod server;
mod serving;
