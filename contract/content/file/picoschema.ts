import { isObject, type JsonObject } from '../../fields/patterns.ts';

const SCALARS = ['string', 'number', 'integer', 'boolean', 'null'];
const JSON_TYPES = new Set<unknown>([...SCALARS, 'object', 'array']);

/** What is wrong with a schema, in one sentence. */
export class SchemaError extends Error {}

/** Whether a value is a JSON schema rather than Picoschema, as Dotprompt tells them apart. */
export const isJsonSchema = (value: unknown): value is JsonObject =>
  isObject(value) &&
  (Object.keys(value).length === 0 || JSON_TYPES.has(value.type) || isObject(value.properties));

const described = (schema: JsonObject, description: string | undefined): JsonObject =>
  description === undefined || description === '' ? schema : { ...schema, description };

const ofScalar = (text: string): JsonObject => {
  const [, type = '', description] = /^([^,]*)(?:,(.*))?$/s.exec(text) ?? [];
  const name = type.trim();
  if (name !== 'any' && !SCALARS.includes(name))
    throw new SchemaError(`"${name}" is not a type of a schema.`);
  return described(name === 'any' ? {} : { type: name }, description?.trim());
};

const optionalOf = (schema: JsonObject): JsonObject => ({
  ...schema,
  ...(typeof schema.type === 'string' ? { type: [schema.type, 'null'] } : {}),
  ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
});

const ofKind = (kind: string, value: unknown): JsonObject => {
  if (kind === 'array') return { type: 'array', items: ofValue(value) };
  if (kind === 'object' && isObject(value)) return ofFields(value);
  if (kind === 'enum' && Array.isArray(value)) return { enum: value };
  throw new SchemaError(`"${kind}" is not a kind of field: they are array, object and enum.`);
};

const FIELD = /^([^?(]*)(\?)?(?:\(([^,)]*)(?:,(.*))?\))?$/s;

const ofFields = (fields: JsonObject): JsonObject => {
  const { '(*)': others, ...named } = fields;
  const parsed = Object.entries(named).map(([key, value]) => {
    const [, name = key, mark, kind, description] = FIELD.exec(key) ?? [];
    const schema = described(
      kind === undefined ? ofValue(value) : ofKind(kind.trim(), value),
      description?.trim(),
    );
    return { name, required: mark === undefined, schema: mark === undefined ? schema : optionalOf(schema) };
  });
  const required = parsed.flatMap((field) => (field.required ? [field.name] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(parsed.map(({ name, schema }) => [name, schema])),
    additionalProperties: others === undefined ? false : ofValue(others),
    ...(required.length === 0 ? {} : { required }),
  };
};

const ofValue = (value: unknown): JsonObject => {
  if (typeof value === 'string') return ofScalar(value);
  if (isObject(value)) return ofFields(value);
  throw new SchemaError('A schema is a type or an object of fields.');
};

/** The JSON schema that a schema in a prompt file means, which may be Picoschema. Throws `SchemaError`. */
export const jsonSchemaOf = (schema: unknown): JsonObject => {
  if (!isJsonSchema(schema)) return ofValue(schema);
  return schema.type === undefined && isObject(schema.properties) ? { type: 'object', ...schema } : schema;
};
