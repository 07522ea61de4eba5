import { isObject, type JsonObject } from '../../fields/patterns.ts';
import type { Content, Tool } from '../content.ts';
import { canonicalContent, shortest } from '../hash.ts';
import { parseBody, printBody } from './body.ts';
import { controlAt, withoutControls } from './controls.ts';
import { inputOf, variablesFrom } from './declarations.ts';
import { type Refuse, refuseIn } from './error.ts';
import { type FrontMatter, parseFrontMatter, printFrontMatter } from './front-matter.ts';
import { isJsonSchema, jsonSchemaOf, SchemaError } from './picoschema.ts';

export interface PromptFile {
  readonly content: Content;
  /** The note of the version; no part of the content. */
  readonly description?: string | undefined;
}

/** How the names of prompt files end. */
export const SUFFIX = '.prompt';
/** The longest part of the path of a prompt file, in bytes. */
export const MOST_PART_BYTES = 200;
/** The largest prompt file, in bytes. */
export const MOST_FILE_BYTES = 1_048_576;

// What encodeURIComponent leaves as it is, although some systems do not.
const encoded = (part: string) =>
  encodeURIComponent(part)
    .replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/^\.|\.$/g, '%2E');

/**
 * The path of the file of a prompt in its folder: each part of the name percent-encoded, except letters, digits, `_`, `-`
 * and inner dots. Undefined if a part is empty, or longer than 200 bytes once encoded.
 */
export const filePathOf = (name: string): string | undefined => {
  const parts = name.split('/').map(encoded);
  const isPath = parts.every(({ length }) => length > 0 && length <= MOST_PART_BYTES);
  return isPath ? parts.join('/') + SUFFIX : undefined;
};

type Path = readonly (string | number)[];

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

const KEYS: Readonly<Record<string, readonly [holds: (value: unknown) => boolean, expected: string]>> = {
  description: [isText, 'a text'],
  model: [isText, 'a text'],
  config: [isObject, 'a mapping'],
  input: [isObject, 'a mapping with schema and default'],
  output: [isObject, 'a mapping with schema'],
  toolDefs: [Array.isArray, 'a list of tools'],
  'cuevault.type': [(value) => value === 'text' || value === 'chat', 'text or chat'],
  'cuevault.tags': [isTexts, 'a list of texts'],
  'cuevault.metadata': [isObject, 'a mapping'],
  'cuevault.includes': [isTexts, 'a list of names with versions'],
  'cuevault.escapes': [(value) => value === true, 'true'],
  'cuevault.content': [isText, 'JSON text'],
};

const checkKeys = ({ fields, refuse }: FrontMatter) => {
  for (const [key, value] of Object.entries(fields)) {
    const [holds, expected] = (Object.hasOwn(KEYS, key) ? KEYS[key] : undefined) ?? [];
    if (holds === undefined)
      refuse(`"${key}" is not supported. The keys are ${Object.keys(KEYS).join(', ')}.`, [key]);
    else if (!holds(value)) refuse(`"${key}" must be ${expected}.`, [key]);
  }
};

const onlyKeys = (
  { refuse }: FrontMatter,
  value: unknown,
  keys: readonly string[],
  path: Path,
): JsonObject => {
  if (!isObject(value)) return refuse('This must be a mapping.', path);
  const other = Object.keys(value).find((key) => !keys.includes(key));
  return other === undefined
    ? value
    : refuse(`"${other}" is not supported here. The keys are ${keys.join(', ')}.`, [...path, other]);
};

/** The result of `read`; what is wrong with a schema is refused at its path. */
const reading = <T>({ refuse }: FrontMatter, path: (string | number)[], read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (error instanceof SchemaError) refuse(error.message, path);
    throw error;
  }
};

/** In Picoschema, what is not required is optional; a JSON schema need not say what is required. */
const inputSchemaOf = (schema: unknown): JsonObject =>
  isJsonSchema(schema) ? jsonSchemaOf(schema) : { required: [], ...jsonSchemaOf(schema) };

