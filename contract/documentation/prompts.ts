import * as z from 'zod/mini';
import { extraReplyFields, messageList } from '../content/shapes.ts';
import {
  anyText,
  arrayOf,
  count,
  optional,
  optionalString,
  restorableUntil,
  string,
  strings,
  time,
} from '../fields/common.ts';
import { described, flag, freeObject, promptId, promptName, tag, version } from '../fields/fields.ts';
import { nextCursor } from '../fields/query.ts';
import { LIMITS } from '../limits.ts';
import {
  deletedPrompt,
  draftShape,
  eventShape,
  examplesShape,
  failingShape,
  lastMove,
  promptRow,
  promptShape,
  versionRow,
  versionShape,
} from '../shapes/prompts.ts';
import { hint } from '../shapes/publishing.ts';
import { CONTENT, PROMPT, PROMPT_ID } from './examples.ts';

const HISTORY = { type: 'placeholder', name: 'history', optional: true };

const MESSAGES = [
  { role: 'system', content: 'You are {{tone}}.' },
  HISTORY,
  { role: 'user', content: '{{question}}' },
];

const COMPILED = [
  { role: 'system', content: 'You are friendly.' },
  HISTORY,
  { role: 'user', content: 'Where is my order?' },
];

const LATEST = {
  promptId: PROMPT_ID,
  name: PROMPT.name,
  version: PROMPT.latest,
  tags: CONTENT.tags,
  metaProperties: CONTENT.metaProperties,
  prompt: CONTENT.prompt,
};
const FIRST = { version: '1.0.0', tags: [], metaProperties: {} };

