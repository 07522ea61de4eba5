import { CONSUMERS, patternOf } from '../../../contract/functions/consumers.ts';
import { matchesPattern, type Pattern } from '../../../local/feed/patterns.ts';

const record = (eventName: string, pk: string, image = 'NewImage') => ({
  eventName,
  dynamodb: { Keys: { pk: { S: pk } }, [image]: { pk: { S: pk } } },
});

const consumersOf = (one: object): string[] =>
  CONSUMERS.filter((consumer) => matchesPattern(patternOf(consumer) as unknown as Pattern, one)).map(
    ({ id }) => id,
  );

test.each([
  [record('INSERT', 'ACCESS#prm_a#2026-03-10#0'), ['usage-count']],
  [record('INSERT', 'AUDIT-READ#2026-03#3'), ['usage-count']],
  [record('INSERT', 'AUDIT-CHANGE#2026-03'), ['changes']],
  [record('INSERT', 'USE#review'), []],
  [record('INSERT', 'VAULT#default'), []],
  [record('MODIFY', 'ACCESS#prm_a#2026-03-10#0'), []],
  [record('REMOVE', 'ACCESS#prm_a#2026-03-10#0', 'OldImage'), []],
])('%j invokes %j: neither an expiry nor a write by a consumer invokes a function', (one, expected) => {
  expect(consumersOf(one)).toEqual(expected);
});
