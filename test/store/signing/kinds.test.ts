import { API_KEY } from '../../../lambdas/store/api-keys/api-key-row.ts';
import { ISSUER_KEYS } from '../../../lambdas/store/api-keys/issuer-keys.ts';
import { RESTRICTIONS } from '../../../lambdas/store/api-keys/restrictions.ts';
import { OPERATOR, OPERATOR_ADDRESS } from '../../../lambdas/store/operators/operators.ts';
import { OPERATOR_IDENTITY } from '../../../lambdas/store/operators/people.ts';
import { PROMPT_HEAD } from '../../../lambdas/store/prompts/head.ts';
import { LABEL_PROTECTION } from '../../../lambdas/store/prompts/protection.ts';
import { PROMPT_VERSION } from '../../../lambdas/store/prompts/versions.ts';
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
import { failure } from '../../support/rows/prompts.ts';
import { table, withTestTable } from '../../support/rows/table.ts';
import { withForeignKey } from '../../support/rows/tampering.ts';

withTestTable();

const KINDS = [
  ...[
    API_KEY,
    ISSUER_KEYS,
    RESTRICTIONS,
    OPERATOR,
    OPERATOR_ADDRESS,
    OPERATOR_IDENTITY,
    PROMPT_HEAD,
    LABEL_PROTECTION,
  ],
  ...[PROMPT_VERSION, SEAL, ENVIRONMENTS, VAULT_HEAD, VAULT_REVISION, VAULT_KEY_PAIR],
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
  return typeof stored === 'string' ? stored.replace(/x|2/, '3') : [{}];
};

test.each(KINDS.map((kind) => [kind.domain + kind.sk, kind] as const))(
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
