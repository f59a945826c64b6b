-- One text for SQLite and Postgres: TEXT, BIGINT and DOUBLE PRECISION only. Times are milliseconds of the database's
-- clock, money is micro-dollars, JSON is text.
CREATE TABLE experiment (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  file TEXT NOT NULL,
  pins TEXT NOT NULL,
  state TEXT NOT NULL,
  why TEXT,
  budget_usd BIGINT,
  budget_tokens BIGINT,
  budget_wall BIGINT,
  most_infra BIGINT NOT NULL,
  most_provider BIGINT NOT NULL,
  created BIGINT NOT NULL
);

CREATE TABLE arm (
  id TEXT PRIMARY KEY,
  experiment TEXT NOT NULL REFERENCES experiment (id),
  ord BIGINT NOT NULL,
  label TEXT NOT NULL,
  spec TEXT NOT NULL,
  digest TEXT NOT NULL,
  lane TEXT NOT NULL,
  is_stream BIGINT NOT NULL,
  cap_usd BIGINT,
  cap_tokens BIGINT,
  state TEXT NOT NULL,
  why TEXT,
  UNIQUE (experiment, label)
);

CREATE TABLE cell (
  id TEXT PRIMARY KEY,
  experiment TEXT NOT NULL REFERENCES experiment (id),
  arm TEXT NOT NULL REFERENCES arm (id),
  item TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  seed BIGINT NOT NULL,
  ord BIGINT NOT NULL,
  key TEXT NOT NULL,
  state TEXT NOT NULL,
  tries BIGINT NOT NULL,
  infra BIGINT NOT NULL,
  provider BIGINT NOT NULL,
  won TEXT,
  since BIGINT NOT NULL,
  why TEXT,
  UNIQUE (experiment, key)
);
CREATE INDEX cell_by_state ON cell (state, arm, ord);
CREATE INDEX cell_by_arm ON cell (arm, state);
CREATE INDEX cell_by_experiment ON cell (experiment, state, ord);

CREATE TABLE attempt (
  id TEXT PRIMARY KEY,
  cell TEXT NOT NULL REFERENCES cell (id),
  experiment TEXT NOT NULL,
  arm TEXT NOT NULL,
  lane TEXT NOT NULL,
  number BIGINT NOT NULL,
  token TEXT NOT NULL,
  worker TEXT NOT NULL,
  state TEXT NOT NULL,
  begun BIGINT NOT NULL,
  seen BIGINT NOT NULL,
  ended BIGINT,
  outcome TEXT,
  code TEXT,
  usd BIGINT NOT NULL,
  is_unpriced BIGINT NOT NULL,
  tok_in BIGINT NOT NULL,
  tok_read BIGINT NOT NULL,
  tok_write BIGINT NOT NULL,
  tok_out BIGINT NOT NULL,
  tok_think BIGINT NOT NULL,
  calls BIGINT NOT NULL,
  waited BIGINT NOT NULL,
  uri TEXT,
  sha TEXT,
  bytes BIGINT,
  record TEXT,
  UNIQUE (cell, number)
);
-- What counts rests on this: a cell has at most one running attempt, whatever a queue delivers.
CREATE UNIQUE INDEX one_running ON attempt (cell) WHERE state = 'running';
CREATE INDEX attempt_by_arm ON attempt (arm, state);
CREATE INDEX attempt_by_worker ON attempt (worker, state);
CREATE INDEX attempt_by_experiment ON attempt (experiment, state);

CREATE TABLE grade (
  attempt TEXT NOT NULL REFERENCES attempt (id),
  grading TEXT NOT NULL,
  outcome TEXT NOT NULL,
  passed BIGINT,
  total BIGINT,
  trace TEXT,
  made BIGINT NOT NULL,
  PRIMARY KEY (attempt, grading)
);

-- Shards keep workers from waiting for each other's rows.
CREATE TABLE spend (
  experiment TEXT NOT NULL,
  arm TEXT NOT NULL,
  shard BIGINT NOT NULL,
  usd BIGINT NOT NULL,
  tokens BIGINT NOT NULL,
  PRIMARY KEY (experiment, arm, shard)
);

CREATE TABLE lane (
  name TEXT PRIMARY KEY,
  in_flight BIGINT NOT NULL,
  rpm BIGINT,
  tpm BIGINT,
  now_limit DOUBLE PRECISION NOT NULL,
  failures BIGINT NOT NULL,
  failing TEXT NOT NULL,
  opened BIGINT NOT NULL,
  open_until BIGINT NOT NULL,
  cut BIGINT NOT NULL,
  grown BIGINT NOT NULL,
  state TEXT NOT NULL,
  why TEXT
);

CREATE TABLE worker (
  id TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  build TEXT NOT NULL,
  pins TEXT NOT NULL,
  slots BIGINT NOT NULL,
  state TEXT NOT NULL,
  failed BIGINT NOT NULL,
  joined BIGINT NOT NULL,
  seen BIGINT NOT NULL,
  why TEXT
);

CREATE TABLE orders (
  seq BIGINT PRIMARY KEY,
  experiment TEXT NOT NULL,
  at BIGINT NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL
);

CREATE TABLE steward (
  one BIGINT PRIMARY KEY,
  holder TEXT NOT NULL,
  until BIGINT NOT NULL
);
INSERT INTO steward (one, holder, until) VALUES (1, '', 0);
