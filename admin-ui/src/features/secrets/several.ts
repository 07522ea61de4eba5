import { ApiError, messageOfChange } from '../../api/api-error.ts';
import { counted } from '../../components/count.ts';
import type { Secret } from './secret-queries.ts';

/** Which secret of several. */
export type Named = Pick<Secret, 'secretId' | 'key'>;

interface Failure {
  readonly secret: Named;
  /** Absent if it was not tried because the service could not be reached for an earlier one. */
  readonly error?: unknown;
}

const reasonOf = ({ error }: Failure): string =>
  error === undefined ? 'Not tried.' : messageOfChange(error);

const messageOf = (total: number, failures: readonly Failure[]): string => {
  const byReason = Map.groupBy(failures, reasonOf);
  const lists = [...byReason].map(
    ([reason, some]) =>
      `Unchanged and still selected: ${some.map(({ secret }) => secret.key).join(', ')}. ${reason}`,
  );
  const done = total - failures.length;
  return [`${done} of ${counted(total, 'secret')} ${done === 1 ? 'is' : 'are'} done.`, ...lists].join(' ');
};

/** Some of several changes failed. `message` names every secret that is unchanged, and why. */
export class PartlyDone extends Error {
  override readonly name = 'PartlyDone';
  readonly failures: readonly Failure[];

  constructor(total: number, failures: readonly Failure[]) {
    super(messageOf(total, failures));
    this.failures = failures;
  }
}

// Later calls would fail for the same reason.
const isAboutTheService = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429;

/**
 * Changes secrets one after the other; a rejected one does not keep the others from being changed. Errors: `PartlyDone`,
 * or the error itself if there is only one secret.
 */
export const changeSeveral = async <One extends Named>(
  secrets: readonly One[],
  change: (secret: One) => Promise<void>,
): Promise<void> => {
  const failures: Failure[] = [];
  let isStopped = false;
  for (const secret of secrets) {
    if (isStopped) {
      failures.push({ secret });
      continue;
    }
    try {
      await change(secret);
    } catch (error) {
      if (secrets.length === 1) throw error;
      failures.push({ secret, error });
      isStopped = isAboutTheService(error);
    }
  }
  if (failures.length > 0) throw new PartlyDone(secrets.length, failures);
};
