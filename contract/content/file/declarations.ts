import type { JsonObject } from '../../fields/patterns.ts';
import { VARIABLE_TYPES, type VariableDeclaration, type Variables, type VariableType } from '../content.ts';
import { jsonTypeOf } from '../variables.ts';
import { SchemaError } from './picoschema.ts';

const HELD = new Set(['type', 'description', 'enum']);

const typeOf = (schema: JsonObject): VariableType => {
  const values = (schema.enum as readonly unknown[] | undefined)?.filter((value) => value !== null) ?? [];
  const types = [schema.type ?? values.map(jsonTypeOf)].flat().filter((type) => type !== 'null');
  const [type] = new Set(types);
  const known = VARIABLE_TYPES.find((each) => each === type);
  if (known === undefined || new Set(types).size > 1)
    throw new SchemaError(`A variable needs one of the types ${VARIABLE_TYPES.join(', ')}.`);
  return known;
};

const declarationOf = (schema: JsonObject): VariableDeclaration => {
  const other = Object.keys(schema).find((key) => !HELD.has(key));
  if (other !== undefined)
    throw new SchemaError(`A variable is declared with type, description and enum, not with "${other}".`);
  const { description, enum: values } = schema;
  if (values !== undefined && !Array.isArray(values)) throw new SchemaError('"enum" must be a list.');
  return {
    type: typeOf(schema),
    ...(description === undefined ? {} : { description: String(description) }),
    ...(values === undefined ? {} : { enum: values.filter((value) => value !== null) }),
  };
};

/** The declarations that a JSON schema of the input makes. Throws `SchemaError`; `at` is told each name first. */
const fromSchema = (schema: JsonObject, defaults: JsonObject, at: (name: string) => void): Variables => {
  const { type, properties = {}, required, additionalProperties = false, ...others } = schema;
  const [other] = Object.keys(others);
  if (type !== 'object' || other !== undefined || additionalProperties !== false)
    throw new SchemaError('The schema of the input must be an object of variables.');
  const declared = Object.entries(properties as Record<string, JsonObject>).map(([name, each]) => {
    at(name);
    if (Array.isArray(required) && !required.includes(name) && !Object.hasOwn(defaults, name))
      throw new SchemaError(`"${name}" is optional, so it needs a default in input.default.`);
    return [name, declarationOf(each)] as const;
  });
  return Object.fromEntries(declared);
};

const inferred = (value: unknown): VariableDeclaration => ({ type: jsonTypeOf(value) as VariableType });

/** The declarations of the input of a prompt file; a variable that only has a default gets the type of its value. */
export const variablesFrom = (
  schema: JsonObject | undefined,
  defaults: JsonObject,
  at: (name: string) => void,
): Variables => {
  const declared = schema === undefined ? {} : fromSchema(schema, defaults, at);
  const withDefault = Object.entries(defaults).map(([name, value]) => {
    const declaration = Object.hasOwn(declared, name) ? declared[name] : undefined;
    return [name, { ...(declaration ?? inferred(value)), default: value }] as const;
  });
  return Object.fromEntries([...Object.entries(declared), ...withDefault]);
};

/** The input of a prompt file with these declarations. */
export const inputOf = (variables: Variables): JsonObject => {
  const entries = Object.entries(variables);
  const properties = entries.map(([name, { default: _default, ...declaration }]) => [name, declaration]);
  const defaults = entries.filter(([, each]) => each.default !== undefined);
  const required = entries.flatMap(([name, each]) => (each.default === undefined ? [name] : []));
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
    },
    ...(defaults.length === 0
      ? {}
      : { default: Object.fromEntries(defaults.map(([name, each]) => [name, each.default])) }),
  };
};
