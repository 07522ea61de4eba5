import { formByNeed } from '../../components/by-need.tsx';
import { openDialog } from '../../components/dialogs/dialog.tsx';
import type { NewSecretStart } from './new-secret-form.tsx';
import type { Secret } from './secret-queries.ts';

const NewSecretForm = formByNeed('new-secret', () => import('./new-secret-form.tsx'));
const ValueForm = formByNeed('value-form', () => import('./values/value-form.tsx'));

export const openNewSecret = (start: NewSecretStart = {}): void =>
  openDialog({ title: 'New secret', holdsInput: true, content: <NewSecretForm {...start} /> });

/** `hasLeaked` says that the current value has. */
export const openNewValue = (secret: Secret, hasLeaked = false): void =>
  openDialog({
    title: `New value of ${secret.key}`,
    holdsInput: true,
    content: <ValueForm secret={secret} hasLeaked={hasLeaked} />,
  });
