import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { draftsSave } from '../../../../../contract/endpoints/versions/drafts-save.ts';
import { call } from '../../../api/client.ts';
import { type Body, contentOf, type Edited, readContent } from '../editor/content.ts';
import { discardDraft } from '../prompt-changes.ts';
import { type Draft, PROMPTS_KEY } from '../prompt-queries.ts';
import { createDraftSaver, type DraftSaver, type SaveState as StateOf } from './draft-saver.ts';
import type { Start } from './draft-start.ts';

export type SaveState = StateOf<Draft>;

/** A new version, saved as a draft while it is edited. */
export interface DraftWork {
  readonly content: Edited;
  /** The content to save; a field that cannot be read yet has its last value. */
  readonly body: Body;
  readonly state: SaveState;
  /** Why fields cannot be read yet, a sentence each. */
  readonly problems: readonly string[];
  /** Whether there is unsaved input. */
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

const sendOf =
  ({ prompt: { promptId }, draft, latest }: Start) =>
  async (body: Body, rev: number | undefined): Promise<Draft> => {
    const baseVersion = draft?.baseVersion ?? latest.version;
    const seen = rev === undefined ? {} : { rev };
    return (await call(draftsSave, { params: { promptId }, body: { ...body, baseVersion, ...seen } })).draft;
  };

const useSaver = (start: Start, onState: (state: SaveState) => void): DraftSaver<Body> => {
  const queries = useQueryClient();
  const saver = useRef<DraftSaver<Body>>(undefined);
  saver.current ??= createDraftSaver(start.draft?.rev, sendOf(start), onState);
  const current = saver.current;
  useEffect(
    () => () => {
      // `LeaveGuard` has already saved what could be saved.
      current.stop();
      void queries.invalidateQueries({ queryKey: PROMPTS_KEY });
    },
    [current, queries],
  );
  return current;
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
  const [state, setState] = useState<SaveState>({ kind: 'idle' });
  const { content, body, problems, set } = useContent(start);
  const saver = useSaver(start, setState);
  return {
    content,
    body,
    state,
    problems,
    isUnsaved: problems.length > 0 || UNSAVED.includes(state.kind),
    change: (next) => saver.change(set(next)),
    retry: () => void saver.flush().catch(() => {}),
    flush: saver.flush,
    save: async () => {
      await saver.flush();
      if (problems.length > 0) throw new Error(problems.join(' '));
    },
    reconcile: (theirs) => saver.reconcile(theirs?.rev, body),
    takeTheirs: (theirs) => {
      saver.take(theirs.rev);
      set(contentOf(theirs));
    },
    keepMine: (theirs) => saver.rebase(theirs?.rev),
    discard: async () => {
      await saver.discard((rev) => discardDraft(promptId, rev));
      await navigate({ to: '/prompts/$promptId', params: { promptId }, ignoreBlocker: true });
    },
  };
};
