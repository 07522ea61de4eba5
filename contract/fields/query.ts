import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { oneOf, optionalString, whole } from './common.ts';
import { described, text } from './fields.ts';

// Query values are strings; these schemas convert them.

/** A whole number from `least` to `most`. */
export const wholeNumber = (least: number, most: number, description: string) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.pipe(
    z.pipe(z.string(error).check(z.regex(/^\d{1,16}$/, error)), z.transform(Number)),
    described(whole(least, most), description),
  );
};

export const choice = (description: string) =>
  z.pipe(
    z.pipe(
      z.enum(['true', 'false'], 'must be true or false'),
      z.transform((value) => value === 'true'),
    ),
    described(z.boolean(), description),
  );

// `Date.parse` reads 2026-02-31 as March 3.
const isDay = (value: string) => {
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
};

const dayLike = (form: RegExp, others: string, meta: z.core.GlobalMeta) => {
  const error = `must be a day such as 2026-01-31${others}`;
  const isEmptyOrDay = (day: string) => day === '' || isDay(day);
  return z.string(error).check(z.regex(form, error), z.refine(isEmptyOrDay, error), z.meta(meta));
};

/** A day in UTC, `YYYY-MM-DD`. */
export const utcDay = (description: string) =>
  dayLike(/^\d{4}-\d{2}-\d{2}$/, '', { description, format: 'date' });

/** A day in UTC, `YYYY-MM-DD`, or the empty text. */
export const utcDayOrNone = (description: string) =>
  dayLike(/^(\d{4}-\d{2}-\d{2})?$/, ', or empty', { description });

/** A day in UTC, or a time in UTC with milliseconds, as JavaScript's `toISOString` writes it. */
export const utcDayOrTime = (description: string) =>
  dayLike(
    /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}\.\d{3}Z)?$/,
    ', or a time in UTC such as 2026-01-31T05:00:00.000Z',
    { description },
  );

/** A text to search for, case-insensitive. */
export const search = (description: string) => text(LIMITS.searchBytes, description);

/** The size of a page and where it starts. */
export const paging = {
  limit: z._default(
    wholeNumber(1, LIMITS.pageMost, `Entries on a page, at most ${LIMITS.pageMost}.`),
    LIMITS.page,
  ),
  cursor: z.optional(text(8_192, 'The cursor of the previous page.')),
};

export const orderFrom = (first: 'asc' | 'desc') =>
  z._default(oneOf(['asc', 'desc'], 'Smallest or largest first.'), first);

export const order = orderFrom('asc');

export const nextCursor = optionalString('Send it to get the next page. Absent on the last page.');

/** The expected `rev` of a change without a body. */
export const seenRev = z.optional(
  wholeNumber(
    0,
    Number.MAX_SAFE_INTEGER,
    'The `rev` as you last read it. The request fails if it has changed.',
  ),
);

export const confirmAccess = z.optional(
  choice(
    'Administrators send `true` to let API keys with a tag restriction read existing secrets that they cannot read now.',
  ),
);

export const confirm = z.optional(
  choice(`Send \`true\` to delete even if it was fetched within the last ${LIMITS.inUseDays} days.`),
);
