import { conditionHolds } from '../../../local/iam/conditions.ts';

const KEY = 'dynamodb:LeadingKeys';
const PRINCIPAL = 'aws:PrincipalArn';
const ROLE = 'arn:aws:iam::000000000000:role/Reader';

type Values = string | string[];

const holds = (operator: string, wanted: Values, actual: Values | undefined, key = KEY) =>
  conditionHolds({ [operator]: { [key]: wanted } }, actual === undefined ? {} : { [key]: actual });

test.each<[string, string, Values, Values | undefined, boolean]>([
  ['several wanted values are alternatives', 'StringEquals', ['A', 'B'], 'B', true],
  ['case counts', 'StringEquals', 'A', 'a', false],
  ['an equals operator has no wildcards', 'StringEquals', 'A*', 'AB', false],
  ['an absent key fails', 'StringEquals', 'A', undefined, false],
  ['IfExists passes an absent key', 'StringEqualsIfExists', 'A', undefined, true],
  ['IfExists judges a present key', 'StringEqualsIfExists', 'A', 'B', false],
  ['a negated operator fails if one matches', 'StringNotEquals', ['A', 'B'], 'B', false],
  ['a negated operator holds if none matches', 'StringNotEquals', ['A', 'B'], 'C', true],
  ['a negated operator passes an absent key', 'StringNotEquals', 'A', undefined, true],
  ['? is exactly one character', 'StringLike', 'A?', 'A', false],
  ['* is any run of characters, newlines too', 'StringLike', 'A#*', 'A#\nx', true],
  ['a dot is a dot', 'StringLike', 'A.', 'AB', false],
  ['a prefix is not a part', 'StringLike', 'VAULT', 'VAULTKEY', false],
  ['not like', 'StringNotLike', 'A*', 'AB', false],
  ['an empty list of values fails', 'StringEquals', 'A', [], false],
])('%s: %s %j for %j is %s', (_, operator, wanted, actual, expected) => {
  expect(holds(operator, wanted, actual)).toBe(expected);
});

test.each<[string, string, Values, Values | undefined, boolean]>([
  ['all values, one does not match', 'ForAllValues:StringLike', 'A#*', ['A#1', 'B#1'], false],
  ['all values, by different patterns', 'ForAllValues:StringLike', ['A#*', 'B'], ['A#1', 'B'], true],
  ['all values of an absent key', 'ForAllValues:StringLike', 'A', undefined, true],
  ['all values of an empty list', 'ForAllValues:StringLike', 'A', [], true],
  ['all values negated, one matches', 'ForAllValues:StringNotEquals', 'A', ['B', 'A'], false],
  ['all values negated, none matches', 'ForAllValues:StringNotEquals', 'A', ['B', 'C'], true],
  ['all values negated of an absent key', 'ForAllValues:StringNotLike', 'A', undefined, true],
  ['any value, one matches', 'ForAnyValue:StringEquals', 'A', ['B', 'A'], true],
  ['any value of an absent key', 'ForAnyValue:StringEquals', 'A', undefined, false],
  ['any value negated, one does not match', 'ForAnyValue:StringNotEquals', 'A', ['B', 'A'], true],
  ['any value negated, all match', 'ForAnyValue:StringNotEquals', 'A', ['A'], false],
  ['any value negated of an absent key', 'ForAnyValue:StringNotEquals', 'A', undefined, false],
  ['any value if it exists', 'ForAnyValue:StringEqualsIfExists', 'A', undefined, true],
])('%s: %s %j for %j is %s', (_, operator, wanted, actual, expected) => {
  expect(holds(operator, wanted, actual)).toBe(expected);
});

test.each<[string, Values | undefined, boolean]>([
  ['false', undefined, false],
  ['false', [], false],
  ['false', ['A', 'B'], true],
  ['true', undefined, true],
  ['true', ['A'], false],
])('Null %s for %j is %s', (wanted, actual, expected) => {
  expect(holds('Null', wanted, actual)).toBe(expected);
});

test.each<[string, string, boolean]>([
  ['ArnEquals', ROLE, true],
  ['ArnEquals', 'arn:aws:iam::*:role/Rea*', true],
  ['ArnLike', 'arn:aws:iam::*:role/Write?', false],
  ['ArnLike', 'arn:aws:iam:*:role/Reader:*', false],
  ['ArnNotEquals', ROLE, false],
  ['ArnNotLike', 'arn:aws:iam::*:user/*', true],
])('%s %s is %s for a role', (operator, wanted, expected) => {
  expect(holds(operator, wanted, ROLE, PRINCIPAL)).toBe(expected);
});

test('a wildcard in an ARN does not match a colon', () => {
  expect(holds('ArnLike', 'arn:aws:x:*:c:d', 'arn:aws:x:a:b:c:d', PRINCIPAL)).toBe(false);
  expect(holds('ArnLike', 'arn:aws:x:a:b:*', 'arn:aws:x:a:b:c:d', PRINCIPAL)).toBe(true);
});

test('Bool ignores case', () => {
  expect(holds('Bool', 'true', 'True', 'kms:EncryptionContext:sealed')).toBe(true);
  expect(holds('Bool', 'true', undefined, 'kms:EncryptionContext:sealed')).toBe(false);
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
  ['StringEqualsIgnoreCase', 'A', KEY],
  ['NullIfExists', 'true', KEY],
  ['ForAllValues:Null', 'true', KEY],
  ['ForSomeValues:StringEquals', 'A', KEY],
  ['constructor', 'A', KEY],
  ['StringEquals', 'A', 'aws:SourceIp'],
  ['Null', 'true', 'dynamodb:Attributes'],
  ['StringLike', '$' + '{aws:username}', KEY],
  ['StringEquals', '$' + '{aws:username}', KEY],
  ['ArnLike', 'role/Reader', KEY],
])('a condition that cannot be evaluated throws: %s %j on %s', (operator, wanted, key) => {
  expect(() => conditionHolds({ [operator]: { [key]: wanted } }, { [KEY]: ['A'] })).toThrow();
});

test('a key with several values throws without ForAllValues or ForAnyValue', () => {
  expect(() => holds('StringEquals', 'A', ['A', 'B'])).toThrow(/needs ForAllValues or ForAnyValue/);
});
