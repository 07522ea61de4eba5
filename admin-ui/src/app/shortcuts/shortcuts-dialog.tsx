import { Checkbox, Kbd, Table, Title } from '@mantine/core';
import { openDialog } from '../../components/dialogs.tsx';
import { CHORDS, SHORTCUTS, useShortcutsEnabled } from './shortcuts.ts';

/** Lists the keyboard shortcuts, and turns those of single keys on or off. */
export const openShortcuts = (): void => openDialog({ title: 'Keyboard shortcuts', content: <Shortcuts /> });

const Shortcuts = () => {
  const [enabled, setEnabled] = useShortcutsEnabled();
  return (
    <>
      <Keys title="Everywhere" shortcuts={CHORDS} />
      <Keys title="Outside of text fields" shortcuts={SHORTCUTS} />
      <Checkbox
        mt="md"
        label="Shortcuts of single keys"
        description="Turn them off if you press keys by accident, or speak to your computer."
        checked={enabled}
        onChange={(event) => setEnabled(event.currentTarget.checked)}
      />
    </>
  );
};

const Keys = ({ title, shortcuts }: { title: string; shortcuts: typeof SHORTCUTS }) => (
  <>
    <Title order={3} mt="md" mb={4}>
      {title}
    </Title>
    <Table aria-label={title} withRowBorders={false} verticalSpacing={3}>
      <Table.Tbody>
        {shortcuts.map(({ keys, does }) => (
          <Table.Tr key={does}>
            <Table.Td w="9rem" style={{ whiteSpace: 'nowrap' }}>
              {keys.map((key) => (
                <Kbd key={key} mr={4}>
                  {key}
                </Kbd>
              ))}
            </Table.Td>
            <Table.Td>{does}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </>
);
