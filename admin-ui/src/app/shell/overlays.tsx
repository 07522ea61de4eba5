import { Notifications } from '@mantine/notifications';
import { useOperator } from '../../api/session-context.tsx';
import { Commands } from '../commands/commands.tsx';
import { SessionExpired } from './session-expired.tsx';

/** What appears on top of every screen. */
export const Overlays = () => {
  const { role } = useOperator();
  return (
    <>
      <Notifications position="bottom-right" />
      {role !== undefined && <Commands />}
      <SessionExpired />
    </>
  );
};
