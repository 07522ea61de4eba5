import * as z from 'zod/mini';
import { LIST_PROMPTS, MANY_ROWS, PATHS, READ_USAGE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { described, tag, text } from '../../fields/fields.ts';
import { choice, nextCursor, oneOf, order, paging, search } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { FETCHES, PROMPT } from '../../http/examples.ts';
import { LIMITS } from '../../limits.ts';
import { count } from '../../shapes/common.ts';
import { promptRow } from '../../shapes/prompts.ts';

export const promptsList = endpoint({
  id: 'prompts-list',
  route: { method: 'GET', path: PATHS.prompts },
  access: VIEWER,
  query: strictFields({
    q: z.optional(search('Only prompts whose name, tags or beginning of the template contain this text.')),
    tag: z.optional(tag),
    label: z.optional(text(128, 'Only prompts with this label.')),
    fetched: z.optional(
      choice('Only prompts that were fetched within the last seven days, or only the others.'),
    ),
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
  reply: z.object({
    prompts: z.array(promptRow),
    total: count('Number of matching prompts across all pages.'),
    folders: described(
      z.array(z.object({ folder: z.string(), prompts: count('Number of matching prompts in the folder.') })),
      'Subfolders with matching prompts; empty unless `view` is `folders`.',
    ),
    tags: described(z.array(z.string()), 'All tags in use, as far as they fit into the reply.'),
    labels: described(z.array(z.string()), 'All labels in use.'),
    cursor: nextCursor,
  }),
  errors: [],
  ...MANY_ROWS,
  grants: [...LIST_PROMPTS, { on: 'index', partitions: ['drafts'] }, ...READ_USAGE],
  summary: 'List prompts',
  description:
    'One page of prompts, with how often each was fetched. The search covers names, tags and the first 1,024 bytes of the latest template. A change can take a moment to appear.',
  examples: [
    {
      summary: 'Prompts about greetings',
      query: { q: 'greet', sort: 'fetches', order: 'desc' },
      res: {
        prompts: [{ ...PROMPT, fetches: FETCHES }],
        total: 1,
        folders: [],
        tags: ['sample'],
        labels: ['production'],
      },
    },
  ],
});
