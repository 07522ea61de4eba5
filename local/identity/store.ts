import { chmodSync, closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS operators (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    password TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS operator_states (
    id TEXT PRIMARY KEY,
    disabled INTEGER NOT NULL DEFAULT 0,
    pending INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS profiles (
    id TEXT PRIMARY KEY
  ) STRICT;
  CREATE TABLE IF NOT EXISTS signing_keys (
    kid TEXT PRIMARY KEY,
    jwk TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS workload_keys (
    kid TEXT PRIMARY KEY,
    jwk TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS artifacts (
    model TEXT NOT NULL,
    id TEXT NOT NULL,
    payload TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    uid TEXT,
    grant_id TEXT,
    PRIMARY KEY (model, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS artifacts_by_uid ON artifacts (model, uid);
  CREATE INDEX IF NOT EXISTS artifacts_by_grant ON artifacts (grant_id);
  CREATE INDEX IF NOT EXISTS artifacts_by_expiry ON artifacts (expires_at);
`;

/**
 * Opens the database of the identity provider in the data folder: operators, the signing key, and protocol state. Only
 * the owner of the folder can read it.
 */
export const openIdentityStore = (dataFolder: string): DatabaseSync => {
  const file = path.join(dataFolder, 'identity.sqlite');
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const database = new DatabaseSync(file);
  database.exec(SCHEMA);
  return database;
};
