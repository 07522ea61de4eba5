import * as z from 'zod/mini';
import { freeObject } from '../fields/fields.ts';
import { time } from './common.ts';

/** Who changed something, or was given secrets. */
export const auditShape = z.object({
  at: time('When it happened.'),
  kind: z.enum(['change', 'read']),
  actor: z
    .string()
    .check(z.meta({ description: 'E-mail address of the operator. For a read, the name of the API key.' })),
  actorId: z.optional(z.string().check(z.meta({ description: 'For a read, the id of the API key.' }))),
  action: z
    .string()
    .check(z.meta({ description: '`<resource>.<verb>`, such as `label.set`; every read is `secret.read`.' })),
  subject: z.string().check(z.meta({ description: 'Id of what was changed. For a read, `vault`.' })),
  name: z.string().check(z.meta({ description: 'Its name. For a read, the requested key.' })),
  details: freeObject('Further details, never a value.'),
  requestId: z.string(),
});
