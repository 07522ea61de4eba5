import * as z from 'zod/mini';
import { contentFields } from '../content/fields.ts';
import { anyText, arrayOf, count, optional, optionalString } from '../fields/common.ts';
import { described, flag, promptName, version } from '../fields/fields.ts';
import { LIMITS } from '../limits.ts';
import { contentHash as hash, promptShape, sourceState } from '../shapes/prompts.ts';
import { breakingList, hint, labelsMoved } from '../shapes/publishing.ts';
import { CONTENT, PROMPT, SOURCE } from './examples.ts';

const { name, type, latest, contentHash, labels, note } = PROMPT;
const { repository, commit } = SOURCE;

export const publishing = {
  'prompt-publish': {
    reply: {
      version: described(version, 'The new version; the latest if it has the same content.'),
      created: flag('Whether a version was published; with `dryRun`, whether it would be.'),
      contentHash: hash,
      hint,
      breaking: breakingList,
      breakingCount: count(`Number of these differences; at most ${LIMITS.listedBreaks} are listed.`),
    },
    description:
      'Publishes a version, or creates the prompt. If the latest version has the same content, no version is published: repeating a request changes nothing. Only if `source` is of a repository that does not know the latest version yet, the prompt records that it does, if `base` is the latest version. Otherwise `base` must be the latest version. Publishing moves no label.',
    examples: [
      {
        summary: 'A new version',
        body: { name, content: CONTENT, bump: 'auto', base: '1.0.0', note, source: SOURCE },
        res: { version: latest, created: true, contentHash, breaking: [], breakingCount: 0 },
      },
    ],
  },
  'prompt-move-labels': {
    reply: labelsMoved,
    description:
      'Moves, sets or removes up to 30 labels in one transaction: all or none. Every `from` must hold, unless all labels are already at their `to`: repeating a request changes nothing. The key must be allowed to publish the prompts and to move the labels; protected labels need an administrator.',
    examples: [
      {
        summary: 'One label',
        body: { moves: [{ name: 'greeting', label: 'staging', from: '1.0.0', to: '1.1.0' }] },
        res: { moved: true, set: 'set_4rTgY7uJ2kLm9NpQ' },
      },
    ],
  },
  'prompt-list': {
    reply: {
      prompts: z.array(
        z.extend(
          z.pick(promptShape, { name: true, type: true, latest: true, contentHash: true, labels: true }),
          {
            sources: arrayOf(
              sourceState,
              'The last version of each of the last five repositories that published the prompt, newest first.',
            ),
            labelled: optional(
              z.object({
                version,
                note: anyText,
                variables: z.array(
                  z.object({
                    name: anyText,
                    type: optionalString('As declared. Absent for a variable that is not declared.'),
                    description: z.optional(anyText),
                    required: flag('Whether it has no default.'),
                  }),
                ),
              }),
              'Only with `label`: the version that it points to.',
            ),
          },
        ),
      ),
      cursor: optionalString('The last name. Send it to get the next page. Absent on the last page.'),
    },
    description:
      'Returns one page of the prompts that the key may see, by name. What is said about each is strongly consistent; a new prompt or label can take a moment to appear. It does not count as a use of the prompts.',
    examples: [
      {
        summary: 'The first page',
        body: {},
        res: {
          prompts: [
            {
              name,
              type,
              latest,
              contentHash,
              labels,
              sources: [{ repository, version: latest, contentHash, commit }],
            },
          ],
        },
      },
    ],
  },
  'prompt-source': {
    reply: {
      prompts: z.array(
        z.object({
          name: promptName,
          version,
          contentHash: hash,
          note: anyText,
          content: described(z.object(contentFields), 'The content as its author wrote it.'),
        }),
      ),
    },
    description:
      'Returns the latest content of up to 20 prompts as their authors wrote it, in the given order. If they are large, it returns fewer, but at least one: ask again for the others. It does not count as a use of the prompts; the audit log has an entry for each.',
    examples: [
      {
        summary: 'One prompt',
        body: { names: ['greeting'] },
        res: { prompts: [{ name, version: latest, contentHash, note, content: CONTENT }] },
      },
    ],
  },
};
