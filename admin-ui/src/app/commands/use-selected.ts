import { useState } from 'react';
import type { Command } from './commands-list.tsx';

/** The selected result and a function to select another. Typing selects the first result. */
export const useSelected = (results: readonly Command[], typed: string) => {
  const [chosen, setChosen] = useState<{ readonly id: string | undefined; readonly typed: string }>();
  const index = results.findIndex(({ id }) => chosen?.typed === typed && id === chosen.id);
  const selected = results[index === -1 && typed !== '' ? 0 : index];
  const move = (steps: number) => {
    const from = selected === undefined ? Math.min(0, -steps) : results.indexOf(selected);
    setChosen({ id: results.at((from + steps) % results.length)?.id, typed });
  };
  return { selected, move, reset: () => setChosen(undefined) };
};
