import { globSync, readFileSync } from 'node:fs';
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
import { failure } from '../../support/rows/prompts.ts';
import { table, withTestTable } from '../../support/rows/table.ts';
import { withForeignKey } from '../../support/rows/tampering.ts';

withTestTable();

/** Every kind that a module of the store exports. */
const FILES = globSync('lambdas/store/**/*.ts').filter((file) =>
  /\bSignedKind\b|signedKind\(/.test(readFileSync(file, 'utf8')),
);
const modules = await Promise.all(FILES.map((file) => import(`../../../${file}`)));
const KINDS = modules
  .flatMap((module) => Object.values(module) as SignedKind<Item>[])
  .filter((each) => each.keyOf !== undefined && each.domain !== undefined);

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

test('every kind is found', () => {
  expect(KINDS.length).toBeGreaterThanOrEqual(14);
});

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
