import { CuevaultError } from '../errors.ts';

export const invalidCursor = (): CuevaultError =>
  new CuevaultError(
    'invalid_request',
    '"cursor" is not a cursor that a list has returned. Omit it to start from the first page.',
  );

/** The cursor of a page: the position at which it ended. */
export const encodeCursor = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** The position in a cursor, if it has the expected form. Errors: `invalid_request`. */
export const decodeCursor = <Position>(
  cursor: string,
  isPosition: (value: unknown) => value is Position,
): Position => {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (isPosition(value)) return value;
  } catch {
    // Falls through to the common error.
  }
  throw invalidCursor();
};

/** Form of the sort keys of entries with a time: the time, then a suffix for entries of the same millisecond. */
const ENTRY = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)#[\w#-]{1,200}$/;

/**
 * The sort key in the cursor of a list of entries with a time, none of which is after `to`, a day or a time.
 * Errors: `invalid_request`.
 */
export const decodeEntryCursor = (cursor: string, to: string): string =>
  decodeCursor(cursor, (value): value is string => {
    const [, time] = typeof value === 'string' ? (ENTRY.exec(value) ?? []) : [];
    return time !== undefined && !Number.isNaN(Date.parse(time)) && time <= `${to}~`;
  });
