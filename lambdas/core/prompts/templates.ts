import type { Message, Variables } from '../../../contract/content/content.ts';
import {
  substitute,
  substitutedBytes,
  substituteMessages,
  templatesOf,
  textsFor,
  variablesIn,
  variablesOf,
} from '../../../contract/content/templates.ts';
import { type InvalidVariable, invalidVariables, withDefaults } from '../../../contract/content/variables.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import type { JsonObject } from '../../../contract/fields/patterns.ts';
import { LIMITS, replyBytes, utf8Bytes } from '../../../contract/limits.ts';
import { CuevaultError } from '../errors.ts';

/** The options for compiling. */
export type CompileRequest = Pick<
  InputOf<typeof promptGetCompiled.body>,
  'shouldCompile' | 'variables' | 'strict'
>;

/**
 * The sorted names of the variables for which the caller sent a value; undefined if the caller did not ask to compile,
 * or if the names exceed what the access history keeps.
 */
export const sentNames = ({
  shouldCompile = false,
  variables = {},
}: CompileRequest): string[] | undefined => {
  if (!shouldCompile) return undefined;
  const names = Object.keys(variables).filter((name) => variables[name] !== null);
  return utf8Bytes(names.join()) <= LIMITS.variableNamesBytes ? names.sort() : undefined;
};

/** The fields of a prompt that compiling needs. */
interface Compilable {
  readonly prompt: string;
  readonly messages?: readonly Message[] | undefined;
  readonly variables?: Variables | undefined;
}

type Texts = ReadonlyMap<string, string>;

/** The texts of the variables, and the names of those without one. */
const textsOf = (
  { prompt, messages, variables: declarations }: Compilable,
  { variables = {}, strict = false }: CompileRequest,
): [Texts, missing: string[]] => {
  const names = messages === undefined ? variablesOf(prompt) : variablesIn({ type: 'chat', messages });
  const texts = textsFor(names, withDefaults(declarations, variables));
  const missing = names.filter((name) => !texts.has(name));
  if (strict && missing.length > 0)
    throw new CuevaultError(
      'missing_variables',
      `${missingText(missing)}. Add the missing values to "variables", or omit "strict".`,
    );
  // A number that was kept as it is written is an object.
  const sent = strict ? (JSON.parse(JSON.stringify(variables)) as JsonObject) : {};
  const invalid = invalidVariables(declarations, sent).map(invalidText);
  if (invalid.length > 0)
    throw new CuevaultError(
      'invalid_variables',
      `The variable ${invalid.join('; ')}. Correct "variables", or omit "strict".`,
    );
  return [texts, missing];
};

/**
 * The reply with these fields, and with `compiledPrompt` if requested; for a chat, also with `compiledMessages`; and the
 * placeholders that are left. The size is checked before anything large is built.
 */
export const compileReply = <Fields extends Compilable>(
  fields: Fields,
  request: CompileRequest,
): {
  readonly reply: Fields & { readonly compiledPrompt?: string; readonly compiledMessages?: Message[] };
  readonly missing: string[];
} => {
  if (request.shouldCompile !== true) return { reply: fields, missing: [] };
  const [texts, missing] = textsOf(fields, request);
  return fields.messages === undefined
    ? { reply: { ...fields, compiledPrompt: compiledText(fields, texts) }, missing }
    : { reply: { ...fields, ...compiledChat(fields.messages, texts) }, missing };
};

const compiledText = (fields: Compilable, texts: Texts) => {
  const { prompt } = fields;
  requireFit('compiled prompt', substitutedBytes(prompt, texts, utf8Bytes), LIMITS.compiledBytes);
  const compiled = substitutedBytes(prompt, texts, replyBytes);
  const reply = frameBytes(fields) + replyBytes(prompt) + compiled;
  requireFit('reply with the compiled prompt', reply, LIMITS.replyBytes);
  return substitute(prompt, texts);
};

const compiledChat = (messages: readonly Message[], texts: Texts) => {
  const contents = templatesOf({ type: 'chat', messages });
  const compiled = contents.reduce((sum, each) => sum + substitutedBytes(each, texts, utf8Bytes), 0);
  // The exact size of the reply is checked when it is built.
  requireFit('compiled prompt', compiled, LIMITS.compiledBytes);
  const compiledMessages = substituteMessages(messages, texts);
  return { compiledPrompt: JSON.stringify(compiledMessages), compiledMessages };
};

/** Size of the reply without its two large texts, in bytes. */
const frameBytes = (fields: object) => {
  const body = { err: null, res: { ...fields, prompt: '', compiledPrompt: '' } };
  return utf8Bytes(JSON.stringify(JSON.stringify(body)));
};

const requireFit = (what: string, bytes: number, most: number) => {
  if (bytes <= most) return;
  throw new CuevaultError(
    'reply_too_large',
    `The ${what} would take ${bytes} bytes; the limit is ${most}. Send shorter values, or fetch the prompt without "shouldCompile" and compile it yourself.`,
  );
};

/** What compiling lacks, as a sentence without its full stop. */
export const missingText = (missing: readonly string[]): string =>
  `The prompt needs a value for ${missing.map((name) => `"${name}"`).join(', ')}`;

const invalidText = ({ name, expected, received }: InvalidVariable) =>
  `"${name}" must be ${expected}, not ${received}`;
