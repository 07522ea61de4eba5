import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { PERMISSIONS, type Permission } from './access.ts';
import { pathLabel, quoted, time, whole } from './common.ts';
import { described, listOf, nameText, tag, text } from './fields.ts';
import { coversEnvironment, DEFAULT_ENVIRONMENT, matchesPromptPatterns } from './patterns.ts';
import { environmentOrAll } from './secrets.ts';

export const keyName = nameText(LIMITS.keyNameBytes, 'Name of the key.');

/** How the admin UI asks for a limit and shows it. */
export interface KeyField {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** What precedes the values of a key in lists. */
  readonly short: string;
  readonly most: number;
  /** The permissions that it limits; absent: all. */
  readonly concerns?: readonly Permission[];
}

/** A limit of callers. Requests, replies, events, stored rows, comparisons and forms follow from it. */
interface KeyLimit {
  /** What a request may contain. */
  readonly schema: z.ZodMiniType;
  /** What replies and events contain. */
  readonly shape: z.ZodMiniType;
  /** Why a key with the second value could do more than with the first; undefined if it could not. */
  wider(from: unknown, to: unknown): string | undefined;
  readonly field?: Omit<KeyField, 'name'> | undefined;
  /** The permissions that it limits, if `field` does not say so. @default - all */
  readonly concerns?: readonly Permission[];
}

interface ListLimit<Value extends string> {
  readonly item: z.ZodMiniType<Value, Value>;
  readonly most: number;
  readonly least?: number;
  /** What `schema` says if it is no list of these. */
  readonly error?: string;
  readonly description: string;
  readonly field?: Omit<KeyField, 'name' | 'most'> | undefined;
}

const list = <Value extends string>({
  item,
  most,
  least,
  error = 'must be an array of strings',
  description,
  field,
}: ListLimit<Value>) => ({
  schema: listOf(item, most, description, least, error),
  shape: described(z.array(z.string() as unknown as z.ZodMiniType<Value, Value>), description),
  field: field && { ...field, most },
});

/** A limit whose values all apply: more of them allow less. */
const allOf = <Value extends string>(limit: ListLimit<Value>) => ({
  ...list(limit),
  wider: (from: readonly Value[] = [], to: readonly Value[] = []) => {
    const lost = from.filter((value) => !to.includes(value));
    return lost.length === 0 ? undefined : `must still contain ${quoted(lost)}`;
  },
});

interface Alternatives {
  /** What no value at all allows: everything, or nothing. */
  readonly empty: 'everything' | 'nothing';
  /** Whether the values allow what another one allows. @default - whether they contain it */
  readonly covers?: (values: readonly string[], value: string) => boolean;
  /** What a key without the limit has. @default - no value */
  readonly absent?: readonly string[];
}

/** A limit of whose values one must apply: fewer of them allow less. */
const anyOf = <Value extends string>({
  empty,
  covers = (values, value) => values.includes(value),
  absent = [],
  ...limit
}: ListLimit<Value> & Alternatives) => ({
  ...list(limit),
  wider: (from: readonly string[] = absent, to: readonly string[] = absent) => {
    if (empty === 'everything' && from.length === 0) return undefined;
    const limited = `the key is limited to ${quoted(from) || 'none'}`;
    if (empty === 'everything' && to.length === 0) return `must not be empty: ${limited}`;
    const added = to.filter((value) => !covers(from, value));
    return added.length === 0 ? undefined : `must not contain ${quoted(added)}: ${limited}`;
  },
});

/** Whether patterns of prompts allow every name that another pattern allows. */
export const coversPattern = (patterns: readonly string[], pattern: string): boolean =>
  pattern.endsWith('*')
    ? patterns.some((wider) => wider.endsWith('*') && pattern.slice(0, -1).startsWith(wider.slice(0, -1)))
    : matchesPromptPatterns(patterns, pattern);

const PERMISSION_NAMES = '"prompts", "secrets", "publish" or "compare"';

