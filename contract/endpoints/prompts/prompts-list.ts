import * as z from 'zod/mini';
import { LIST_PROMPTS, MANY_ROWS, PATHS, READ_DAYS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields, tag, text } from '../../fields/fields.ts';
import { choice, oneOf, order, paging, search } from '../../fields/query.ts';
import { LIMITS } from '../../limits.ts';

export const promptsList = endpoint({
  id: 'prompts-list',
  route: { method: 'GET', path: PATHS.prompts },
  access: VIEWER,
  query: strictFields({
    q: z.optional(search('Only prompts whose name, tags, labels or `excerpt` contain this text.')),
    texts: z.optional(
      choice(
        'With `q`, also the prompts in whose latest and labelled versions it is: by name, part by part.',
      ),
    ),
    tag: z.optional(tag),
    label: z.optional(text(128, 'Only prompts with this label.')),
    fetched: z.optional(
      choice('Only prompts that were fetched within the last seven days, or only the others.'),
    ),
    draft: z.optional(choice('Only prompts with a draft of the next version, or only the others.')),
    folder: z.optional(
      text(
        LIMITS.promptNameBytes,
        'Only prompts in this folder: those whose name begins with it and a slash, such as `billing`.',
      ),
    ),
    view: z._default(
      oneOf(
        ['all', 'folders'],
        'With `folders`, prompts in subfolders are counted in `folders` and not listed.',
      ),
      'all',
    ),
    sort: z._default(oneOf(['name', 'changed', 'fetches', 'fetched'], 'What the list is sorted by.'), 'name'),
    order,
    ...paging,
  }),
  ...MANY_ROWS,
  grants: [
    ...LIST_PROMPTS,
    { on: 'index', partitions: ['drafts'] },
    ...READ_DAYS,
    { on: 'table', actions: ['Query', 'BatchGetItem'], partitions: ['recentFetches'] },
    { on: 'table', actions: ['BatchGetItem'], partitions: ['prompt'] },
  ],
  summary: 'List prompts',
});
