import { Badge, Button, Checkbox, Group, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BreakingChange } from '../../../../../contract/content/breaking.ts';
import { Breakable } from '../../../components/breakable.tsx';
import { byNeed } from '../../../components/by-need.tsx';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { TextLink } from '../../../components/link.tsx';
import type { Column } from '../../../components/tables/data-table.tsx';
import { sentenceOf } from '../editor/review/breaking.ts';
import { versionsQuery } from '../prompt-queries.ts';
import { type Edits, kindOf, type LabelMove } from './label-set.ts';

const Consequence = byNeed('label-consequence', () => import('../labels/consequence.tsx'));

const openComparison = ({ promptId, name, label, from, to }: LabelMove): void =>
  openDialog({
    title: name,
    size: '56rem',
    content: <Consequence promptId={promptId} name={label} current={from ?? undefined} target={to ?? ''} />,
  });

interface MoveColumnsProps {
  readonly edits: Edits;
  readonly onEdit: (edits: Edits) => void;
  /** What breaks applications, by the name of the prompt; undefined if unknown. */
  readonly breaking: ReadonlyMap<string, readonly BreakingChange[]> | undefined;
}

/** The columns of a preview: each row is left out, changed, or compared on its own. */
export const moveColumns = ({ edits, onEdit, breaking }: MoveColumnsProps): readonly Column<LabelMove>[] => {
  const { moved, chosen } = edits;
  const toggle = (id: string) =>
    onEdit({
      ...edits,
      moved: moved.includes(id) ? moved.filter((each) => each !== id) : [...moved, id],
    });
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
      width: '7rem',
      cell: (move) => (
        <NextVersion
          move={move}
          choose={(version) =>
            onEdit({
              moved: [...new Set([...moved, move.promptId])],
              chosen: { ...chosen, [move.promptId]: version },
            })
          }
        />
      ),
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

const NextVersion = ({ move, choose }: { move: LabelMove; choose: (version: string) => void }) => {
  const [isOpened, setIsOpened] = useState(false);
  const { data = [] } = useQuery({ ...versionsQuery(move.promptId), enabled: isOpened });
  const others = data.map(({ version }) => version).filter((version) => version !== move.from);
  return (
    <Select
      size="xs"
      aria-label={`Next version of ${move.name}`}
      data={others.length > 0 ? others : [move.to ?? '']}
      value={move.to}
      onChange={(version) => version !== null && choose(version)}
      onDropdownOpen={() => setIsOpened(true)}
      comboboxProps={{ width: 120, position: 'bottom-end' }}
    />
  );
};
