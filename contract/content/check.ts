import { LIMITS, utf8Bytes } from '../limits.ts';
import type { Content, ContentFields, VariableDeclaration } from './content.ts';
import { fragmentNameOf, unusedInclude } from './fragments.ts';
import { canonicalContent, isRounded, pathTo } from './hash.ts';
import { substitutedBytes, templatesOf, textsFor, variablesIn } from './templates.ts';
import { fits, isOfType, isRequired, withDefaults } from './variables.ts';

// Until the fragments are known, any of them may use a variable.
const usedIn = (content: Content): ReadonlySet<string> =>
  new Set(
    (content.includes ?? []).length === 0 ? variablesIn(content) : Object.keys(content.variables ?? {}),
  );

const declarationProblem = (name: string, declaration: VariableDeclaration, used: ReadonlySet<string>) => {
  if (!used.has(name))
    return `The variable "${name}" is declared, but nothing uses it. Remove the declaration, or write {{${name}}} where its value belongs.`;
  if (declaration.enum?.some((value) => !isOfType(value, declaration.type)))
    return `A value in the enum of the variable "${name}" does not have the declared type.`;
  return isRequired(declaration) || fits(declaration.default, declaration)
    ? undefined
    : `The default of the variable "${name}" does not fit its type or enum.`;
};

const ofDeclarations = (content: Content) => {
  const used = usedIn(content);
  return Object.entries(content.variables ?? {})
    .map(([name, declaration]) => declarationProblem(name, declaration, used))
    .find((problem) => problem !== undefined);
};

const ofVariables = (content: Content) => {
  const { length } = variablesIn(content);
  return length <= LIMITS.variables
    ? undefined
    : `A content can have at most ${LIMITS.variables} variables, and this one has ${length}. Send lists and texts as one variable each.`;
};

/** Where and how applications call the model, in the spellings of any SDK: whoever publishes must not decide it. */
const TRANSPORT = new Set(
  'extraheaders extrabody extraquery headers apibase baseurl apikey timeout mcpservers'.split(' '),
);

const ofConfig = ({ config = {} }: Content) => {
  const found = Object.keys(config).find((name) => TRANSPORT.has(name.toLowerCase().replace(/[_-]/g, '')));
  return found === undefined
    ? undefined
    : `"config" must not have "${found}": only the application decides where and how it calls the model. Remove it.`;
};

const ofIncludes = (content: Content) => {
  const unused = unusedInclude(content);
  return unused === undefined
    ? undefined
    : `"includes" names "${unused}", but nothing includes it. Remove it, or write {{> "${fragmentNameOf(unused)}"}} where it belongs.`;
};

const ofTools = ({ tools = [] }: Content) => {
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined
    ? undefined
    : `Two tools are named "${twice}". Each tool needs a name of its own.`;
};

const ofNumbers = ({ variables, config, output, tools, metaProperties }: Content) => {
  const path = pathTo(isRounded, { variables, config, output, tools, metaProperties });
  return path === undefined
    ? undefined
    : `"${path}" must be an integer from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}: larger ones are rounded. Send it as a string.`;
};

/** Size of a text prompt as stored, without what every version has, in bytes. */
const storedBytes = (content: ContentFields & { readonly prompt: string }) => {
  const { prompt, tags: _tags, metaProperties: _metaProperties, ...extras } = content;
  return utf8Bytes(prompt) + utf8Bytes(JSON.stringify(extras));
};

/** Size of what an expansion adds to a text prompt as stored, in bytes. */
const addedBytes = (expansion: Content | undefined) =>
  expansion === undefined || expansion.type === 'chat'
    ? 0
    : storedBytes({ prompt: expansion.prompt, variables: expansion.variables });

const ofSize = (content: Content, expansion?: Content) => {
  const [bytes, most] =
    content.type === 'chat'
      ? [utf8Bytes(canonicalContent(expansion ?? content)), LIMITS.chatBytes]
      : [storedBytes(content) + addedBytes(expansion), LIMITS.textBytes];
  return bytes <= most
    ? undefined
    : `The content must be at most ${most} bytes as JSON, but has ${bytes}. Shorten it, or move parts of it to another prompt.`;
};

// So that everything that is published compiles without variables, whatever the settings of the deployment.
const ofDefaults = (content: Content) => {
  const texts = textsFor(variablesIn(content), withDefaults(content.variables, {}));
  const bytes = templatesOf(content).reduce((sum, each) => sum + substitutedBytes(each, texts, utf8Bytes), 0);
  return bytes <= LIMITS.textBytes
    ? undefined
    : `Compiled with the defaults of its variables, the content has ${bytes} bytes; the limit is ${LIMITS.textBytes}. Shorten the defaults.`;
};

/** What is wrong with the form of a content: one of `prompt` and `messages` must be there, as the type says. */
export const typeProblem = (content: {
  readonly type?: 'text' | 'chat' | undefined;
  readonly prompt?: unknown;
  readonly messages?: unknown;
}): string | undefined => {
  const { type = 'text', prompt, messages } = content;
  const [present, absent] =
    type === 'text' ? (['prompt', 'messages'] as const) : (['messages', 'prompt'] as const);
  if (content[present] === undefined)
    return `"${present}" is required. ${type === 'text' ? 'Send "type": "chat" for a prompt with messages.' : ''}`.trim();
  return { prompt, messages }[absent] === undefined
    ? undefined
    : `A ${type} prompt has "${present}", not "${absent}". Send one of them, with the matching "type".`;
};

/** What is wrong with a content even while it is a draft, as one sentence; undefined if nothing is. */
export const draftProblem = (content: Content): string | undefined => ofNumbers(content) ?? ofSize(content);

/**
 * Why a content cannot be published, as one sentence; undefined if it can.
 * @param expansion - The content with its fragments expanded. @default - it includes none, or they are not known yet
 */
export const contentProblem = (content: Content, expansion?: Content): string | undefined =>
  ofTools(content) ??
  ofConfig(content) ??
  ofVariables(expansion ?? content) ??
  ofIncludes(content) ??
  ofDeclarations(expansion ?? content) ??
  ofNumbers(content) ??
  ofSize(content, expansion) ??
  ofDefaults(expansion ?? content);
