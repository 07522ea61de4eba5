import * as z from 'zod/mini';
import { FEW_ROWS, PATHS, READ_USAGE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { nextCursor, paging } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { PROMPT_ID, VERSION } from '../../http/examples.ts';
import { ofPrompt } from '../../shapes/common.ts';
import { versionRow } from '../../shapes/prompts.ts';

const { promptId: _id, prompt: _prompt, metaProperties: _meta, ...version } = VERSION;

export const versionsList = endpoint({
  id: 'versions-list',
  route: { method: 'GET', path: PATHS.versions },
  access: VIEWER,
  params: ofPrompt,
  query: strictFields(paging),
  reply: z.object({ versions: z.array(versionRow), cursor: nextCursor }),
  errors: ['prompt_not_found'],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['GetItem', 'Query'], partitions: ['prompt'] }, ...READ_USAGE],
  summary: 'List the versions of a prompt',
  description:
    'Highest first, without texts, with the labels that point to each version and how often it was fetched. A page can hold fewer entries than `limit` before the last page.',
  examples: [
    {
      summary: 'The timeline',
      params: { promptId: PROMPT_ID },
      res: {
        versions: [
          { ...version, templateBytes: 15, labels: ['production'], fetches: 12, lastFetchedAt: null },
        ],
      },
    },
  ],
});
