import { isRefusal } from '../../../api/api-error.ts';

const PAUSE_MS = 800;
const RETRY_MS = 5_000;

/** The status of saving a draft. */
export type SaveState<Saved> =
  | { readonly kind: 'idle' | 'waiting' | 'saving' | 'conflict' }
  | { readonly kind: 'saved'; readonly draft: Saved }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface DraftSaver<Body> {
  /** Saves this when typing pauses. */
  readonly change: (body: Body) => void;
  /**
   * Saves unsaved input at once; returns the `rev` of the draft, if there is one. Throws the error of the service;
   * after a conflict, throws that error again without a call.
   */
  readonly flush: () => Promise<number | undefined>;
  /**
   * Compares with the current draft, which has that `rev` (undefined: there is none), while the editor contains `body`.
   * A removed draft is saved again; a different one is a conflict. Returns false for a conflict.
   */
  readonly reconcile: (rev: number | undefined, body: Body) => boolean;
  /** Continues from the draft with that `rev` (undefined: from none) and overwrites it with unsaved input. */
  readonly rebase: (rev: number | undefined) => void;
  /** Continues from the draft with that `rev`, which replaces unsaved input. */
  readonly take: (rev: number) => void;
  /** Removes the draft, if there is one, and drops unsaved input, unless `remove` throws. */
  readonly discard: (remove: (rev: number) => Promise<unknown>) => Promise<void>;
  /** Stops saving. */
  readonly stop: () => void;
}

/**
 * Saves a draft while it is typed, with `send`, which receives the last known `rev` of the draft; one call at a time.
 * After a conflict, nothing is sent until it is resolved; other failures are retried.
 */
export const createDraftSaver = <Body, Saved extends { readonly rev: number }>(
  startRev: number | undefined,
  send: (body: Body, rev: number | undefined) => Promise<Saved>,
  onState: (state: SaveState<Saved>) => void,
): DraftSaver<Body> => {
  let rev = startRev;
  let pending: Body | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let conflict: Error | undefined;

  const save = async (body: Body): Promise<void> => {
    onState({ kind: 'saving' });
    try {
      const draft = await send(body, rev);
      rev = draft.rev;
      onState(pending === undefined ? { kind: 'saved', draft } : { kind: 'waiting' });
    } catch (error) {
      pending ??= body;
      conflict = isRefusal(error, 'changed_meanwhile') ? error : undefined;
      onState(conflict ? { kind: 'conflict' } : { kind: 'failed', error });
      if (!conflict) schedule(RETRY_MS);
      throw error;
    }
  };

  const saveAll = async (): Promise<void> => {
    while (pending !== undefined) {
      const body = pending;
      pending = undefined;
      await save(body);
    }
  };

  const run = async (): Promise<void> => {
    clearTimeout(timer);
    if (conflict) throw conflict;
    running ??= saveAll().finally(() => {
      running = undefined;
    });
    return running;
  };

  const schedule = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void run().catch(() => {}), ms);
  };

  const forget = (): void => {
    clearTimeout(timer);
    pending = undefined;
    conflict = undefined;
  };

  const rebase = (seen: number | undefined): void => {
    rev = seen;
    conflict = undefined;
    void run().catch(() => {});
  };

  return {
    change: (body) => {
      pending = body;
      if (conflict) return;
      onState({ kind: running === undefined ? 'waiting' : 'saving' });
      schedule(PAUSE_MS);
    },
    flush: async () => {
      await run();
      // Typed while the last call was running.
      await run();
      return rev;
    },
    reconcile: (seen, body) => {
      if (seen === rev && !conflict) return true;
      pending ??= body;
      if (seen === undefined) {
        rebase(undefined);
        return true;
      }
      conflict ??= new Error('Someone else saved another draft.');
      onState({ kind: 'conflict' });
      return false;
    },
    rebase,
    take: (seen) => {
      forget();
      rev = seen;
      onState({ kind: 'idle' });
    },
    discard: async (remove) => {
      clearTimeout(timer);
      await running?.catch(() => {});
      clearTimeout(timer);
      try {
        if (rev !== undefined) await remove(rev);
      } catch (error) {
        if (pending !== undefined && !conflict) schedule(PAUSE_MS);
        throw error;
      }
      forget();
      rev = undefined;
      onState({ kind: 'idle' });
    },
    stop: forget,
  };
};
