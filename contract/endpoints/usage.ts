import * as z from 'zod/mini';
import { contentFields, isContent, note } from '../content/fields.ts';
import { endpoint } from '../endpoint.ts';
import { keyId, newPathLabel, optional } from '../fields/common.ts';
import { flag, listOf, promptId, strictFields, version } from '../fields/fields.ts';
import { paging, utcDay, wholeNumber } from '../fields/query.ts';
import { JUDGE_USE, LIST_KEYS, READ_FAILING, READ_USAGE } from '../functions/shared-grants.ts';
import { LIMITS } from '../limits.ts';
import { onTable } from '../table.ts';
import { MANY_ROWS, PATHS, viewer } from './for-operators.ts';

export const accessesList = endpoint({
  id: 'accesses-list',
  ...viewer('GET', `${PATHS.prompt}/accesses`),
  query: strictFields({
    from: z.optional(utcDay('First day (UTC). Default: 30 days before the last day.')),
    to: z.optional(utcDay('Last day (UTC). Default: today.')),
    key: z.optional(keyId),
    version: z.optional(version),
    ...paging,
  }),
  errors: ['prompt_not_found'],
  ...MANY_ROWS,
  grants: [onTable('GetItem', 'prompt', 'entryShards'), onTable('Query', 'access')],
  summary: 'List the access history of a prompt',
});

const change = strictFields({
  promptId,
  latest: z.optional(flag('Whether it concerns callers that ask for neither a label nor a version.')),
  label: optional(newPathLabel, 'The label whose callers it concerns.'),
  version: optional(version, 'The version whose callers it concerns.'),
  to: optional(version, 'The version that they get afterwards.'),
});

export const effectsGet = endpoint({
  id: 'effects-get',
  ...viewer('POST', '/api/admin/effects'),
  body: strictFields({
    changes: listOf(
      change,
      LIMITS.labelMoves,
      'What changes, a prompt at a time. Without `latest`, `label` and `version`, a change concerns all callers.',
    ).check(
      z.refine(
        (changes) => new Set(changes.map(({ promptId: id }) => id)).size === changes.length,
        'must name each prompt once',
      ),
    ),
    content: optional(
      strictFields({ ...contentFields, note: z.optional(note) }),
      'A content to publish, which callers get in place of `to`.',
    ),
    affected: z.optional(flag('Send `true` to learn which API keys are affected.')),
  }).check((context) => {
    const { content } = context.value;
    if (content !== undefined) isContent({ ...context, value: content });
  }),
  errors: ['prompt_not_found', 'version_not_found'],
  ...MANY_ROWS,
  grants: [onTable('GetItem', 'prompt'), ...JUDGE_USE],
  summary: 'Show what changes would do',
});

export const usageGet = endpoint({
  id: 'usage-get',
  ...viewer('GET', `${PATHS.prompt}/usage`),
  query: strictFields({
    days: z._default(wholeNumber(1, 90, 'Number of days (UTC), including today.'), 30),
  }),
  errors: ['prompt_not_found'],
  ...MANY_ROWS,
  grants: [onTable(['GetItem', 'Query'], 'prompt'), READ_USAGE, READ_FAILING, LIST_KEYS],
  summary: 'Fetch the usage of a prompt, day by day',
});
