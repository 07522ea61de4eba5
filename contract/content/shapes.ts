import * as z from 'zod/mini';
import { oneOf } from '../fields/common.ts';
import { described, freeObject, listOf, longText, strictFields, text } from '../fields/fields.ts';
import { isObject } from '../fields/patterns.ts';
import { LIMITS } from '../limits.ts';
import { type Message, ROLES, VARIABLE_TYPES, type Variables } from './content.ts';

const declaration = strictFields({
  type: oneOf(VARIABLE_TYPES, 'The type of its values.'),
  description: z.optional(longText(LIMITS.noteBytes, 'What the variable is for.')),
  enum: z.optional(listOf(z.unknown(), LIMITS.enumValues, 'The values that it can have.', 1)),
  default: z.optional(z.unknown()),
});

// Checked, never rebuilt: a copy would lose a variable named `__proto__`.
const variables = z.custom<Variables>(isObject, 'must be an object').check(
  (context) => {
    const entries = isObject(context.value) ? Object.entries(context.value) : [];
    if (entries.length > LIMITS.variables) {
      const message = `must have at most ${LIMITS.variables} entries`;
      context.issues.push({ code: 'custom', message, path: [], input: context.value });
      return;
    }
    for (const [name, value] of entries)
      for (const { message, path } of declaration.safeParse(value).error?.issues ?? [])
        context.issues.push({ code: 'custom', message, path: [name, ...path], input: value });
  },
  z.meta({
    description:
      'Declarations of variables, by name. A variable without a default is required; types and enums are checked only with `strict`. An undeclared variable takes any value and is required.',
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['type'],
      properties: {
        type: { enum: VARIABLE_TYPES },
        description: { type: 'string' },
        enum: { type: 'array', items: {}, minItems: 1, maxItems: LIMITS.enumValues },
        default: { description: 'Applies when the value is absent or null.' },
      },
      additionalProperties: false,
    },
  }),
);

const tool = strictFields({
  name: text(LIMITS.toolNameBytes, 'Name of the tool.'),
  description: z.optional(longText(LIMITS.noteBytes, 'What the tool does.')),
  inputSchema: z.optional(freeObject("A JSON schema of the tool's input.")),
});

const MESSAGES_SCHEMA = {
  type: 'array',
  items: {
    anyOf: [
      {
        type: 'object',
        required: ['role', 'content'],
        properties: { role: { enum: ROLES }, content: { type: 'string' } },
      },
      {
        type: 'object',
        required: ['type', 'name'],
        properties: {
          type: { const: 'placeholder' },
          name: { type: 'string' },
          optional: { type: 'boolean' },
        },
      },
    ],
  },
};

/** The fields of a content that only some prompts have. The service stores and returns them. */
export const extraFields = {
  variables: z.optional(variables),
  model: z.optional(text(LIMITS.modelBytes, 'The model that applications should call.')),
  config: z.optional(freeObject('Parameters for the model, such as `temperature` and `maxOutputTokens`.')),
  output: z.optional(
    described(
      strictFields({ schema: z.optional(freeObject('A JSON schema of the output.')) }),
      'What the model is to reply with.',
    ),
  ),
  tools: z.optional(listOf(tool, LIMITS.tools, 'The tools that applications should offer to the model.')),
};

/** The messages of a chat in a reply. */
export const messageList = (description: string) =>
  z.custom<readonly Message[]>(Array.isArray).check(z.meta({ description, ...MESSAGES_SCHEMA }));

/** The same in replies, with the messages of a chat. */
export const extraReplyFields = {
  messages: z.optional(messageList('The messages of a chat, in order.')),
  ...extraFields,
};
