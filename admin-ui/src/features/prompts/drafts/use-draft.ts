import { useDebouncedCallback } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { draftsSave } from '../../../../../contract/endpoints/versions.ts';
import { isRefusal } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { whenTransient } from '../../../api/query-client.ts';
import { type Body, contentOf, type Edited, readContent } from '../editor/content.ts';
import { discardDraft } from '../prompt-changes.ts';
import { type Draft, PROMPTS_KEY, type Start } from '../prompt-queries.ts';

const PAUSE_MS = 800;

/** The status of saving a draft. */
export type SaveState =
  | { readonly kind: 'idle' | 'waiting' | 'saving' | 'conflict' }
  | { readonly kind: 'saved'; readonly draft: Draft }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A new version, saved as a draft while it is edited. */
export interface DraftWork {
  readonly content: Edited;
  /** The content to save; a field that cannot be read yet has its last value. */
  readonly body: Body;
  readonly state: SaveState;
  /** Why fields cannot be read yet, a sentence each. */
  readonly problems: readonly string[];
  readonly isUnsaved: boolean;
  readonly change: (content: Edited) => void;
  readonly retry: () => void;
  /** Saves unsaved input and returns the `rev` of the draft. */
  readonly flush: () => Promise<number | undefined>;
  /** Saves unsaved input; throws if something cannot be saved. */
  readonly save: () => Promise<void>;
  /** Compares with the current draft; false if there is a conflict. */
  readonly reconcile: (theirs: Draft | null) => boolean;
  /** Replaces this draft with the other one. */
  readonly takeTheirs: (theirs: Draft) => void;
  /** Overwrites the other draft with this one, or saves it again if the other is gone. */
  readonly keepMine: (theirs: Draft | null) => void;
  /** Removes the draft and leaves; throws the error of the service. */
  readonly discard: () => Promise<void>;
}

const UNSAVED: readonly SaveState['kind'][] = ['waiting', 'saving', 'failed', 'conflict'];

/** A new version's note is about that version, not about the one it starts from. */
const firstContent = ({ draft, latest }: Start): Edited =>
  draft ? contentOf(draft) : { ...contentOf(latest), note: '' };

/**
 * Saves a draft while it is typed, one call at a time. After a conflict, nothing is sent until it is resolved; what the
 * service has rejected is sent again after the next change, or on request.
 */
const useSaver = ({ prompt: { promptId }, draft, latest }: Start) => {
  const rev = useRef(draft?.rev);
  const unsaved = useRef<Body>(undefined);
  const [saved, setSaved] = useState<Draft>();
  const [conflict, setConflict] = useState<unknown>();
  const scope = { id: `draft ${promptId}` };
  const saving = useMutation({
    scope,
    retry: whenTransient,
    mutationFn: async () => {
      const body = unsaved.current;
      if (body === undefined) return;
      const seen = rev.current === undefined ? {} : { rev: rev.current };
      const sent = { ...body, baseVersion: draft?.baseVersion ?? latest.version, ...seen };
      const reply = await call(draftsSave, { params: { promptId }, body: sent });
      rev.current = reply.draft.rev;
      if (unsaved.current === body) unsaved.current = undefined;
      setSaved(reply.draft);
    },
    onError: (error) => isRefusal(error, 'changed_meanwhile') && setConflict(error),
  });
  const discarding = useMutation({
    scope,
    mutationFn: async () => {
      if (rev.current !== undefined) await discardDraft(promptId, rev.current);
      unsaved.current = undefined;
    },
  });
  const later = useDebouncedCallback(() => saving.mutate(), PAUSE_MS);
  const stateOf = (): SaveState => {
    if (conflict) return { kind: 'conflict' };
    if (saving.isPending) return { kind: 'saving' };
    if (unsaved.current)
      return saving.isError ? { kind: 'failed', error: saving.error } : { kind: 'waiting' };
    return saved ? { kind: 'saved', draft: saved } : { kind: 'idle' };
  };
  const rebase = (seen: number | undefined, body: Body): void => {
    rev.current = seen;
    unsaved.current ??= body;
    setConflict(undefined);
    saving.mutate();
  };
  return {
    state: stateOf(),
    change: (body: Body) => {
      unsaved.current = body;
      if (!conflict) later();
    },
    flush: async () => {
      later.cancel();
      if (conflict) throw conflict;
      // More may be typed during a call.
      do await saving.mutateAsync();
      while (unsaved.current);
      return rev.current;
    },
    rebase,
    reconcile: (seen: number | undefined, body: Body): boolean => {
      if (seen === rev.current && !conflict) return true;
      if (seen === undefined) rebase(undefined, body);
      else {
        unsaved.current ??= body;
        setConflict(conflict ?? new Error('There is another draft.'));
      }
      return seen === undefined;
    },
    take: (theirs: Draft) => {
      later.cancel();
      rev.current = theirs.rev;
      unsaved.current = undefined;
      setSaved(undefined);
      setConflict(undefined);
      saving.reset();
    },
    discard: async () => {
      later.cancel();
      await discarding.mutateAsync().catch((error: unknown) => {
        if (unsaved.current && !conflict) later();
        throw error;
      });
    },
  };
};

const useContent = (start: Start) => {
  const [content, setContent] = useState(() => firstContent(start));
  const [reading, setReading] = useState(() => readContent(content));
  const set = (next: Edited): Body => {
    const read = readContent(next, reading.body);
    setContent(next);
    setReading(read);
    return read.body;
  };
  return { content, ...reading, set };
};

/** Starts from the draft if there is one, otherwise from the latest version. */
export const useDraft = (start: Start): DraftWork => {
  const { promptId } = start.prompt;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { content, body, problems, set } = useContent(start);
  const { state, change, flush, rebase, reconcile, take, discard } = useSaver(start);
  // `LeaveGuard` has already saved what could be saved.
  useEffect(() => () => void queries.invalidateQueries({ queryKey: PROMPTS_KEY }), [queries]);
  return {
    content,
    body,
    state,
    problems,
    isUnsaved: problems.length > 0 || UNSAVED.includes(state.kind),
    change: (next) => change(set(next)),
    retry: () => void flush().catch(() => {}),
    flush,
    save: async () => {
      await flush();
      if (problems.length > 0) throw new Error(problems.join(' '));
    },
    reconcile: (theirs) => reconcile(theirs?.rev, body),
    takeTheirs: (theirs) => {
      take(theirs);
      set(contentOf(theirs));
    },
    keepMine: (theirs) => rebase(theirs?.rev, body),
    discard: async () => {
      await discard();
      await navigate({ to: '/prompts/$promptId', params: { promptId }, ignoreBlocker: true });
    },
  };
};
