import { useDebouncedCallback } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { canonicalContent } from '../../../../../contract/content/hash.ts';
import { draftsSave } from '../../../../../contract/endpoints/versions.ts';
import { isRefusal } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { queryClient, whenTransient } from '../../../api/queries.ts';
import { promptPage } from '../../../components/basics.tsx';
import { authored } from '../../../components/prompt-content.ts';
import { type Body, contentOf, type Edited, readContent } from '../editor/content.ts';
import { type Draft, discardDraft, PROMPTS_KEY, type Start } from '../prompt-queries.ts';

const PAUSE_MS = 800;

/** A new version, saved as a draft while it is edited. */
export type DraftWork = ReturnType<typeof useDraft>;

/**
 * Starts from the draft if there is one, otherwise from the latest version, and saves it while it is typed, one call at a
 * time. After a conflict, nothing is sent until it is resolved; what the service has rejected is sent again after the next
 * change, or on request.
 */
export const useDraft = (start: Start) => {
  const { prompt, draft, latest } = start;
  const { promptId } = prompt;
  const navigate = useNavigate();
  // A new version's note is about that version, not about the one it starts from.
  const [content, setContent] = useState(() =>
    draft ? contentOf(draft) : { ...contentOf(latest), note: '' },
  );
  const [{ body, problems }, setReading] = useState(() => readContent(content));
  const set = (next: Edited): Body => {
    const read = readContent(next, body);
    setContent(next);
    setReading(read);
    return read.body;
  };
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
      const sent = { ...body, baseVersion: draft?.baseVersion ?? latest.version, rev: rev.current };
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
  const { isError, mutate: save } = saving;
  useEffect(() => {
    if (!isError || conflict) return;
    const again = () => save();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [isError, conflict, save]);
  // `LeaveGuard` has already saved what could be saved.
  useEffect(() => () => void queryClient.invalidateQueries({ queryKey: PROMPTS_KEY }), []);
  const stateOf = () => {
    if (conflict) return 'conflict';
    if (saving.isPending) return 'saving';
    if (unsaved.current) return saving.isError ? 'failed' : 'waiting';
    return saved ? 'saved' : 'idle';
  };
  const state = stateOf();
  /** Saves unsaved input and returns the `rev` of the draft. */
  const flush = async (): Promise<number | undefined> => {
    later.cancel();
    if (conflict) throw conflict;
    // More may be typed during a call.
    do await saving.mutateAsync();
    while (unsaved.current);
    return rev.current;
  };
  /** Overwrites the other draft with this one, or saves it again if the other is gone. */
  const keepMine = (theirs: Draft | null): void => {
    rev.current = theirs?.rev;
    unsaved.current ??= body;
    setConflict(undefined);
    saving.mutate();
  };
  return {
    content,
    /** The content to save; a field that cannot be read yet has its last value. */
    body,
    /** Why fields cannot be read yet, a sentence each. */
    problems,
    state,
    saved,
    error: saving.error,
    isUnsaved: problems.length > 0 || (state !== 'saved' && state !== 'idle'),
    change: (next: Edited) => {
      unsaved.current = set(next);
      if (!conflict) later();
    },
    flush,
    /** Saves unsaved input; throws if something cannot be saved. */
    save: async () => {
      await flush();
      if (problems.length > 0) throw new Error(problems.join(' '));
    },
    keepMine,
    /** Replaces this draft with the other one. */
    takeTheirs: (theirs: Draft) => {
      later.cancel();
      rev.current = theirs.rev;
      unsaved.current = undefined;
      setSaved(undefined);
      setConflict(undefined);
      saving.reset();
      set(contentOf(theirs));
    },
    /** Compares with what the service has now; false if there is a conflict. */
    reconcile: ({ draft: theirs, latest }: Start): boolean => {
      if (theirs?.rev === rev.current && !conflict) return true;
      if (theirs !== null) {
        unsaved.current ??= body;
        setConflict(conflict ?? new Error('There is another draft.'));
        return false;
      }
      const { note: _, ...content } = body;
      // It has been published, by this tab or another one, and is no draft any more.
      if (canonicalContent(authored(latest)) === canonicalContent(content)) {
        rev.current = undefined;
        unsaved.current = undefined;
      } else keepMine(null);
      return true;
    },
    /** Removes the draft and leaves; throws the error of the service. */
    discard: async () => {
      later.cancel();
      await discarding.mutateAsync().catch((error: unknown) => {
        if (unsaved.current && !conflict) later();
        throw error;
      });
      await navigate({ ...promptPage(promptId), ignoreBlocker: true });
    },
  };
};
