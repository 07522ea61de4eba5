import { EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { compare, type GitValues } from './compare.ts';
import { detailsOf, movesOf } from './details.ts';
import { isDrift } from './plan.ts';
import { print } from './print.ts';
import { changedIn } from './report.ts';

/** `cuevault diff DIR`: what a push would publish, and what was edited in the service. Returns the exit code. */
export const diff = async (folder: string, values: GitValues, terminal: Terminal): Promise<number> => {
  const comparison = await compare(folder, values);
  const { rows, format } = comparison;
  const details = await detailsOf(comparison, false);
  const moves = movesOf(rows, details, { label: values.label });
  const shown = print(terminal, format, { title: 'Prompts', rows, details, moves });
  if (values['exit-code'] !== true || shown !== EXIT.done) return shown;
  if (rows.some(isDrift)) return EXIT.drift;
  return changedIn(rows).length > 0 || moves.length > 0 ? EXIT.differs : EXIT.done;
};
