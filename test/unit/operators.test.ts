import { admitOperator, type Claims } from '../../lambdas/core/operators.ts';

const claims = (changes: Claims = {}): Claims => ({
  token_use: 'access',
  email: 'ada@example.com',
  username: 'u-1',
  'cognito:groups': ['admin'],
  ...changes,
});
const forbidden = expect.objectContaining({ code: 'forbidden' });

test.each([
  [['viewer'], 'viewer'],
  [['editor'], 'viewer'],
  [['admin'], 'viewer'],
  [['editor'], 'editor'],
  [['viewer', 'admin'], 'admin'],
  [['admin', 'viewer', 'editor'], 'editor'],
] as const)('groups %j are sufficient for %s', (groups, role) => {
  expect(admitOperator(claims({ 'cognito:groups': groups }), role).actor).toBe('ada@example.com');
});

test.each([
  [['viewer'], 'editor'],
  [['viewer', 'editor'], 'admin'],
  [[], 'viewer'],
  ['', 'viewer'],
  [undefined, 'viewer'],
  ['admin', 'viewer'],
  ['[admin]', 'viewer'],
  [{ 0: 'admin', length: 1 }, 'viewer'],
] as const)('groups %j are not sufficient for %s', (groups, role) => {
  expect(() => admitOperator(claims({ 'cognito:groups': groups }), role)).toThrow(forbidden);
});

test.each(['not admin', 'admin ', '[admin]', 'Admin', 'admin,x', 'x\nadmin', ['admin']])(
  'a group with a similar name grants nothing: %j',
  (group) => {
    expect(() => admitOperator(claims({ 'cognito:groups': [group] }), 'viewer')).toThrow(forbidden);
  },
);

test('groups that are no roles change nothing', () => {
  const groups = ['eu-west-1_pool_Corporate', 'editor'];
  expect(admitOperator(claims({ 'cognito:groups': groups }), 'editor').isAdmin).toBe(false);
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
  const isAdmin = (...groups: string[]) =>
    admitOperator(claims({ 'cognito:groups': groups }), 'viewer').isAdmin;
  expect([isAdmin('admin'), isAdmin('editor', 'admin')]).toEqual([true, true]);
  expect([isAdmin('editor'), isAdmin('viewer', 'editor')]).toEqual([false, false]);
});
