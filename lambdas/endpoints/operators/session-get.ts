import { sessionGet } from '../../../contract/endpoints/service.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { environmentsOf } from '../../http/serializers/environments.ts';
import { logFailure } from '../../log.ts';
import { connectTable } from '../../store/connect.ts';
import { keepSignIn } from '../../store/operators/sign-ins.ts';
import { PROTECTION_KEY, readProtection } from '../../store/prompts/protection.ts';
import { withBatchedReads } from '../../store/reading-ahead.ts';
import { VAULT_ROWS } from '../../store/secrets/secret-lists.ts';
import { readEnvironments } from '../../store/vault/environments.ts';

const table = withBatchedReads(connectTable());

/** A part that fails, such as a forged row, must not keep operators out, who have to find and repair it. */
const orNull = <Part>(reading: Promise<Part>, requestId: string): Promise<Part | null> =>
  reading.catch((error: unknown) => {
    logFailure('part of a session failed', error, { requestId });
    return null;
  });

export const handler = operatorEndpoint(
  sessionGet,
  table,
  async ({ table: own, operator: { operatorId, email, group }, signedInAt, change: { requestId } }) => {
    const [protection, environments] = await Promise.all([
      orNull(readProtection(own), requestId),
      orNull(
        readEnvironments(own).then((all) => environmentsOf(own, all)),
        requestId,
      ),
      orNull(keepSignIn(own, operatorId, signedInAt), requestId),
    ]);
    return { operatorId, email, group, protectedLabels: protection?.labels ?? null, environments };
  },
  () => [PROTECTION_KEY, ...VAULT_ROWS],
);
