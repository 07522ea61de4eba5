import * as z from 'zod/mini';
import { promptId, version } from '../fields/fields.ts';
import { nextCursor } from '../fields/query.ts';
import { contentHash, draftShape, promptShape, versionRow, versionShape } from '../shapes/prompts.ts';
import { hint } from '../shapes/publishing.ts';
import { CONTENT } from './examples.ts';

export const versions = {
  'versions-list': {
    reply: { versions: z.array(versionRow), cursor: nextCursor },
    description:
      'Highest first, without texts, with the labels that point to each version and how often it was fetched. A page can hold fewer entries than `limit` before the last page.',
  },
  'versions-publish': {
    reply: { prompt: promptShape, version, contentHash, hint },
    description:
      'Send either `version`, or `bump` for the next version above the highest so far. A version may be lower than the latest, but its number must be new. A published version never changes. A version whose type differs from that of the latest needs `changeType`.',
    request: { body: { ...CONTENT, bump: 'minor', label: 'production', rev: 2 } },
  },
  'versions-get': {
    reply: { version: versionShape },
    description:
      'Returns one version with its text. A version never changes. Reading it here is not recorded in the access history.',
  },
  'versions-delete': {
    reply: { prompt: promptShape },
    description:
      'Cannot be undone, and the number is never used again. The only version, and a version that a label points to, cannot be deleted. A version that was fetched within the last seven days, or that a latest or labelled version includes, is deleted only with `confirm=true`; the error names the keys and how often each fetched it, or these versions.',
  },
  'drafts-save': {
    reply: { draft: draftShape },
    description:
      'A prompt has one draft, shared by all operators. The request fails if the draft was saved by someone else since you read it.',
    request: { body: { ...CONTENT, baseVersion: '1.1.0', rev: 6 } },
  },
  'drafts-delete': {
    reply: { promptId },
    description: 'With `rev`, only if the draft still has this revision.',
  },
};
