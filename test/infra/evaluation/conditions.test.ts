import { conditionHolds } from '../../support/iam/conditions.ts';

const KEY = 'dynamodb:LeadingKeys';
const PRINCIPAL = 'aws:PrincipalArn';
const ROLE = 'arn:aws:iam::000000000000:role/Reader';

type Values = string | string[];

const holds = (operator: string, wanted: Values, actual: Values | undefined, key = KEY) =>
  conditionHolds({ [operator]: { [key]: wanted } }, actual === undefined ? {} : { [key]: actual });

test.each<[string, string, Values, Values | undefined, boolean, key?: string]>([
  ['several wanted values are alternatives', 'StringEquals', ['A', 'B'], 'B', true],
  ['case counts', 'StringEquals', 'A', 'a', false],
  ['an equals operator has no wildcards', 'StringEquals', 'A*', 'AB', false],
  ['an absent key fails', 'StringEquals', 'A', undefined, false],
  ['? is exactly one character', 'StringLike', 'A?', 'A', false],
  ['* is any run of characters, newlines too', 'StringLike', 'A#*', 'A#\nx', true],
  ['a dot is a dot', 'StringLike', 'A.', 'AB', false],
  ['a prefix is not a part', 'StringLike', 'VAULT', 'VAULTKEY', false],
  ['an empty list of values fails', 'StringEquals', 'A', [], false],
  ['all values, one does not match', 'ForAllValues:StringLike', 'A#*', ['A#1', 'B#1'], false],
  ['all values, by different patterns', 'ForAllValues:StringLike', ['A#*', 'B'], ['A#1', 'B'], true],
  ['all values of an absent key', 'ForAllValues:StringLike', 'A', undefined, true],
  ['all values of an empty list', 'ForAllValues:StringLike', 'A', [], true],
  ['an absent key is not present', 'Null', 'false', undefined, false],
  ['a key without values is not present', 'Null', 'false', [], false],
  ['a key with values is present', 'Null', 'false', ['A', 'B'], true],
  ['an absent key is absent', 'Null', 'true', undefined, true],
  ['a key with a value is not absent', 'Null', 'true', ['A'], false],
  ['the same ARN', 'ArnEquals', ROLE, ROLE, true, PRINCIPAL],
  ['a pattern of an ARN', 'ArnEquals', 'arn:aws:iam::*:role/Rea*', ROLE, true, PRINCIPAL],
  ['a pattern of another ARN', 'ArnEquals', 'arn:aws:iam::*:role/Write?', ROLE, false, PRINCIPAL],
  ['the parts of an ARN moved', 'ArnEquals', 'arn:aws:iam:*:role/Reader:*', ROLE, false, PRINCIPAL],
  ['not the same ARN', 'ArnNotEquals', ROLE, ROLE, false, PRINCIPAL],
  ['not another ARN', 'ArnNotEquals', 'arn:aws:iam::*:user/*', ROLE, true, PRINCIPAL],
  ['* in an ARN is no colon', 'ArnEquals', 'arn:aws:x:*:c:d', 'arn:aws:x:a:b:c:d', false, PRINCIPAL],
  ['but in its last part', 'ArnEquals', 'arn:aws:x:a:b:*', 'arn:aws:x:a:b:c:d', true, PRINCIPAL],
])('%s: %s %j for %j is %s', (_, operator, wanted, actual, expected, key = KEY) => {
  expect(holds(operator, wanted, actual, key)).toBe(expected);
});

test('names of condition keys ignore case', () => {
  expect(conditionHolds({ StringEquals: { 'DynamoDB:leadingkeys': 'A' } }, { [KEY]: 'A' })).toBe(true);
});

test('every operator and every key must match', () => {
  const guarded = { 'ForAllValues:StringLike': { [KEY]: 'A*' }, Null: { [KEY]: 'false' } };
  expect(conditionHolds(guarded, { [KEY]: ['A1'] })).toBe(true);
  expect(conditionHolds(guarded, {})).toBe(false);
  expect(conditionHolds({ StringEquals: { [KEY]: 'A', [PRINCIPAL]: 'B' } }, { [KEY]: 'A' })).toBe(false);
});

test.each<[string, Values, string]>([
  ['NumericEquals', '1', KEY],
  ['StringEqualsIfExists', 'A', KEY],
  ['ForAnyValue:StringEquals', 'A', KEY],
  ['StringEqualsIgnoreCase', 'A', KEY],
  ['constructor', 'A', KEY],
  ['StringEquals', 'A', 'aws:SourceIp'],
  ['Null', 'true', 'dynamodb:Attributes'],
  ['StringEquals', '$' + '{aws:username}', KEY],
  ['ArnEquals', 'role/Reader', KEY],
])('a condition that cannot be evaluated throws: %s %j on %s', (operator, wanted, key) => {
  expect(() => conditionHolds({ [operator]: { [key]: wanted } }, { [KEY]: ['A'] })).toThrow();
});

test('a key with several values throws without ForAllValues', () => {
  expect(() => holds('StringEquals', 'A', ['A', 'B'])).toThrow(/needs ForAllValues/);
});
