import { API_KEY, apiKeyKey, findApiKey } from '../../../lambdas/store/api-keys/api-key-row.ts';
import { revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { ISSUER_KEYS } from '../../../lambdas/store/api-keys/issuer-keys.ts';
import { RESTRICTIONS } from '../../../lambdas/store/api-keys/restrictions.ts';
import { OPERATOR, OPERATOR_ADDRESS } from '../../../lambdas/store/operators/operators.ts';
import { OPERATOR_IDENTITY } from '../../../lambdas/store/operators/people.ts';
import { headKey, PROMPT_HEAD, readPromptHead } from '../../../lambdas/store/prompts/head.ts';
import { LABEL_PROTECTION } from '../../../lambdas/store/prompts/protection.ts';
import { deleteVersion, publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { PROMPT_VERSION, versionKey } from '../../../lambdas/store/prompts/versions.ts';
import { SEAL } from '../../../lambdas/store/seal/seals.ts';
import {
  bytes,
  type Codec,
  number,
  SIGNATURE,
  type SignedKind,
  verifiedRow,
} from '../../../lambdas/store/signing/rows.ts';
import { signedItem } from '../../../lambdas/store/signing/writes.ts';
import type { Item } from '../../../lambdas/store/table.ts';
import { ENVIRONMENTS } from '../../../lambdas/store/vault/environments.ts';
import { VAULT_HEAD } from '../../../lambdas/store/vault/head.ts';
import { VAULT_REVISION } from '../../../lambdas/store/vault/history.ts';
import { VAULT_KEY_PAIR } from '../../../lambdas/store/vault-keys/key-pairs.ts';
import { newApiKey } from '../../support/rows/api-keys.ts';
import { content, failure, newPrompt } from '../../support/rows/prompts.ts';
import { changeAt, expectRefused, table, withTestTable } from '../../support/rows/table.ts';
import { editRow, plantRow, rawRow, withForeignKey } from '../../support/rows/tampering.ts';

withTestTable();

test('a revoked API key keeps neither hash nor signature, and is found without verification', async () => {
  const { keyId } = await newApiKey(table);
  const sign = () => Promise.reject(new Error('signs'));
  await revokeApiKey({ ...table, signing: { ...table.signing, sign } }, changeAt(), keyId);
  const row = await rawRow(table, apiKeyKey(keyId));
  expect(row).not.toHaveProperty('hash');
  expect(row).not.toHaveProperty('signature');
  const found = await findApiKey(table, keyId);
  expect(found).toMatchObject({ hash: '', revokedBy: expect.any(String) });
});

test('a prompt never signs planted data: the latest version after a deletion is verified first', async () => {
  const { promptId } = await newPrompt(table);
  await publishVersion(table, changeAt(), promptId, { ...content('Two'), version: '2.0.0' });
  await editRow(table, versionKey(promptId, '1.0.0'), { prompt: 'planted' });
  await expectRefused(deleteVersion(table, changeAt(), promptId, '2.0.0'), 'integrity');
  expect((await readPromptHead(table, promptId))?.latest).toBe('2.0.0');
});

test('verified rows are cached and not verified again', async () => {
  const { promptId } = await newPrompt(table);
  const first = await readPromptHead(table, promptId);
  const row = await rawRow(table, headKey(promptId));
  expect(await readPromptHead(table, promptId)).toEqual(first);
  // The cache is keyed by the row with its signature: neither can be exchanged.
  await plantRow(table, { ...row, signature: Buffer.from(row.signature as Uint8Array).reverse() });
  await expectRefused(readPromptHead(table, promptId), 'integrity');
});

const KINDS = [
  API_KEY,
  ISSUER_KEYS,
  RESTRICTIONS,
  OPERATOR,
  OPERATOR_ADDRESS,
  OPERATOR_IDENTITY,
  PROMPT_HEAD,
  LABEL_PROTECTION,
  PROMPT_VERSION,
  SEAL,
  ENVIRONMENTS,
  VAULT_HEAD,
  VAULT_REVISION,
  VAULT_KEY_PAIR,
] as unknown as readonly SignedKind<Item>[];

/** A revoked key needs no signature, because it only denies. */
const LEFT_OUT = [SIGNATURE, 'revokedAt', 'revokedBy'];

const sampleOf = (name: string, codec: Codec<unknown>): unknown => {
  if (name === 'version') return '1.2.0';
  if (codec === number) return 1;
  if (codec === bytes) return Buffer.from('x');
  try {
    codec.signed('x');
    return 'x';
  } catch {
    return [];
  }
};

const changed = (stored: unknown): unknown => {
  if (typeof stored === 'number') return stored + 1;
  if (stored instanceof Uint8Array) return Buffer.concat([stored, Buffer.from('y')]);
  return typeof stored === 'string' ? stored.replace(/x|2|$/, '3') : [{}];
};

test.each(KINDS.map((kind) => [kind.storedAt ? 'vault-revision' : kind.domain, kind] as const))(
  'a row of the kind %s is read back, and rejected with any other field, signature or key',
  async (_, kind) => {
    const fields = Object.entries(kind.stored).filter(([name]) => !LEFT_OUT.includes(name));
    const entity = Object.fromEntries(fields.map(([name, codec]) => [name, sampleOf(name, codec)]));
    const key = (kind.storedAt ?? kind.keyOf)(entity);
    const item = { ...(await signedItem(table, kind, entity)), ...key };
    expect(verifiedRow(table, kind, key, item)).toMatchObject(entity);
    const { [SIGNATURE]: __, ...unsigned } = item as Item;
    const foreign = await signedItem(withForeignKey(table), kind, entity);
    const planted: Item[] = [unsigned, { ...item, [SIGNATURE]: foreign[SIGNATURE] }];
    for (const [name] of fields) {
      const { [name]: stored, ...others } = item as Item;
      planted.push(others, { ...item, [name]: changed(stored) });
    }
    for (const row of planted)
      expect(() => verifiedRow(table, kind, key, row)).toThrow(expect.objectContaining(failure('integrity')));
    for (const other of [
      { ...key, pk: 'x' },
      { ...key, sk: 'x' },
    ])
      expect(() => verifiedRow(table, kind, other, item)).toThrow('does not match');
  },
);
