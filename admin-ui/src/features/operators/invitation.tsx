import { openDialog } from '../../components/dialogs/dialog.tsx';
import { InviteForm } from './invite-form.tsx';

/** Invites an operator. */
export const openInvitation = (): void =>
  openDialog({ title: 'Invite an operator', content: <InviteForm /> });
