import { counted } from '../../components/count.ts';
import { openDialog } from '../../components/dialogs/dialog.tsx';
import { NewSecretForm, type NewSecretStart } from './new-secret-form.tsx';
import type { Secret } from './secret-queries.ts';
import { TagsForm, type TagsFormProps } from './tags-form.tsx';
import { ValueForm } from './values/value-form.tsx';

export const openNewSecret = (start: NewSecretStart = {}): void =>
  openDialog({ title: 'New secret', holdsInput: true, content: <NewSecretForm {...start} /> });

const TITLES = { add: 'Add tags to', remove: 'Remove tags from', set: 'Tags of' };

export const openTags = (props: TagsFormProps): void => {
  const [first] = props.secrets;
  const of = props.change === 'set' && first ? first.key : counted(props.secrets.length, 'secret');
  openDialog({ title: `${TITLES[props.change]} ${of}`, content: <TagsForm {...props} /> });
};

/** `hasLeaked` says that the current value has. */
export const openNewValue = (secret: Secret, hasLeaked = false): void =>
  openDialog({
    title: `New value of ${secret.key}`,
    holdsInput: true,
    content: <ValueForm secret={secret} hasLeaked={hasLeaked} />,
  });
