import { admitOperator, type Operator, operatorIdIn } from '../../lambdas/core/operators.ts';

const operator = (changes: Partial<Operator> = {}): Operator => ({
  operatorId: 'u-1',
  email: 'ada@example.com',
  group: 'admin',
  status: 'active',
  identity: 'native',
  invitedAt: '2026-01-01T00:00:00.000Z',
  invitedBy: 'system',
  rev: 1,
  ...changes,
});
const forbidden = expect.objectContaining({ code: 'forbidden' });

test.each([
  ['viewer', 'viewer', true],
  ['admin', 'viewer', true],
  ['admin', 'admin', true],
  ['viewer', 'editor', false],
  ['viewer', 'admin', false],
  ['editor', 'admin', false],
  ['Admin' as 'admin', 'viewer', false],
] as const)('whether the group %s is sufficient for %s: %s', (group, role, isEnough) => {
  const admit = () => admitOperator(operator({ group }), role, {});
  if (isEnough) expect(admit().operatorId).toBe('u-1');
  else expect(admit).toThrow(forbidden);
});

test('who is disabled, removed or unknown may do nothing', () => {
  for (const nobody of [operator({ status: 'disabled' }), operator({ status: 'removed' }), undefined])
    expect(() => admitOperator(nobody, 'viewer', {})).toThrow(forbidden);
});

test('whoever signed in before their sessions were ended, at a time that is not known or in that second, signs in again', () => {
  const ended = operator({ sessionsEndedAt: '2026-01-01T00:00:10.500Z' });
  const second = Date.parse('2026-01-01T00:00:10Z') / 1_000;
  for (const auth_time of [second - 60, second, undefined, 'soon'])
    expect(() => admitOperator(ended, 'admin', { auth_time })).toThrow(
      expect.objectContaining({ code: 'unauthenticated' }),
    );
  expect(admitOperator(ended, 'admin', { auth_time: second + 1 })).toBe(ended);
});

test('only an access token that names an account identifies an operator; its groups count nothing', () => {
  expect(operatorIdIn({ token_use: 'access', username: 'u-1', 'cognito:groups': ['admin'] })).toBe('u-1');
  for (const username of [undefined, '', 7, ['u-1']])
    expect(() => operatorIdIn({ token_use: 'access', username })).toThrow(forbidden);
  for (const use of ['id', 'refresh', '', undefined])
    expect(() => operatorIdIn({ token_use: use, username: 'u-1' })).toThrow(forbidden);
});
