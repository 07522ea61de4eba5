import { matchesArn, matchesGlob, refuseVariable } from './matching.ts';

/** Operator, then condition key, then one or more values. */
export type Condition = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** The condition keys of a request: one value each, or several for a key that AWS documents as multivalued. */
export type Context = Readonly<Record<string, string | readonly string[]>>;

type Test = (wanted: string, actual: string) => boolean;

const equals: Test = (wanted, actual) => wanted === actual;
const equalsIgnoringCase: Test = (wanted, actual) => wanted.toLowerCase() === actual.toLowerCase();

/** The operators in the policies of the stack. */
const OPERATORS: Readonly<Record<string, { readonly test: Test; readonly negated?: boolean }>> = {
  StringEquals: { test: equals },
  StringLike: { test: matchesGlob },
  ArnEquals: { test: matchesArn },
  ArnNotEquals: { test: matchesArn, negated: true },
  Bool: { test: equalsIgnoringCase },
};

/** The condition keys of the requests in `requests.ts`. */
const KEYS = [
  /^dynamodb:LeadingKeys$/i,
  /^kms:EncryptionContext:.+$/i,
  /^kms:EncryptionContextKeys$/i,
  /^kms:SigningAlgorithm$/i,
  /^kms:MessageType$/i,
  /^aws:PrincipalArn$/i,
  /^aws:SecureTransport$/i,
  /^s3:if-none-match$/i,
  /^lambda:SourceFunctionArn$/i,
];

export const listOf = <T>(values: T | readonly T[]): readonly T[] =>
  Array.isArray(values) ? (values as readonly T[]) : [values as T];

// Names of condition keys are not case-sensitive. A key without values counts as absent.
const valuesOf = (key: string, context: Context): readonly string[] | undefined => {
  if (!KEYS.some((known) => known.test(key)))
    throw new Error(`The condition key ${key} is not supported by the local policy evaluation.`);
  const name = Object.keys(context).find((name) => equalsIgnoringCase(name, key));
  const values = name === undefined ? [] : listOf(context[name] ?? []);
  return values.length === 0 ? undefined : values;
};

interface Operator {
  readonly forAllValues: boolean;
  readonly test: Test;
  readonly negated?: boolean;
}

const parseOperator = (name: string): Operator => {
  const [, forAllValues, base = ''] = /^(ForAllValues:)?(\w+)$/.exec(name) ?? [];
  const operator = Object.hasOwn(OPERATORS, base) ? OPERATORS[base] : undefined;
  if (operator === undefined)
    throw new Error(`The condition operator ${name} is not supported by the local policy evaluation.`);
  return { forAllValues: forAllValues !== undefined, ...operator };
};

const holdsFor = (
  { forAllValues, test, negated = false }: Operator,
  key: string,
  wanted: readonly string[],
  actual: readonly string[] | undefined,
): boolean => {
  if (actual === undefined) return forAllValues || negated;
  const holds = (value: string) => wanted.some((each) => test(each, value)) !== negated;
  if (forAllValues) return actual.every(holds);
  const [only, ...more] = actual;
  if (only === undefined || more.length > 0)
    throw new Error(`${key} has several values here: the condition needs ForAllValues.`);
  return holds(only);
};

const isAbsentAsWanted = (wanted: readonly string[], actual: readonly string[] | undefined): boolean =>
  wanted.some((value) => equalsIgnoringCase(value, String(actual === undefined)));

/**
 * Whether every operator and every key of a condition holds. Several expected values are alternatives; a negated operator
 * holds when none of them matches, and when the key is absent; `ForAllValues` holds for an absent key
 * (docs.aws.amazon.com/IAM/latest/UserGuide, "Conditions with multiple context keys or values").
 * Throws on operators and keys that no policy of the stack has.
 */
export const conditionHolds = (condition: Condition, context: Context): boolean =>
  Object.entries(condition).every(([name, keys]) =>
    Object.entries(keys).every(([key, values]) => {
      const wanted = listOf(values);
      wanted.forEach(refuseVariable);
      const actual = valuesOf(key, context);
      return name === 'Null'
        ? isAbsentAsWanted(wanted, actual)
        : holdsFor(parseOperator(name), key, wanted, actual);
    }),
  );
