// The query parameters of the screens. Invalid and unknown ones become undefined: the router merges the results with the
// address, so that one that was left out would stay.

type Raw = Record<string, unknown>;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

const textsOf = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.map(textOf).filter((text) => text !== undefined) : undefined;

const wordOf = <const Words extends readonly string[]>(
  value: unknown,
  words: Words,
): Words[number] | undefined => words.find((word) => word === value);

const dayOf = (value: unknown): string | undefined => {
  const day = textOf(value) ?? '';
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN;
  // February 31 is a day in March for the parser.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : undefined;
};

type Given<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

const given = <T extends object>(raw: Raw, search: T): Given<T> => {
  const none = Object.fromEntries(Object.keys(raw).map((name) => [name, undefined]));
  return { ...none, ...search } as Given<T>;
};

export const promptsSearch = (raw: Raw) =>
  given(raw, {
    q: textOf(raw.q),
    texts: wordOf(raw.texts, ['yes']),
    tag: textOf(raw.tag),
    label: textOf(raw.label),
    folder: textOf(raw.folder),
    fetched: wordOf(raw.fetched, ['yes', 'no']),
    draft: wordOf(raw.draft, ['yes']),
    sort: wordOf(raw.sort, ['name', 'changed', 'fetches', 'fetched']),
    order: wordOf(raw.order, ['asc', 'desc']),
  });

export const labelSetSearch = (raw: Raw) =>
  given(raw, {
    folder: textOf(raw.folder),
    prompts: textsOf(raw.prompts),
    source: textOf(raw.source),
    target: textOf(raw.target),
  });

export const liveSearch = (raw: Raw) =>
  given(raw, {
    label: textOf(raw.label),
    since: wordOf(raw.since, ['hour', 'day', 'week', 'month', 'all']),
  });

/** `from` is the id of the prompt that the new one starts as a copy of. */
export const newPromptSearch = (raw: Raw) => given(raw, { from: textOf(raw.from) });

export const promptSearch = (raw: Raw) =>
  given(raw, {
    version: textOf(raw.version),
    tab: wordOf(raw.tab, ['template', 'try', 'use']),
  });

export const compareSearch = (raw: Raw) =>
  given(raw, {
    from: textOf(raw.from),
    to: textOf(raw.to),
  });

export const usageSearch = (raw: Raw) =>
  given(raw, {
    days: wordOf(textOf(raw.days), ['7', '30', '90']),
    key: textOf(raw.key),
    version: textOf(raw.version),
    from: dayOf(raw.from),
    to: dayOf(raw.to),
    by: wordOf(raw.by, ['key']),
  });

export const overviewSearch = (raw: Raw) => given(raw, { days: wordOf(textOf(raw.days), ['7', '14', '30']) });

/** Of screens about the secrets of one environment. */
export const environmentSearch = (raw: Raw) => given(raw, { environment: textOf(raw.environment) });

export const secretsSearch = (raw: Raw) =>
  given(raw, {
    environment: textOf(raw.environment),
    q: textOf(raw.q),
    tag: textOf(raw.tag),
    read: wordOf(raw.read, ['yes', 'no']),
    rotate: wordOf(raw.rotate, ['overdue', 'soon', 'unfinished']),
    sort: wordOf(raw.sort, ['key', 'changed', 'read', 'gaps']),
    order: wordOf(raw.order, ['asc', 'desc']),
  });

export const apiKeysSearch = (raw: Raw) =>
  given(raw, {
    q: textOf(raw.q),
    status: wordOf(raw.status, ['active', 'expired', 'revoked']),
    sort: wordOf(raw.sort, ['name', 'used', 'expires', 'created']),
    order: wordOf(raw.order, ['asc', 'desc']),
  });

export const auditSearch = (raw: Raw) =>
  given(raw, {
    kind: wordOf(raw.kind, ['change', 'read', 'refusal']),
    action: textOf(raw.action),
    actor: textOf(raw.actor),
    subject: textOf(raw.subject),
    drafts: wordOf(raw.drafts, ['yes']),
    period: wordOf(textOf(raw.period), ['hour', 'today', 'yesterday', '7', '30', '90', 'days']),
    from: dayOf(raw.from),
    to: dayOf(raw.to),
    entry: textOf(raw.entry),
  });
