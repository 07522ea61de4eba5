import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { type ImportInput, type ImportPreview, previewImport } from '../secret-changes.ts';

const PAUSE_MS = 300;

type Answer = { readonly text: string } & (
  | { readonly preview: ImportPreview; readonly error?: never }
  | { readonly error: unknown; readonly preview?: never }
);

export interface PreviewState {
  readonly preview?: ImportPreview | undefined;
  readonly error?: unknown;
  /** Whether the preview belongs to an earlier text than the one in the field. */
  readonly isOld: boolean;
  /** Retries. */
  readonly retry: () => void;
}

/** Requests a preview of the import whenever typing pauses. It is not cached. */
export const useImportPreview = ({ text, tags, skip }: ImportInput): PreviewState => {
  const [paused] = useDebouncedValue(text, PAUSE_MS);
  const [answer, setAnswer] = useState<Answer>();
  const [attempt, setAttempt] = useState(0);
  const retry = () => {
    setAnswer(undefined);
    setAttempt((count) => count + 1);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt repeats the request
  useEffect(() => {
    if (paused.trim() === '') {
      setAnswer(undefined);
      return undefined;
    }
    const leaving = new AbortController();
    previewImport({ text: paused, tags, skip }, leaving.signal).then(
      (preview) => setAnswer({ text: paused, preview }),
      (error: unknown) => {
        if (!leaving.signal.aborted) setAnswer({ text: paused, error });
      },
    );
    return () => leaving.abort();
  }, [paused, tags, skip, attempt]);
  if (text.trim() === '' || answer === undefined) return { isOld: text.trim() !== '', retry };
  return {
    preview: answer.preview,
    error: answer.error,
    isOld: answer.text !== text,
    retry,
  };
};
