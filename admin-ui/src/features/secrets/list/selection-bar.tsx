import { Button, Group, Text } from '@mantine/core';
import { useRole } from '../../../api/session-context.tsx';
import { CopyTextButton } from '../../../components/code/copy-button.tsx';
import { counted } from '../../../components/count.ts';
import type { SecretRow } from '../secret-queries.ts';
import { confirmDeletion } from './delete-selected.tsx';
import { openTags } from './tags-of-selected.tsx';

interface SelectionBarProps {
  readonly secrets: readonly SecretRow[];
  readonly onSelect: (secretIds: readonly string[]) => void;
}

/** What can be done with several secrets at once. */
export const SelectionBar = ({ secrets, onSelect }: SelectionBarProps) => {
  const { can } = useRole();
  return (
    <Group gap="xs" mb="sm" role="group" aria-label="Selected secrets">
      <Text fw={600} role="status">
        {counted(secrets.length, 'secret')} selected
      </Text>
      <CopyTextButton text={secrets.map(({ key }) => key).join('\n')} label="the names" />
      {can('editor') && (
        <>
          <Button variant="default" onClick={() => openTags({ secrets, change: 'add', onFailed: onSelect })}>
            Add tags
          </Button>
          <Button
            variant="default"
            onClick={() => openTags({ secrets, change: 'remove', onFailed: onSelect })}
            disabled={secrets.every(({ tags }) => tags.length === 0)}
          >
            Remove tags
          </Button>
          <Button variant="default" color="brick" onClick={() => confirmDeletion(secrets)}>
            Delete
          </Button>
        </>
      )}
      <Button variant="subtle" onClick={() => onSelect([])}>
        Clear the selection
      </Button>
    </Group>
  );
};