export const prompts = {
  'prompt-get-compiled': {
    reply: {
      promptId: string('Unique identifier of the prompt.'),
      name: string('Name of the prompt.'),
      version: string('Version of the returned prompt.'),
      tags: arrayOf(tag, 'Tags of this version.'),
      metaProperties: freeObject('Metadata stored with this version.'),
      prompt: string(
        'The template, with its placeholders and with its fragments expanded; of a chat, the JSON text of `messages`.',
      ),
      compiledPrompt: optionalString(
        'The template with its placeholders replaced; of a chat, the JSON text of `compiledMessages`. Present only on request.',
      ),
      type: optional(z.literal('chat'), 'Present only for a chat.'),
      ...extraReplyFields,
      includes: optional(
        z.array(z.object({ name: anyText, version: anyText, contentHash: anyText })),
        'The fragments that this version includes.',
      ),
      compiledMessages: z.optional(
        messageList(
          'The messages with the placeholders in their contents replaced. Placeholders for lists of messages stay as they are.',
        ),
      ),
    },
    description:
      'Returns one version of a prompt: the given `version`, the one that `label` points to, or the highest by semantic-version precedence. Placeholders are written `{{name}}`; spaces inside the braces are allowed. Everything else in a template is plain text. Substitution is a single pass, and values are inserted as plain data. A placeholder without a value or default is left as written unless `strict` is `true`. A compiled prompt has at most 1 MB of UTF-8 unless the settings of the deployment say otherwise, else the error is `reply_too_large`. A chat has `type`, `messages` and `compiledMessages`: each message is compiled by itself, so that no value can begin, end or change a message. `variables`, `model`, `config`, `output` and `tools` are present if the version has them. Each successful call is recorded in the access history of the prompt, without the values of `variables`.',
    examples: [
      {
        summary: 'The latest version, compiled',
        body: { name: 'greeting', shouldCompile: true, variables: { user: 'Ada' } },
        res: { ...LATEST, compiledPrompt: 'Hello Ada!' },
      },
      {
        summary: 'One exact version, as stored',
        body: { name: 'greeting', version: '1.0.0' },
        res: { ...LATEST, ...FIRST, prompt: 'Hi {{user}}' },
      },
      {
        summary: 'A chat, compiled',
        body: { name: 'support-chat', shouldCompile: true, variables: { question: 'Where is my order?' } },
        res: {
          ...LATEST,
          ...FIRST,
          name: 'support-chat',
          prompt: JSON.stringify(MESSAGES),
          type: 'chat',
          variables: {
            tone: { type: 'string', enum: ['friendly', 'formal'], default: 'friendly' },
            question: { type: 'string' },
          },
          model: 'anthropic/claude-sonnet',
          config: { temperature: 0.2 },
          messages: MESSAGES,
          compiledPrompt: JSON.stringify(COMPILED),
          compiledMessages: COMPILED,
        },
      },
    ],
  },
  'prompt-get-langfuse': {
    reply: {
      name: promptName,
      version: count(
        'The version as a whole number; 0 if it has none: if its major version is 0, or the minor or patch version is above 999.',
      ),
      type: z.enum(['text', 'chat']),
      prompt: z.union([
        string('The template of a text prompt.'),
        messageList('The messages of a chat prompt.'),
      ]),
      config: freeObject('`config` of this version.'),
      labels: strings('The labels of this version, with `latest` if it is the highest.'),
      tags: z.array(anyText),
    },
    description:
      'Replies as Langfuse does, without the envelope, so that its clients read prompts from here: set their base URL to this service and their secret key to an API key. The clients compile on their own; defaults of variables do not apply. Each successful call is recorded in the access history of the prompt.',
    examples: [
      {
        summary: 'The version with the label "production"',
        params: { name: 'support/chat' },
        res: {
          name: 'support/chat',
          version: 1_002_000,
          type: 'chat',
          prompt: [
            { type: 'chatmessage', role: 'system', content: 'You are {{tone}}.' },
            { type: 'placeholder', name: 'history' },
          ],
          config: { temperature: 0.2 },
          labels: ['latest', 'production'],
          tags: [],
        },
      },
    ],
  },
  'prompts-list': {
    reply: {
      prompts: z.array(promptRow),
      total: z.optional(
        count(
          'Number of matching prompts across all pages. Absent on later pages, and if there are too many.',
        ),
      ),
      folders: arrayOf(
        z.object({
          folder: anyText,
          prompts: count('Number of matching prompts in the folder that this page has read.'),
          drafts: z.optional(count('How many of these have a draft. Absent if none has.')),
          more: z.optional(flag('Whether the folder has further prompts, which no page counts.')),
        }),
        'Subfolders with matching prompts. Later pages name one again if they read prompts in it; empty unless `view` is `folders`.',
      ),
      tags: strings('Tags of the prompts that this page has read, as far as they fit.'),
      labels: strings('Labels of the prompts that this page has read.'),
      read: count('Number of prompts that this page has read to find these.'),
      cursor: nextCursor,
    },
    description:
      'One page of prompts, with how often each was fetched. The search covers names, tags, labels and `excerpt`. One call reads at most 1,500 prompts. Fewer are filtered and sorted as a whole. More are listed by name, in the order of their bytes: a page has what was found so far, even nothing, and its cursor continues; `sort=fetches&order=desc` lists the hundred most fetched. With `texts`, a call reads versions for at most 128 units, and its cursor continues until there is none. A change can take a moment to appear.',
  },
  'prompts-find': {
    reply: {
      found: arrayOf(
        z.object({
          promptId,
          name: anyText,
          version,
          labels: z.array(anyText),
          literal: z.optional(
            count(
              'How many characters of the template outside placeholders are in the text. Absent for a content hash.',
            ),
          ),
          values: z.optional(
            arrayOf(
              z.object({ name: anyText, value: anyText }),
              'The first 20 variables with 200 characters of their values. Absent if the text can be read in several ways: then it is only similar.',
            ),
          ),
        }),
        'The latest and labelled versions that it can come from.',
      ),
      read: count('Number of prompts that this call has read.'),
      cursor: nextCursor,
    },
    description:
      'What a template has outside its placeholders must occur in the text, in order; of a chat, one of its messages. The text may have more around it. Templates with fewer than 20 such characters are not compared. Nothing of the text is stored or logged. A call reads versions for at most 128 units, and its cursor continues until there is none.',
  },
  'prompts-try': {
    reply: {
      answer: z.optional(
        z.object({
          text: anyText,
          toolCalls: arrayOf(z.object({ name: anyText, input: anyText }), 'With their input as JSON text.'),
          inputTokens: count('Tokens of what was sent.'),
          outputTokens: count('Tokens of the answer.'),
          stop: string('Why it ended, in the words of the service.'),
        }),
      ),
      failure: optionalString('What the service said in place of an answer.'),
      ms: count('How long it took, in milliseconds.'),
      notSent: strings('The fields of `config` that were not sent.'),
    },
    description: `Sends the messages, the tools, and \`temperature\`, \`topP\`, \`maxTokens\` and \`stopSequences\` of \`config\` to a model of the setting \`models\`, or on a laptop of \`CUEVAULT_MODEL_URL\`. At most ${LIMITS.triedPerMinute} calls a minute, each with a body of at most ${LIMITS.triedBytes} bytes, an answer of at most ${LIMITS.triedTokens} tokens and ${LIMITS.triedSeconds} seconds; a call that is stopped can be billed. The audit log records the model, never a text; nothing else is stored.`,
  },
  'prompts-create': {
    reply: { prompt: promptShape, hint },
    description:
      'The first version is 1.0.0 unless you send `version`. If a deleted prompt had the same name, it is the next major version above every version of that prompt. A prompt cannot be renamed.',
    request: { body: { name: 'greeting', ...CONTENT } },
  },
  'prompts-get': {
    reply: {
      prompt: promptShape,
      draft: z.nullable(draftShape),
      examples: z.nullable(examplesShape),
      version: described(
        z.nullable(versionShape),
        'The version that was asked for with its text; `null` if there is none.',
      ),
      versions: arrayOf(versionRow, `The highest versions, at most ${LIMITS.page}; fewer if they are large.`),
      cursor: described(
        z.optional(anyText),
        'Continues `versions-list` after these. Absent if these are all.',
      ),
      moves: arrayOf(lastMove, 'The last move of each label, if it led from another version to this one.'),
      fetches: z.object({
        count: count(`Fetches within the last ${LIMITS.shownDays} days (UTC).`),
        lastAt: z.nullable(time('The last of these fetches, or `null`.')),
      }),
      failing: arrayOf(
        failingShape,
        'Calls that failed within the last 24 hours and still would, by hour, reason and key, the last first; at most 100.',
      ),
    },
    description:
      'Returns the prompt with one version and the highest ones in short, the draft of its next version and its example values if there are any, its usage, and which calls fail.',
  },
  'prompts-delete': {
    reply: { promptId, name: promptName, restorableUntil },
    description:
      'The prompt can be restored for seven days. A prompt that was fetched within the last seven days, or that a latest or labelled version of another prompt includes, is deleted only with `confirm=true`; the error names the keys and how often each fetched it, or these versions. A prompt with a protected label requires an administrator.',
  },
  'prompts-delete-several': {
    reply: {
      deleted: arrayOf(z.object({ promptId, name: promptName }), 'What this call has deleted.'),
      kept: arrayOf(
        z.object({
          promptId,
          name: promptName,
          code: string('`in_use` or `changed_meanwhile`.'),
          message: string('By which keys it was fetched how often, or what includes it.'),
        }),
        'What exists as before.',
      ),
      left: count('Number of prompts after these that this call has found.'),
      more: flag('Whether there may be further ones, which no call has found yet.'),
      cursor: nextCursor,
    },
    description:
      'Deletes up to 20 prompts, each as `prompts-delete` does; repeat the call with its `cursor` until there is none. Without `confirm`, prompts in use stay, and the reply says who uses them. A call that was interrupted needs no cursor: it continues with what exists. A prompt that was created a moment ago can be missed.',
    request: { body: { folder: 'billing' } },
  },
  'prompts-restore': {
    reply: { prompt: promptShape },
    description:
      'Restores the prompt with all its versions and labels, within seven days of its deletion. If one of the labels is protected, this requires an administrator.',
  },
  'prompts-list-deleted': {
    reply: { prompts: z.array(deletedPrompt), cursor: nextCursor },
    description:
      'Most recently deleted first. A page can hold fewer entries than `limit` before the last page.',
  },
  'examples-save': {
    reply: { examples: z.nullable(examplesShape) },
    description:
      'Replaces the values that operators try the prompt with. All operators see them, and applications do not receive them. Do not save secrets.',
    request: { body: { values: { user: 'Ada' } } },
  },
  'events-list': {
    reply: { events: z.array(eventShape) },
    description: `The last ${LIMITS.events} changes, newest first; with \`label\`, those of one label.`,
  },
};
