import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { type ImportInput, type ImportPreview, previewImport } from '../secret-changes.ts';

const PAUSE_MS = 300;

type Answer = { readonly input: string } & (
  | { readonly preview: ImportPreview; readonly error?: never }
  | { readonly error: unknown; readonly preview?: never }
);

export interface PreviewState {
  readonly preview?: ImportPreview | undefined;
  readonly error?: unknown;
  /** Whether the preview belongs to an earlier input than the one on the screen. */
  readonly isOld: boolean;
  readonly retry: () => void;
}

/** Requests a preview of the import whenever typing pauses. It is not cached. */
export const useImportPreview = ({ environment, text, tags, skip }: ImportInput): PreviewState => {
  const input = JSON.stringify({ environment, text, tags, skip });
  const [paused] = useDebouncedValue(input, PAUSE_MS);
  const [answer, setAnswer] = useState<Answer>();
  const [attempt, setAttempt] = useState(0);
  const retry = () => {
    setAnswer(undefined);
    setAttempt((count) => count + 1);
  };
  const isEmpty = text.trim() === '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt repeats the request
  useEffect(() => {
    const asked = JSON.parse(paused) as ImportInput;
    if (asked.text.trim() === '') {
      setAnswer(undefined);
      return undefined;
    }
    const leaving = new AbortController();
    previewImport(asked, leaving.signal).then(
      (preview) => leaving.signal.aborted || setAnswer({ input: paused, preview }),
      (error: unknown) => leaving.signal.aborted || setAnswer({ input: paused, error }),
    );
    return () => leaving.abort();
  }, [paused, attempt]);
  if (isEmpty || answer === undefined) return { isOld: !isEmpty, retry };
  return { preview: answer.preview, error: answer.error, isOld: answer.input !== input, retry };
};
