import { utf8Bytes } from '../../contract/limits.ts';

const CONTAINER = 3;
const ELEMENT = 1;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

/**
 * Size of a value in a DynamoDB item, in bytes, after "DynamoDB item sizes and formats" in its developer guide: text in
 * UTF-8; a number one byte per two digits plus one; lists and maps three bytes plus one per element.
 */
export const attributeBytes = (value: unknown): number => {
  if (typeof value === 'string') return utf8Bytes(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return CONTAINER + sum(value.map((one) => ELEMENT + attributeBytes(one)));
  if (typeof value === 'object' && value !== null) {
    return CONTAINER + ELEMENT * Object.keys(value).length + itemBytes(value);
  }
  return 1;
};

/** Size of an item, in bytes: the names of its attributes and their values. DynamoDB stores at most 400 KB. */
export const itemBytes = (item: object): number =>
  sum(Object.entries(item).map(([name, value]) => utf8Bytes(name) + attributeBytes(value)));
