import { Notifications } from '@mantine/notifications';
import { useSpotlight } from '@mantine/spotlight';
import { Suspense, useState } from 'react';
import { lazyOr } from '../../api/lazy-import.ts';
import { useOperator } from '../../api/session-context.tsx';
import { notifyFailure } from '../../components/dialogs/notify.tsx';
import { OpenDialog } from '../../components/dialogs/open-dialog.tsx';
import { commandsStore } from '../commands/commands-store.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { SessionExpired } from './session-expired.tsx';

// In the same file, which every screen loads.
export { StoppedBanner } from '../../features/secrets/vault/serving.tsx';
export { UserMenu } from './user-menu.tsx';

// A part of its own, which most visits never open.
const Commands = lazyOr<object>(
  async () => (await import('../commands/commands.tsx')).Commands,
  (error) => {
    notifyFailure(error);
    return () => null;
  },
);

/** Loads the command palette when it is opened first. */
const CommandsByNeed = () => {
  const { opened } = useSpotlight(commandsStore);
  const [isWanted, setWanted] = useState(opened);
  if (opened && !isWanted) setWanted(true);
  return isWanted ? (
    <Suspense>
      <Commands />
    </Suspense>
  ) : null;
};

/** What appears on top of every screen. */
export const Overlays = () => {
  const { role } = useOperator();
  useShortcuts();
  return (
    <>
      <Notifications position="bottom-center" />
      {role !== undefined && <CommandsByNeed />}
      <OpenDialog />
      <SessionExpired />
    </>
  );
};
