import { Button, Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode, useMemo, useState } from 'react';
import type { Content } from '../../../../../contract/content/content.ts';
import { FRAGMENT } from '../../../../../contract/content/fragments.ts';
import { PLACEHOLDER } from '../../../../../contract/content/templates.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import { Muted, Part } from '../../../components/basics.tsx';
import { counted } from '../../../components/locale.ts';
import { blocksOf, type Compared, fieldChanges, type Piece, pairsOf } from './changes.ts';
import classes from './text-changes.module.css';

interface TextChangesProps {
  /** What is compared, such as `Template`. */
  title: string;
  before: string;
  after: string;
}

/** Unchanged lines that are shown around a change. */
const AROUND = 3;

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

/** The differences of two texts. Placeholders are colored; blanks at the end of lines, and changed line ends, are visible. */
const TextChanges = ({ title, before, after }: TextChangesProps) => {
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
  lines: readonly string[];
  /** Whether nothing is before it, or after it. */
  isFirst: boolean;
  isLast: boolean;
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

interface ContentChangesProps {
  before: Compared;
  after: Compared;
  /** The two with their fragments in place. */
  expanded?: readonly [before: Content, after: Content] | undefined;
}

/** The texts that differ, message by message for a chat, and what else differs, from its old value to its new one. */
export const ContentChanges = ({ before, after, expanded }: ContentChangesProps) => {
  const others = fieldChanges(before, after);
  return (
    <Stack gap="sm">
      <Texts before={before} after={after} />
      {others.length > 0 && (
        <Part title="What else changes">
          <ul className="cv-list" aria-label="What else changes">
            {others.map(({ name, from, to }) => (
              <Text component="li" key={name}>
                {visible(name)}: {from === null ? 'none' : <del>{visible(from)}</del>} →{' '}
                {to === null ? 'none' : <ins>{visible(to)}</ins>}
              </Text>
            ))}
          </ul>
        </Part>
      )}
      {/* Versions of fragments never change: without another one, the texts above say all. */}
      {expanded && String(before.includes ?? '') !== String(after.includes ?? '') && (
        <Stack component="section" gap="xs" aria-label="With fragments">
          <Text fw={600}>What applications get, with the fragments in place:</Text>
          <Texts before={expanded[0]} after={expanded[1]} />
        </Stack>
      )}
    </Stack>
  );
};

const titleOf = (one: Piece | undefined, other: Piece | undefined, number: number): string => {
  const headings = [...new Set([one, other].flatMap((piece) => piece?.heading ?? []))];
  if (headings.join() === 'template') return 'Template';
  const kept = one === undefined ? ' (new)' : other === undefined ? ' (removed)' : '';
  return `Message ${number}: ${headings.map(visible).join(' → ')}${kept}`;
};

const Texts = ({ before, after }: ContentChangesProps) => {
  const pairs = pairsOf(before, after);
  const same = pairs.filter(({ isSame }) => isSame).length;
  const isChat = before.type === 'chat' || after.type === 'chat';
  return (
    <>
      {pairs.map(({ before: old, after: now, isSame, number }) => {
        const title = titleOf(old, now, number);
        return (
          !isSame && (
            <div key={`${number} ${now === undefined}`}>
              {isChat && <Text fw={600}>{title}</Text>}
              {(old?.text || now?.text) && (
                <TextChanges title={title} before={old?.text ?? ''} after={now?.text ?? ''} />
              )}
            </div>
          )
        );
      })}
      {same > 0 && (
        <Muted role="status">
          {isChat ? `${counted(same, 'message')} unchanged.` : 'The text is the same.'}
        </Muted>
      )}
    </>
  );
};
