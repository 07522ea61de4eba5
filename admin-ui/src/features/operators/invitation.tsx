import { formByNeed } from '../../components/by-need.tsx';
import { openDialog } from '../../components/dialogs/dialog.tsx';

const InviteForm = formByNeed('invite', () => import('./invite-form.tsx'));

export const openInvitation = (): void => openDialog({ title: 'Invite operators', content: <InviteForm /> });
