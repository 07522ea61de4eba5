import type { JsonObject } from '../../../contract/fields/fields.ts';
import { LIMITS, utf8Bytes } from '../../../contract/limits.ts';
import { missingFrom, PLACEHOLDER, substitute, textsFor } from '../../../contract/templates.ts';
import { CuevaultError } from '../errors.ts';
import { replyBytes } from '../reply-size.ts';

/** Bytes that the compiled text will take in Lambda's reply; each text is measured once however often it occurs. */
const substitutedBytes = (template: string, texts: ReadonlyMap<string, string>): number => {
  const sizes = new Map(Array.from(texts, ([name, text]) => [name, replyBytes(text)]));
  let bytes = replyBytes(template);
  for (const [placeholder, name = ''] of template.matchAll(PLACEHOLDER)) {
    const size = sizes.get(name);
    if (size !== undefined) bytes += size - replyBytes(placeholder);
  }
  return bytes;
};

/** What a caller may ask of compiling; see the body of `prompt-get-compiled`. */
export interface CompileRequest {
  readonly shouldCompile?: boolean | undefined;
  readonly variables?: JsonObject | undefined;
  readonly strict?: boolean | undefined;
}

/**
 * The names of the variables that a caller sent a value for to compile with, sorted; undefined where it did not ask to
 * compile, or where the names are longer together than the access history keeps.
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
 * The reply with these fields, and with `compiledPrompt` where compiling was asked for. Nothing large is built
 * before its size is known to fit. Errors: `missing_variables` (only with `strict`), `reply_too_large`.
 */
export const compileReply = <Fields extends { readonly prompt: string }>(
  fields: Fields,
  { shouldCompile = false, variables = {}, strict = false }: CompileRequest,
): Fields & { readonly compiledPrompt?: string } => {
  if (!shouldCompile) return fields;
  const texts = textsFor(fields.prompt, variables);
  if (strict) requireAll(missingFrom(fields.prompt, texts));
  requireFit(frameBytes(fields) + replyBytes(fields.prompt) + substitutedBytes(fields.prompt, texts));
  return { ...fields, compiledPrompt: substitute(fields.prompt, texts) };
};

/** Bytes of the reply around its two large texts. */
const frameBytes = (fields: object): number => {
  const body = { err: null, res: { ...fields, prompt: '', compiledPrompt: '' } };
  return utf8Bytes(JSON.stringify(JSON.stringify(body)));
};

const requireFit = (bytes: number): void => {
  if (bytes <= LIMITS.replyBytes) return;
  throw new CuevaultError(
    'reply_too_large',
    `The reply with the compiled prompt would take ${bytes} bytes, more than the ${LIMITS.replyBytes} that fit. Send shorter values, or fetch the prompt without "shouldCompile" and compile it yourself.`,
  );
};

const requireAll = (missing: readonly string[]): void => {
  if (missing.length === 0) return;
  const names = missing.map((name) => `"${name}"`).join(', ');
  throw new CuevaultError(
    'missing_variables',
    `The prompt needs a value for ${names}. Add what is missing to "variables", or leave out "strict".`,
  );
};
