type Raw = Record<string, unknown>;
type Fields = Readonly<Record<string, (value: unknown) => unknown>>;
type Given<F extends Fields> = { readonly [Name in keyof F]?: Exclude<ReturnType<F[Name]>, undefined> };

/**
 * Reads the query parameters of a screen. Invalid and unknown ones become undefined: the router merges the results with the
 * address, so that one that was left out would stay.
 */
const search =
  <const F extends Fields>(fields: F) =>
  (raw: Raw): Given<F> => {
    const none = Object.keys(raw).map((name) => [name, undefined]);
    const read = Object.entries(fields).map(([name, readAs]) => [name, readAs(raw[name])]);
    return Object.fromEntries([...none, ...read]) as Given<F>;
  };

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.map(text).filter((each) => each !== undefined) : undefined;

const oneOf =
  <const Words extends readonly string[]>(...words: Words) =>
  (value: unknown): Words[number] | undefined =>
    words.find((word) => word === text(value));

const day = (value: unknown): string | undefined => {
  const named = text(value) ?? '';
  const time = /^\d{4}-\d{2}-\d{2}$/.test(named) ? Date.parse(named) : Number.NaN;
  // February 31 is a day in March for the parser.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(named) ? named : undefined;
};

const order = oneOf('asc', 'desc');

export const promptsSearch = search({
  q: text,
  texts: oneOf('yes'),
  tag: text,
  label: text,
  folder: text,
  fetched: oneOf('yes', 'no'),
  draft: oneOf('yes'),
  sort: oneOf('name', 'changed', 'fetches', 'fetched'),
  order,
});

export const labelSetSearch = search({ folder: text, prompts: texts, source: text, target: text });

export const liveSearch = search({ label: text, since: oneOf('hour', 'day', 'week', 'month') });

/** `from` is the id of the prompt that the new one starts as a copy of. */
export const newPromptSearch = search({ from: text });

export const promptSearch = search({ version: text, tab: oneOf('template', 'try', 'use') });

export const compareSearch = search({ from: text, to: text });

export const usageSearch = search({
  days: oneOf('7', '30', '90'),
  key: text,
  version: text,
  from: day,
  to: day,
  by: oneOf('version', 'key'),
});

export const overviewSearch = search({ days: oneOf('7', '14', '30') });

/** Of screens about the secrets of one environment. */
export const environmentSearch = search({ environment: text });

export const secretsSearch = search({
  environment: text,
  q: text,
  tag: text,
  read: oneOf('yes', 'no'),
  rotate: oneOf('overdue', 'soon', 'unfinished'),
  sort: oneOf('key', 'changed', 'read', 'gaps'),
  order,
});

export const apiKeysSearch = search({
  q: text,
  status: oneOf('active', 'expired', 'revoked'),
  sort: oneOf('name', 'used', 'expires', 'created'),
  order,
});

export const auditSearch = search({
  kind: oneOf('change', 'read', 'refusal'),
  action: text,
  actor: text,
  subject: text,
  drafts: oneOf('yes'),
  period: oneOf('hour', 'today', 'yesterday', '7', '30', '90', 'days'),
  from: day,
  to: day,
  entry: text,
});
