// Items as documents, in the form of DynamoDB's JSON (API Reference, "AttributeValue").

type Attribute = Readonly<Record<string, unknown>>;
type Document = Readonly<Record<string, unknown>>;

const ofObject = (value: object): Attribute => {
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return { L: value.map(toAttribute) };
  return { M: marshall(value as Document) };
};

/** As the SDK has it: a number that is read as the same one. */
const isExact = (value: unknown) => typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;

const toAttribute = (value: unknown): Attribute => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (typeof value === 'object' && !(value instanceof Set)) return ofObject(value);
  if (typeof value === 'bigint' || isExact(value)) return { N: String(value) };
  throw new TypeError(`A value of type ${typeof value} cannot be stored.`);
};

const numberOf = (text: string): number | bigint => {
  const number = Number(text);
  return Number.isSafeInteger(number) || !Number.isInteger(number) ? number : BigInt(text);
};

/** How a value of each type is read. */
const READERS: Readonly<Record<string, (value: never) => unknown>> = {
  S: (value: string) => value,
  N: numberOf,
  B: (value: string) => new Uint8Array(Buffer.from(value, 'base64')),
  BOOL: (value: boolean) => value,
  NULL: () => null,
  M: (value: Readonly<Record<string, Attribute>>) => unmarshall(value),
  L: (value: readonly Attribute[]) => value.map(fromAttribute),
};

const fromAttribute = (attribute: Attribute): unknown => {
  for (const type in attribute) {
    const read = READERS[type];
    if (read !== undefined) return read(attribute[type] as never);
  }
  throw new TypeError('DynamoDB has returned a value of an unknown type.');
};

/** The item of a document. Fields that are undefined are left out. Throws a `TypeError` for what cannot be stored. */
export const marshall = (document: Document): Readonly<Record<string, Attribute>> =>
  Object.fromEntries(
    Object.entries(document).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, toAttribute(value)]],
    ),
  );

/** The document of an item. Integers beyond 2^53 are `bigint`. */
export const unmarshall = (item: Readonly<Record<string, Attribute>>): Document =>
  Object.fromEntries(Object.entries(item).map(([name, attribute]) => [name, fromAttribute(attribute)]));
