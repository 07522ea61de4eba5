import type { JsonObject } from '../../../../../contract/fields/fields.ts';

/** The object in a JSON text; undefined for anything else. An empty text is an empty object. */
export const parseObject = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
};

/** An object as formatted JSON; an empty one as an empty text. */
export const formatObject = (value: JsonObject): string =>
  Object.keys(value).length === 0 ? '' : JSON.stringify(value, undefined, 2);
