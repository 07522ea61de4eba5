import { formByNeed } from '../../components/by-need.tsx';
import { openDialog } from '../../components/dialogs/dialog.tsx';

const NewSecretForm = formByNeed('new-secret', () => import('./new-secret-form.tsx'));

export const openNewSecret = (): void =>
  openDialog({ title: 'New secret', holdsInput: true, content: <NewSecretForm /> });
