import {
  commonName,
  sideBySide,
  usualEnvironments,
} from '../../../admin-ui/src/features/secrets/environments/environments.ts';

test.each([
  ['DATABASE_URL_PROD', ['prod', 'staging'], 'DATABASE_URL'],
  ['staging.database-url', ['prod', 'staging'], 'database_url'],
  ['PROD_DATABASE_URL', ['production', 'staging'], 'DATABASE_URL'],
  ['PRODUCT_ID', ['production'], 'PRODUCT_ID'],
  ['PROD', ['prod'], 'PROD'],
  ['DATABASE_URL', ['prod'], 'DATABASE_URL'],
])('%s without the environments %j is %s', (key, environments, name) => {
  expect(commonName(key, environments)).toBe(name);
});

test('secrets of environments are side by side, and a missing one leaves an empty cell', () => {
  const secrets = [
    { secretId: '1', key: 'TOKEN_STAGING', tags: ['staging'] },
    { secretId: '2', key: 'TOKEN_PROD', tags: ['prod', 'web'] },
    { secretId: '3', key: 'SHARED', tags: ['prod', 'staging'] },
    { secretId: '4', key: 'PROD_ONLY', tags: ['prod'] },
    { secretId: '5', key: 'OTHER', tags: ['web'] },
  ];
  const rows = sideBySide(secrets, ['prod', 'staging']).map(({ name, cells, isComplete }) => [
    name,
    cells.map((cell) => cell.map(({ secretId }) => secretId).join()),
    isComplete,
  ]);
  expect(rows).toEqual([
    ['ONLY', ['4', ''], false],
    ['SHARED', ['3', '3'], true],
    ['TOKEN', ['2', '1'], true],
  ]);
});

test('tags with the usual names of environments are chosen by default', () => {
  expect(usualEnvironments(['web', 'prod', 'Staging', 'dev', 'production-eu'])).toEqual([
    'prod',
    'Staging',
    'dev',
  ]);
});
