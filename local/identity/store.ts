import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import { ensurePrivate } from '../private-file.ts';

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS operators (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE
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
  ensurePrivate(file);
  const database = new DatabaseSync(file);
  database.exec(SCHEMA);
  return database;
};

const now = (): number => Math.floor(Date.now() / 1_000);

/** Lifetime of records without an expiry of their own, in seconds. */
const LONGEST = 30 * 86_400;

const payloadOf = (row: Record<string, unknown> | undefined): AdapterPayload | undefined =>
  row === undefined ? undefined : (JSON.parse(String(row.payload)) as AdapterPayload);

/** Storage for sessions, grants, codes and refresh tokens, so that they survive a restart. */
export const adapterIn = (database: DatabaseSync): AdapterFactory => {
  const byId = database.prepare(
    'SELECT payload FROM artifacts WHERE model = ? AND id = ? AND expires_at > ?',
  );
  const byUid = database.prepare(
    'SELECT payload FROM artifacts WHERE model = ? AND uid = ? AND expires_at > ?',
  );
  const put = database.prepare(
    'INSERT OR REPLACE INTO artifacts (model, id, payload, expires_at, uid, grant_id) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const consume = database.prepare(
    "UPDATE artifacts SET payload = json_set(payload, '$.consumed', ?) WHERE model = ? AND id = ?",
  );
  const remove = database.prepare('DELETE FROM artifacts WHERE model = ? AND id = ?');
  const revoke = database.prepare('DELETE FROM artifacts WHERE grant_id = ?');
  const purge = database.prepare('DELETE FROM artifacts WHERE expires_at <= ?');
  return (model): Adapter => ({
    upsert: async (id, payload, expiresIn = LONGEST) => {
      purge.run(now());
      const { uid = null, grantId = null } = payload;
      put.run(model, id, JSON.stringify(payload), now() + expiresIn, uid, grantId);
    },
    find: async (id) => payloadOf(byId.get(model, id, now())),
    findByUid: async (uid) => payloadOf(byUid.get(model, uid, now())),
    // The device flow is off.
    findByUserCode: async () => undefined,
    consume: async (id) => {
      consume.run(now(), model, id);
    },
    destroy: async (id) => {
      remove.run(model, id);
    },
    revokeByGrantId: async (grantId) => {
      revoke.run(grantId);
    },
  });
};
