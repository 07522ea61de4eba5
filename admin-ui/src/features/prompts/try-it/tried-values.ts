import { useState } from 'react';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';

interface Tried {
  readonly values: JsonObject;
  /** The text of the values while they are edited as JSON, which may not be readable yet. */
  readonly json?: string;
  /** The JSON texts of lists of messages, by the names of their placeholders. */
  readonly lists?: Readonly<Record<string, string>> | undefined;
}

// In the page alone, never in storage: values may be confidential.
const tried = new Map<string, Tried>();

/**
 * The values that a prompt is tried with, kept until the page is left or loaded again; its saved examples at first.
 */
export const useTriedValues = (promptId: string, examples: JsonObject) => {
  const [typed, setTyped] = useState(() => tried.get(promptId));
  const set = (next: Tried) => {
    tried.set(promptId, next);
    setTyped(next);
  };
  return [typed ?? { values: examples }, set] as const;
};
