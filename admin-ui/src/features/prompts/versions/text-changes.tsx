import { Button, Text } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { FRAGMENT } from '../../../../../contract/content/fragments.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import { PLACEHOLDER } from '../../../../../contract/templates.ts';
import { counted } from '../../../components/count.ts';
import { Framed } from '../../../components/layout/panel.tsx';
import { type Line, type Row, rowsOf } from './changes.ts';
import classes from './text-changes.module.css';

export interface TextChangesProps {
  /** What is compared, such as `Template`. */
  readonly title: string;
  /** Undefined: there is no such text. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly labels: readonly [before: string, after: string];
  /** Side by side, or one below the other. */
  readonly mode: 'side' | 'inline';
}

/** Unchanged lines that are shown around a change. */
const AROUND = 3;

/** Rows in stretches: those with changes and what is around them, and those that are folded. */
const stretchesOf = (
  rows: readonly Row[],
): { readonly isFolded: boolean; readonly rows: readonly Row[] }[] => {
  const near = new Set(
    rows.flatMap(({ isSame }, at) =>
      isSame ? [] : Array.from({ length: 2 * AROUND + 1 }, (_, by) => at + by - AROUND),
    ),
  );
  const stretches: { isFolded: boolean; rows: Row[] }[] = [];
  rows.forEach((row, at) => {
    const isFolded = !near.has(at);
    const last = stretches.at(-1);
    if (last?.isFolded === isFolded) last.rows.push(row);
    else stretches.push({ isFolded, rows: [row] });
  });
  // Folding a single line saves nothing.
  return stretches.map((each) => (each.rows.length === 1 ? { ...each, isFolded: false } : each));
};

/** The differences of two texts, line by line. Placeholders are colored; blanks at the end of lines are visible. */
export const TextChanges = ({ title, before, after, labels, mode }: TextChangesProps) => {
  const stretches = useMemo(() => stretchesOf(rowsOf(before, after)), [before, after]);
  const [open, setOpen] = useState<readonly number[]>([]);
  const isSide = mode === 'side';
  return (
    <Framed style={{ overflow: 'hidden' }}>
      <table className={classes.table} aria-label={title}>
        <colgroup>
          {(isSide ? labels : ['both']).map((label) => [
            <col key={`${label} number`} className={classes.numbers} />,
            <col key={label} />,
          ])}
        </colgroup>
        <thead>
          <tr>
            {isSide ? (
              labels.map((label) => <Heading key={label}>{label}</Heading>)
            ) : (
              <Heading>{labels.join(' → ')}</Heading>
            )}
          </tr>
        </thead>
        {stretches.map(({ isFolded, rows }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stretch has no identity
          <tbody key={index}>
            {isFolded && !open.includes(index) ? (
              <tr>
                <td colSpan={4}>
                  <Button size="compact-xs" variant="subtle" onClick={() => setOpen([...open, index])}>
                    {counted(rows.length, 'unchanged line')}
                  </Button>
                </td>
              </tr>
            ) : isSide ? (
              rows.map((row) => <SideRow key={`${row.before?.number} ${row.after?.number}`} {...row} />)
            ) : (
              inOrder(rows)
            )}
          </tbody>
        ))}
      </table>
    </Framed>
  );
};

const Heading = ({ children }: { children: string }) => (
  <Text component="th" colSpan={2} scope="col" c="dimmed" px="0.5rem" py={4}>
    {children}
  </Text>
);

const SideRow = ({ before, after, isSame }: Row) => (
  <tr>
    <td className={classes.number}>{before?.number}</td>
    <Cell line={before} kind={isSame ? undefined : 'removed'} />
    <td className={classes.number}>{after?.number}</td>
    <Cell line={after} kind={isSame ? undefined : 'added'} />
  </tr>
);

/** What is removed in one stretch goes before what is added. */
const inOrder = (rows: readonly Row[]): ReactNode[] => {
  const shown: ReactNode[] = [];
  const added: ReactNode[] = [];
  for (const { before, after, isSame } of rows) {
    if (isSame) shown.push(...added.splice(0), <InlineRow key={`= ${after?.number}`} line={after} />);
    else {
      if (before) shown.push(<InlineRow key={`- ${before.number}`} line={before} kind="removed" />);
      if (after) added.push(<InlineRow key={`+ ${after.number}`} line={after} kind="added" />);
    }
  }
  return [...shown, ...added];
};

interface CellProps {
  readonly line: Line | undefined;
  /** Undefined: both texts have it. */
  readonly kind?: 'removed' | 'added' | undefined;
}

const SIGNS = { removed: '−', added: '+' };

const InlineRow = ({ line, kind }: CellProps) => (
  <tr>
    <td className={classes.number}>{kind ? SIGNS[kind] : line?.number}</td>
    <Cell line={line} kind={kind} />
  </tr>
);

const Cell = ({ line, kind }: CellProps) => {
  if (line === undefined) return <td />;
  const content = contentOf(line, kind !== undefined);
  if (kind === undefined) return <td>{content}</td>;
  const Element = kind === 'removed' ? 'del' : 'ins';
  return (
    <td className={classes[kind]}>
      <Element>{content}</Element>
    </td>
  );
};

const BLANKS = /[ \t]+$/;

/** A line with its placeholders marked, what would hide as escapes, and, if it is changed, its end visible. */
const contentOf = ({ stretches }: Line, isChanged: boolean): ReactNode => {
  const text = stretches.map((each) => each.text).join('');
  if (text === '') return isChanged && <span className={classes.blank}>↵</span>;
  let end = 0;
  const bounds = stretches.map(({ text: part, isChanged: isNew }) => {
    const from = end;
    end += part.length;
    return { from, to: end, isNew };
  });
  // A part of the line, in stretches.
  const part = (from: number, to: number, shownAs: (text: string) => string) =>
    bounds.map((each) => {
      const [start, stop] = [Math.max(from, each.from), Math.min(to, each.to)];
      if (start >= stop) return null;
      const shown = shownAs(text.slice(start, stop));
      return each.isNew ? (
        <span key={start} className={classes.changed}>
          {shown}
        </span>
      ) : (
        shown
      );
    });
  const blanks = BLANKS.exec(text)?.index ?? text.length;
  const marked = [PLACEHOLDER, FRAGMENT]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(({ 0: found, index }) => ({ from: index, to: index + found.length }))
    .sort((a, b) => a.from - b.from);
  let at = 0;
  return (
    <>
      {marked.map(({ from, to }) => {
        const plain = part(at, from, visible);
        at = to;
        return [plain, <mark key={from}>{part(from, to, visible)}</mark>];
      })}
      {part(at, blanks, visible)}
      {blanks < text.length && (
        <span className={classes.blank}>
          {part(blanks, text.length, (some) => some.replaceAll(' ', '·').replaceAll('\t', '→'))}
        </span>
      )}
    </>
  );
};