/** Where a schema, which may be Picoschema, has a field. */
const pathOf = (schema: unknown, name: string) => {
  if (isJsonSchema(schema)) return ['properties', name];
  const key = Object.keys(Object(schema)).find((each) => each.split(/[?(]/)[0] === name);
  return [key ?? name];
};

const readVariables = (matter: FrontMatter): Content['variables'] => {
  if (matter.fields.input === undefined) return undefined;
  const { schema, default: defaults = {} } = onlyKeys(
    matter,
    matter.fields.input,
    ['schema', 'default'],
    ['input'],
  );
  if (!isObject(defaults)) return matter.refuse('"default" must be a mapping.', ['input', 'default']);
  const path: (string | number)[] = ['input', 'schema'];
  return reading(matter, path, () =>
    variablesFrom(schema === undefined ? undefined : inputSchemaOf(schema), defaults, (name) => {
      path.splice(2, 2, ...pathOf(schema, name));
    }),
  );
};

const readOutput = (matter: FrontMatter): Content['output'] => {
  if (matter.fields.output === undefined) return undefined;
  const { schema, format } = onlyKeys(matter, matter.fields.output, ['schema', 'format'], ['output']);
  if (format !== undefined && format !== 'json')
    matter.refuse('The only format is json.', ['output', 'format']);
  return reading(matter, ['output', 'schema'], () =>
    schema === undefined ? {} : { schema: jsonSchemaOf(schema) },
  );
};

const readTools = (matter: FrontMatter): Tool[] | undefined =>
  (matter.fields.toolDefs as readonly unknown[] | undefined)?.map((each, index) => {
    const path = ['toolDefs', index];
    const { name, description, inputSchema } = onlyKeys(
      matter,
      each,
      ['name', 'description', 'inputSchema'],
      path,
    );
    if (!isText(name)) return matter.refuse('A tool needs a name.', path);
    return {
      name,
      ...(description === undefined ? {} : { description: String(description) }),
      ...(inputSchema === undefined
        ? {}
        : { inputSchema: reading(matter, [...path, 'inputSchema'], () => jsonSchemaOf(inputSchema)) }),
    };
  });

const readContent = ({ fields, refuse }: FrontMatter): Partial<Content> | undefined => {
  const text = fields['cuevault.content'];
  if (text === undefined) return undefined;
  try {
    return JSON.parse(String(text)) as Partial<Content>;
  } catch {
    return refuse('"cuevault.content" must be JSON.', ['cuevault.content']);
  }
};

// As Dotprompt has it: comments and blank lines may precede the header.
const HEADER = /^(?:(?:#.*|[ \t]*)\n)*---[ \t]*(?:\n|$)/;
const REST_OF_HEADER = /(.*?\n)??---[ \t]*(?:\n|$)/sy;

/** The header of a file up to its body: its YAML, and where that begins and ends. */
const headerOf = (text: string, refuse: Refuse) => {
  const [opening] = HEADER.exec(text) ?? [];
  if (opening === undefined) return { yaml: '', line: 1, length: 0 };
  REST_OF_HEADER.lastIndex = opening.length;
  const found = REST_OF_HEADER.exec(text);
  if (found === null)
    return refuse(
      'The header that begins here has no end. Close it with a line ---; if this is text, put an empty header, two lines ---, before it.',
      opening.lastIndexOf('---'),
    );
  return {
    yaml: found[1] ?? '',
    line: opening.split('\n').length,
    length: opening.length + found[0].length,
  };
};

/**
 * Reads a prompt file: a subset of Dotprompt, YAML front matter and a body. Throws `PromptFileError` for anything else,
 * with line and column. It does not check whether the content can be published.
 */
export const parsePromptFile = (file: string): PromptFile => {
  const text = file.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const refuse = refuseIn(text);
  if (text.length > MOST_FILE_BYTES) refuse(`A prompt file has at most ${MOST_FILE_BYTES} bytes.`, 0);
  const { yaml, line, length } = headerOf(text, refuse);
  const matter = parseFrontMatter(yaml, line);
  checkKeys(matter);
  const { fields } = matter;
  const type = fields['cuevault.type'] as 'text' | 'chat' | undefined;
  const includes = fields['cuevault.includes'] as string[] | undefined;
  const written = readContent(matter);
  const rest = text.slice(length);
  if (written !== undefined && rest.trim() !== '')
    refuse('With "cuevault.content", the body must be empty.', length);
  const escapes = fields['cuevault.escapes'] === true;
  const body =
    written ??
    parseBody(rest, { type, includes, escapes }, (problem, offset) => refuse(problem, length + offset));
  const content = {
    variables: readVariables(matter),
    model: fields.model as string | undefined,
    config: fields.config as JsonObject | undefined,
    output: readOutput(matter),
    tools: readTools(matter),
    includes,
    tags: fields['cuevault.tags'] as string[] | undefined,
    metaProperties: fields['cuevault.metadata'] as JsonObject | undefined,
    ...body,
  } as Content;
  const { description } = fields;
  return {
    content: shortest(content),
    ...(description === undefined ? {} : { description: String(description) }),
  };
};

const fileOf = (fields: JsonObject, body: string) => {
  const yaml = printFrontMatter(fields);
  return yaml === '' ? body : `---\n${yaml}---\n${body}`;
};

const present = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const frontOf = (content: Content, description: string | undefined): JsonObject =>
  present({
    description,
    model: content.model,
    config: content.config,
    input: content.variables && inputOf(content.variables),
    output: content.output,
    toolDefs: content.tools,
    'cuevault.tags': content.tags,
    'cuevault.metadata': content.metaProperties,
    'cuevault.includes': content.includes,
  });

/** The ways to write a content, the most readable first; the last one holds any content. */
const candidates = function* (content: Content, description: string | undefined): Generator<string> {
  const front = frontOf(content, description);
  yield fileOf(front, printBody(content, false));
  yield fileOf({ ...front, 'cuevault.escapes': true }, printBody(content, true));
  yield fileOf(
    { ...present({ description }), 'cuevault.content': withoutControls(JSON.stringify(content, null, 2)) },
    '',
  );
};

const holds = (file: string, { content, description }: PromptFile) => {
  // A file with CRLF is read with LF.
  if (file.includes('\r') || controlAt(file) >= 0) return false;
  try {
    const read = parsePromptFile(file);
    return canonicalContent(read.content) === canonicalContent(content) && read.description === description;
  } catch {
    return false;
  }
};

/**
 * Writes a prompt file that `parsePromptFile` reads as the same content. What the body cannot hold as it is becomes an
 * escape, `cuevault.escapes` then says so; what the front matter cannot hold is in `cuevault.content`, as JSON text.
 */
export const printPromptFile = ({ content, description }: PromptFile): string => {
  const least = { content: shortest(content), ...(description === '' ? {} : { description }) };
  for (const file of candidates(least.content, least.description)) if (holds(file, least)) return file;
  throw new Error('This content cannot be written to a file.');
};
