//! The same on a Postgres server.
