import { admitOperator, type Claims } from '../../lambdas/core/operators.ts';

const claims = (changes: Claims = {}): Claims => ({
  token_use: 'access',
  email: 'ada@example.com',
  username: 'u-1',
  'cognito:groups': '[admin]',
  ...changes,
});
const forbidden = expect.objectContaining({ code: 'forbidden' });

test.each([
  ['[viewer]', 'viewer'],
  ['[editor]', 'viewer'],
  ['[admin]', 'viewer'],
  ['[editor]', 'editor'],
  ['[viewer admin]', 'admin'],
  ['[admin viewer editor]', 'editor'],
] as const)('groups %s are sufficient for %s', (groups, role) => {
  expect(admitOperator(claims({ 'cognito:groups': groups }), role).actor).toBe('ada@example.com');
});

test.each([
  ['[viewer]', 'editor'],
  ['[viewer editor]', 'admin'],
  ['[]', 'viewer'],
  ['', 'viewer'],
  [undefined, 'viewer'],
  [['admin'], 'viewer'],
] as const)('groups %s are not sufficient for %s', (groups, role) => {
  expect(() => admitOperator(claims({ 'cognito:groups': groups }), role)).toThrow(forbidden);
});

test.each([
  '[not admin]',
  '[admin ]',
  '[[admin]',
  '[[admin]]',
  '[admin] [x]',
  'admin',
  '[x\nadmin]',
  '[Admin]',
  '[admin,x]',
])('a group with a similar name grants nothing: %j', (groups) => {
  expect(() => admitOperator(claims({ 'cognito:groups': groups }), 'viewer')).toThrow(forbidden);
});

test.each(['id', 'refresh', '', undefined])('a token for another use is rejected: %s', (token_use) => {
  expect(() => admitOperator(claims({ token_use }), 'viewer')).toThrow(forbidden);
});

test('the operator is identified by e-mail address, else by account, and rejected without both', () => {
  expect(admitOperator(claims({ email: undefined }), 'viewer').actor).toBe('u-1');
  expect(admitOperator(claims({ email: '' }), 'viewer').actor).toBe('u-1');
  expect(() => admitOperator(claims({ email: undefined, username: undefined }), 'viewer')).toThrow(forbidden);
});

test('only the group admin makes an administrator, whatever the operation requires', () => {
  const isAdmin = (groups: string) => admitOperator(claims({ 'cognito:groups': groups }), 'viewer').isAdmin;
  expect(['[admin]', '[editor admin]', '[editor]', '[viewer editor]'].map(isAdmin)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
