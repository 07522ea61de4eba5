import * as z from 'zod/mini';
import { documentationOf, type Example } from '../documentation.ts';
import { type Endpoint, nothing } from '../endpoint.ts';
import { KEY_ID, PROMPT, PROMPT_ID, SECRET_ID, SOURCE } from './examples.ts';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly format?: string;
  readonly minimum?: number;
}

/** The texts of examples, by the name of their field; other texts are the name. */
const TEXTS: Readonly<Record<string, string>> = {
  promptId: PROMPT_ID,
  secretId: SECRET_ID,
  keyId: KEY_ID,
  apiKeyId: KEY_ID,
  subject: PROMPT_ID,
  operatorId: '0b7f2c1e-6a1d-4f0e-9c53-2d1b8a4e7f60',
  email: 'grace@example.com',
  ...SOURCE,
  apiKey: 'cue_…',
  apiKeyName: 'web',
  permissions: 'prompts',
  name: PROMPT.name,
  label: 'production',
  labels: 'production',
  tags: 'sample',
  key: 'DATABASE_URL',
  created: 'DATABASE_URL',
  value: '…',
  updated: 'API_TOKEN',
  text: 'DATABASE_URL=postgres://app@db/app',
  prompt: PROMPT.excerpt,
  revision: '7',
  excerpt: PROMPT.excerpt,
  contentHash: PROMPT.contentHash,
  note: 'Say hello',
  variables: 'user',
  sourceIp: '203.0.113.7',
  prompts: 'support/*',
  action: 'label.set',
  set: 'set_4rTgY7uJ2kLm9NpQ',
};

const FORMATS: Readonly<Record<string, string>> = { 'date-time': PROMPT.createdAt, date: '2026-03-01' };

const COUNT = 2;

const textOf = (name: string, { format = '' }: Schema) =>
  FORMATS[format] ?? TEXTS[name] ?? (/By$|^actor$/.test(name) ? PROMPT.createdBy : name);

/** A value of a schema. Objects have their required fields only: others depend on each other. */
const madeOf = (name: string, schema: Schema): unknown => {
  const [given] = schema.enum ?? schema.examples ?? [];
  if (given !== undefined) return given;
  const { anyOf: [first] = [], type, properties = {}, required = [], items = {} } = schema;
  if (first !== undefined) return madeOf(name, first);
  if (type === 'object') return fieldsOf(properties, (field) => required.includes(field));
  if (type === 'array') return [madeOf(name, items)];
  if (type === 'boolean') return true;
  return type === 'string' ? textOf(name, schema) : Math.max(schema.minimum ?? 0, COUNT);
};

const fieldsOf = (properties: Readonly<Record<string, Schema>>, isShown: (field: string) => boolean) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([field]) => isShown(field))
      .map(([field, inner]) => [field, madeOf(field, inner)]),
  );

const schemaOf = (schema: z.ZodMiniType) =>
  z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as Schema;

/** The examples of an endpoint: those written by hand, or one made from its schemas, with all parts of its reply. */
export const examplesOf = (endpoint: Endpoint): readonly Example[] => {
  const { examples, request, reply } = documentationOf(endpoint);
  if (examples !== undefined) return examples;
  const { params, query, body, summary } = endpoint;
  const [path, search, sent] = [params, query, body].map((schema) => madeOf('', schemaOf(schema)));
  const res = fieldsOf(schemaOf(reply).properties ?? {}, () => true);
  return [
    {
      summary,
      params: path,
      query: search,
      ...(body !== nothing && { body: sent }),
      ...request,
      res,
    } as Example,
  ];
};
