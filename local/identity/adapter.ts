import type { DatabaseSync } from 'node:sqlite';
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

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
