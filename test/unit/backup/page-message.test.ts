import type { BackupPage } from '../../../contract/shapes/backup.ts';
import { pageMessage } from '../../../lambdas/core/backup/backup-pages.ts';

const PAGE: Omit<BackupPage, 'signature'> = {
  type: 'page',
  format: 1,
  backupId: 'b',
  stage: 'prod',
  at: '2026-01-01T00:00:00.000Z',
  number: 1,
  records: 2,
  previous: '',
  digest: 'd',
  encryptedTo: [{ stage: 'prod', environment: 'default', keyVersion: 1, publicKey: 'p' }],
  next: {
    section: 'vault',
    after: 'a',
    row: { promptId: 'p', rev: 1, sk: 's' },
    secret: { environment: 'default', revision: 1, page: 0, entry: 1 },
  },
};

/** The page with each of its fields changed, by the path of the field. */
const changes = (value: unknown, path = ''): [string, unknown][] => {
  if (typeof value === 'string') return [[path, `${value}x`]];
  if (typeof value === 'number') return [[path, value + 1]];
  return Object.entries(value as object).flatMap(([name, inner]) =>
    changes(inner, `${path}/${name}`).map(([at, changed]): [string, unknown] => [
      at,
      Array.isArray(value) ? [changed] : { ...(value as object), [name]: changed },
    ]),
  );
};

test.each(changes(PAGE))('the signature of a page covers %s', (_, changed) => {
  expect(pageMessage(changed as typeof PAGE)).not.toEqual(pageMessage(PAGE));
});

test('the message does not depend on the order of properties', () => {
  const reversed = Object.fromEntries(Object.entries(PAGE).reverse()) as typeof PAGE;
  expect(pageMessage(reversed)).toEqual(pageMessage(PAGE));
});
