import { failuresByCause } from '../../../admin-ui/src/components/failures.ts';
import { isDead, refusalsByReason } from '../../../admin-ui/src/features/overview/refusals.ts';

const KEYS = ['permission', 'revoked', 'expired'].map((reason) => ({ reason }));

test('keys that no longer work but are still sent come first, then the reasons with most calls', () => {
  const counts = Object.entries({ malformed_key: 90, permission: 50, expired: 2, revoked: 1 });
  const found = refusalsByReason(
    KEYS,
    counts.map(([reason, calls]) => ({ reason, calls })),
  );
  expect(found.map((each) => [each.reason, each.calls, isDead(each), each.keys.length])).toEqual([
    ['expired', 2, true, 1],
    ['revoked', 1, true, 1],
    ['malformed_key', 90, false, 0],
    ['permission', 50, false, 1],
  ]);
});

test('calls fail for one cause if prompts lack the same label, or a prompt gives the same reason', () => {
  const failing = (promptId: string, code: string, label: string, calls: number) => ({
    promptId,
    name: promptId,
    code,
    label,
    calls,
    reason: `${promptId}: ${code} ${label}`,
  });
  const found = failuresByCause([
    failing('a', 'label_not_found', 'live', 1),
    failing('b', 'label_not_found', 'live', 2),
    failing('b', 'label_not_found', 'next', 4),
    failing('b', 'label_not_found', 'next', 8),
    failing('a', 'placeholder_left', 'live', 16),
  ]);
  expect(found.map(({ text, calls, isServed }) => [text, calls, isServed])).toEqual([
    ['None of these 2 prompts has the label "live"', 3, false],
    ['b: label_not_found next', 12, false],
    ['a: placeholder_left live', 16, true],
  ]);
});
