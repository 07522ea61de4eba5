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
