import { Stack, Text } from '@mantine/core';
import type { Content } from '../../../../../contract/content/content.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import { counted } from '../../../components/count.ts';
import { Part } from '../../../components/layout/panel.tsx';
import { type Compared, fieldChanges, type Piece, pairsOf } from './changes.ts';
import { TextChanges } from './text-changes.tsx';

interface ContentChangesProps {
  readonly before: Compared;
  readonly after: Compared;
  /** The two with their fragments in place. */
  readonly expanded?: readonly [before: Content, after: Content];
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
              <Text component="li" key={name} className="cv-break">
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
        <Text c="dimmed" role="status">
          {isChat ? `${counted(same, 'message')} unchanged.` : 'The text is the same.'}
        </Text>
      )}
    </>
  );
};
