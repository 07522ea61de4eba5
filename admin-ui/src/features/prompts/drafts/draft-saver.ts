import { isRefusal } from '../../../api/api-error.ts';

const PAUSE_MS = 800;
const RETRY_MS = 5_000;

/** How far the saving of a draft has come. */
export type SaveState<Saved> =
  | { readonly kind: 'idle' | 'waiting' | 'saving' | 'conflict' }
  | { readonly kind: 'saved'; readonly draft: Saved }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface DraftSaver<Body> {
  /** Saves this once the typing pauses. */
  readonly change: (body: Body) => void;
  /**
   * Saves at once what is not saved yet; returns the `rev` of the draft, if there is one. Throws what the service says,
   * and after a conflict, without a call, what it said then.
   */
  readonly flush: () => Promise<number | undefined>;
  /**
   * Compares with the draft that there is by now, which has that `rev` (undefined: there is none), while `body` is in
   * the editor. One that has gone is saved anew; another one is a conflict. Returns false for a conflict.
   */
  readonly compare: (rev: number | undefined, body: Body) => boolean;
  /** Goes on from the draft with that `rev` (undefined: from none), and saves what is not saved yet over it. */
  readonly rebase: (rev: number | undefined) => void;
  /** Goes on from the draft with that `rev`, which has taken the place of what is not saved yet. */
  readonly take: (rev: number) => void;
  /** Has the draft removed, if there is one, and forgets what is not saved yet; unless `remove` throws. */
  readonly discard: (remove: (rev: number) => Promise<unknown>) => Promise<void>;
  /** Sends nothing any more. */
  readonly stop: () => void;
}

/**
 * Saves a draft as it is typed by `send`, which is given the `rev` of the draft that was seen last; one call after
 * another. After a conflict nothing is sent until that is settled; after any other failure it tries again.
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
      // What was typed while the last call was under way.
      await run();
      return rev;
    },
    compare: (seen, body) => {
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
