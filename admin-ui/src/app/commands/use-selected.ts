import { useState } from 'react';
import type { Command } from './commands-list.tsx';

/** Which of the results is selected, and the way to select another one: the first one, once letters are typed. */
export const useSelected = (results: readonly Command[], typed: string) => {
  const [chosen, setChosen] = useState<{ readonly id: string | undefined; readonly typed: string }>();
  const place = results.findIndex(({ id }) => chosen?.typed === typed && id === chosen.id);
  const selected = results[place === -1 && typed !== '' ? 0 : place];
  const move = (steps: number) => {
    const from = selected === undefined ? Math.min(0, -steps) : results.indexOf(selected);
    setChosen({ id: results.at((from + steps) % results.length)?.id, typed });
  };
  return { selected, move, reset: () => setChosen(undefined) };
};
