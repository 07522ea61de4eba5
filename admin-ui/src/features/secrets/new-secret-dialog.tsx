import { formByNeed } from '../../components/by-need.tsx';
import { openDialog } from '../../components/dialogs/dialog.tsx';
import type { NewSecretStart } from './new-secret-form.tsx';

const NewSecretForm = formByNeed('new-secret', () => import('./new-secret-form.tsx'));

export const openNewSecret = (start: NewSecretStart = {}): void =>
  openDialog({ title: 'New secret', holdsInput: true, content: <NewSecretForm {...start} /> });
