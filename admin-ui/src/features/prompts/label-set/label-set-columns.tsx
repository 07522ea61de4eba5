import { Badge, Button, Checkbox, Group, Text } from '@mantine/core';
import type { BreakingChange } from '../../../../../contract/content/breaking.ts';
import { Breakable } from '../../../components/breakable.tsx';
import { byNeed } from '../../../components/by-need.tsx';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { TextLink } from '../../../components/link.tsx';
import type { Column } from '../../../components/tables/data-table.tsx';
import { sentenceOf } from '../editor/review/breaking.ts';
import { kindOf, type LabelMove } from './label-set.ts';

const Consequence = byNeed('label-consequence', () => import('../labels/consequence.tsx'));

const openComparison = ({ promptId, name, label, from, to }: LabelMove): void =>
  openDialog({
    title: name,
    size: '56rem',
    content: <Consequence promptId={promptId} name={label} current={from ?? undefined} target={to ?? ''} />,
  });

export interface MoveColumnsProps {
  /** The ids of the prompts whose label moves. */
  readonly moved: readonly string[];
  readonly onMoved: (ids: readonly string[]) => void;
  /** What breaks applications, by the name of the prompt; undefined if unknown. */
  readonly breaking: ReadonlyMap<string, readonly BreakingChange[]> | undefined;
}

/** The columns of a preview: each row is chosen and compared on its own. */
export const moveColumns = ({ moved, onMoved, breaking }: MoveColumnsProps): readonly Column<LabelMove>[] => {
  const toggle = (id: string) =>
    onMoved(moved.includes(id) ? moved.filter((each) => each !== id) : [...moved, id]);
  const isMoved = ({ promptId }: LabelMove) => moved.includes(promptId);
  return [
    {
      title: 'Prompt',
      cell: (move) => (
        <>
          <Group gap="xs" wrap="nowrap" align="flex-start">
            <Checkbox
              size="xs"
              aria-label={`Move ${move.name}`}
              checked={isMoved(move)}
              onChange={() => toggle(move.promptId)}
            />
            <TextLink
              to="/prompts/$promptId"
              params={{ promptId: move.promptId }}
              size="sm"
              className="cv-break"
            >
              <Breakable text={move.name} />
            </TextLink>
          </Group>
          {isMoved(move) &&
            breaking
              ?.get(move.name)
              ?.map(sentenceOf)
              .map((sentence) => (
                <Text key={sentence} size="xs" c="amber" pl={26} className="cv-break">
                  {sentence}
                </Text>
              ))}
        </>
      ),
    },
    {
      title: 'Now',
      width: '5.5rem',
      cell: (move) => (
        <>
          <span className="cv-mono">{move.from ?? 'not set'}</span>
          {kindOf(move) === 'down' && <Badge color="brick">downgrade</Badge>}
          {kindOf(move) === 'new' && <Badge color="slate">new here</Badge>}
        </>
      ),
    },
    {
      title: 'Next',
      width: '5.5rem',
      cell: ({ to }) => <span className="cv-mono">{to}</span>,
    },
    {
      title: 'Compare',
      width: '5.5rem',
      visibleFrom: 'xs',
      cell: (move) => (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => openComparison(move)}
          aria-label={`Compare ${move.name}`}
        >
          Compare
        </Button>
      ),
    },
  ];
};
