import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { readSettings } from '../../../lib/settings.ts';
import { DEFAULT_STACK_SETTINGS, OPERATIONS, synthesize, varied } from '../stack.ts';
import { FULL_SETTINGS, templateOf } from './full.ts';
import { QUOTAS, stack } from './quotas.ts';

const template = templateOf(stack);

test.each(QUOTAS)('%s: %i, of at most %i', (_, used, most) => {
  expect(used).toBeGreaterThan(0);
  expect(used).toBeLessThanOrEqual(most);
});

test('every setting that may add resources is on', () => {
  const names = new Set<string>();
  const defaults = readSettings((name) => {
    names.add(name);
    return name === 'stage' ? 'prod' : undefined;
  });
  expect(defaults).toEqual(DEFAULT_STACK_SETTINGS);
  const numbers = Object.entries(defaults).flatMap(([name, value]) =>
    typeof value === 'number' ? name : [],
  );
  expect(new Set([...Object.keys(FULL_SETTINGS), ...numbers].filter((name) => names.has(name)))).toEqual(
    names,
  );
  expect(names.size).toBeLessThanOrEqual(26);
});

test('an endpoint for operators adds at most four resources to the stack', () => {
  const prefixes = OPERATIONS.map(({ id }) => id.replaceAll('-', '')).sort((a, b) => b.length - a.length);
  const owners = Object.groupBy(
    Object.keys(template.Resources),
    (id) => prefixes.find((prefix) => id.startsWith(prefix)) ?? 'others',
  );
  const operators = ENDPOINTS.filter(
    // What opens values has one policy more, which names its function.
    ({ access, grants }) => access.kind === 'operator' && !grants.some(({ on }) => on === 'vault-key'),
  );
  const counts = operators.map(({ id }) => owners[id.replaceAll('-', '')]?.length);
  expect(new Set(counts)).toEqual(new Set([4]));
});

test('the feature flags of an app that the stack is part of add no resource', () => {
  expect(Object.keys(templateOf(varied()).Resources)).toEqual(
    Object.keys(templateOf(synthesize()).Resources),
  );
});
