import * as z from 'zod/mini';
import { oneOf } from '../fields/common.ts';
import { flag, freeObject, listOf, longText, strictFields, tags, text } from '../fields/fields.ts';
import { VERSION_PATTERN } from '../fields/patterns.ts';
import { LIMITS } from '../limits.ts';
import { contentProblem, draftProblem, typeProblem } from './check.ts';
import { type Content, type ContentFields, type Message, ROLES } from './content.ts';
import { fragmentNameOf } from './fragments.ts';
import { extraFields } from './shapes.ts';

export const note = longText(LIMITS.noteBytes, 'A note for operators about this version.');

const template = text(
  LIMITS.templateBytes,
  'The template: text with placeholders written `{{name}}`; everything else is plain text.',
);

const listName = text(LIMITS.listNameBytes, 'Name of the list of messages.').check(
  z.regex(/^[^{} \t\n\r\f\v]+$/, 'must not contain braces or blanks'),
);

const placeholder = strictFields({
  type: z.literal('placeholder'),
  name: listName,
  optional: z.optional(flag('Whether applications may omit the list. `false` by default.')),
});

const messageWith = (content: typeof template) =>
  z.union(
    [strictFields({ role: oneOf(ROLES, 'Who the message is from.'), content }), placeholder],
    'must be {"role": …, "content": …} with a role of system, developer, user or assistant, or {"type": "placeholder", "name": …}',
  );

const messagesWith = (content: typeof template, least: number) =>
  listOf(
    messageWith(content),
    LIMITS.messages,
    'The messages of a chat, in order. A placeholder stands for a list of messages that the application has, such as the conversation so far.',
    least,
  );

const type = z.optional(
  oneOf(['text', 'chat'], 'A `text` prompt has `prompt`, a `chat` prompt `messages`. `text` by default.'),
);

const include = text(
  LIMITS.promptNameBytes + 30,
  'A text prompt and its version, such as `shared/tone@1.2.0`.',
).check(
  z.regex(
    new RegExp(`^[^"{}]+@${VERSION_PATTERN.source.slice(1)}`),
    'must be the name of a prompt without quotes and braces, "@" and a version, such as "shared/tone@1.2.0"',
  ),
);

const isUnique = (includes: readonly string[]) =>
  new Set(includes.map(fragmentNameOf)).size === includes.length;

const includes = listOf(
  include,
  LIMITS.includes,
  'The fragments that the templates include with `{{> "shared/tone"}}`: exact versions of text prompts. They are resolved when the content is published.',
).check(z.refine(isUnique, 'must name each prompt once'));

const fieldsWith = (templateOf: typeof template, least: number) => ({
  type,
  prompt: z.optional(templateOf),
  messages: z.optional(messagesWith(templateOf, least)),
  ...extraFields,
  includes: z.optional(includes),
  tags: z.optional(tags('Tags of this version.')),
  metaProperties: z.optional(freeObject('Metadata stored with the version.', LIMITS.metadataBytes)),
});

/** The fields of a content that is published. Check the object with `isContent`. */
export const contentFields = fieldsWith(template, 1);

/** The same for a draft, whose templates may be empty. Check the object with `isDraftContent`. */
export const draftFields = fieldsWith(longText(LIMITS.templateBytes, 'The template so far.'), 0);

/** The fields of a content in a request. */
export type ContentInput = ContentFields & {
  readonly type?: 'text' | 'chat' | undefined;
  readonly prompt?: string | undefined;
  readonly messages?: readonly Message[] | undefined;
};

const holds =
  (problemOf: (content: Content) => string | undefined) =>
  (context: z.core.ParsePayload<ContentInput>): void => {
    const { value } = context;
    const message = typeProblem(value) ?? problemOf(value as Content);
    if (message !== undefined) context.issues.push({ code: 'custom', message, path: [], input: value });
  };

/** A check of an object with `contentFields`: its fields make a content that can be published. */
export const isContent = holds((content) => contentProblem(content));

/** A check of an object with `draftFields`: its fields make the content of a draft. */
export const isDraftContent = holds(draftProblem);
