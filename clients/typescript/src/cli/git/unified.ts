import { structuredPatch } from 'diff';
import type { Content } from '../../../../../contract/content/content.ts';
import { printPromptFile } from '../../../../../contract/content/file/prompt-file.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import type { Details } from './details.ts';
import type { Row } from './plan.ts';

/** Beyond as many changed lines, the comparison shows all lines of both sides. */
const MOST_EDITS = 2_000;

const textOf = (content: Content | undefined): string => (content ? printPromptFile({ content }) : '');

const linesOf = (text: string, mark: string): string[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => mark + line);

const range = (start: number, lines: number): string =>
  lines === 1 ? `${start}` : `${lines === 0 ? start - 1 : start},${lines}`;

/** How a text becomes another, as `diff -u` writes it, without headers. */
const unified = (now: string, next: string): string[] => {
  const patch = structuredPatch('', '', now, next, '', '', { context: 3, maxEditLength: MOST_EDITS });
  if (patch === undefined) return [...linesOf(now, '-'), ...linesOf(next, '+')];
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...lines,
  ]);
};

/**
 * The differences between the prompts of the service and the files, by name: from what is now to what a push publishes;
 * for `drift`, from the file to what the service has. Characters that do not show are escapes.
 */
export const unifiedDiffs = (rows: readonly Row[], details: Details): Map<string, string> => {
  const diffs = rows.flatMap(({ name, status, file }) => {
    const { before, after } = details.get(name) ?? {};
    if (after === undefined) return [];
    const texts = [textOf(before), textOf(after)] as const;
    const [now, next] = status === 'drift' ? [texts[1], texts[0]] : texts;
    const lines = unified(now, next);
    return lines.length === 0
      ? []
      : [[name, visible(`${file?.path ?? name}\n${lines.join('\n')}\n`)] as const];
  });
  return new Map(diffs);
};
