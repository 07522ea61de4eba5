import { Notifications } from '@mantine/notifications';
import { useOperator } from '../../api/session-context.tsx';
import { Commands } from '../commands/commands.tsx';
import { ShortcutsDialog } from '../shortcuts/shortcuts-dialog.tsx';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { SessionExpired } from './session-expired.tsx';

/** What appears on top of every screen. */
export const Overlays = () => {
  const { role } = useOperator();
  useShortcuts();
  return (
    <>
      <Notifications position="bottom-right" />
      {role !== undefined && <Commands />}
      <ShortcutsDialog />
      <SessionExpired />
    </>
  );
};
