import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { isObject } from '../../../../../contract/fields/patterns.ts';

/** The value of a JSON text; undefined if it is not JSON. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The object in a JSON text; undefined for anything else. An empty text is an empty object. */
export const parseObject = (text: string): JsonObject | undefined => {
  const value = text.trim() === '' ? {} : parsed(text);
  return isObject(value) ? (value as JsonObject) : undefined;
};
