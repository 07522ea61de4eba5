import * as z from 'zod/mini';
import { contentFields, isContent, note } from '../content/fields.ts';
import { endpoint } from '../endpoint.ts';
import { oneOf, optional, whole } from '../fields/common.ts';
import { described, flag, label, listOf, promptName, strictFields, version } from '../fields/fields.ts';
import {
  AUDIT_CHANGE,
  BY_KEY,
  CHANGE_LABELS,
  CHANGE_PROMPT,
  INCLUDE,
  NOTE_KEY,
} from '../functions/shared-grants.ts';
import { LIMITS, utf8Bytes } from '../limits.ts';
import { sourceShape } from '../shapes/prompts.ts';
import { labelMovesBody } from '../shapes/publishing.ts';
import { onIndex, onTable } from '../table.ts';
import { MANY_ROWS } from './for-operators.ts';

// Lower than what a version can have, so that no stolen key uses up the numbers of a prompt.
const chosenVersion = version.check(
  z.refine(
    (chosen) => chosen.split('.').every((part) => Number(part) <= LIMITS.chosenVersionPart),
    `must be three numbers up to ${LIMITS.chosenVersionPart}`,
  ),
  z.meta({
    description: `Publish exactly this version in place of what \`bump\` says, such as one that the prompt has in another system. It may be lower than the latest. Its content is compared with that of this version, not of the latest. Each part at most ${LIMITS.chosenVersionPart}, and at most ${LIMITS.chosenVersionStep} above that of the highest version.`,
  }),
);

const hasFewTags = (context: z.core.ParsePayload<{ content: { tags?: string[] | undefined } }>) => {
  const bytes = utf8Bytes((context.value.content.tags ?? []).join(''));
  const message = `"content.tags" must be at most ${LIMITS.publishedTagsBytes} bytes together, but have ${bytes}.`;
  if (bytes > LIMITS.publishedTagsBytes)
    context.issues.push({ code: 'custom', message, path: [], input: context.value });
};

const forPipelines = (path: string) =>
  ({
    route: { method: 'POST', path },
    access: { kind: 'api-key', permission: ['publish', 'compare'], publishing: true },
  }) as const;

export const promptPublish = endpoint({
  id: 'prompt-publish',
  ...forPipelines('/api/prompt/publish'),
  body: strictFields({
    name: promptName,
    content: strictFields(contentFields),
    bump: z._default(
      oneOf(
        ['auto', 'major', 'minor', 'patch'],
        'The part of the highest version to increment. `auto`: major if the content breaks applications, patch if only tags or metadata change, else minor. The first version is 1.0.0.',
      ),
      'auto',
    ),
    version: z.optional(chosenVersion),
    base: described(
      z.union([version, z.null()], 'must be a version, or null for a new prompt'),
      'The latest version as you last saw it; `null` for a new prompt.',
    ),
    allowBreaking: z.optional(
      flag('Send `true` to publish a minor or patch version that breaks applications.'),
    ),
    dryRun: z.optional(flag('Send `true` to get the same answer and write nothing.')),
    note: z.optional(note),
    source: z.optional(sourceShape),
  }).check((context) => isContent({ ...context, value: context.value.content }), hasFewTags),
  errors: ['breaking_change', 'changed_meanwhile', 'restorable', 'too_many_prompts', 'version_taken'],
  grants: [
    ...CHANGE_PROMPT,
    INCLUDE,
    ...BY_KEY,
    onTable(['GetItem', 'UpdateItem'], 'promptCount'),
    onTable('GetItem', 'apiKeyUse'),
    onTable('PutItem', 'promptPurge'),
    onTable('DeleteItem', 'prompt'),
  ],
  summary: 'Publish a prompt from code',
});

export const promptMoveLabels = endpoint({
  id: 'prompt-move-labels',
  ...forPipelines('/api/prompt/move-labels'),
  body: labelMovesBody,
  errors: ['prompt_not_found', 'version_not_found', 'label_protected', 'changed_meanwhile'],
  ...MANY_ROWS,
  grants: [...CHANGE_PROMPT, CHANGE_LABELS, ...BY_KEY],
  summary: 'Move labels from code',
});

export const promptList = endpoint({
  id: 'prompt-list',
  route: { method: 'POST', path: '/api/prompt/list' },
  access: { kind: 'api-key', permission: ['prompts', 'publish', 'compare'], publishing: true },
  body: strictFields({
    limit: z._default(whole(1, LIMITS.listedPrompts), LIMITS.listedPrompts),
    cursor: optional(promptName, 'The cursor of the previous page: a name.'),
    label: optional(
      label,
      `Only prompts with this label, and what the version it points to takes; at most ${LIMITS.exportedPrompts} on a page, which can be empty.`,
    ),
  }),
  ...MANY_ROWS,
  grants: [
    onIndex('prompts'),
    onTable('BatchGetItem', 'apiKey', 'prompt'),
    onTable('GetItem', 'prompt'),
    ...NOTE_KEY,
  ],
  summary: 'List prompts from code',
});

export const promptSource = endpoint({
  id: 'prompt-source',
  ...forPipelines('/api/prompt/source'),
  body: strictFields({
    names: listOf(promptName, LIMITS.exportedPrompts, 'Names of the prompts.', 1).check(
      z.refine((names) => new Set(names).size === names.length, 'must contain each name once'),
    ),
  }),
  errors: ['prompt_not_found'],
  ...MANY_ROWS,
  grants: [
    onTable('BatchGetItem', 'apiKey', 'prompt'),
    onTable('GetItem', 'prompt'),
    AUDIT_CHANGE,
    ...NOTE_KEY,
  ],
  summary: 'Fetch the sources of prompts',
});
