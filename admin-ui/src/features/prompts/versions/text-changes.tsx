import { Button } from '@mantine/core';
import { Fragment, type ReactNode, useMemo, useState } from 'react';
import { FRAGMENT } from '../../../../../contract/content/fragments.ts';
import { PLACEHOLDER } from '../../../../../contract/content/templates.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import { counted } from '../../../components/count.ts';
import { blocksOf } from './changes.ts';
import classes from './text-changes.module.css';

export interface TextChangesProps {
  /** What is compared, such as `Template`. */
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

/** Unchanged lines that are shown around a change. */
const AROUND = 3;

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

/** The differences of two texts. Placeholders are colored; blanks at the end of lines, and changed line ends, are visible. */
export const TextChanges = ({ title, before, after }: TextChangesProps) => {
  const blocks = useMemo(() => blocksOf(linesOf(before), linesOf(after)), [before, after]);
  return (
    <section className={classes.text} aria-label={title}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block has no identity
        <Fragment key={index}>
          {'same' in block ? (
            <Same lines={block.same} isFirst={index === 0} isLast={index === blocks.length - 1} />
          ) : (
            <Changed {...block} />
          )}
        </Fragment>
      ))}
    </section>
  );
};

interface SameProps {
  readonly lines: readonly string[];
  /** Whether nothing is before it, or after it. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const Same = ({ lines, isFirst, isLast }: SameProps) => {
  const [isOpen, setIsOpen] = useState(false);
  const [from, to] = [isFirst ? 0 : AROUND, lines.length - (isLast ? 0 : AROUND)];
  // Folding a single line saves nothing.
  if (isOpen || to - from < 2) return <div>{marked(tokensOf(lines))}</div>;
  return (
    <>
      {from > 0 && <div>{marked(tokensOf(lines.slice(0, from)))}</div>}
      <Button size="compact-xs" variant="subtle" onClick={() => setIsOpen(true)}>
        {counted(to - from, 'unchanged line')}
      </Button>
      {to < lines.length && <div>{marked(tokensOf(lines.slice(to)))}</div>}
    </>
  );
};

const Changed = ({ removed, added }: Record<'removed' | 'added', readonly string[]>) => {
  const words = useMemo(() => blocksOf(tokensOf(removed), tokensOf(added)), [removed, added]);
  const shown = (side: 'removed' | 'added') =>
    words.map((block, index) =>
      'same' in block ? (
        marked(block.same)
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block has no identity
        <b key={index}>{marked(block[side].map((token) => (token === '\n' ? '↵\n' : token)))}</b>
      ),
    );
  return (
    <>
      {removed.length > 0 && <del>{shown('removed')}</del>}
      {added.length > 0 && <ins>{shown('added')}</ins>}
    </>
  );
};

// What is marked, and words, are compared as one.
const TOKEN = new RegExp(`${PLACEHOLDER.source}|${FRAGMENT.source}|[\\p{L}\\p{N}_]+|[^]`, 'gu');
const MARKED = new RegExp(`^(?:${PLACEHOLDER.source}|${FRAGMENT.source})$`);

/** Lines in parts, with signs for the blanks at their ends. */
const tokensOf = (lines: readonly string[]): readonly string[] =>
  lines
    .map((line) => line.replace(/[ \t]+$/, (end) => end.replaceAll(' ', '·').replaceAll('\t', '→')))
    .join('\n')
    .match(TOKEN) ?? [];

/** Tokens with placeholders marked, and what would hide as escapes. */
const marked = (tokens: readonly string[]): ReactNode => {
  const shown: ReactNode[] = [];
  let plain = '';
  for (const token of tokens) {
    if (MARKED.test(token)) {
      shown.push(visible(plain), <mark key={shown.length}>{visible(token)}</mark>);
      plain = '';
    } else plain += token;
  }
  return [...shown, visible(plain)];
};