/** The limits that every key has. */
export const BASE_LIMITS = {
  permissions: anyOf({
    item: z.enum(PERMISSIONS, `must be ${PERMISSION_NAMES}`),
    empty: 'nothing',
    least: 1,
    most: 10,
    error: `must be an array of ${PERMISSION_NAMES}`,
    description:
      '`prompts` fetches prompts, `secrets` fetches secrets, `publish` publishes prompts from code, `compare` does the same with `dryRun` only, for pull requests.',
  }),
  tags: allOf({
    item: tag,
    most: LIMITS.tags,
    description: 'The key reads only secrets that have all of these tags. Empty: every secret.',
    field: {
      label: 'Only secrets with these tags',
      hint: 'A secret must have all of them.',
      short: 'only secrets tagged',
      concerns: ['secrets'],
    },
  }),
  prompts: anyOf({
    item: text(LIMITS.promptNameBytes, 'Name of a prompt, or the beginning of names followed by `*`.'),
    empty: 'everything',
    most: LIMITS.keyPrompts,
    covers: coversPattern,
    description:
      'Names of the prompts that the key can fetch and publish. One that ends in `*`, such as `support/*`, allows all names with this beginning. For this key, other prompts do not exist. Empty: every prompt.',
    field: {
      label: 'Only these prompts',
      hint: 'Names, or beginnings of names such as support/*.',
      short: 'only prompts',
      concerns: ['prompts', 'publish', 'compare'],
    },
  }),
  cidrs: anyOf({
    item: z.string('must be an address range'),
    empty: 'everything',
    most: LIMITS.keyCidrs,
    description: 'Address ranges that may use the key, such as 203.0.113.0/24. Empty: any address.',
    field: {
      label: 'Addresses',
      hint: 'Address ranges that can use the key, such as 203.0.113.0/24. Leave it empty to allow any address.',
      short: 'from',
    },
  }),
} as const satisfies Readonly<Record<string, KeyLimit>>;

/** Further limits, which a key need not have: one more takes only a row here, and what enforces it. */
export const FURTHER_LIMITS = {
  labels: anyOf({
    item: pathLabel,
    empty: 'nothing',
    most: LIMITS.labels,
    description:
      'The labels that a key with the permission `publish` may set, move and remove; none by default. Protected labels are never among them.',
    field: {
      label: 'Can move these labels',
      hint: 'Labels such as staging. Leave it empty to allow none. Protected labels are never among them.',
      short: 'can move',
      concerns: ['publish', 'compare'],
    },
  }),
  mostPrompts: {
    concerns: ['publish'],
    schema: described(
      whole(0, LIMITS.prompts),
      `How many prompts that exist a key with the permission \`publish\` may have created. ${LIMITS.promptsOfKey} by default.`,
    ),
    shape: described(z.int(), 'How many prompts that exist the key may have created.'),
    wider: (from: number = LIMITS.promptsOfKey, to: number = LIMITS.promptsOfKey) =>
      to <= from ? undefined : `must not be above ${from}`,
  },
  environments: anyOf({
    item: environmentOrAll,
    empty: 'nothing',
    most: LIMITS.environments,
    covers: coversEnvironment,
    absent: [DEFAULT_ENVIRONMENT],
    description:
      'The environments whose secrets the key reads; `*` stands for all. Absent: only `default`. Without `environment`, a call means `default` whatever the key reads.',
    field: {
      label: 'Secrets of these environments',
      hint: 'Choose * for all. Leave it empty to allow only default.',
      short: 'secrets of',
      concerns: ['secrets'],
    },
  }),
  expiresAt: {
    schema: described(
      z.iso.datetime('must be a time in UTC, such as "2030-01-31T00:00:00Z"'),
      'When the key expires. ISO 8601 in UTC.',
    ),
    shape: time('When the key expires.'),
    wider: (from: string | undefined, to: string | undefined) =>
      from === undefined || (to !== undefined && Date.parse(to) <= Date.parse(from))
        ? undefined
        : `must not be after ${from}, when the key expires now`,
  },
} as const satisfies Readonly<Record<string, KeyLimit>>;

type Base = typeof BASE_LIMITS;
type Further = typeof FURTHER_LIMITS;

/** The limits that a key need not have. */
export type FurtherLimit = keyof Further;

/** The limits of a key, as they are stored. */
export type KeyLimits = {
  readonly [Name in keyof Base]: Readonly<z.output<Base[Name]['schema']>>;
} & { readonly [Name in keyof Further]?: Readonly<z.output<Further[Name]['schema']>> | undefined };

/** Every limit of a key. */
export const KEY_LIMITS: Readonly<Record<keyof KeyLimits, KeyLimit>> = { ...BASE_LIMITS, ...FURTHER_LIMITS };

const mapped = (schemaOf: (limit: KeyLimit, name: string) => z.ZodMiniType): object =>
  Object.fromEntries(Object.entries(KEY_LIMITS).map(([name, limit]) => [name, schemaOf(limit, name)]));

/** The fields of a request that changes limits: each may be absent. */
export const limitFields = mapped(({ schema }) => z.optional(schema)) as {
  readonly [Name in keyof (Base & Further)]: z.ZodMiniOptional<(Base & Further)[Name]['schema']>;
};

/** The fields of a reply. */
export const limitShapes = mapped(({ shape }, name) => (name in BASE_LIMITS ? shape : z.optional(shape))) as {
  readonly [Name in keyof Base]: Base[Name]['shape'];
} & { readonly [Name in keyof Further]: z.ZodMiniOptional<Further[Name]['shape']> };

/** The fields of forms, by the name of the limit. The admin UI loads nothing else of this file. */
export const KEY_FIELDS: readonly KeyField[] = Object.entries(KEY_LIMITS).flatMap(([name, { field }]) =>
  field ? [{ name, ...field }] : [],
);
