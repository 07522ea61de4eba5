import { Notifications } from '@mantine/notifications';
import { useOperator } from '../../api/session-context.tsx';
import { OpenDialog } from '../../components/dialogs/open-dialog.tsx';
import { Commands } from '../commands/commands.tsx';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { SessionExpired } from './session-expired.tsx';

// In the same file, which every screen loads.
export { UserMenu } from './user-menu.tsx';

/** What appears on top of every screen. */
export const Overlays = () => {
  const { role } = useOperator();
  useShortcuts();
  return (
    <>
      <Notifications position="bottom-right" />
      {role !== undefined && <Commands />}
      <OpenDialog />
      <SessionExpired />
    </>
  );
};
