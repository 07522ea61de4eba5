import type { DatabaseSync } from 'node:sqlite';
import { publicPart, signingKey } from '../../../local/identity/keys.ts';
import { operatorsIn } from '../../../local/identity/operators.ts';
import { adapterIn, openIdentityStore } from '../../../local/identity/store.ts';
import { newFolder } from '../../support/new-folder.ts';

let folder: string;
let database: DatabaseSync;

beforeEach(() => {
  folder = newFolder();
  database = openIdentityStore(folder);
});

afterEach(() => {
  database.close();
});

test('expired entries are not found, and are removed with the next write', async () => {
  const adapter = adapterIn(database)('Session');
  await adapter.upsert('old', { uid: 'u1' }, 0);
  expect(await adapter.find('old')).toBeUndefined();
  expect(await adapter.findByUid('u1')).toBeUndefined();
  await adapter.upsert('new', { uid: 'u2' }, 60);
  expect(database.prepare('SELECT id FROM artifacts').all()).toEqual([{ id: 'new' }]);
  expect(await adapter.findByUid('u2')).toEqual({ uid: 'u2' });
});

test('models are separate, and revoking a grant revokes everything issued under it', async () => {
  const adapters = adapterIn(database);
  const codes = adapters('AuthorizationCode');
  const refreshTokens = adapters('RefreshToken');
  await codes.upsert('x', { grantId: 'g1' }, 60);
  await refreshTokens.upsert('y', { grantId: 'g1' }, 60);
  await refreshTokens.upsert('z', { grantId: 'g2' }, 60);
  expect(await refreshTokens.find('x')).toBeUndefined();
  await codes.revokeByGrantId('g1');
  expect([await codes.find('x'), await refreshTokens.find('y')]).toEqual([undefined, undefined]);
  expect(await refreshTokens.find('z')).toEqual({ grantId: 'g2' });
});

test('the signing key does not change, and its public part contains nothing private', async () => {
  const key = await signingKey(database);
  expect(await signingKey(database)).toEqual(key);
  expect(Object.keys(publicPart(key)).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

test('an operator added again keeps the id, however the address is written', () => {
  const operators = operatorsIn(database);
  const first = operators.add('A@example.com');
  expect(operators.add(' a@EXAMPLE.com')).toEqual({ id: first.id, email: 'a@example.com' });
});
