import * as z from 'zod/mini';
import { described, freeObject } from '../fields/fields.ts';
import { time } from './common.ts';

/** Who changed something, read secrets, or was refused. */
export const auditShape = z.object({
  entryId: described(z.string(), 'Id of the entry. It begins with the time of the entry.'),
  at: time(
    'When it happened. A refusal stands for one or more calls in a minute, for the same key and reason: the time of the first.',
  ),
  kind: z.enum(['change', 'read', 'refusal']),
  actor: described(
    z.string(),
    'E-mail address of the operator, or `API key` and its name if a key has published. For a read or a refusal, the name of the API key.',
  ),
  actorId: z.optional(described(z.string(), 'Id of the API key, if it was one.')),
  action: described(
    z.string(),
    '`<resource>.<verb>`, such as `label.set`; every read is `secret.read`, every refusal `call.refuse`.',
  ),
  subject: described(
    z.string(),
    'Id of what was changed. For a read, `vault`. For a refusal, the operation.',
  ),
  name: described(z.string(), 'Its name. For a read, the requested key.'),
  details: freeObject('Further details, never a value.'),
  requestId: z.string(),
});

const findingShape = z.object({
  at: time('When it was found.'),
  subject: described(z.string(), 'Key of the row or of the object of the sealed log.'),
  problem: described(z.string(), 'What is wrong, in one sentence.'),
});

/** Up to when the audit log is sealed. */
export const integrityShape = described(
  z.object({
    sealed: z.nullable(
      z.object({
        number: described(z.int(), 'Number of the last object of the sealed log.'),
        at: time('When it was sealed.'),
        to: time('Entries before this time are sealed.'),
      }),
    ),
    findings: described(z.int(), 'Number of changes that were found and that Cuevault did not make.'),
    firstFinding: z.nullable(findingShape),
    lastFinding: z.nullable(findingShape),
  }),
  'State of the sealed log, on the first page only. `sealed` is null before the first seal, and if the last one does not verify. Findings are entries with the action `integrity.fail`.',
);
