import { sessionGet } from '../../../contract/endpoints/service.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { environmentsOf } from '../../http/serializers/environments.ts';
import { logFailure } from '../../log.ts';
import { readProtection } from '../../store/prompts/protection.ts';
import { readEnvironments } from '../../store/vault/environments.ts';

/** A part that cannot be read, such as a forged row, must not keep operators out, who have to find and mend it. */
const orNull = <Part>(reading: Promise<Part>): Promise<Part | null> =>
  reading.catch((error: unknown) => {
    logFailure('part of a session not read', error);
    return null;
  });

export const handler = readEndpoint(sessionGet, async ({ table, operator: { operatorId, email, group } }) => {
  const [protection, environments] = await Promise.all([
    orNull(readProtection(table)),
    orNull(readEnvironments(table).then((all) => environmentsOf(table, all))),
  ]);
  return { operatorId, email, group, protectedLabels: protection?.labels ?? null, environments };
});
