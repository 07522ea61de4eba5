import { CuevaultError } from './errors.ts';

/** The one answer to every cursor that is not ours. */
export const invalidCursor = (): CuevaultError =>
  new CuevaultError(
    'invalid_request',
    '"cursor" is not one that a list has returned; leave it out to start anew.',
  );

/** What a page of a list tells its reader: where it ended. */
export const encodeCursor = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** The position in a cursor, if it is one of the form that is looked for. Errors: `invalid_request`. */
export const decodeCursor = <Position>(
  cursor: string,
  isPosition: (value: unknown) => value is Position,
): Position => {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (isPosition(value)) return value;
  } catch {
    // Falls through to the one answer.
  }
  throw invalidCursor();
};

/** How the sort keys of entries with a time are written: the time, then what tells apart entries of one millisecond. */
const ENTRY = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)#[\w#-]{1,200}$/;

/**
 * The sort key in the cursor of a list of entries with a time, none of which is after the day `to` (`YYYY-MM-DD`).
 * Errors: `invalid_request`.
 */
export const decodeEntryCursor = (cursor: string, to: string): string =>
  decodeCursor(cursor, (value): value is string => {
    const [, time] = typeof value === 'string' ? (ENTRY.exec(value) ?? []) : [];
    return time !== undefined && !Number.isNaN(Date.parse(time)) && time.slice(0, 10) <= to;
  });
