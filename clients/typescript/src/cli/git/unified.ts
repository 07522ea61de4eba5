import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Content } from '../../../../../contract/content/content.ts';
import { printPromptFile } from '../../../../../contract/content/file/prompt-file.ts';
import type { Details } from './details.ts';
import type { Row } from './plan.ts';
import { git } from './repository.ts';

const SIDES = ['now', 'next'] as const;

const textOf = (content: Content | undefined): string => (content ? printPromptFile({ content }) : '');

/** Both sides as files with numbers for names, in two folders. */
const write = (folder: string, pairs: readonly (readonly [string, string])[]): void => {
  for (const [side, name] of SIDES.entries()) {
    mkdirSync(join(folder, name));
    for (const [index, pair] of pairs.entries())
      writeFileSync(join(folder, name, `${index}`), pair[side] ?? '');
  }
};

const COMPARE = [
  '-c',
  'core.quotePath=false',
  'diff',
  '--no-index',
  '--no-color',
  '--no-ext-diff',
  '--no-prefix',
];

/**
 * The differences between the prompts of the service and the files, by name: from what is now to what a push publishes;
 * for `drift`, from the file to what the service has.
 */
export const unifiedDiffs = (rows: readonly Row[], details: Details): Map<string, string> => {
  const changed = rows.filter(({ name }) => details.get(name)?.after !== undefined);
  if (changed.length === 0) return new Map();
  const folder = mkdtempSync(join(tmpdir(), 'cuevault-diff-'));
  try {
    const sides = changed.map(({ name, status }) => {
      const { before, after } = details.get(name) ?? {};
      const texts = [textOf(before), textOf(after)] as const;
      return status === 'drift' ? ([texts[1], texts[0]] as const) : texts;
    });
    write(folder, sides);
    const { out } = git(folder, [...COMPARE, ...SIDES]);
    const parts = out.split(/^diff --git .*\n/m).slice(1);
    const indexOf = (part: string) => Number(/^(?:---|\+\+\+) (?:now|next)\/(\d+)/m.exec(part)?.[1] ?? -1);
    return new Map(
      parts.flatMap((part) => {
        const row = changed[indexOf(part)];
        const lines = part.slice(part.indexOf('@@ ')).trimEnd();
        return row === undefined ? [] : [[row.name, `${row.file?.path ?? row.name}\n${lines}\n`] as const];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};
