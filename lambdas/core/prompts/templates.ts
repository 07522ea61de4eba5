import type { JsonObject } from '../../../contract/fields/fields.ts';
import { LIMITS, utf8Bytes } from '../../../contract/limits.ts';
import { PLACEHOLDER, substitute, textsFor, variablesOf } from '../../../contract/templates.ts';
import { CuevaultError } from '../errors.ts';
import { replyBytes } from '../reply-size.ts';

/** Size of the compiled text in Lambda's reply, in bytes; measures each text once, however often it occurs. */
const substitutedBytes = (template: string, texts: ReadonlyMap<string, string>): number => {
  const sizes = new Map(Array.from(texts, ([name, text]) => [name, replyBytes(text)]));
  let bytes = replyBytes(template);
  for (const [placeholder, name = ''] of template.matchAll(PLACEHOLDER)) {
    const size = sizes.get(name);
    if (size !== undefined) bytes += size - replyBytes(placeholder);
  }
  return bytes;
};

/** The options for compiling; see the body of `prompt-get-compiled`. */
export interface CompileRequest {
  readonly shouldCompile?: boolean | undefined;
  readonly variables?: JsonObject | undefined;
  readonly strict?: boolean | undefined;
}

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

/**
 * The reply with these fields, and with `compiledPrompt` if requested. The size is checked before anything large is
 * built. Errors: `missing_variables` (only with `strict`), `reply_too_large`.
 */
export const compileReply = <Fields extends { readonly prompt: string }>(
  fields: Fields,
  { shouldCompile = false, variables = {}, strict = false }: CompileRequest,
): Fields & { readonly compiledPrompt?: string } => {
  if (!shouldCompile) return fields;
  const names = variablesOf(fields.prompt);
  const texts = textsFor(names, variables);
  if (strict) requireAll(names.filter((name) => !texts.has(name)));
  requireFit(frameBytes(fields) + replyBytes(fields.prompt) + substitutedBytes(fields.prompt, texts));
  return { ...fields, compiledPrompt: substitute(fields.prompt, texts) };
};

/** Size of the reply without its two large texts, in bytes. */
const frameBytes = (fields: object): number => {
  const body = { err: null, res: { ...fields, prompt: '', compiledPrompt: '' } };
  return utf8Bytes(JSON.stringify(JSON.stringify(body)));
};

const requireFit = (bytes: number): void => {
  if (bytes <= LIMITS.replyBytes) return;
  throw new CuevaultError(
    'reply_too_large',
    `The reply with the compiled prompt would take ${bytes} bytes; the limit is ${LIMITS.replyBytes}. Send shorter values, or fetch the prompt without "shouldCompile" and compile it yourself.`,
  );
};

const requireAll = (missing: readonly string[]): void => {
  if (missing.length === 0) return;
  const names = missing.map((name) => `"${name}"`).join(', ');
  throw new CuevaultError(
    'missing_variables',
    `The prompt needs a value for ${names}. Add the missing values to "variables", or omit "strict".`,
  );
};
