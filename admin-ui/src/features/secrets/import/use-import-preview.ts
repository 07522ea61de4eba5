import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { type ImportPreview, previewImport } from '../secret-changes.ts';

const PAUSE_MS = 300;

type Answer = { readonly text: string } & (
  | { readonly preview: ImportPreview; readonly error?: never }
  | { readonly error: unknown; readonly preview?: never }
);

export interface PreviewState {
  readonly preview?: ImportPreview | undefined;
  readonly error?: unknown;
  /** Whether what is here answers an earlier text than the one in the field. */
  readonly isOld: boolean;
  /** Asks once more. */
  readonly retry: () => void;
}

/** Asks, whenever the typing pauses, what importing the text with these tags would come to. No cache keeps it. */
export const useImportPreview = (text: string, tags: string[]): PreviewState => {
  const [paused] = useDebouncedValue(text, PAUSE_MS);
  const [answer, setAnswer] = useState<Answer>();
  const [attempt, setAttempt] = useState(0);
  const retry = () => {
    setAnswer(undefined);
    setAttempt((count) => count + 1);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks the same once more
  useEffect(() => {
    if (paused.trim() === '') {
      setAnswer(undefined);
      return undefined;
    }
    const leaving = new AbortController();
    previewImport(paused, tags, leaving.signal).then(
      (preview) => setAnswer({ text: paused, preview }),
      (error: unknown) => {
        if (!leaving.signal.aborted) setAnswer({ text: paused, error });
      },
    );
    return () => leaving.abort();
  }, [paused, tags, attempt]);
  if (text.trim() === '' || answer === undefined) return { isOld: text.trim() !== '', retry };
  return {
    preview: answer.preview,
    error: answer.error,
    isOld: answer.text !== text,
    retry,
  };
};
