import { useState } from 'react';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';

// In the page alone, never in storage: values may be confidential.
const tried = new Map<string, JsonObject>();

/** The values that a prompt is tried with, kept until the page is left or loaded again; `{}` at first. */
export const useTriedValues = (promptId: string) => {
  const [values, setValues] = useState(() => tried.get(promptId) ?? {});
  const set = (next: JsonObject) => {
    tried.set(promptId, next);
    setValues(next);
  };
  return [values, set] as const;
};
