import type { Revocation, Revoked } from '../../contract/backup.ts';
import type { SealedEntry } from '../../lambdas/core/seal/entries.ts';
import type { Finding } from '../../lambdas/store/seal/verification/objects.ts';
import { verifyAudit } from '../../lambdas/store/seal/verification/verify.ts';
import type { Source } from '../sealed-log/source.ts';
import type { Installation } from './installation.ts';

/** A revocation or deletion in the sealed log. */
export interface Logged extends Revocation {
  readonly name: string;
  readonly at: string;
}

/** What the sealed log says about the time since a restored state. */
export interface SealedChanges {
  readonly revocations: readonly Logged[];
  readonly findings: readonly Finding[];
  /** Until when changes are sealed; undefined if none are. */
  readonly sealedTo: string | undefined;
}

interface Entry {
  readonly action?: string;
  readonly subject: string;
  readonly name: string;
  readonly at: string;
  /** JSON. */
  readonly details: string;
}

const BATCH = 100;

const idOf = ({ action, subject, version = '' }: Revocation): string => `${action} ${subject} ${version}`;

/** Follows the log: a deletion counts until an operator undoes it. */
const createState = () => {
  const current = new Map<string, Logged>();
  const add = (revocation: Logged) => current.set(idOf(revocation), revocation);
  const follow = ({ action, subject, name, at, details }: Entry): void => {
    const about = { subject, name, at };
    if (action === 'api-key.revoke' || action === 'secret.delete' || action === 'prompt.delete')
      add({ action, ...about });
    else if (action === 'version.delete')
      add({ action, ...about, version: String((JSON.parse(details) as { version?: unknown }).version) });
    else if (action === 'secret.restore') current.delete(idOf({ action: 'secret.delete', subject }));
    else if (action === 'prompt.restore') current.delete(idOf({ action: 'prompt.delete', subject }));
    // An operator restored an entire revision of the vault.
    else if (action === 'vault.restore-revision')
      for (const [id, revocation] of current) if (revocation.action === 'secret.delete') current.delete(id);
  };
  return { follow, all: () => [...current.values()] };
};

/** Reads and verifies the sealed log from a time on (ISO 8601). Errors: those of the reads. */
export const readRevocations = async (source: Source, since: string): Promise<SealedChanges> => {
  const state = createState();
  const { findings, last } = await verifyAudit({
    ...{ verifier: source.verifier, objects: source.objects },
    ...{ now: new Date(), from: since.slice(0, 10) },
    onEntries: (entries: readonly SealedEntry[]) => {
      for (const { sk, line } of entries) if (sk >= since) state.follow(JSON.parse(line) as Entry);
    },
  });
  return { revocations: state.all(), findings, sealedTo: last?.to };
};

/** A revocation and its state. */
export type Result = Revoked & { readonly revocation: Logged };

/** Which of these were undone, and with `apply`, repeats them. Errors: `CommandError`. */
export const repeatRevocations = async (
  installation: Installation,
  revocations: readonly Logged[],
  apply: boolean,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (let start = 0; start < revocations.length; start += BATCH) {
    const batch = revocations.slice(start, start + BATCH);
    const input = { apply, revocations: batch.map(({ name: _, at: __, ...revocation }) => revocation) };
    const states = (await installation.invoke('backup-revoke', input)) as readonly Revoked[];
    results.push(
      ...states.flatMap((state, index) => {
        const revocation = batch[index];
        return revocation === undefined ? [] : [{ ...state, revocation }];
      }),
    );
  }
  return results;
};
