import { openDialog } from '../../components/dialogs/dialog.tsx';
import type { KeyRow, NewKey } from './key-queries.ts';
import { NewKeyForm } from './new-key-form.tsx';
import { NewKeyShown } from './new-key-shown.tsx';

/**
 * Creates a key and shows it once.
 * @param replaces the key that the new one replaces, with the same rules
 */
export const openNewKey = (replaces?: KeyRow): void =>
  openDialog({
    title: replaces ? `Rotate ${replaces.name}` : 'New API key',
    holdsInput: true,
    content: <NewKeyForm replaces={replaces} onCreated={showKey} />,
  });

export const showKey = (created: NewKey): void =>
  openDialog({
    title: created.apiKey === undefined ? 'Your new trust' : 'Your new API key',
    size: 'lg',
    holdsInput: true,
    content: <NewKeyShown created={created} />,
  });
