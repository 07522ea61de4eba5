import { Notifications } from '@mantine/notifications';
import { useSpotlight } from '@mantine/spotlight';
import { useOperator } from '../../api/session-context.tsx';
import { byNeed } from '../../components/by-need.tsx';
import { Commands } from '../commands/commands.tsx';
import { helpStore } from '../commands/commands-store.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { SessionExpired } from './session-expired.tsx';

// In the same file, which every screen loads.
export { UserMenu } from './user-menu.tsx';

const ShortcutsDialog = byNeed(
  'shortcuts-dialog',
  async () => (await import('../shortcuts/shortcuts-dialog.tsx')).ShortcutsDialog,
);

/** What appears on top of every screen. */
export const Overlays = () => {
  const { role } = useOperator();
  const { opened } = useSpotlight(helpStore);
  useShortcuts();
  return (
    <>
      <Notifications position="bottom-right" />
      {role !== undefined && <Commands />}
      {opened && <ShortcutsDialog />}
      <SessionExpired />
    </>
  );
};
